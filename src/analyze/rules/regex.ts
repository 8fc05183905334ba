import { neededWords } from './needed-words.js';
import { WORDS } from './words.js';

/** Text a regular expression is tried on: the rest of a longer one is not looked at. */
export const TEXT_LIMIT = 1 << 20;

const PATTERN_LIMIT = 10_000;
/** A bound above this counts as none where bounds stand inside each other. */
const SMALL_BOUND = 16;

export type TextTest = (text: string) => boolean;

/** Numbers of groups count from the start of an expression: one that names a group stays alone. */
const REFERS = /\\[1-9]|\\k<|\(\?<[A-Za-z_$]/;

/**
 * Tests whether one of the patterns occurs in a text. A pattern that needs certain words is tried where one of them stands; the
 * others become one expression for each set of flags.
 */
export function textTest(patterns: readonly string[]): TextTest {
  const tests: TextTest[] = [];
  const byFlags = new Map<string, string[]>();
  for (const pattern of patterns) {
    const { source, flags } = readPattern(pattern);
    const words = neededWords(source);
    const expression = () => new RegExp(source, flags);
    if (words.length > 0) tests.push(wordTest(words, expression()));
    else if (REFERS.test(source)) tests.push(plainTest(expression()));
    else byFlags.set(flags, [...(byFlags.get(flags) ?? []), source]);
  }
  for (const [flags, sources] of byFlags)
    tests.push(
      plainTest(new RegExp(sources.length === 1 ? (sources[0] ?? '') : sources.map((source) => `(?:${source})`).join('|'), flags)),
    );
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (text) => tests.some((test) => test(text));
}

const plainTest =
  (expression: RegExp): TextTest =>
  (text) =>
    expression.test(within(text));

/** Below this length an expression is as fast as a search for words. */
const SHORT = 100;

function wordTest(sets: readonly (readonly string[])[], expression: RegExp): TextTest {
  const wanted = sets.map((words) => words.map((word) => WORDS.number(word)));
  return (text) => {
    const part = within(text);
    if (part.length > SHORT) {
      const there = WORDS.in(part);
      if (!wanted.every((words) => words.some((word) => there.has(word)))) return false;
    }
    return expression.test(part);
  };
}

const within = (text: string) => (text.length > TEXT_LIMIT ? text.slice(0, TEXT_LIMIT) : text);

/** Takes a leading `(?i)`, `(?s)`, `(?m)` off and checks that the pattern compiles and cannot run away. Throws with the reason. */
function readPattern(pattern: string): { readonly source: string; readonly flags: string } {
  if (pattern.length > PATTERN_LIMIT) throw new Error(`a regular expression longer than ${PATTERN_LIMIT} characters`);
  const head = /^(?:\(\?[ims]{1,3}\))*/.exec(pattern)?.[0] ?? '';
  const flags = ['i', 'm', 's'].filter((flag) => head.includes(flag)).join('');
  const source = pattern.slice(head.length);
  try {
    new RegExp(source, `${flags}u`);
  } catch (error) {
    throw new Error(`not a regular expression: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (nestsUnbounded(source)) throw new Error(`a repetition without bound inside another one: ${source}`);
  return { source, flags: `${flags}u` };
}

/**
 * Whether an unbounded repetition stands inside an unbounded one, as in `(a+)+`: then the time can grow beyond all measure with the
 * length of the text.
 */
export function nestsUnbounded(source: string): boolean {
  // For each open group: whether it holds an unbounded repetition.
  const open: boolean[] = [false];
  let last = false;
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (char === '(') {
      open.push(false);
      last = false;
      continue;
    }
    const size = repetition(source, at);
    if (size !== undefined) {
      if (size.unbounded) {
        if (last) return true;
        open[open.length - 1] = true;
      }
      at += size.length - 1;
      last = false;
      continue;
    }
    last = false;
    if (char === '\\') at += 1;
    else if (char === '[') at = classEnd(source, at);
    else if (char === ')') {
      last = open.pop() ?? false;
      if (last) open[open.length - 1] = true;
    }
  }
  return false;
}

/** A repetition at a place: how long it is, and whether it has no bound worth the name. */
function repetition(source: string, at: number): { readonly length: number; readonly unbounded: boolean } | undefined {
  const char = source[at];
  const lazy = (length: number) => (source[at + length] === '?' ? length + 1 : length);
  if (char === '*' || char === '+') return { length: lazy(1), unbounded: true };
  // A question mark behind an opening bracket is no repetition, but `(?:` has none to be mistaken for either.
  if (char === '?') return { length: lazy(1), unbounded: false };
  if (char !== '{') return undefined;
  const braces = /^\{(\d{1,9})(?:(,)(\d{0,9}))?\}/.exec(source.slice(at, at + 24));
  if (braces === null) return undefined;
  const [text, least = '', comma, most = ''] = braces;
  const bound = comma === undefined ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most);
  return { length: lazy(text.length), unbounded: bound > SMALL_BOUND };
}

function classEnd(source: string, at: number): number {
  for (let end = at + 1; end < source.length; end++) {
    if (source[end] === '\\') end += 1;
    else if (source[end] === ']') return end;
  }
  return source.length;
}
