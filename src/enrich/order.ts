import { ENTRY, ENTRY_WIDTH } from './entries.js';
import { Heap } from './heap.js';
import { type Records, room } from './table.js';

/** Entries that are in order by themselves: those from `start` to `end` of some records. */
interface Run {
  at: number;
  readonly end: number;
}

/**
 * Order of some entries that lie in order of place: by time, then by place; without any time last. Most of them are in order
 * already, in runs, so this is a merge of runs.
 */
export function inOrderOfTime(entries: Records): Uint32Array {
  const order = new Uint32Array(entries.count);
  const heap = new Heap(runsOf(entries), (a, b) => compareTimes(entries, a.at, entries, b.at) || a.at - b.at);
  let filled = 0;
  for (let run = heap.first; run !== undefined; run = heap.first) {
    order[filled++] = run.at++;
    if (run.at < run.end) heap.renew();
    else heap.removeFirst();
  }
  return order;
}

function runsOf(entries: Records): Run[] {
  const runs: Run[] = [];
  for (let start = 0; start < entries.count; ) {
    let end = start + 1;
    while (end < entries.count && compareTimes(entries, end - 1, entries, end) <= 0) end += 1;
    runs.push({ at: start, end });
    start = end;
  }
  return runs;
}

/** Several sequences of entries, each in order, brought together: some at a time, those of one step gone with the next. */
export function* merged(sequences: readonly Iterable<Records>[], batch: number): Generator<Records> {
  const [only] = sequences;
  if (only !== undefined && sequences.length === 1) {
    yield* only;
    return;
  }
  const cursors = sequences.map((sequence) => new Cursor(sequence[Symbol.iterator]())).filter((cursor) => cursor.load());
  const heap = new Heap(cursors, (a, b) => compareTimes(a.records, a.at, b.records, b.at) || a.place - b.place);
  const { words, doubles } = room(ENTRY_WIDTH, batch);
  let count = 0;
  for (let cursor = heap.first; cursor !== undefined; cursor = heap.first) {
    if (count === batch) {
      yield { words, doubles, count };
      count = 0;
    }
    words.set(cursor.records.words.subarray(cursor.at * ENTRY_WIDTH, (cursor.at + 1) * ENTRY_WIDTH), count * ENTRY_WIDTH);
    count += 1;
    if (cursor.advance()) heap.renew();
    else heap.removeFirst();
  }
  if (count > 0) yield { words, doubles, count };
}

class Cursor {
  records: Records = { ...room(ENTRY_WIDTH, 0), count: 0 };
  at = 0;

  constructor(private readonly sequence: Iterator<Records>) {}

  /** False at the end of the sequence. */
  load(): boolean {
    this.at = 0;
    const { value, done } = this.sequence.next();
    if (done === true) return false;
    this.records = value;
    return value.count > 0;
  }

  advance(): boolean {
    this.at += 1;
    return this.at < this.records.count || this.load();
  }

  get place(): number {
    return this.records.words[this.at * ENTRY_WIDTH + ENTRY.place] ?? 0;
  }
}

function compareTimes(a: Records, i: number, b: Records, k: number): number {
  const x = a.doubles[(i * ENTRY_WIDTH) / 2] ?? Number.NaN;
  const y = b.doubles[(k * ENTRY_WIDTH) / 2] ?? Number.NaN;
  const undatedX = Number.isNaN(x);
  if (undatedX !== Number.isNaN(y)) return undatedX ? 1 : -1;
  if (undatedX || x === y) return undatedX ? 0 : (a.words[i * ENTRY_WIDTH + ENTRY.ns] ?? 0) - (b.words[k * ENTRY_WIDTH + ENTRY.ns] ?? 0);
  return x - y;
}
