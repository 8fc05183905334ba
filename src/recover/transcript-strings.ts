import { isUtf8 } from 'node:buffer';
import type { Found } from './found.js';
import { findIn, parsePiece, stringEnd } from './json-scan.js';

const QUOTED = Buffer.from('"> ');
const LIST = Buffer.from('"transcript":["');
const COMMA = 0x2c;
const BRACKET = 0x5b;
const QUOTE = 0x22;

/**
 * Elements of a transcript: a string that begins `> ` where a list element can begin, or the beginning of the list; then
 * the strings behind it as long as they follow each other.
 */
export function salvageTranscript(text: Buffer, from: number, to: number): Found[] {
  const found: Found[] = [];
  let at = from;
  let list = findIn(text, LIST, from, to);
  for (;;) {
    if (list >= 0 && list < at) list = findIn(text, LIST, at, to);
    const line = nextLine(text, at, list < 0 ? to : list);
    const first = line < 0 && list >= 0 ? list + LIST.length - 1 : line;
    if (first < 0) return found;
    at = readList(text, first, to, found);
    if (at < 0) return found;
  }
}

function nextLine(text: Buffer, from: number, to: number): number {
  for (let at = findIn(text, QUOTED, from, to); at >= 0; at = findIn(text, QUOTED, at + 1, to)) {
    const before = text[at - 1];
    if (at > 0 && (before === COMMA || before === BRACKET)) return at;
  }
  return -1;
}

/** Reads strings up to the end of the list; -1 when the text is cut inside one. */
function readList(text: Buffer, first: number, to: number, found: Found[]): number {
  let start = first;
  for (;;) {
    const end = stringEnd(text, start, to);
    if (end < 0) return -1;
    const value = isUtf8(text.subarray(start, end)) ? parsePiece(text, start, end) : undefined;
    if (typeof value === 'string' && value !== '') found.push({ kind: 'transcript', start, end, value, around: {} });
    if (text[end] !== COMMA || text[end + 1] !== QUOTE || end + 1 >= to) return end;
    start = end + 1;
  }
}
