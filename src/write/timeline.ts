import { ENTRY, ENTRY_WIDTH, fileOf, isCopy, standingIn } from '../enrich/entries.js';
import { OrderNotes, type TimelineOrderNote } from '../enrich/order-notes.js';
import type { Records } from '../enrich/table.js';
import { primaryId, type Sequence } from '../enrich/timeline-rows.js';
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
  sequence: Sequence,
  files: readonly RunFile[],
  output: Parts,
  options: TimelineOptions,
): Promise<TimelineCounts> {
  const notes = new OrderNotes();
  const counts: TimelineCounts = { rows: 0, duplicates: 0, dropped: 0, parts: [], order: notes.note };
  const header = Buffer.from(options.header);
  /** Rows in the files before this one. */
  let before = 0;
  const room = () => options.rowsPerFile - (counts.rows - before);
  output.write(header);
  const pending = new Gatherer(output);
  for (const entries of sequence) {
    noteOrder(notes, entries, options.keepDuplicates);
    for (const block of blocksOf(entries, room)) {
      if (room() <= 0) {
        pending.flush();
        counts.parts.push(counts.rows - before);
        before = counts.rows;
        output.next();
        output.write(header);
      }
      const bytes = files[block.file]?.read(block.offset, block.length);
      if (bytes === undefined) throw new Error('a run file is missing');
      copyBlock(block, bytes, entries, pending, options, counts);
      if (!pending.open) return counts;
    }
    const pause = options.breathe(counts.rows);
    if (pause !== undefined) await pause;
  }
  pending.flush();
  counts.parts.push(counts.rows - before);
  return counts;
}

function noteOrder(notes: OrderNotes, { words, doubles, count }: Records, keepDuplicates: boolean): void {
  for (let at = 0; at < count * ENTRY_WIDTH; at += ENTRY_WIDTH) {
    const about = words[at + ENTRY.about] ?? 0;
    if (keepDuplicates || !isCopy(about)) notes.take(doubles[at / 2] ?? Number.NaN, words[at + ENTRY.ns] ?? 0, standingIn(about));
  }
}

interface Block {
  readonly file: number;
  readonly offset: number;
  readonly length: number;
  /** Its entries, by their first words. */
  readonly from: number;
  readonly to: number;
}

/** Most of a block passes as it is; a duplicate gets the id of its primary row, or is left out. */
function copyBlock(
  block: Block,
  bytes: Buffer,
  entries: Records,
  pending: Gatherer,
  options: TimelineOptions,
  counts: TimelineCounts,
): void {
  const mend = options.inspect(bytes);
  if (mend !== undefined) {
    copyLines(block, bytes, mend, entries, pending, options, counts);
    return;
  }
  const { words } = entries;
  let clean = 0;
  for (let at = block.from; at < block.to; at += ENTRY_WIDTH) {
    counts.rows += 1;
    if (!isCopy(words[at + ENTRY.about] ?? 0)) continue;
    const { start, end } = placeOf(entries, at, block);
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
    pending.add(Buffer.from(primaryId(words, at)));
    pending.add(bytes.subarray(place, end));
  }
  pending.add(bytes.subarray(clean));
}

/** The slow way, for the few blocks with a line that has to be changed. */
function copyLines(
  block: Block,
  bytes: Buffer,
  mend: (line: Buffer) => Buffer,
  entries: Records,
  pending: Gatherer,
  options: TimelineOptions,
  counts: TimelineCounts,
): void {
  const { words } = entries;
  for (let at = block.from; at < block.to; at += ENTRY_WIDTH) {
    const { start, end } = placeOf(entries, at, block);
    const line = mend(bytes.subarray(start, end));
    counts.rows += 1;
    if (!isCopy(words[at + ENTRY.about] ?? 0)) {
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
    pending.add(Buffer.concat([line.subarray(0, place), Buffer.from(primaryId(words, at)), line.subarray(place)]));
  }
}

/** Where the line of an entry lies in its block. */
function placeOf({ words, doubles }: Records, at: number, block: Block): { readonly start: number; readonly end: number } {
  const start = (doubles[at / 2 + 1] ?? 0) - block.offset;
  return { start, end: start + (words[at + ENTRY.size] ?? 0) };
}

/** Rows that follow each other mostly lie one behind the other in a run file: neighbours are read together, as many as there is room for. */
function* blocksOf({ words, doubles, count }: Records, room: () => number): Generator<Block> {
  const last = count * ENTRY_WIDTH;
  for (let from = 0; from < last; ) {
    const file = fileOf(words[from + ENTRY.about] ?? 0);
    const offset = doubles[from / 2 + 1] ?? 0;
    let to = from;
    let length = 0;
    // A file that is full is followed by an empty one.
    const end = Math.min(last, from + (room() <= 0 ? 1 : room()) * ENTRY_WIDTH);
    for (; to < end; to += ENTRY_WIDTH) {
      const next = words[to + ENTRY.size] ?? 0;
      const apart = fileOf(words[to + ENTRY.about] ?? 0) !== file || doubles[to / 2 + 1] !== offset + length;
      if (length > 0 && (apart || length + next > BLOCK)) break;
      length += next;
    }
    yield { file, offset, length, from, to };
    from = to;
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
