import type { NumberColumn } from './columns.js';

const HEX = /^[0-9a-f]{16}$/;

/** The two halves of a row id, or undefined for what is none. */
export function halvesOf(id: string): readonly [high: number, low: number] | undefined {
  return HEX.test(id) ? [Number.parseInt(id.slice(0, 8), 16), Number.parseInt(id.slice(8), 16)] : undefined;
}

/** Finds the row of an id among the rows of a page: a hash table with open addresses, eight bytes a row. */
export class RowLookup {
  private readonly slots: Int32Array;
  private readonly mask: number;

  constructor(
    private readonly high: NumberColumn,
    private readonly low: NumberColumn,
  ) {
    let size = 16;
    while (size < high.length * 2) size *= 2;
    this.slots = new Int32Array(size).fill(-1);
    this.mask = size - 1;
    for (let row = 0; row < high.length; row++) {
      const slot = this.slotOf(high.at(row), low.at(row));
      // A row that stands there twice is found at its first place.
      if ((this.slots[slot] ?? -1) < 0) this.slots[slot] = row;
    }
  }

  /** Row number, or -1. */
  rowOf(id: string): number {
    const halves = halvesOf(id);
    return halves === undefined ? -1 : (this.slots[this.slotOf(halves[0], halves[1])] ?? -1);
  }

  /** The slot that holds the id, or the free one where it would go. */
  private slotOf(high: number, low: number): number {
    for (let slot = (Math.imul(low, 0x9e3779b1) ^ high) & this.mask; ; slot = (slot + 1) & this.mask) {
      const row = this.slots[slot] ?? -1;
      if (row < 0 || (this.high.at(row) === high && this.low.at(row) === low)) return slot;
    }
  }
}
