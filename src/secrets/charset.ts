/** Alphabets that token formats are made of. A bit per alphabet and code unit, so that a run is measured without a regex. */
export const CHARSETS = {
  base62: /[A-Za-z0-9]/,
  base64: /[A-Za-z0-9+/=]/,
  base64url: /[A-Za-z0-9_-]/,
  dotted: /[A-Za-z0-9_.-]/,
  lower: /[a-z0-9]/,
  upper: /[A-Z0-9]/,
  base32: /[A-Z2-7]/,
  hex: /[a-f0-9]/,
  anyhex: /[A-Fa-f0-9]/,
  digits: /[0-9]/,
  hexpair: /[a-f0-9:]/,
  opaque: /[A-Za-z0-9+/=:_.~-]/,
} as const;
export type Charset = keyof typeof CHARSETS;

const NAMES = Object.keys(CHARSETS).filter((name): name is Charset => name in CHARSETS);
const BITS = new Map<Charset, number>(NAMES.map((name, i) => [name, 1 << i]));
const UNITS = 128;

const MASKS = Int32Array.from({ length: UNITS }, (_, unit) =>
  NAMES.reduce((mask, name) => (CHARSETS[name].test(String.fromCharCode(unit)) ? mask | bitOf(name) : mask), 0),
);

function bitOf(name: Charset): number {
  return BITS.get(name) ?? 0;
}

export function isIn(name: Charset, unit: number): boolean {
  return unit < UNITS && ((MASKS[unit] ?? 0) & bitOf(name)) !== 0;
}

/** True when all of the text is of the alphabet. */
export function isAll(name: Charset, text: string): boolean {
  return runEnd(text, 0, text.length, bitOf(name)) === text.length;
}

/** Where the characters of an alphabet before a place begin, `most` at the most. */
export function runStart(name: Charset, text: string, before: number, most: number): number {
  const bit = bitOf(name);
  let at = before;
  for (; at > 0 && before - at < most; at -= 1) {
    const unit = text.charCodeAt(at - 1);
    if (unit >= UNITS || ((MASKS[unit] ?? 0) & bit) === 0) break;
  }
  return at;
}

function runEnd(text: string, from: number, to: number, bit: number): number {
  let at = from;
  for (; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= UNITS || ((MASKS[unit] ?? 0) & bit) === 0) break;
  }
  return at;
}

/**
 * Ends of runs in one text. The last run of each alphabet is remembered: a megabyte of `sk-sk-sk-` starts a token at
 * every third character, and each start asks for the end of the same run.
 */
export type Runs = (name: Charset, from: number) => number;

export function runsOf(text: string): Runs {
  const last = new Map<Charset, { readonly start: number; readonly end: number }>();
  return (name, from) => {
    const known = last.get(name);
    if (known && from >= known.start && from < known.end) return known.end;
    const end = runEnd(text, from, text.length, bitOf(name));
    last.set(name, { start: from, end });
    return end;
  };
}
