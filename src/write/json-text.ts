/** JSON for a line of its own: no blanks, U+2028 and U+2029 escaped (some readers split lines there). */
export function jsonText(value: object): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** Hides in a text what must not be seen. */
export type MaskText = (text: string) => string;

/** A value with all of its strings masked, the names of members too. */
export function maskStrings<T>(value: T, mask: MaskText): T;
export function maskStrings(value: unknown, mask: MaskText): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item: unknown) => maskStrings(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [mask(name), maskStrings(member, mask)]));
}

/** A record with the strings of its values masked; its own names are columns and stay. */
export function maskValues(record: object, mask: MaskText): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, maskStrings(value, mask)]));
}

const STEP = '  ';

/**
 * `JSON.stringify(value, null, 2)` with strings masked, in pieces: neither a second tree nor a whole text of it, which may be
 * larger than a string can be. Names that a mask changes may become one, so such an object is made as a whole.
 */
export function* jsonPieces(value: unknown, mask: MaskText, indent = ''): Generator<string> {
  const inner = indent + STEP;
  if (Array.isArray(value) && value.length > 0) {
    let ahead = '[\n';
    for (const item of value) {
      yield ahead + inner;
      yield* jsonPieces(item, mask, inner);
      ahead = ',\n';
    }
    yield `\n${indent}]`;
  } else if (isNested(value) && Object.keys(value).every((name) => mask(name) === name)) {
    let ahead = '{\n';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${ahead}${inner}${JSON.stringify(name)}: `;
      yield* jsonPieces(member, mask, inner);
      ahead = ',\n';
    }
    yield `\n${indent}}`;
  } else yield JSON.stringify(maskStrings(value, mask), null, STEP.length)?.replaceAll('\n', `\n${indent}`) ?? 'null';
}

/** An object that holds more than plain values. */
function isNested(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((member) => typeof member === 'object' && member !== null)
  );
}
