import type { Store } from './store.js';
import { type Block, Table } from './table.js';

/** What order and duplicates need to know of each row; the rows themselves lie encoded in a run file. */
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

/** Words of a record. The first two doubles are the time and the offset. */
export const AT = { ns: 4, size: 5, high: 6, low: 7, idHigh: 8, idLow: 9, unit: 10, flags: 11 } as const;
export const INDEX_WIDTH = 12;
export const NEW_RUN = 1;
export const LEADS = 2;
/** The agent of a row is kept as its number in this list, above the two flags; the rank above that. */
export const AGENTS: readonly string[] = ['', 'amazon-q-cli', 'kiro-cli', 'kiro-ide', 'flow-agents', 'ai-dlc', 'unknown'];
export const AGENT_SHIFT = 2;
export const AGENT_MASK = 0x3f;
export const RANK_SHIFT = 8;
const CHUNK = 1024;

/** Rows of one unit behind each other, by their numbers in the index. */
export interface Segment {
  readonly unit: number;
  readonly first: number;
  count: number;
}

/** An index as a worker sends it: its records lie in the run file. */
export interface IndexPart {
  readonly segments: readonly Segment[];
  readonly blocks: readonly Block[];
  /** Records of each block but the last. */
  readonly capacity: number;
}

/** Index of rows in the order in which they come. Memory holds the last thousand. */
export class RowIndex {
  length = 0;
  private readonly segments: Segment[] = [];
  private readonly table: Table;

  constructor(store: Store) {
    this.table = new Table(INDEX_WIDTH, CHUNK, store);
  }

  add(row: IndexedRow, unit: number): void {
    const at = this.table.add();
    const { words, doubles } = this.table;
    doubles[at / 2] = row.ms;
    doubles[at / 2 + 1] = row.offset;
    words[at + AT.ns] = row.ns;
    words[at + AT.size] = row.length;
    words[at + AT.high] = row.high;
    words[at + AT.low] = row.low;
    words[at + AT.idHigh] = Number.parseInt(row.rowId.slice(0, 8), 16);
    words[at + AT.idLow] = Number.parseInt(row.rowId.slice(8), 16);
    words[at + AT.unit] = unit;
    const agent = Math.max(0, AGENTS.indexOf(row.agent));
    words[at + AT.flags] = (row.newRun ? NEW_RUN : 0) | (row.leads ? LEADS : 0) | (agent << AGENT_SHIFT) | (row.rank << RANK_SHIFT);
    const last = this.segments.at(-1);
    if (last?.unit === unit) last.count += 1;
    else this.segments.push({ unit, first: this.length, count: 1 });
    this.length += 1;
  }

  /** The index as far as it came, all of it in the store. */
  finish(): IndexPart {
    this.table.flush();
    return { segments: this.segments, blocks: this.table.blocks, capacity: this.table.capacity };
  }
}

export const idText = (high: number, low: number) => hex(high) + hex(low);

const hex = (value: number) => value.toString(16).padStart(8, '0');
