import { timelineOrder } from '../enrich/order.js';
import { OrderNotes, type TimelineOrderNote } from '../enrich/order-notes.js';
import type { RowIndex } from '../enrich/row-index.js';
import type { Runs } from '../enrich/runs.js';
import type { Parts } from './parts.js';
import type { RunFile } from './run-file.js';

const BLOCK = 1024 * 1024;

export interface TimelineCounts {
  rows: number;
  duplicates: number;
  /** Duplicates left out on request. */
  dropped: number;
  /** Rows of each file. */
  readonly parts: number[];
  readonly order: TimelineOrderNote;
}

/** Of several timelines together. */
export type TimelineTotals = Omit<TimelineCounts, 'order'>;

export interface TimelineOptions {
  readonly keepDuplicates: boolean;
  /** What every file begins with. */
  readonly header: string;
  /** Most rows of a file; Infinity for all in one. */
  readonly rowsPerFile: number;
  readonly duplicatePlace: (line: Buffer) => number;
  /** Looks at what leaves the program; undefined for a clean block, else a function that cleans its lines. */
  readonly inspect: (block: Buffer) => ((line: Buffer) => Buffer) | undefined;
  /** Lets signals through now and then; to be awaited if not undefined. */
  readonly breathe: (rows: number) => Promise<void> | undefined;
}

/** Copies the encoded rows to the output in the order of the timeline, naming the primary row of each duplicate on the way. */
export async function writeTimeline(
  index: RowIndex,
  runs: Runs,
  primaries: Int32Array,
  files: readonly RunFile[],
  output: Parts,
  options: TimelineOptions,
): Promise<TimelineCounts> {
  const notes = new OrderNotes();
  const written = (row: number) => options.keepDuplicates || (primaries[row] ?? -1) < 0;
  const counts: TimelineCounts = { rows: 0, duplicates: 0, dropped: 0, parts: [], order: notes.note };
  const header = Buffer.from(options.header);
  /** Rows in the files before this one. */
  let before = 0;
  const room = () => options.rowsPerFile - (counts.rows - before);
  output.write(header);
  const pending = new Gatherer(output);
  for (const { from, to } of timelineOrder(runs)) {
    notes.takeBlock(index, runs, from, to, written);
    for (const block of blocksOf(index, runs.rows, from, to, room)) {
      if (room() <= 0) {
        pending.flush();
        counts.parts.push(counts.rows - before);
        before = counts.rows;
        output.next();
        output.write(header);
      }
      const bytes = files[block.file]?.read(block.offset, block.length);
      if (bytes === undefined) throw new Error('a run file is missing');
      copyBlock(block, bytes, index, runs.rows, primaries, pending, options, counts);
      if (!pending.open) return counts;
    }
    const pause = options.breathe(counts.rows);
    if (pause !== undefined) await pause;
  }
  pending.flush();
  counts.parts.push(counts.rows - before);
  return counts;
}

interface Block {
  readonly file: number;
  readonly offset: number;
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

/** Most of a block passes as it is; a duplicate gets the id of its primary row, or is left out. */
function copyBlock(
  block: Block,
  bytes: Buffer,
  index: RowIndex,
  rows: Uint32Array,
  primaries: Int32Array,
  pending: Gatherer,
  options: TimelineOptions,
  counts: TimelineCounts,
): void {
  const mend = options.inspect(bytes);
  if (mend !== undefined) {
    copyLines(block, bytes, mend, index, rows, primaries, pending, options, counts);
    return;
  }
  let clean = 0;
  for (let at = block.from; at < block.to; at++) {
    const row = rows[at] ?? 0;
    counts.rows += 1;
    const primary = primaries[row] ?? -1;
    if (primary < 0) continue;
    const start = (index.offset[row] ?? 0) - block.offset;
    const end = start + (index.size[row] ?? 0);
    pending.add(bytes.subarray(clean, start));
    clean = end;
    counts.duplicates += 1;
    if (!options.keepDuplicates) {
      counts.dropped += 1;
      counts.rows -= 1;
      continue;
    }
    const place = start + options.duplicatePlace(bytes.subarray(start, end));
    pending.add(bytes.subarray(start, place));
    pending.add(Buffer.from(index.rowId(primary)));
    pending.add(bytes.subarray(place, end));
  }
  pending.add(bytes.subarray(clean));
}

/** The slow way, for the few blocks with a line that has to be changed. */
function copyLines(
  block: Block,
  bytes: Buffer,
  mend: (line: Buffer) => Buffer,
  index: RowIndex,
  rows: Uint32Array,
  primaries: Int32Array,
  pending: Gatherer,
  options: TimelineOptions,
  counts: TimelineCounts,
): void {
  for (let at = block.from; at < block.to; at++) {
    const row = rows[at] ?? 0;
    const start = (index.offset[row] ?? 0) - block.offset;
    const line = mend(bytes.subarray(start, start + (index.size[row] ?? 0)));
    const primary = primaries[row] ?? -1;
    counts.rows += 1;
    if (primary < 0) {
      pending.add(line);
      continue;
    }
    counts.duplicates += 1;
    if (!options.keepDuplicates) {
      counts.dropped += 1;
      counts.rows -= 1;
      continue;
    }
    const place = options.duplicatePlace(line);
    pending.add(Buffer.concat([line.subarray(0, place), Buffer.from(index.rowId(primary)), line.subarray(place)]));
  }
}

/** Rows of a run mostly lie one behind the other in a run file: neighbours are read together, as many as there is room for. */
function* blocksOf(index: RowIndex, rows: Uint32Array, from: number, to: number, room: () => number): Generator<Block> {
  for (let at = from; at < to; ) {
    const first = rows[at] ?? 0;
    const file = index.file[first] ?? 0;
    const offset = index.offset[first] ?? 0;
    let end = at;
    let length = 0;
    // A file that is full is followed by an empty one.
    const most = room() <= 0 ? 1 : room();
    for (let row = first; end < to && end - at < most; row = rows[end] ?? 0) {
      const next = index.size[row] ?? 0;
      const apart = (index.file[row] ?? 0) !== file || (index.offset[row] ?? 0) !== offset + length;
      if (length > 0 && (apart || length + next > BLOCK)) break;
      length += next;
      end += 1;
    }
    yield { file, offset, length, from: at, to: end };
    at = end;
  }
}

/** Joins small pieces before they are written. */
class Gatherer {
  open = true;
  private readonly buffer = Buffer.allocUnsafe(BLOCK);
  private filled = 0;

  constructor(private readonly output: Parts) {}

  add(bytes: Buffer): void {
    if (bytes.length > this.buffer.length - this.filled) this.flush();
    if (bytes.length > this.buffer.length) this.open = this.open && this.output.write(bytes);
    else this.filled += bytes.copy(this.buffer, this.filled);
  }

  flush(): void {
    if (this.filled > 0) this.open = this.open && this.output.write(this.buffer.subarray(0, this.filled));
    this.filled = 0;
  }
}
