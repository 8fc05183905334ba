import { timelineOrder } from '../enrich/order.js';
import type { RowIndex } from '../enrich/row-index.js';
import type { Output } from './output.js';
import type { RunFile } from './run-file.js';

const BLOCK = 1024 * 1024;

export interface TimelineCounts {
  rows: number;
  duplicates: number;
  /** Duplicates left out on request. */
  dropped: number;
}

/** Copies the encoded rows to the output in the order of the timeline, naming the primary row of each duplicate on the way. */
export function writeTimeline(
  index: RowIndex,
  primaries: Int32Array,
  runFile: RunFile,
  output: Output,
  options: { readonly keepDuplicates: boolean; readonly duplicatePlace: (line: Buffer) => number },
): TimelineCounts {
  const counts: TimelineCounts = { rows: 0, duplicates: 0, dropped: 0 };
  const pending = new Gatherer(output);
  for (const { from, to } of timelineOrder(index)) {
    for (const block of blocksOf(index, from, to)) {
      const bytes = runFile.read(block.offset, block.length);
      let clean = 0;
      for (let i = block.from; i < block.to; i++) {
        counts.rows += 1;
        const primary = primaries[i] ?? -1;
        if (primary < 0) continue;
        const start = (index.offset[i] ?? 0) - block.offset;
        const end = start + (index.size[i] ?? 0);
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
      if (!pending.open) return counts;
    }
  }
  pending.flush();
  return counts;
}

/** Rows of a run lie one behind the other in the run file; a long run is read in several blocks. */
function* blocksOf(index: RowIndex, from: number, to: number): Generator<{ offset: number; length: number; from: number; to: number }> {
  for (let at = from; at < to; ) {
    const offset = index.offset[at] ?? 0;
    let end = at;
    let length = 0;
    do {
      length += index.size[end] ?? 0;
      end += 1;
    } while (end < to && length + (index.size[end] ?? 0) <= BLOCK);
    yield { offset, length, from: at, to: end };
    at = end;
  }
}

/** Joins small pieces before they are written. */
class Gatherer {
  open = true;
  private readonly buffer = Buffer.allocUnsafe(BLOCK);
  private filled = 0;

  constructor(private readonly output: Output) {}

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
