import type { IndexedRows } from './indexed-rows.js';
import { Partitions } from './partitions.js';
import type { Limits, Store } from './store.js';
import type { Records } from './table.js';

const WIDTH = 6;
const WINDOW = 4096;
const UNDATED = 1;
type Mark = (row: number, primary: number) => void;

/**
 * Finds rows that say the same in different units: equal identity and text. The copy with the best provenance is primary (by
 * rank, then dated before undated, then by order of the evidence). Rows of one unit are never duplicates of each other: there a
 * repetition is an event. Rows are told by their places.
 */
export function findDuplicates(rows: IndexedRows, limits: Limits, store: Store, mark: Mark): void {
  const partitions = new Partitions(WIDTH, rows.length, limits, store);
  const row = rows.reader(WINDOW);
  for (let place = 0; place < rows.length; place++) {
    const [high, low] = [row.seek(place).word('high'), row.word('low')];
    if (high === 0 && low === 0) continue;
    const table = partitions.of(high >>> 8);
    const at = table.add();
    const { words } = table;
    words[at] = high;
    words[at + 1] = low;
    words[at + 2] = place;
    words[at + 3] = row.word('unit');
    words[at + 4] = (row.rank << 1) | (Number.isNaN(row.ms) ? UNDATED : 0);
  }
  const groups = new Groups();
  for (const records of partitions) groups.mark(records, mark);
}

/** Rows of equal identity, as chains over typed arrays: no object for a row that is alone. */
class Groups {
  private slots = new Int32Array(0);
  private next = new Int32Array(0);
  private last = new Int32Array(0);

  mark({ words, count }: Records, mark: Mark): void {
    this.reset(count);
    const { slots, next, last } = this;
    const starts: number[] = [];
    for (let i = 0; i < count; i++) {
      const slot = this.slotOf(words, i);
      const first = (slots[slot] ?? 0) - 1;
      if (first < 0) slots[slot] = i + 1;
      else {
        const tail = (last[first] ?? 0) - 1;
        if (tail < 0) starts.push(first);
        next[tail < 0 ? first : tail] = i + 1;
      }
      last[first < 0 ? i : first] = first < 0 ? 0 : i + 1;
    }
    for (const start of starts) markGroup(words, this.chain(start), mark);
  }

  /** Room for so many rows, empty. It grows with the largest partition. */
  private reset(count: number): void {
    let size = 1024;
    while (size < count * 2) size *= 2;
    if (this.slots.length < size) {
      this.slots = new Int32Array(size);
      this.next = new Int32Array(size / 2);
      this.last = new Int32Array(size / 2);
      return;
    }
    this.slots.fill(0);
    this.next.fill(0);
  }

  /** The slot that holds the first row of this identity, or a free one: open addressing. */
  private slotOf(words: Uint32Array, i: number): number {
    const [high, low] = [words[i * WIDTH], words[i * WIDTH + 1]];
    const mask = this.slots.length - 1;
    for (let slot = ((high ?? 0) ^ (low ?? 0)) & mask; ; slot = (slot + 1) & mask) {
      const holder = (this.slots[slot] ?? 0) - 1;
      if (holder < 0 || (words[holder * WIDTH] === high && words[holder * WIDTH + 1] === low)) return slot;
    }
  }

  private *chain(start: number): Generator<number> {
    for (let i = start; i >= 0; i = (this.next[i] ?? 0) - 1) yield i;
  }
}

/** Within a group each unit counts its own occurrences: the second of one unit is a copy of the second of another. */
function markGroup(words: Uint32Array, group: Iterable<number>, mark: Mark): void {
  const occurrences = new Map<number, number>();
  const byOccurrence: number[][] = [];
  for (const i of group) {
    const unit = words[i * WIDTH + 3] ?? 0;
    const nth = occurrences.get(unit) ?? 0;
    occurrences.set(unit, nth + 1);
    const same = byOccurrence[nth];
    if (same === undefined) byOccurrence[nth] = [i];
    else same.push(i);
  }
  const place = (i: number) => words[i * WIDTH + 2] ?? 0;
  for (const same of byOccurrence) {
    const best = same.reduce((a, b) => (better(words, b, a) ? b : a));
    for (const i of same) if (i !== best) mark(place(i), place(best));
  }
}

/** By rank, then dated before undated; of equals the one that comes first stays. */
function better(words: Uint32Array, a: number, b: number): boolean {
  const provenance = (words[a * WIDTH + 4] ?? 0) - (words[b * WIDTH + 4] ?? 0);
  return provenance < 0;
}
