/**
 * Text from evidence, before it was made safe to look at.
 *
 * To the compiler it is a symbol, although a string runs underneath: TypeScript lets a symbol into no text node, no attribute and
 * no template, so every place that would show a raw value does not compile. The ways out are `plain` and `pieces` (to show) and
 * `originalOf` (to compare, look up and copy).
 */
declare const RAW: unique symbol;
export type Raw = symbol & { readonly [RAW]: true };

/** Data of a page as it arrives: every free string in it is raw; words of a closed list stay words. */
export type Branded<T> = T extends string
  ? string extends T
    ? Raw
    : T
  : T extends readonly (infer U)[]
    ? readonly Branded<U>[]
    : T extends object
      ? string extends keyof T
        ? Tally<T[keyof T]>
        : { readonly [K in keyof T]: Branded<T[K]> }
      : T;

/** An object whose keys come from evidence; read with `pairsOf` only. */
export interface Tally<V> {
  readonly [RAW]: V;
}

/** The two casts of the page: in and out of the brand. */
export const rawOf = (text: string): Raw => text as unknown as Raw;
export const originalOf = (raw: Raw): string => raw as unknown as string;

export const EMPTY: Raw = rawOf('');

export function brandedJson<T>(text: string): Branded<T> {
  return JSON.parse(text);
}

export function pairsOf<V>(tally: Tally<V>): [Raw, V][] {
  return Object.entries<V>({ ...tally }).map(([key, value]) => [rawOf(key), value]);
}

/**
 * Place of a value that came out of an address, or -1. An address cannot carry half a character pair: where nothing is equal, what
 * is equal but for such halves is meant.
 */
export function placeIn(values: readonly Raw[], wanted: Raw): number {
  const exact = values.indexOf(wanted);
  if (exact >= 0 || !originalOf(wanted).includes('\ufffd')) return exact;
  return values.findIndex((value) => originalOf(value).toWellFormed() === originalOf(wanted));
}
