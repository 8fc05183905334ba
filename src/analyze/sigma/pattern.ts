/** A text of an event, with its lower-case form made when first asked for. */
export class Text {
  private folded: string | undefined;

  constructor(readonly raw: string) {}

  get lower(): string {
    this.folded ??= this.raw.toLowerCase();
    return this.folded;
  }
}

export type TextTest = (text: Text) => boolean;

/** What a place of a pattern takes: this character, any one, or any dash that Windows programs take for the start of an option. */
type Unit = string | typeof ANY | typeof DASH;
const ANY = 1;
const DASH = 2;
const STAR = 3;

const DASHES = '-/\u2013\u2014\u2015';

/** A text of a rule, taken apart: characters, `?` and `*`. */
export type Pattern = readonly (Unit | typeof STAR)[];

/** Reads a text of a rule. A backslash makes `*`, `?` and a backslash plain, and is itself plain in front of all else. */
export function readPattern(value: string): Pattern {
  const pattern: (Unit | typeof STAR)[] = [];
  for (let at = 0; at < value.length; at++) {
    const char = value.charAt(at);
    const next = value.charAt(at + 1);
    if (char === '\\' && (next === '*' || next === '?' || next === '\\')) {
      pattern.push(next);
      at += 1;
    } else if (char === '*') {
      if (pattern.at(-1) !== STAR) pattern.push(STAR);
    } else pattern.push(char === '?' ? ANY : char);
  }
  return pattern;
}

/** The text a pattern without wildcards stands for, or undefined. */
export function plainText(pattern: Pattern): string | undefined {
  return pattern.every((unit) => typeof unit === 'string') ? pattern.join('') : undefined;
}

/** Where a pattern may stand in the text: `contains`, `startswith`, `endswith`. */
export function withOpenEnds(pattern: Pattern, start: boolean, end: boolean): Pattern {
  const star: Pattern = [STAR];
  return [...(start ? star : []), ...pattern, ...(end ? star : [])];
}

/** Lets each dash in front of an option stand for every dash there is. */
export function withAnyDash(pattern: Pattern): Pattern {
  const isWord = (unit: Pattern[number] | undefined) => typeof unit === 'string' && /\w/.test(unit);
  return pattern.map((unit, at): Pattern[number] =>
    (unit === '-' || unit === '/') && isWord(pattern[at + 1]) && !isWord(pattern[at - 1]) ? DASH : unit,
  );
}

type Segment = string | readonly Unit[];

/** A test of a whole text. Its time grows with the length of the text times that of the pattern, whatever both hold. */
export function compilePattern(pattern: Pattern, cased: boolean): TextTest {
  const units = cased ? pattern : pattern.map((unit): Pattern[number] => (typeof unit === 'string' ? unit.toLowerCase() : unit));
  const segments: Segment[] = splitAtStars(units).map((segment) =>
    segment.every((unit) => typeof unit === 'string') ? segment.join('') : segment,
  );
  const read = cased ? (text: Text) => text.raw : (text: Text) => text.lower;
  const [first = '', ...rest] = segments;
  const last = rest.pop();
  if (last === undefined) return (text) => read(text).length === first.length && standsAt(first, read(text), 0);
  const [only = ''] = rest;
  if (rest.length === 1 && first.length === 0 && last.length === 0 && typeof only === 'string') return (text) => read(text).includes(only);
  return (text) => holds(first, rest, last, read(text));
}

function splitAtStars(pattern: Pattern): Unit[][] {
  const segments: Unit[][] = [[]];
  for (const unit of pattern) {
    if (unit === STAR) segments.push([]);
    else segments.at(-1)?.push(unit);
  }
  return segments;
}

/** The first segment at the start, the last at the end, those between them in turn, each as early as it can stand. */
function holds(first: Segment, between: readonly Segment[], last: Segment, text: string): boolean {
  const end = text.length - last.length;
  if (first.length > end || !standsAt(first, text, 0) || !standsAt(last, text, end)) return false;
  let at = first.length;
  for (const segment of between) {
    const found = find(segment, text, at);
    if (found < 0) return false;
    at = found + segment.length;
  }
  return at <= end;
}

function find(segment: Segment, text: string, from: number): number {
  if (typeof segment === 'string') return text.indexOf(segment, from);
  for (let at = from; at + segment.length <= text.length; at++) if (standsAt(segment, text, at)) return at;
  return -1;
}

function standsAt(segment: Segment, text: string, at: number): boolean {
  if (typeof segment === 'string') return text.startsWith(segment, at);
  for (const [offset, unit] of segment.entries()) {
    const char = text.charAt(at + offset);
    if (char === '' || (unit === DASH ? !DASHES.includes(char) : unit !== ANY && unit !== char)) return false;
  }
  return true;
}
