import type { Row } from '../rows/row.js';
import { fromRfc3339 } from '../rows/time.js';

/** A row with its place in time: NaN behind all dated rows. */
export interface Placed {
  readonly row: Row;
  readonly ms: number;
  readonly ns: number;
}

/** Rows ahead of the first dated one of their source are held until it comes; more of them than this are let go in their order. */
const MOST_WAITING = 10_000;

/**
 * Finds out again where in time each row of one timeline stands. A timeline is in order, so that is the latest time so far; but the
 * rows ahead of the first dated one of their source stand directly before that one, and rows behind the last dated row have no time.
 */
export class Placer {
  private ms = Number.NEGATIVE_INFINITY;
  private ns = 0;
  private taken = 0;
  private waiting: Row[] = [];
  private readonly dated = new Set<string>();

  /** `lastDated`: how many rows of this timeline stand up to its last dated one. */
  constructor(private readonly lastDated: number) {}

  take(row: Row): Placed[] {
    this.taken += 1;
    if (this.taken > this.lastDated) return [...this.release(Number.NaN, 0), { row, ms: Number.NaN, ns: 0 }];
    const unit = unitOf(row);
    if (row.timestamp_utc === '' && !this.dated.has(unit)) {
      this.waiting.push(row);
      return this.waiting.length > MOST_WAITING ? this.release(this.ms, this.ns) : [];
    }
    if (row.timestamp_utc !== '') {
      this.dated.add(unit);
      this.advance(row);
    }
    return [...this.release(this.ms, this.ns), { row, ms: this.ms, ns: this.ns }];
  }

  end(): Placed[] {
    return this.release(Number.NaN, 0);
  }

  private advance(row: Row): void {
    const ms = Date.parse(row.timestamp_utc);
    // The row's own column is cut to milliseconds; the stored time has the rest, where it is one we know.
    const stored = fromRfc3339(row.timestamp_original, 'message');
    const ns = stored !== undefined && stored.ms === ms ? stored.ns : 0;
    if (ms < this.ms || (ms === this.ms && ns <= this.ns)) return;
    this.ms = ms;
    this.ns = ns;
  }

  private release(ms: number, ns: number): Placed[] {
    const placed = this.waiting.map((row) => ({ row, ms, ns }));
    this.waiting = [];
    return placed;
  }
}

/** What a run reads as one: a file, or one value of a database. */
function unitOf({ source_file, source_table, source_line }: Row): string {
  return source_table === '' ? source_file : `${source_file}\u0000${source_table}\u0000${source_line}`;
}

/** Order of rows of different timelines; 0 where it is that of the timelines. */
export function comparePlaces(a: Placed, b: Placed): number {
  const undated = Number.isNaN(a.ms);
  if (undated !== Number.isNaN(b.ms)) return undated ? 1 : -1;
  return undated || (a.ms === b.ms && a.ns === b.ns) ? 0 : a.ms === b.ms ? a.ns - b.ns : a.ms - b.ms;
}
