import type { RowIndex } from './row-index.js';
import type { Runs } from './runs.js';

/** Numbers of rows of a timeline from 1: the first of some that follow each other, and how many. */
export type RowRange = [first: number, count: number];

/** How the rows of a timeline stand to their times. */
export interface TimelineOrderNote {
  /** Rows that have a place in time; those behind them have none. */
  placed: number;
  /** Rows that stand ahead of the row they belong to. */
  readonly ahead: RowRange[];
  /** Rows whose own time does not count: they stand where the row before them stands. */
  readonly held: RowRange[];
}

/**
 * Notes which rows of a timeline stand ahead of the row they belong to: notices, and rows without a time at the beginning of their
 * source. All others stand at the latest time so far; so whoever has the timeline and these numbers knows the place of each row.
 */
export class OrderNotes {
  readonly note: TimelineOrderNote = { placed: 0, ahead: [], held: [] };
  private latest: Time = { ms: Number.NEGATIVE_INFINITY, ns: 0 };
  private number = 0;

  /** Takes the next row of the timeline: its place in time, NaN behind all dated ones, and its own time, NaN without one. */
  take(place: Time, own: Time): void {
    this.number += 1;
    if (Number.isNaN(place.ms)) return;
    this.note.placed = this.number;
    const later = isLater(place, this.latest);
    const same = !isLater(place, own) && !isLater(own, place);
    if (later && same) this.latest = place;
    else if (later) this.add(this.note.ahead);
    else if (isLater(own, place)) this.add(this.note.held);
  }

  /** Takes a block of places, of those that are written. */
  takeBlock(index: RowIndex, runs: Runs, from: number, to: number, written: (row: number) => boolean): void {
    for (let at = from; at < to; at++) {
      const row = runs.rows[at] ?? 0;
      if (written(row)) this.take(timeOf(runs, at), timeOf(index, row));
    }
  }

  private add(ranges: RowRange[]): void {
    const last = ranges.at(-1);
    if (last !== undefined && last[0] + last[1] === this.number) last[1] += 1;
    else ranges.push([this.number, 1]);
  }
}

interface Time {
  readonly ms: number;
  readonly ns: number;
}

const timeOf = ({ ms, ns }: { readonly ms: Float64Array; readonly ns: Uint32Array }, at: number): Time => ({
  ms: ms[at] ?? Number.NaN,
  ns: ns[at] ?? 0,
});

/** A row without a time is later than none, and earlier than any. */
const isLater = (a: Time, b: Time) => (Number.isNaN(b.ms) ? !Number.isNaN(a.ms) : a.ms > b.ms || (a.ms === b.ms && a.ns > b.ns));
