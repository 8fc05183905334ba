import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyRow } from '../../src/analyze/samples.js';
import { Column } from '../../src/enrich/column.js';
import { ENTRY, ENTRY_WIDTH, standingIn } from '../../src/enrich/entries.js';
import { OrderNotes, type TimelineOrderNote } from '../../src/enrich/order-notes.js';
import { LIMITS } from '../../src/enrich/store.js';
import { TimelineRows } from '../../src/enrich/timeline-rows.js';
import { mergeTimelines } from '../../src/merge/index.js';
import type { Row } from '../../src/rows/row.js';
import { indexed, MemoryStore } from '../support/indexed.js';
import '../support/seed.js';

interface Made {
  readonly name: string;
  readonly unit: number;
  /** Seconds, or undefined. */
  readonly time: number | undefined;
  readonly leads: boolean;
  readonly newRun: boolean;
}

/** The rows of some units in the order of a timeline, and which of them stand ahead. */
function timelineOf(rows: readonly Made[]): { readonly rows: readonly Made[]; readonly order: TimelineOrderNote } {
  const made = rows.map(({ unit, time, leads, newRun }) => ({ unit, ms: time === undefined ? Number.NaN : time * 1000, leads, newRun }));
  const { rows: all, numbers } = indexed(made);
  const store = new MemoryStore();
  const notes = new OrderNotes();
  const order: Made[] = [];
  for (const { words, doubles, count } of new TimelineRows(all, new Column(store, LIMITS), LIMITS, store).whole())
    for (let at = 0; at < count * ENTRY_WIDTH; at += ENTRY_WIDTH) {
      notes.take(doubles[at / 2] ?? Number.NaN, words[at + ENTRY.ns] ?? 0, standingIn(words[at + ENTRY.about] ?? 0));
      order.push(rows[numbers[words[at + ENTRY.place] ?? -1] ?? -1] ?? fail());
    }
  return { rows: order, order: notes.note };
}

function fail(): never {
  throw new Error('no such row');
}

function rowOf({ name, unit, time }: Made): Row {
  const dated = time === undefined ? {} : { timestamp_utc: new Date(time * 1000).toISOString() };
  return { ...emptyRow(), ...dated, row_id: name, text: name, source_file: `f${unit}`, source_sha256: `${unit}` };
}

const UNIT = fc.array(
  fc.record({
    time: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
    leads: fc.boolean(),
    newRun: fc.boolean(),
  }),
  { maxLength: 6 },
);
const CASE = fc.array(fc.array(UNIT, { maxLength: 4 }), { minLength: 1, maxLength: 4 });

describe('timelines of parts of a case, merged', () => {
  it('stand in the order of one run over the whole', async () => {
    await fc.assert(
      fc.asyncProperty(CASE, async (parts) => {
        let unit = 0;
        let number = 0;
        const made = parts.map((units) =>
          units.flatMap((rows) => {
            unit += 1;
            return rows.map((row): Made => ({ ...row, unit, name: (number++).toString(16).padStart(16, '0') }));
          }),
        );
        const merged: string[] = [];
        const inputs = made.map((rows, i) => {
          const timeline = timelineOf(rows);
          return {
            label: `part${i}`,
            order: timeline.order,
            rows: async function* () {
              for (const row of timeline.rows) yield [rowOf(row)];
            },
          };
        });
        const whole = timelineOf(made.flat());
        const { order } = await mergeTimelines(inputs, (row) => merged.push(row.text));
        expect(merged).toEqual(whole.rows.map(({ name }) => name));
        expect(order).toEqual(whole.order);
      }),
      { numRuns: 500 },
    );
  });
});
