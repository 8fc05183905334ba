import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDuplicates } from '../../src/enrich/duplicates.js';
import { fingerprint } from '../../src/enrich/fingerprint.js';
import type { Limits } from '../../src/enrich/store.js';
import { ALL_LIMITS, copiesOf, indexed, MemoryStore } from '../support/indexed.js';

interface Item {
  readonly says: string;
  readonly unit: number;
  readonly rank?: number;
  readonly dated?: boolean;
}

/** The primary of each row, by their numbers among the items; -1 for a row that is no copy. */
function found(items: readonly Item[], limits: Limits): number[] {
  const { rows, numbers } = indexed(
    items.map(({ says, dated = true, ...item }) => ({ ...item, ...fingerprint(says, ''), ms: dated ? 1 : Number.NaN })),
  );
  const primaries = items.map(() => -1);
  findDuplicates(rows, limits, new MemoryStore(), (row, primary) => {
    primaries[numbers[row] ?? -1] = numbers[primary] ?? -1;
  });
  return primaries;
}

function primaries(...items: Item[]): number[] {
  const [first = [], ...others] = ALL_LIMITS.map((limits) => found(items, limits));
  for (const other of others) expect(other).toEqual(first);
  return first;
}

describe('duplicates', () => {
  it('are rows that say the same in different units; the first of the evidence is primary', () => {
    expect(primaries({ says: 'a', unit: 0 }, { says: 'b', unit: 0 }, { says: 'a', unit: 1 }, { says: 'a', unit: 2 })).toEqual([
      -1, -1, 0, 0,
    ]);
  });

  it('are never found within one unit: there a repetition is an event', () => {
    expect(primaries({ says: 'a', unit: 0 }, { says: 'a', unit: 0 }, { says: 'a', unit: 0 })).toEqual([-1, -1, -1]);
  });

  it('have the copy with the best rank as primary, then a dated one, then the first by unit', () => {
    expect(primaries({ says: 'a', unit: 0, rank: 2 }, { says: 'a', unit: 1, rank: 1 }, { says: 'a', unit: 2, rank: 0 })).toEqual([
      2, 2, -1,
    ]);
    expect(primaries({ says: 'a', unit: 0, dated: false }, { says: 'a', unit: 1 })).toEqual([1, -1]);
    expect(primaries({ says: 'a', unit: 0, dated: false, rank: 0 }, { says: 'a', unit: 1, rank: 1 })).toEqual([-1, 0]);
    expect(primaries({ says: 'a', unit: 1 }, { says: 'a', unit: 0 })).toEqual([1, -1]);
  });

  it('count an undated row as undated, also where it stands behind a dated one', () => {
    const items = [
      { says: 'x', unit: 0 },
      { says: 'a', unit: 0, dated: false },
      { says: 'a', unit: 1 },
    ];
    expect(primaries(...items)).toEqual([-1, 2, -1]);
  });

  it('pair the n-th of one unit with the n-th of another', () => {
    const twice = [
      { says: 'a', unit: 0 },
      { says: 'a', unit: 0 },
    ];
    expect(primaries(...twice, { says: 'a', unit: 1 }, { says: 'a', unit: 1 }, { says: 'a', unit: 1 })).toEqual([-1, -1, 0, 1, -1]);
    expect(primaries({ says: 'a', unit: 0 }, { says: 'a', unit: 1 }, { says: 'a', unit: 0 }, { says: 'a', unit: 1 })).toEqual([
      -1, 0, -1, 2,
    ]);
  });

  it('form groups with one primary each, which is no copy itself, for any rows', () => {
    const item = fc.record({ says: fc.constantFrom('a', 'b', 'c'), unit: fc.nat(3), rank: fc.nat(2), dated: fc.boolean() });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 40 }), (items) => {
        const result = primaries(...items);
        for (const [i, primary] of result.entries()) {
          if (primary < 0) continue;
          expect(result[primary]).toBe(-1);
          expect(items[primary]?.says).toBe(items[i]?.says);
          expect(items[primary]?.unit).not.toBe(items[i]?.unit);
          expect(items[primary]?.rank).toBeLessThanOrEqual(items[i]?.rank ?? -1);
        }
        for (const says of ['a', 'b', 'c']) {
          const same = items.map((row, i) => ({ ...row, i })).filter((row) => row.says === says);
          const most = Math.max(0, ...[0, 1, 2, 3].map((unit) => same.filter((row) => row.unit === unit).length));
          expect(same.filter(({ i }) => result[i] === -1)).toHaveLength(most);
        }
      }),
    );
  });

  it('are found beyond the first size of the tables', () => {
    const items = Array.from({ length: 20_000 }, (_, i) => ({ says: String(i % 10_000), unit: i < 10_000 ? 0 : 1 }));
    for (const rowsAtOnce of [1 << 17, 1000]) {
      const result = found(items, { rowsAtOnce });
      expect(result.slice(0, 10_000).every((primary) => primary === -1)).toBe(true);
      expect(result.slice(10_000).every((primary, i) => primary === i)).toBe(true);
    }
  });
});

const live = (key: bigint, row: number) => ({ key, row, secondary: false });
const copy = (key: bigint, row: number) => ({ key, row, secondary: true });

/** `units` are the units of the rows, where they were not read in the order of the evidence; `alike`: rows of equal identity. */
function paired(
  rows: number,
  texts: readonly ReturnType<typeof live>[],
  alike: readonly number[] = [],
  units: readonly number[] = [],
): number[] {
  const items = Array.from({ length: rows }, (_, i) => ({ unit: units[i] ?? i, low: alike[i] ?? 0 }));
  return copiesOf(items, { texts });
}

describe('pairing by text', () => {
  it('pairs from the end: the last entry of a history with the last prompt, and leaves the rest primary', () => {
    expect(paired(5, [live(1n, 0), live(1n, 1), copy(1n, 2), copy(1n, 3), copy(1n, 4)])).toEqual([-1, -1, -1, 0, 1]);
    expect(paired(4, [live(1n, 0), live(1n, 1), live(1n, 2), copy(1n, 3)])).toEqual([-1, -1, -1, 2]);
  });

  it('does not care whether the history was read first', () => {
    expect(paired(3, [copy(1n, 0), copy(1n, 1), live(1n, 2)])).toEqual([-1, 2, -1]);
  });

  it('takes units in the order of the evidence, whatever order they were read in', () => {
    expect(paired(3, [live(1n, 0), live(1n, 1), copy(1n, 2)], [], [1, 0, 2])).toEqual([-1, -1, 0]);
    expect(paired(3, [copy(1n, 0), live(1n, 1), live(1n, 2)], [], [2, 1, 0])).toEqual([1, -1, -1]);
  });

  it('pairs only equal texts, and never two conversations or two entries of a history', () => {
    expect(paired(4, [live(1n, 0), live(1n, 1), copy(2n, 2), copy(2n, 3)])).toEqual([-1, -1, -1, -1]);
  });

  it('leaves out prompts that are copies themselves', () => {
    expect(paired(3, [live(1n, 0), live(1n, 1), copy(1n, 2)], [9, 9])).toEqual([-1, 0, 0]);
  });

  it('lets a copied history not take the prompt that its original needs, and names one primary for all', () => {
    const texts = [live(1n, 0), live(1n, 1), copy(1n, 2), copy(1n, 3), copy(1n, 4), copy(1n, 5)];
    expect(paired(6, texts, [0, 0, 8, 9, 8, 9])).toEqual([-1, -1, 0, 1, 0, 1]);
  });
});

describe('fingerprint', () => {
  it('tells apart what differs in where one text ends and the next begins', () => {
    const marks = [fingerprint('ab', 'c'), fingerprint('a', 'bc'), fingerprint('abc', ''), fingerprint('', 'abc'), fingerprint('', '')];
    expect(new Set(marks.map(({ high, low }) => `${high}:${low}`)).size).toBe(marks.length);
  });

  it('meets no two alike among many short texts', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 200_000; i++) {
      const { high, low } = fingerprint('prompt', String(i));
      seen.add(`${high}:${low}`);
    }
    expect(seen.size).toBe(200_000);
  });
});
