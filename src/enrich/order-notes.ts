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

/** How a row's own time is to its place in time. */
export const STANDING = { same: 0, later: 1, earlier: 2 } as const;

/**
 * Notes which rows of a timeline stand ahead of the row they belong to: notices, and rows without a time at the beginning of their
 * source. All others stand at the latest time so far; so whoever has the timeline and these numbers knows the place of each row.
 */
export class OrderNotes {
  readonly note: TimelineOrderNote = { placed: 0, ahead: [], held: [] };
  private ms = Number.NEGATIVE_INFINITY;
  private ns = 0;
  private number = 0;

  /** Takes the next row of the timeline: its place in time, NaN behind all dated ones, and how its own time is to that. */
  take(ms: number, ns: number, standing: number): void {
    this.number += 1;
    if (Number.isNaN(ms)) return;
    this.note.placed = this.number;
    const later = ms > this.ms || (ms === this.ms && ns > this.ns);
    if (later && standing === STANDING.same) {
      this.ms = ms;
      this.ns = ns;
    } else if (later) this.add(this.note.ahead);
    else if (standing === STANDING.later) this.add(this.note.held);
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

/** A row without a time of its own counts as earlier than its place. */
export function standingOf(place: Time, own: Time): number {
  if (Number.isNaN(own.ms)) return Number.isNaN(place.ms) ? STANDING.same : STANDING.earlier;
  if (own.ms === place.ms && own.ns === place.ns) return STANDING.same;
  return own.ms > place.ms || (own.ms === place.ms && own.ns > place.ns) ? STANDING.later : STANDING.earlier;
}
