import type { Line } from './source.js';

const LF = 10;
const BLOCK = 1 << 20;
const HEAD = 64 << 10;

/** A longer line is not held in memory as a whole. */
export const LINE_LIMIT = 256 << 20;

/**
 * Splits into lines at line feeds. `read` must give bytes that stay true: lines of one block share its memory.
 * A line above the limit is searched through to its end, and only its first 64 KiB are given.
 */
export function* splitLines(read: (offset: number, length: number) => Buffer, size: number, limit: number = LINE_LIMIT): Generator<Line> {
  let number = 0;
  for (let start = 0; start < size; ) {
    const block = read(start, BLOCK);
    if (block.length === 0) return;
    let from = 0;
    for (let feed = block.indexOf(LF); feed >= 0; feed = block.indexOf(LF, from)) {
      number += 1;
      yield { bytes: block.subarray(from, feed), number, offset: start + from, ended: true };
      from = feed + 1;
    }
    start += from;
    if (from > 0 && start < size && block.length === BLOCK) continue;
    if (from === block.length) continue;
    // Here a line begins at `start` and does not end in the block.
    const end = findFeed(read, start + block.length - from, size);
    const length = (end ?? size) - start;
    number += 1;
    const place = { number, offset: start, ended: end !== undefined };
    if (length > limit) yield { bytes: read(start, HEAD), ...place, tooLong: length };
    else yield { bytes: read(start, length), ...place };
    start += length + 1;
  }
}

function findFeed(read: (offset: number, length: number) => Buffer, from: number, size: number): number | undefined {
  for (let at = from; at < size; ) {
    const block = read(at, BLOCK);
    if (block.length === 0) return undefined;
    const feed = block.indexOf(LF);
    if (feed >= 0) return at + feed;
    at += block.length;
  }
  return undefined;
}
