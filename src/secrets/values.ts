/** Longer values are judged by their beginning, so that a test costs the same for a token and for a megabyte. */
const JUDGED = 256;

const BUCKETS = 128;
const counts = new Uint16Array(BUCKETS);

/** Shannon entropy in bits per character. Characters beyond ASCII share the buckets of ASCII. */
export function entropy(value: string): number {
  const size = Math.min(value.length, JUDGED);
  for (let i = 0; i < size; i += 1) {
    const bucket = value.charCodeAt(i) % BUCKETS;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  let bits = 0;
  for (let i = 0; i < size; i += 1) {
    const bucket = value.charCodeAt(i) % BUCKETS;
    const count = counts[bucket] ?? 0;
    if (count === 0) continue;
    bits -= (count / size) * Math.log2(count / size);
    counts[bucket] = 0;
  }
  return bits;
}

export interface Classes {
  readonly count: number;
  readonly digit: boolean;
  readonly lower: boolean;
  readonly upper: boolean;
}

/** Lower case, upper case, digits, all else. */
export function classesOf(value: string): Classes {
  let lower = 0;
  let upper = 0;
  let digits = 0;
  let other = 0;
  const size = Math.min(value.length, JUDGED);
  for (let i = 0; i < size; i += 1) {
    const unit = value.charCodeAt(i);
    if (unit >= 97 && unit <= 122) lower = 1;
    else if (unit >= 65 && unit <= 90) upper = 1;
    else if (unit >= 48 && unit <= 57) digits = 1;
    else other = 1;
  }
  return { count: lower + upper + digits + other, digit: digits === 1, lower: lower === 1, upper: upper === 1 };
}

const CLASSES = 37;

function bigramClass(unit: number): number {
  if (unit >= 97 && unit <= 122) return unit - 97;
  if (unit >= 65 && unit <= 90) return unit - 65;
  if (unit >= 48 && unit <= 57) return unit - 22;
  return CLASSES - 1;
}

/** How much a value reads like words: mean over its pairs, 0 (never seen in words) to 63. */
export type Wordiness = (value: string) => number;

const FIRST_MARK = 48; // '0'; a level per mark, up to 'o'

/** Without a table nothing reads like words. */
export function wordiness(rows: readonly string[] | undefined): Wordiness {
  if (!rows) return () => 0;
  const table = Uint8Array.from(rows.flatMap((row) => [...row].map((mark) => mark.charCodeAt(0) - FIRST_MARK)));
  return (value) => {
    const size = Math.min(value.length, JUDGED);
    if (size < 2) return 0;
    let sum = 0;
    let last = bigramClass(value.charCodeAt(0));
    for (let i = 1; i < size; i += 1) {
      const next = bigramClass(value.charCodeAt(i));
      sum += table[last * CLASSES + next] ?? 0;
      last = next;
    }
    return sum / (size - 1);
  };
}

/**
 * Above it a value is taken for words. Measured: of 2 000 random base62 strings of 20 characters 1 % lie above 32.6; of the
 * 14 800 names in a compiler's source 1 % lie below 36.8.
 */
export const WORDS = 35;

/** Letters of both cases drawn at random, not joined from words: one random string of sixteen in twelve has no digit. */
export function looksDrawn(value: string, words: Wordiness): boolean {
  return isDrawn(value.length, classesOf(value), entropy(value), words(value));
}

function isDrawn(size: number, { lower, upper }: Classes, bits: number, reading: number): boolean {
  return size >= DRAWN_LEAST && lower && upper && bits >= 3 && reading < DRAWN;
}

const DRAWN_LEAST = 14;
const DRAWN = 27;

export type Strength = 'none' | 'weak' | 'fair' | 'strong';

/**
 * How much a value looks made by a generator or by someone choosing a password, beside a secret-like name.
 * `quoted`: a literal, where an unquoted word might be an expression.
 */
export function strength(value: string, quoted: boolean, isPassword: boolean, words: Wordiness): Strength {
  const classes = classesOf(value);
  const size = value.length;
  if (size < 4) return 'none';
  if (size < 8) return isPassword ? (classes.count >= 2 && classes.digit && size >= 6 ? 'fair' : 'weak') : 'none';
  const bits = entropy(value);
  const reading = words(value);
  const wordy = reading > WORDS;
  if (size >= 20) {
    if (bits < 3 || classes.count < 2) return 'weak';
    if (wordy) return isPassword && classes.count >= 3 && classes.digit ? 'fair' : 'weak';
    // one random string in seventy of this length has no digit
    if (!classes.digit) return bits >= 3.5 && reading < WORDS - 4 ? 'fair' : 'weak';
    return bits >= 3.5 ? 'strong' : 'fair';
  }
  if (bits < 2.2) return 'weak';
  const varied = classes.count >= 3 || (classes.count === 2 && classes.digit && quoted);
  if (!varied) return isDrawn(size, classes, bits, reading) ? 'fair' : 'weak';
  if (wordy && !(isPassword && classes.digit)) return 'weak';
  return classes.count >= 3 && classes.digit && size >= 10 && !wordy ? 'strong' : 'fair';
}
