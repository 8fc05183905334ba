import type { Limits, Store } from './store.js';
import { type Records, room, Table } from './table.js';

const MOST = 4096;
/** Bytes of all partitions in memory while they are filled. */
const HELD = 4 << 20;
const LEAST_HELD = 16;

/**
 * Records divided by a hash of what makes some of them belong together, so that each part can be worked on alone. Within a part
 * they keep the order in which they came.
 */
export class Partitions {
  private readonly tables: readonly Table[];
  private whole: Omit<Records, 'count'>;

  constructor(width: number, expected: number, { rowsAtOnce }: Limits, store: Store) {
    let count = 1;
    while (count < MOST && count * rowsAtOnce < expected) count *= 2;
    const capacity = Math.max(LEAST_HELD, Math.min(rowsAtOnce, Math.floor(HELD / (width * 4 * count))));
    this.tables = Array.from({ length: count }, () => new Table(width, capacity, store));
    this.whole = room(width, 0);
  }

  /** Where a record of this hash belongs. */
  of(hash: number): Table {
    const table = this.tables[hash & (this.tables.length - 1)];
    if (table === undefined) throw new Error('no such partition');
    return table;
  }

  /** One after the other; the records of one are gone with the next. */
  *[Symbol.iterator](): Generator<Records> {
    for (const table of this.tables) {
      const records = table.whole(this.whole);
      if (records.words !== table.words) this.whole = records;
      if (records.count > 0) yield records;
    }
  }
}
