import { isUtf8 } from 'node:buffer';

/** Shorter runs of text hold nothing that could be told from chance. */
export const SHORTEST_RUN = 24;

/**
 * End of the text that begins at `from`: the first control byte (a stored value escapes them all), or the first byte that is
 * not UTF-8. A sequence cut by the beginning or, where `open`, by the end of the range may go on in another page.
 */
export function textEnd(bytes: Buffer, from: number, to: number): number {
  let end = from;
  while (end < to && (bytes[end] ?? 0) >= 0x20) end += 1;
  let start = from;
  while (start < end && start - from < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  const sound = end === to ? wholeSequences(bytes, start, end) : end;
  if (isUtf8(bytes.subarray(start, sound))) return end;
  return firstInvalid(bytes, start, sound);
}

/** The end without a multi-byte sequence that is cut there. */
export function wholeSequences(bytes: Buffer, from: number, to: number): number {
  for (let back = 1; back <= 3 && to - back >= from; back++) {
    const byte = bytes[to - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? to - back : to;
  }
  return to;
}

/** Halving: the longest prefix that is UTF-8, give or take a cut sequence at its end. */
function firstInvalid(bytes: Buffer, from: number, to: number): number {
  let low = from;
  let high = to;
  while (high - low > 1) {
    const middle = low + ((high - low) >> 1);
    const sound = wholeSequences(bytes, from, middle);
    if (isUtf8(bytes.subarray(from, sound))) low = middle;
    else high = middle;
  }
  return wholeSequences(bytes, from, low);
}

/** Runs of text in a range, each with its end; `visit` gets them in order. */
export function eachRun(bytes: Buffer, from: number, to: number, visit: (start: number, end: number) => void): void {
  for (let at = from; at < to; ) {
    if ((bytes[at] ?? 0) < 0x20) {
      at += 1;
      continue;
    }
    const end = textEnd(bytes, at, to);
    if (end - at >= SHORTEST_RUN) visit(at, end);
    at = Math.max(end, at + 1);
  }
}
