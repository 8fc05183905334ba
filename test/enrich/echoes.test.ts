import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventMark } from '../../src/enrich/events.js';
import { copiesOf } from '../support/indexed.js';

interface Item {
  readonly unit: number;
  readonly what?: bigint;
  readonly kind?: EventMark['kind'];
  readonly call?: bigint;
  readonly session?: bigint;
  readonly exitCode?: number | null;
  /** Seconds; absent for an undated row. */
  readonly at?: number;
  readonly rank?: number;
}

/** Rows of unit 0 are a conversation, those of others echoes. */
function paired(...items: readonly Item[]): number[] {
  const events = items.map(({ unit, what = 1n, kind = 'tool_result', call = 0n, session = 0n, exitCode = null, at, rank = 0 }, row) => {
    const echo = unit > 0 ? ('retold' as const) : ('' as const);
    return { row, unit, ms: at === undefined ? Number.NaN : at * 1000, rank, kind, what, call, session, echo, exitCode };
  });
  return copiesOf(events, { marks: events });
}

describe('echoes', () => {
  it('are joined with the nearest in time, one with one', () => {
    const talk = [10, 70, 300].map((at) => ({ unit: 0, at }));
    expect(paired(...talk, { unit: 1, at: 11 }, { unit: 1, at: 71 }, { unit: 1, at: 301 })).toEqual([-1, -1, -1, 0, 1, 2]);
    // A capture that began later, and one event more than the conversation holds.
    expect(paired(...talk, { unit: 1, at: 71 }, { unit: 1, at: 90 })).toEqual([-1, -1, -1, 1, -1]);
  });

  it('stay apart where the times are, or the session, the exit code, the kind or what was run', () => {
    const one = { unit: 0, at: 0, session: 5n, exitCode: 0 };
    expect(paired(one, { unit: 1, at: 120 })).toEqual([-1, 0]);
    expect(paired(one, { unit: 1, at: 121 })).toEqual([-1, -1]);
    expect(paired(one, { unit: 1, at: 0, session: 6n })).toEqual([-1, -1]);
    expect(paired(one, { unit: 1, at: 0, exitCode: 1 })).toEqual([-1, -1]);
    expect(paired(one, { unit: 1, at: 0, kind: 'tool_use' })).toEqual([-1, -1]);
    expect(paired(one, { unit: 1, at: 0, what: 2n })).toEqual([-1, -1]);
  });

  it('without a time are joined only where both tell of the session equally often', () => {
    const talk = [
      { unit: 0, session: 5n },
      { unit: 0, session: 5n },
    ];
    expect(paired(...talk, { unit: 1, session: 5n, at: 1 }, { unit: 1, session: 5n, at: 9 })).toEqual([-1, -1, 0, 1]);
    expect(paired(...talk, { unit: 1, session: 5n, at: 1 })).toEqual([-1, -1, -1]);
    expect(paired(...talk, { unit: 1, at: 1 }, { unit: 1, at: 9 })).toEqual([-1, -1, -1, -1]);
  });

  it('of two stores are copies of one row, also through each other', () => {
    const talk = { unit: 0, session: 5n };
    expect(paired(talk, { unit: 1, session: 5n, at: 3, rank: 3 }, { unit: 2, at: 4, rank: 6 })).toEqual([-1, 0, 0]);
    expect(paired({ unit: 1, at: 4, rank: 6 }, { unit: 2, at: 3, rank: 3 })).toEqual([1, -1]);
  });

  it('find a result by the call it belongs to', () => {
    const talk = [
      { unit: 0, kind: 'tool_use' as const, call: 7n, what: 1n, at: 1 },
      { unit: 0, call: 7n, what: 0n, at: 2 },
    ];
    expect(paired(...talk, { unit: 1, at: 2 })).toEqual([-1, -1, 1]);
  });

  it('leave one primary to each event, which is no copy itself, for any rows', () => {
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const item = fc.record({
      unit: fc.nat(3),
      at: maybe(fc.nat(400)),
      session: fc.constantFrom(0n, 5n, 6n),
      exitCode: fc.constantFrom(null, 0, 1),
      rank: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 30 }), (items) => {
        const rows = items.map(({ at, ...others }) => (at === undefined ? others : { ...others, at }));
        const found = paired(...rows);
        const told = new Set<string>();
        for (const [i, primary] of found.entries()) {
          if (primary < 0) continue;
          expect(found[primary]).toBe(-1);
          expect(items[i]?.unit).toBeGreaterThan(0);
          // No file tells twice of one event.
          const key = `${items[i]?.unit} ${primary}`;
          expect(told.has(key)).toBe(false);
          told.add(key);
        }
      }),
    );
  });

  it('are found among very many alike in little time', () => {
    const many = Array.from({ length: 40_000 }, (_, i) => ({ unit: i % 2, at: (i >> 1) * 10 + (i % 2), session: 5n }));
    const found = paired(...many);
    expect(found.filter((primary) => primary >= 0).length).toBe(20_000);
  });
});
