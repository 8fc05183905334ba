/**
 * What order, duplicates and filters need to know of each row, in typed arrays: the rows themselves lie encoded in a run
 * file. About 45 bytes a row.
 */
export interface IndexedRow {
  /** Milliseconds, or NaN for an undated row. */
  readonly ms: number;
  readonly ns: number;
  readonly offset: number;
  readonly length: number;
  /** Identity for duplicates; 0 and 0 for a row that has none. */
  readonly high: number;
  readonly low: number;
  readonly rank: number;
  readonly rowId: string;
}

/** A sequence of rows that keeps its order in the timeline. */
export interface Run {
  readonly unit: number;
  readonly start: number;
  end: number;
}

const FIRST_CAPACITY = 4096;

export class RowIndex {
  private capacity = FIRST_CAPACITY;
  length = 0;
  ms = new Float64Array(FIRST_CAPACITY);
  ns = new Uint32Array(FIRST_CAPACITY);
  offset = new Float64Array(FIRST_CAPACITY);
  size = new Uint32Array(FIRST_CAPACITY);
  high = new Uint32Array(FIRST_CAPACITY);
  low = new Uint32Array(FIRST_CAPACITY);
  rank = new Uint8Array(FIRST_CAPACITY);
  idHigh = new Uint32Array(FIRST_CAPACITY);
  idLow = new Uint32Array(FIRST_CAPACITY);
  unit = new Uint32Array(FIRST_CAPACITY);
  readonly runs: Run[] = [];

  /** Adds a row. `newRun` starts a run; `leads` places a notice directly ahead of the next row. */
  add(row: IndexedRow, unit: number, newRun: boolean, leads: boolean): void {
    if (this.length === this.capacity) this.grow();
    const i = this.length++;
    let run = this.runs.at(-1);
    if (run === undefined || run.unit !== unit || newRun) {
      run = { unit, start: i, end: i };
      this.runs.push(run);
    }
    run.end = i + 1;
    this.offset[i] = row.offset;
    this.size[i] = row.length;
    this.high[i] = row.high;
    this.low[i] = row.low;
    this.rank[i] = row.rank;
    this.idHigh[i] = Number.parseInt(row.rowId.slice(0, 8), 16);
    this.idLow[i] = Number.parseInt(row.rowId.slice(8), 16);
    this.unit[i] = unit;
    this.place(i, run, leads ? Number.NaN : row.ms, row.ns);
  }

  rowId(i: number): string {
    return hex(this.idHigh[i] ?? 0) + hex(this.idLow[i] ?? 0);
  }

  /**
   * Place in time: its own, but never ahead of the row before it in its run; an undated row stands behind that row, and
   * rows ahead of the first dated one stand directly before it.
   */
  private place(i: number, run: Run, ms: number, ns: number): void {
    const before = i > run.start ? i - 1 : -1;
    const last = before < 0 ? Number.NaN : (this.ms[before] ?? Number.NaN);
    if (Number.isNaN(ms)) {
      this.ms[i] = last;
      this.ns[i] = before < 0 ? 0 : (this.ns[before] ?? 0);
      return;
    }
    const earlier = !Number.isNaN(last) && (ms < last || (ms === last && ns < (this.ns[before] ?? 0)));
    this.ms[i] = earlier ? last : ms;
    this.ns[i] = earlier ? (this.ns[before] ?? 0) : ns;
    for (let k = i - 1; k >= run.start && Number.isNaN(this.ms[k] ?? 0); k--) {
      this.ms[k] = ms;
      this.ns[k] = ns;
    }
  }

  private grow(): void {
    this.capacity *= 2;
    const { capacity } = this;
    const float = (old: Float64Array<ArrayBuffer>) => grown(new Float64Array(capacity), old);
    const whole = (old: Uint32Array<ArrayBuffer>) => grown(new Uint32Array(capacity), old);
    this.ms = float(this.ms);
    this.offset = float(this.offset);
    this.ns = whole(this.ns);
    this.size = whole(this.size);
    this.high = whole(this.high);
    this.low = whole(this.low);
    this.idHigh = whole(this.idHigh);
    this.idLow = whole(this.idLow);
    this.unit = whole(this.unit);
    this.rank = grown(new Uint8Array(capacity), this.rank);
  }
}

function grown<T extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(larger: T, old: T): T {
  larger.set(old);
  return larger;
}

const hex = (value: number) => value.toString(16).padStart(8, '0');
