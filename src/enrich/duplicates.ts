import type { RowIndex } from './row-index.js';

/**
 * Finds rows that say the same in different units: equal identity and text. The copy with the best provenance is primary (by
 * rank, then dated before undated, then by order of the evidence); `result[i]` is the primary of row i, or -1. Rows of one
 * unit are never duplicates of each other: there a repetition is an event.
 */
export function findDuplicates(index: RowIndex): Int32Array {
  const primary = new Int32Array(index.length).fill(-1);
  const groups = new Map<bigint, number[]>();
  const first = firstByIdentity(index);
  for (let i = 0; i < index.length; i++) {
    const high = index.high[i] ?? 0;
    const low = index.low[i] ?? 0;
    if (high === 0 && low === 0) continue;
    const seen = first.find(i);
    if (seen === i) continue;
    const key = (BigInt(high) << 32n) | BigInt(low);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [seen, i]);
    else group.push(i);
  }
  for (const group of groups.values()) markGroup(index, group, primary);
  return primary;
}

/** Within a group each unit counts its own occurrences: the second of one unit is a copy of the second of another. */
function markGroup(index: RowIndex, group: readonly number[], primary: Int32Array): void {
  const occurrences = new Map<number, number>();
  const byOccurrence = new Map<number, number[]>();
  for (const i of group) {
    const unit = index.unit[i] ?? 0;
    const nth = occurrences.get(unit) ?? 0;
    occurrences.set(unit, nth + 1);
    const same = byOccurrence.get(nth);
    if (same === undefined) byOccurrence.set(nth, [i]);
    else same.push(i);
  }
  for (const same of byOccurrence.values()) {
    const best = same.reduce((a, b) => (better(index, b, a) ? b : a));
    for (const i of same) if (i !== best) primary[i] = best;
  }
}

function better(index: RowIndex, a: number, b: number): boolean {
  const rank = (index.rank[a] ?? 0) - (index.rank[b] ?? 0);
  if (rank !== 0) return rank < 0;
  const undatedA = Number.isNaN(index.ms[a] ?? 0);
  const undatedB = Number.isNaN(index.ms[b] ?? 0);
  return undatedA !== undatedB ? undatedB : (index.unit[a] ?? 0) < (index.unit[b] ?? 0);
}

/** Open addressing over typed arrays: 4 bytes a slot, no object per row. */
function firstByIdentity(index: RowIndex): { find(i: number): number } {
  let slots = 1024;
  while (slots < index.length * 2) slots *= 2;
  const table = new Int32Array(slots).fill(-1);
  return {
    find(i) {
      const [high, low] = [index.high[i], index.low[i]];
      for (let slot = ((high ?? 0) ^ (low ?? 0)) & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
        const holder = table[slot] ?? -1;
        if (holder < 0) {
          table[slot] = i;
          return i;
        }
        if (index.high[holder] === high && index.low[holder] === low) return holder;
      }
    },
  };
}
