import { cellsOf, headerAt, INDEX_INTERIOR, INTERIOR } from './btree.js';
import { u16, u32 } from './bytes.js';
import type { ValueHead } from './carved.js';
import { readDeadHead, VALUE_START } from './heads.js';
import { findIn } from './json-scan.js';
import { eachRun } from './text-run.js';
import type { Proof } from './types.js';

/** A piece of text in a page that may lead to a chain. */
export interface Start {
  readonly page: number;
  readonly from: number;
  readonly to: number;
  readonly pointer: number;
  readonly head: ValueHead | undefined;
  readonly overflowPages: number;
  readonly clipped: boolean;
  /** Of the join to the page that its pointer names. */
  readonly proof?: Proof;
}

/** No page holds more heads without their headers; beyond that they are plain text. */
const MOST_FAILURES = 8;

/** Ranges of a b-tree page that belong to nothing live: between its cells, and before them. */
export function deadRanges(bytes: Buffer, page: number, usable: number): [number, number][] {
  const header = headerAt(page);
  const type = bytes[header] ?? 0;
  const array = header + (type === INTERIOR || type === INDEX_INTERIOR ? 12 : 8) + u16(bytes, header + 3) * 2;
  const cells = cellsOf(bytes, header, usable).sort((a, b) => a.start - b.start);
  const ranges: [number, number][] = [];
  let at = Math.min(array, bytes.length);
  for (const { start, end } of cells) {
    if (start > at) ranges.push([at, start]);
    at = Math.max(at, end);
  }
  if (at < bytes.length) ranges.push([at, bytes.length]);
  return ranges;
}

/** Heads of dead conversation values in a range, and the other runs of text in it. */
export function startsIn(bytes: Buffer, page: number, from: number, to: number, usable: number, pageCount: number): Start[] {
  const starts: Start[] = [];
  const runs = (a: number, b: number) =>
    eachRun(bytes, a, b, (start, end) => {
      // The end of a local part is followed by the number of its overflow page.
      const pointer = end + 4 <= b ? u32(bytes, end) : 0;
      starts.push({
        page,
        from: start,
        to: end,
        pointer: pointer >= 2 && pointer <= pageCount ? pointer : 0,
        head: undefined,
        overflowPages: 0,
        clipped: false,
      });
    });
  let at = from;
  let failed = 0;
  for (
    let found = findIn(bytes, VALUE_START, at, to);
    found >= 0 && failed < MOST_FAILURES;
    found = findIn(bytes, VALUE_START, found + 1, to)
  ) {
    if (found < at) continue;
    const dead = readDeadHead(bytes, at, found, to, usable);
    if (dead === undefined) {
      failed += 1;
      continue;
    }
    runs(at, found);
    starts.push({ page, ...dead });
    at = dead.end;
  }
  runs(at, to);
  return starts;
}
