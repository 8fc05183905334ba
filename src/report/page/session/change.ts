/** What a file write changes, as lines: from the arguments of the call, not from the file. */
import { originalOf, type Raw, rawOf } from '../text/raw.js';
import type { Argument } from './arguments.js';

export interface Line {
  readonly sign: '+' | '-' | ' ';
  readonly text: Raw;
}

export interface Change {
  readonly lines: readonly Line[];
  /** Names of the arguments that are shown as lines. */
  readonly used: ReadonlySet<string>;
}

/** Names as the agents' tools have them. */
const OLD = ['old_str', 'oldStr', 'old_string', 'oldText', 'old_text'];
const NEW = ['new_str', 'newStr', 'new_string', 'newText', 'new_text'];
const WHOLE = ['file_text', 'fileText', 'content', 'text'];
const PATH = ['path', 'file_path', 'filePath', 'targetFile'];

export function changeOf(given: readonly Argument[]): Change | null {
  const find = (names: readonly string[]) => given.find(({ name, isText }) => isText && names.includes(name));
  const before = find(OLD);
  const after = find(NEW);
  if (after !== undefined && before !== undefined) {
    return { lines: difference(linesOf(before.text), linesOf(after.text)), used: new Set([before.name, after.name]) };
  }
  const whole = after ?? find(WHOLE);
  if (whole === undefined || find(PATH) === undefined) return null;
  return { lines: linesOf(whole.text).map((text) => ({ sign: '+', text: rawOf(text) })), used: new Set([whole.name]) };
}

const linesOf = (text: Raw): string[] => originalOf(text).replace(/\n$/, '').split('\n');

/** Lines that both begin or end with are kept; all between are taken out and put in. Plain, and never wrong. */
function difference(before: readonly string[], after: readonly string[]): Line[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const line =
    (sign: Line['sign']) =>
    (text: string): Line => ({ sign, text: rawOf(text) });
  return [
    ...before.slice(0, head).map(line(' ')),
    ...before.slice(head, before.length - tail).map(line('-')),
    ...after.slice(head, after.length - tail).map(line('+')),
    ...before.slice(before.length - tail).map(line(' ')),
  ];
}
