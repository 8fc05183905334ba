import { type EntryFacts, transcriptText } from './keys.js';
import type { RecoveredKind } from './types.js';

/**
 * A text that is looked for in stored values as it is, although its JSON form may differ: a run without a quote, backslash, slash,
 * control or non-ASCII character, which every writer of JSON leaves alone unless it writes escapes nobody needs (`hidesText`).
 */
const RUN = /[ !#-.0-[\]-~]+/g;
/** Of a longer text this much is searched, and this much of the search goes on. */
const LONGEST_MARK = 64;
const LONGEST_SEARCH = 4096;

/** The longest run of a text; undefined where it has none. */
export function markOf(text: string): string | undefined {
  let longest = '';
  for (const [run] of text.slice(0, LONGEST_SEARCH).matchAll(RUN)) {
    if (run.length > longest.length) longest = run;
    if (longest.length >= LONGEST_MARK) return longest.slice(0, LONGEST_MARK);
  }
  return longest === '' ? undefined : longest;
}

const ESCAPE = Buffer.from('\\u00');

/** Some printable ASCII character stands as an escape (`\u0041`): a mark that is not seen may still be there. */
export function hidesText(value: Buffer): boolean {
  for (let at = value.indexOf(ESCAPE); at >= 0; at = value.indexOf(ESCAPE, at + 1)) {
    const digit = value[at + ESCAPE.length] ?? 0;
    if (digit >= 0x32 && digit <= 0x37) return true;
  }
  return false;
}

type Marks = (string | undefined)[];

/** Marks of the key of an entry: any value that holds the same entry holds them. */
export function entryMarks(key: string, facts: EntryFacts): Marks {
  if (key.startsWith('m:') || key.startsWith('q:')) return [markOf(key.slice(2))];
  // All of its calls, or all of its bytes, are the key.
  if (key.startsWith('t:')) return [markOf(facts.calls.find((id) => id !== '') ?? '')];
  return [markOf(facts.prompt || facts.answer)];
}

/** One mark for each text key of a part: `facts` are those of an answer or a result. */
export function partMarks(kind: RecoveredKind, value: unknown, facts: EntryFacts | undefined): Marks {
  if (facts !== undefined) {
    const said = [facts.prompt, facts.answer].filter((text) => text !== '');
    return [...facts.results, ...facts.calls, ...said].map(markOf);
  }
  if (typeof value !== 'string') return [];
  if (kind === 'prompt' || kind === 'summary') return [markOf(value)];
  return kind === 'transcript' ? [markOf(transcriptText(value).text)] : [];
}

/** Marks of the names by which owners are asked for: `c:` and an id, or the key of an entry. */
export function ownerMarks(links: readonly string[]): Marks {
  return links.map((link) => markOf(link.slice(2)));
}
