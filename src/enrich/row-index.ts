/**
 * What order, duplicates and filters need to know of each row, in typed arrays: the rows themselves lie encoded in a run
 * file. About 50 bytes a row.
 */
export interface IndexedRow {
  /** Milliseconds, or NaN for an undated row. */
  readonly ms: number;
  readonly ns: number;
  readonly offset: number;
  readonly length: number;
  /** Identity, for duplicates. */
  readonly high: number;
  readonly low: number;
  readonly rank: number;
  readonly rowId: string;
  /** Starts a run of its own. */
  readonly newRun: boolean;
  /** A notice that stands directly ahead of the next row. */
  readonly leads: boolean;
  readonly agent: string;
}

const NEW_RUN = 1;
const LEADS = 2;
/** The agent of a row is kept as its number in this list, above the two flags. */
export const AGENTS: readonly string[] = ['', 'amazon-q-cli', 'kiro-cli', 'kiro-ide', 'flow-agents', 'ai-dlc', 'unknown'];
const AGENT_SHIFT = 2;
const FIRST_CAPACITY = 4096;

/** The arrays of an index, cut to its length: what a worker sends. */
export interface IndexArrays {
  readonly length: number;
  readonly ms: Float64Array<ArrayBuffer>;
  readonly ns: Uint32Array<ArrayBuffer>;
  readonly offset: Float64Array<ArrayBuffer>;
  readonly size: Uint32Array<ArrayBuffer>;
  readonly high: Uint32Array<ArrayBuffer>;
  readonly low: Uint32Array<ArrayBuffer>;
  readonly rank: Uint8Array<ArrayBuffer>;
  readonly flags: Uint8Array<ArrayBuffer>;
  readonly idHigh: Uint32Array<ArrayBuffer>;
  readonly idLow: Uint32Array<ArrayBuffer>;
  readonly unit: Uint32Array<ArrayBuffer>;
  readonly file: Uint8Array<ArrayBuffer>;
}

const FLOATS = ['ms', 'offset'] as const;
const WHOLES = ['ns', 'size', 'high', 'low', 'idHigh', 'idLow', 'unit'] as const;
const BYTES = ['rank', 'flags', 'file'] as const;

export class RowIndex implements IndexArrays {
  private capacity = FIRST_CAPACITY;
  length = 0;
  ms = new Float64Array(FIRST_CAPACITY);
  ns = new Uint32Array(FIRST_CAPACITY);
  offset = new Float64Array(FIRST_CAPACITY);
  size = new Uint32Array(FIRST_CAPACITY);
  high = new Uint32Array(FIRST_CAPACITY);
  low = new Uint32Array(FIRST_CAPACITY);
  rank = new Uint8Array(FIRST_CAPACITY);
  flags = new Uint8Array(FIRST_CAPACITY);
  idHigh = new Uint32Array(FIRST_CAPACITY);
  idLow = new Uint32Array(FIRST_CAPACITY);
  /** Number of the unit in the order of the evidence. */
  unit = new Uint32Array(FIRST_CAPACITY);
  /** Run file that holds the row. */
  file = new Uint8Array(FIRST_CAPACITY);

  add(row: IndexedRow, unit: number): void {
    if (this.length === this.capacity) this.reserve(this.capacity * 2);
    const i = this.length++;
    this.ms[i] = row.ms;
    this.ns[i] = row.ns;
    this.offset[i] = row.offset;
    this.size[i] = row.length;
    this.high[i] = row.high;
    this.low[i] = row.low;
    this.rank[i] = row.rank;
    this.flags[i] = (row.newRun ? NEW_RUN : 0) | (row.leads ? LEADS : 0) | (Math.max(0, AGENTS.indexOf(row.agent)) << AGENT_SHIFT);
    this.idHigh[i] = Number.parseInt(row.rowId.slice(0, 8), 16);
    this.idLow[i] = Number.parseInt(row.rowId.slice(8), 16);
    this.unit[i] = unit;
  }

  /** Takes over the rows of another index, which lie in the run file of the given number. */
  absorb(other: IndexArrays, file: number): void {
    const at = this.length;
    if (at + other.length > this.capacity) this.reserve(Math.max(this.capacity * 2, at + other.length));
    for (const name of FLOATS) this[name].set(other[name].subarray(0, other.length), at);
    for (const name of WHOLES) this[name].set(other[name].subarray(0, other.length), at);
    for (const name of BYTES) this[name].set(other[name].subarray(0, other.length), at);
    this.file.fill(file, at, at + other.length);
    this.length = at + other.length;
  }

  /** The arrays without spare room. */
  trimmed(): IndexArrays {
    const { length } = this;
    return {
      length,
      ms: this.ms.slice(0, length),
      ns: this.ns.slice(0, length),
      offset: this.offset.slice(0, length),
      size: this.size.slice(0, length),
      high: this.high.slice(0, length),
      low: this.low.slice(0, length),
      rank: this.rank.slice(0, length),
      flags: this.flags.slice(0, length),
      idHigh: this.idHigh.slice(0, length),
      idLow: this.idLow.slice(0, length),
      unit: this.unit.slice(0, length),
      file: this.file.slice(0, length),
    };
  }

  rowId(i: number): string {
    return hex(this.idHigh[i] ?? 0) + hex(this.idLow[i] ?? 0);
  }

  startsRun(i: number): boolean {
    return ((this.flags[i] ?? 0) & NEW_RUN) !== 0;
  }

  leads(i: number): boolean {
    return ((this.flags[i] ?? 0) & LEADS) !== 0;
  }

  agent(i: number): string {
    return AGENTS[(this.flags[i] ?? 0) >> AGENT_SHIFT] ?? '';
  }

  private reserve(capacity: number): void {
    this.capacity = capacity;
    for (const name of FLOATS) this[name] = grown(new Float64Array(capacity), this[name]);
    for (const name of WHOLES) this[name] = grown(new Uint32Array(capacity), this[name]);
    for (const name of BYTES) this[name] = grown(new Uint8Array(capacity), this[name]);
  }
}

function grown<T extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(larger: T, old: T): T {
  larger.set(old);
  return larger;
}

const hex = (value: number) => value.toString(16).padStart(8, '0');
