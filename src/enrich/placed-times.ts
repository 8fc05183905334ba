import type { IndexedRows, RowReader } from './indexed-rows.js';

/** A time; `ms` is NaN where there is none. */
export interface Time {
  readonly ms: number;
  readonly ns: number;
}

const NONE: Time = { ms: Number.NaN, ns: 0 };
const WINDOW = 4096;
/** Most rows follow closely on what they are asked about. */
const AHEAD = 64;

/**
 * Where in time each row stands. A run is a sequence of rows that keeps its order in the timeline: the rows of a unit, or from a
 * row that starts one of its own. A row's place is its own time, but never ahead of the row before it; an undated row stands
 * directly behind that row, and rows ahead of the first dated one of their run stand directly before it.
 */
export class PlacedTimes {
  /** The row last asked for. */
  readonly row: RowReader;
  private readonly ahead: RowReader;
  private next = 0;
  private unit = -1;
  /** Latest time of the run. */
  private latest = NONE;
  /** The first time of a run that has begun without one, once it was looked for. */
  private first: Time | undefined;
  /** The row that notices wait for, and its time. */
  private announced: { readonly place: number; readonly time: Time } | undefined;

  constructor(private readonly rows: IndexedRows) {
    this.row = rows.reader(WINDOW);
    this.ahead = rows.reader(AHEAD);
  }

  /** The place in time of the next row. */
  take(): Time {
    const place = this.next++;
    const { row } = this;
    row.seek(place);
    const unit = row.word('unit');
    if (unit !== this.unit || row.startsRun) {
      this.unit = unit;
      this.latest = NONE;
      this.first = undefined;
      this.announced = undefined;
    }
    if (row.leads) return this.ofNotice(place);
    const own = timeOf(row);
    if (!Number.isNaN(own.ms) && !isEarlier(own, this.latest)) this.latest = own;
    return Number.isNaN(this.latest.ms) ? this.firstOf(place) : this.latest;
  }

  /** Notices stand directly ahead of the row they announce, so they take its time. */
  private ofNotice(place: number): Time {
    if (this.announced === undefined || this.announced.place < place) this.announced = this.findAnnounced(place);
    return this.announced.time;
  }

  private findAnnounced(notice: number): { readonly place: number; readonly time: Time } {
    for (let place = notice + 1; this.isInRun(place); place++) {
      if (this.ahead.leads) continue;
      const own = timeOf(this.ahead);
      if (!Number.isNaN(own.ms)) return { place, time: isEarlier(own, this.latest) ? this.latest : own };
      return { place, time: Number.isNaN(this.latest.ms) ? this.firstOf(place) : this.latest };
    }
    return { place: Number.POSITIVE_INFINITY, time: this.latest };
  }

  /** The first time of the run from this row on; each run is looked through once. */
  private firstOf(from: number): Time {
    if (this.first !== undefined) return this.first;
    this.first = NONE;
    for (let place = from + 1; this.isInRun(place); place++) {
      if (this.ahead.leads || Number.isNaN(this.ahead.ms)) continue;
      this.first = timeOf(this.ahead);
      break;
    }
    return this.first;
  }

  /** Looks ahead at a row, whether it still belongs to this run. */
  private isInRun(place: number): boolean {
    return place < this.rows.length && this.ahead.seek(place).word('unit') === this.unit && !this.ahead.startsRun;
  }
}

/** Its own time, whether it counts or not. */
export const timeOf = (row: RowReader): Time => ({ ms: row.ms, ns: row.word('ns') });

/** Both dated; nothing is earlier than no time. */
const isEarlier = (a: Time, b: Time) => a.ms < b.ms || (a.ms === b.ms && a.ns < b.ns);
