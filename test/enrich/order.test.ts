import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Column } from '../../src/enrich/column.js';
import { ENTRY, ENTRY_WIDTH } from '../../src/enrich/entries.js';
import { PlacedTimes } from '../../src/enrich/placed-times.js';
import type { Limits } from '../../src/enrich/store.js';
import { TimelineRows } from '../../src/enrich/timeline-rows.js';
import { ALL_LIMITS, indexed, MemoryStore } from '../support/indexed.js';

interface Item {
  readonly name: string;
  readonly unit: number;
  readonly ms?: number;
  readonly ns?: number;
  readonly newRun?: boolean;
  readonly leads?: boolean;
}

function sorted(items: readonly Item[], limits: Limits): number[] {
  const { rows, numbers } = indexed(items);
  const store = new MemoryStore();
  const order: number[] = [];
  for (const { words, count } of new TimelineRows(rows, new Column(store, limits), limits, store).whole())
    for (let i = 0; i < count; i++) order.push(numbers[words[i * ENTRY_WIDTH + ENTRY.place] ?? -1] ?? -1);
  return order;
}

/** Numbers of the items in the order of the timeline. */
function orderOf(items: readonly Item[]): number[] {
  const [first = [], ...others] = ALL_LIMITS.map((limits) => sorted(items, limits));
  for (const other of others) expect(other).toEqual(first);
  return first;
}

const names = (...items: Item[]) =>
  orderOf(items)
    .map((i) => items[i]?.name)
    .join(' ');
const at = (name: string, unit: number, ms?: number, more: Partial<Item> = {}): Item => ({
  name,
  unit,
  ...(ms === undefined ? {} : { ms }),
  ...more,
});
const undated = (name: string, unit: number, more: Partial<Item> = {}) => at(name, unit, undefined, more);

describe('order of the timeline', () => {
  it('is that of time, across units', () => {
    expect(names(at('a', 0, 10), at('c', 0, 30), at('b', 1, 20), at('d', 1, 40))).toBe('a b c d');
    expect(names(at('new', 0, 5), at('old', 1, -62_135_596_800_000))).toBe('old new');
  });

  it('puts an undated row directly behind its predecessor', () => {
    expect(names(at('a', 0, 10), undated('a+', 0), undated('a++', 0), at('c', 0, 30), at('b', 1, 10), at('b2', 1, 20))).toBe(
      'a a+ a++ b b2 c',
    );
  });

  it('puts undated rows at the start of a run directly ahead of its first dated row', () => {
    expect(names(undated('x', 0), undated('y', 0), at('c', 0, 30), at('a', 1, 10), at('d', 1, 40))).toBe('a x y c d');
  });

  it('puts a notice that leads directly ahead of the next row, even if its own time is later', () => {
    const notice = at('notice', 0, 99, { newRun: true, leads: true });
    expect(names(at('a', 0, 10), notice, at('copy', 0, 5), at('b', 1, 7))).toBe('notice copy b a');
    expect(names(at('a', 0, 10), at('notice', 0, 99, { leads: true }), at('c', 0, 30), at('b', 1, 20))).toBe('a b notice c');
    expect(names(at('a', 0, 10), undated('n1', 0, { leads: true }), at('n2', 0, 1, { leads: true }), at('c', 0, 30), at('b', 1, 20))).toBe(
      'a b n1 n2 c',
    );
  });

  it('keeps a notice in its place where nothing dated follows', () => {
    expect(names(at('a', 0, 10), at('notice', 0, 5, { leads: true }), undated('u', 0), at('b', 1, 10), at('c', 1, 20))).toBe(
      'a notice u b c',
    );
    expect(names(at('a', 0, 10), at('notice', 0, 5, { leads: true }), at('b', 1, 20))).toBe('a notice b');
    expect(names(at('a', 0, 10), at('notice', 0, 5, { leads: true }), at('z', 0, 1, { newRun: true }), at('b', 1, 5))).toBe('z b a notice');
    expect(names(at('notice', 0, 5, { leads: true }), undated('u', 0), at('b', 1, 20))).toBe('b notice u');
  });

  it('keeps the order of a run whose clock goes backwards', () => {
    expect(names(at('a', 0, 10), at('back', 0, 2), at('b', 0, 20), at('x', 1, 5), at('y', 1, 15))).toBe('x a back y b');
    expect(names(at('a', 0, 10, { ns: 9 }), at('back', 0, 10, { ns: 1 }), at('x', 1, 10, { ns: 5 }))).toBe('x a back');
  });

  it('lets a row step out of that order by starting a run', () => {
    expect(names(at('a', 0, 10), at('early', 0, 2, { newRun: true }), at('b', 0, 3))).toBe('early b a');
    expect(names(at('a', 0, 10), undated('u', 0, { newRun: true }), at('x', 1, 20))).toBe('a x u');
  });

  it('breaks ties by unit, then by position', () => {
    expect(names(at('a', 0, 10), at('b', 0, 10), at('c', 0, 10, { newRun: true }), at('d', 1, 10), at('e', 2, 10))).toBe('a b c d e');
  });

  it('does not depend on the order in which units were read, nor on one unit coming in several parts', () => {
    expect(names(at('d', 1, 10), at('a', 0, 10), at('e', 1, 10), at('b', 0, 10))).toBe('a b d e');
    expect(names(undated('z', 3), undated('x', 1), undated('y', 2), undated('x2', 1))).toBe('x x2 y z');
  });

  it('compares nanoseconds within a millisecond', () => {
    expect(names(at('b', 0, 10, { ns: 2 }), at('a', 1, 10, { ns: 1 }), at('c', 2, 10, { ns: 999_999 }))).toBe('a b c');
    expect(names(at('b', 0, 10), undated('b+', 0), at('a', 1, 9, { ns: 999_999 }))).toBe('a b b+');
  });

  it('puts files and sessions without any time last, by unit', () => {
    expect(names(undated('x', 0), undated('y', 1), at('a', 2, 1e12), undated('z', 3))).toBe('a x y z');
  });
});

const anyItem = fc.record({
  unit: fc.nat(4),
  ms: fc.option(fc.nat(6), { nil: Number.NaN }),
  ns: fc.nat(2),
  newRun: fc.boolean(),
  leads: fc.boolean(),
});
const anyItems = fc
  .array(fc.tuple(anyItem, fc.nat(5)), { maxLength: 60 })
  .map((items) =>
    items.map(([item, odds], i) => ({ ...item, name: String(i), newRun: item.newRun && odds === 0, leads: item.leads && odds === 1 })),
  );

describe('for any rows', () => {
  it('every row comes exactly once, runs stay in order, and time never goes backwards over the placed rows', () => {
    fc.assert(
      fc.property(anyItems, (items) => {
        const order = orderOf(items);
        expect([...order].sort((a, b) => a - b)).toEqual(items.map((_, i) => i));
        const place = new Map(order.map((row, i) => [row, i]));
        const times: [number, number][] = [];
        const { rows, numbers } = indexed(items);
        const placed = new PlacedTimes(rows);
        let before: number | undefined;
        for (const row of numbers) {
          const { ms, ns } = placed.take();
          times[row] = [ms, ns];
          const starts = before === undefined || items[before]?.unit !== items[row]?.unit || items[row]?.newRun === true;
          if (!starts) expect(place.get(row)).toBeGreaterThan(place.get(before ?? -1) ?? Number.NaN);
          before = row;
        }
        for (let i = 1; i < order.length; i++) {
          const [[ms, ns], [nextMs, nextNs]] = [times[order[i - 1] ?? 0] ?? [0, 0], times[order[i] ?? 0] ?? [0, 0]];
          expect(Number.isNaN(nextMs) || ms < nextMs || (ms === nextMs && ns <= nextNs)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('the merge is stable: rows that are all dated come in the order of a stable sort of their placed times', () => {
    const dated = fc.array(fc.record({ unit: fc.nat(4), ms: fc.nat(4) }), { maxLength: 60 });
    fc.assert(
      fc.property(dated, (rows) => {
        const highest = new Map<number, number>();
        const placed = rows.map(({ unit, ms }, i) => {
          const ordered = Math.max(ms, highest.get(unit) ?? 0);
          highest.set(unit, ordered);
          return { i, unit, ordered };
        });
        const wanted = placed.sort((a, b) => a.ordered - b.ordered || a.unit - b.unit || a.i - b.i).map(({ i }) => i);
        expect(orderOf(rows.map((row) => ({ ...row, name: '' })))).toEqual(wanted);
      }),
      { numRuns: 500 },
    );
  });

  it('the order of reading units does not matter', () => {
    fc.assert(
      fc.property(anyItems, (items) => {
        const byUnit = [...items].sort((a, b) => b.unit - a.unit);
        const one = orderOf(items).map((i) => items[i]?.name);
        expect(orderOf(byUnit).map((i) => byUnit[i]?.name)).toEqual(one);
      }),
    );
  });
});
