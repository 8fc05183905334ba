import type { Primaries } from './column.js';
import { aboutOf, ENTRY, ENTRY_WIDTH } from './entries.js';
import type { IndexedRows } from './indexed-rows.js';
import { inOrderOfTime, merged } from './order.js';
import { standingOf } from './order-notes.js';
import { PlacedTimes, timeOf } from './placed-times.js';
import { AGENT_MASK, AGENT_SHIFT, AGENTS, idText } from './row-index.js';
import type { Limits, Store } from './store.js';
import { type Records, room, Table } from './table.js';

/** Entries of a sequence in memory at a time, and of all that are merged. */
const BATCH = 1024;
const BATCHES = 1 << 16;
const LEAST_BATCH = 16;
const NEAR = 64;

/** By what a timeline is divided: a key of each row. */
export type KeyOf = (unit: number, agent: string) => string;

/** Rows of one file, in the order of the timeline; some at a time, those of one step gone with the next. */
export type Sequence = Iterable<Records>;

/**
 * Brings the rows into the order of the timeline: by time, then by unit (path, table, row), then by position; those without any time
 * last, by unit. So many as memory takes are sorted at a time and put into the store, and all of these are merged at the end.
 */
export class TimelineRows {
  /** Keys by number, as they were met. */
  private readonly keys = new Map<string, number>();

  constructor(
    private readonly rows: IndexedRows,
    private readonly primaries: Primaries,
    private readonly limits: Limits,
    private readonly store: Store,
  ) {}

  /** All rows. */
  whole(): Sequence {
    return this.sorted(() => '');
  }

  /** Rows by a key, keys in order. Each group keeps the order of the whole: it is the timeline with the rows of the others left out. */
  divided(keyOf: KeyOf): Map<string, Sequence> {
    const tables: Table[] = [];
    for (const { words, count } of this.sorted(keyOf)) {
      for (let at = 0; at < count * ENTRY_WIDTH; at += ENTRY_WIDTH) {
        const group = words[at + ENTRY.group] ?? 0;
        const table = tables[group] ?? new Table(ENTRY_WIDTH, NEAR, this.store);
        tables[group] = table;
        table.copy({ words }, at);
      }
    }
    const named = [...this.keys].sort(([a], [b]) => (a < b ? -1 : 1));
    return new Map(named.map(([key, group]) => [key, tables[group]?.records() ?? []]));
  }

  private sorted(keyOf: KeyOf): Sequence {
    const { length } = this.rows;
    const most = Math.max(1, Math.min(this.limits.rowsAtOnce, length));
    const chunks = Math.ceil(length / most);
    const batch = Math.max(LEAST_BATCH, Math.min(BATCH, Math.floor(BATCHES / Math.max(1, chunks))));
    const chunk = room(ENTRY_WIDTH, most);
    const fill = this.filler(keyOf);
    const sequences: Sequence[] = [];
    for (let done = 0; done < length; done += most) {
      const count = Math.min(most, length - done);
      fill({ ...chunk, count });
      const table = new Table(ENTRY_WIDTH, batch, this.store);
      for (const i of inOrderOfTime({ ...chunk, count })) table.copy(chunk, i * ENTRY_WIDTH);
      sequences.push(table.records());
    }
    return merged(sequences, BATCH);
  }

  /** Fills records with the next rows in order of place. */
  private filler(keyOf: KeyOf): (records: Records) => void {
    const placed = new PlacedTimes(this.rows);
    const { row } = placed;
    const primaries = this.rows.reader(NEAR);
    let next = 0;
    return ({ words, doubles, count }) => {
      for (let at = 0; at < count * ENTRY_WIDTH; at += ENTRY_WIDTH) {
        const place = next++;
        const time = placed.take();
        const primary = this.primaries.get(place);
        doubles[at / 2] = time.ms;
        doubles[at / 2 + 1] = row.offset;
        words[at + ENTRY.ns] = time.ns;
        words[at + ENTRY.size] = row.word('size');
        words[at + ENTRY.place] = place;
        words[at + ENTRY.about] = aboutOf(row.file, standingOf(time, timeOf(row)), primary >= 0);
        words[at + ENTRY.group] = this.groupOf(keyOf(row.word('unit'), agentOf(row.word('flags'))));
        if (primary < 0) continue;
        words[at + ENTRY.primaryHigh] = primaries.seek(primary).word('idHigh');
        words[at + ENTRY.primaryLow] = primaries.word('idLow');
      }
    };
  }

  private groupOf(key: string): number {
    const known = this.keys.get(key);
    if (known !== undefined) return known;
    this.keys.set(key, this.keys.size);
    return this.keys.size - 1;
  }
}

const agentOf = (flags: number) => AGENTS[(flags >> AGENT_SHIFT) & AGENT_MASK] ?? '';

/** The id of the primary row of a copy. */
export const primaryId = (words: Uint32Array, at: number) => idText(words[at + ENTRY.primaryHigh] ?? 0, words[at + ENTRY.primaryLow] ?? 0);
