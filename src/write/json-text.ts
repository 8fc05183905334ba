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
