import type { Row } from '../rows/row.js';
import { finerThanMs } from '../rows/time.js';

/** A row with its place in time: NaN behind all dated rows. */
export interface Placed {
  readonly row: Row;
  readonly ms: number;
  readonly ns: number;
}

/** Rows that wait for the one they belong to; more of them than this are let go in their order. */
const MOST_WAITING = 10_000;

/** What is known of a timeline besides its rows. */
export interface Order {
  /** How many rows have a place in time; where nobody noted it, those up to the last dated one. */
  readonly placed: number;
  /** Numbers of the rows that stand ahead of the row they belong to; undefined where nobody noted them. */
  readonly ahead: ReadonlySet<number> | undefined;
  /** Numbers of the rows whose own time does not count. */
  readonly held: ReadonlySet<number>;
}

/**
 * Finds out again where in time each row of one timeline stands. A timeline is in order, so that is the latest time so far, but for
 * the rows that stand ahead of theirs, and for those behind the last dated row, which have no time.
 */
export class Placer {
  private ms = Number.NEGATIVE_INFINITY;
  private ns = 0;
  private taken = 0;
  private waiting: Row[] = [];
  private readonly dated = new Set<string>();

  constructor(private readonly order: Order) {}

  take(row: Row): Placed[] {
    this.taken += 1;
    if (this.taken > this.order.placed) return [...this.release(Number.NaN, 0), { row, ms: Number.NaN, ns: 0 }];
    if (this.isAhead(row)) {
      this.waiting.push(row);
      return this.waiting.length > MOST_WAITING ? this.release(this.ms, this.ns) : [];
    }
    if (row.timestamp_utc !== '' && !this.order.held.has(this.taken)) this.advance(row);
    return [...this.release(this.ms, this.ns), { row, ms: this.ms, ns: this.ns }];
  }

  end(): Placed[] {
    return this.release(Number.NaN, 0);
  }

  /** Where nobody noted it: a row without a time, ahead of the first dated one of its source. */
  private isAhead(row: Row): boolean {
    if (this.order.ahead !== undefined) return this.order.ahead.has(this.taken);
    const unit = unitOf(row);
    if (row.timestamp_utc === '') return !this.dated.has(unit);
    this.dated.add(unit);
    return false;
  }

  private advance(row: Row): void {
    const { ms, ns } = timeOf(row);
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

/** The time of a row, NaN without one. Its own column is cut to milliseconds; the stored time has the rest, where it is one we know. */
export function timeOf(row: Row): { readonly ms: number; readonly ns: number } {
  const ms = row.timestamp_utc === '' ? Number.NaN : Date.parse(row.timestamp_utc);
  return { ms, ns: Number.isNaN(ms) ? 0 : finerThanMs(row.timestamp_original, ms) };
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
