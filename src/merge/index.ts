import { Heap } from '../enrich/heap.js';
import { OrderNotes, type RowRange, standingOf, type TimelineOrderNote } from '../enrich/order-notes.js';
import type { Row } from '../rows/row.js';
import { Files } from './files.js';
import { comparePlaces, type Order, type Placed, Placer, timeOf } from './placed.js';
import { Repeats } from './repeats.js';

/** One timeline of a case. */
export interface MergeInput {
  /** Goes ahead of each source file. */
  readonly label: string;
  /** Its rows in their order, in batches, anew at each call. */
  readonly rows: () => AsyncIterable<readonly Row[]>;
  /** What was noted of its order when it was written. */
  readonly order: TimelineOrderNote | undefined;
}

export interface MergeCounts {
  /** By the order of the timelines. */
  readonly rows: readonly number[];
  /** Rows that repeat one of another timeline and were primary in their own. */
  readonly repeats: number;
  readonly order: TimelineOrderNote;
}

/**
 * Brings timelines together as one run over all their evidence would have written them: in order, with the label ahead of each
 * source file, ids of copies numbered through and repeated rows named. The timelines are read three times; held are a batch of each,
 * and about 60 bytes for each row.
 */
export async function mergeTimelines(inputs: readonly MergeInput[], take: (row: Row) => void): Promise<MergeCounts> {
  const files = new Files();
  const orders = await survey(inputs, files);
  files.number();
  const repeats = new Repeats(files);
  // Primary rows whose id is another one in the whole case: those of files that an earlier timeline has, too.
  const renumbered = inputs.map(() => new Map<string, string>());
  for (const [i, { label, rows }] of inputs.entries())
    for await (const batch of rows())
      for (const row of batch) {
        if (row.duplicate_of !== '') continue;
        const id = files.idOf(i, label, row);
        if (id !== row.row_id) renumbered[i]?.set(row.row_id, id);
        repeats.take(i, row, id);
      }
  const counts = inputs.map(() => 0);
  const notes = new OrderNotes();
  for await (const { input, placed } of inOrder(inputs, orders)) {
    const { row } = placed;
    const { label = '' } = inputs[input] ?? {};
    counts[input] = (counts[input] ?? 0) + 1;
    const id = files.idOf(input, label, row);
    const own = row.duplicate_of === '' ? '' : (renumbered[input]?.get(row.duplicate_of) ?? row.duplicate_of);
    notes.take(placed.ms, placed.ns, standingOf(placed, timeOf(row)));
    take({ ...row, source_file: `${label}/${row.source_file}`, duplicate_of: repeats.primaryOf(id, own), row_id: id });
  }
  return { rows: counts, repeats: repeats.count, order: notes.note };
}

/** Notes the files of each timeline and finds its last dated row. */
async function survey(inputs: readonly MergeInput[], files: Files): Promise<Order[]> {
  const orders: Order[] = [];
  for (const [i, { rows, order }] of inputs.entries()) {
    let count = 0;
    let last = 0;
    for await (const batch of rows())
      for (const row of batch) {
        count += 1;
        if (row.timestamp_utc !== '') last = count;
        files.note(i, row);
      }
    orders.push({ placed: order?.placed ?? last, ahead: order && numbersIn(order.ahead), held: numbersIn(order?.held ?? []) });
  }
  return orders;
}

function numbersIn(ranges: readonly RowRange[]): Set<number> {
  const numbers = new Set<number>();
  for (const [first, count] of ranges) for (let i = 0; i < count; i++) numbers.add(first + i);
  return numbers;
}

/** Rows of all timelines, by time; at the same time those of an earlier timeline come first. */
async function* inOrder(
  inputs: readonly MergeInput[],
  orders: readonly Order[],
): AsyncGenerator<{ readonly input: number; readonly placed: Placed }> {
  const cursors: Cursor[] = [];
  for (const [i, { rows }] of inputs.entries()) {
    const order = orders[i];
    if (order === undefined) continue;
    const cursor = new Cursor(i, rows()[Symbol.asyncIterator](), order);
    if (await cursor.next()) cursors.push(cursor);
  }
  const heap = new Heap(cursors, (a, b) => comparePlaces(a.head, b.head) || a.input - b.input);
  for (let cursor = heap.first; cursor !== undefined; cursor = heap.first) {
    yield { input: cursor.input, placed: cursor.head };
    if (cursor.advance() || (await cursor.next())) heap.renew();
    else heap.removeFirst();
  }
}

const NOTHING: readonly Placed[] = [];

class Cursor {
  private readonly placer: Placer;
  private placed = NOTHING;
  private at = 0;
  private ended = false;

  constructor(
    readonly input: number,
    private readonly batches: AsyncIterator<readonly Row[]>,
    order: Order,
  ) {
    this.placer = new Placer(order);
  }

  /** The row that is next; to be asked for only after a step that found one. */
  get head(): Placed {
    const head = this.placed[this.at];
    if (head === undefined) throw new Error('a timeline has no next row');
    return head;
  }

  /** Steps on within what was read. */
  advance(): boolean {
    this.at += 1;
    return this.at < this.placed.length;
  }

  /** Reads on. */
  async next(): Promise<boolean> {
    this.at = 0;
    for (this.placed = NOTHING; this.placed.length === 0 && !this.ended; ) {
      const { value, done } = await this.batches.next();
      this.ended = done === true;
      const batch: readonly Row[] = this.ended ? [] : value;
      this.placed = this.ended ? this.placer.end() : batch.flatMap((row) => this.placer.take(row));
    }
    return this.placed.length > 0;
  }
}
