import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replace } from '../../bench/recover-store.js';
import { recoveredRows } from '../../src/parsers/q-recovered.js';
import { type LiveIndex, lazyLiveIndex, liveIndexOf, type RecoveryInput, recover } from '../../src/recover/index.js';
import { hidesText, markOf } from '../../src/recover/marks.js';
import { type StateLabel, valueChains } from '../../src/recover/state-chains.js';
import { openStates } from '../../src/recover/states.js';
import { bytesOf, inputOf, moveToV2, storeOf } from './support.js';

const rowsWith = (input: RecoveryInput, live: LiveIndex) => [...recoveredRows(recover(input, live), 'amazon-q-cli')];

/** What recovery gives when it looks into the live values that hold a mark, and when it takes all of them apart. */
function bothWays(input: RecoveryInput) {
  return { some: rowsWith(input, lazyLiveIndex(input, { mostMarks: Number.MAX_SAFE_INTEGER })), all: rowsWith(input, liveIndexOf(input)) };
}

/** Copies stretches of live values and of older ones into pages that nothing uses. */
function withStrayPages(main: Buffer, older: Buffer, places: readonly number[]): Buffer {
  const stray = places.map((place, i) => {
    const source = i % 2 === 0 ? main : older;
    const page = Buffer.alloc(PAGE);
    source.copy(page, 4, place % source.length);
    return page;
  });
  return Buffer.concat([main, ...stray]);
}

const PAGE = 4096;

describe('live values that are looked into one by one', () => {
  it('give the same rows as all of them together, whatever lies in free space', () => {
    for (const seed of [1, 2]) {
      const store = storeOf([], seed);
      for (const directory of store.directories) replace(store, directory);
      const { some, all } = bothWays(inputOf(bytesOf(store)));
      expect(some).toEqual(all);
      expect(all.length).toBeGreaterThan(20);
      const older = bytesOf(store).main ?? Buffer.alloc(0);
      moveToV2(store, '');
      const main = bytesOf(store).main ?? Buffer.alloc(0);
      fc.assert(
        fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), (places) => {
          const input = inputOf({ main: withStrayPages(main, older, places) });
          const rows = bothWays(input);
          expect(rows.some).toEqual(rows.all);
          expect(rowsWith(input, lazyLiveIndex(input))).toEqual(rows.all);
        }),
        { numRuns: 8 },
      );
    }
  });

  it('count as live also where their bytes are written with escapes that nobody needs', () => {
    const store = storeOf();
    const [key = ''] = store.directories;
    const value = String(store.database.prepare('SELECT value FROM conversations WHERE key = ?').pluck().get(key));
    const stray = Buffer.alloc(PAGE);
    stray.write(value, 4);
    const strange = value.replace(/[a-z](?=[a-z ]*")/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
    store.database.prepare('UPDATE conversations SET value = ? WHERE key = ?').run(value.slice(0, 24) + strange.slice(24), key);
    store.database.exec('VACUUM');
    const main = bytesOf(store).main ?? Buffer.alloc(0);
    const { some, all } = bothWays(inputOf({ main: Buffer.concat([main, stray]) }));
    expect(some).toEqual(all);
  });
});

describe('mark of a text', () => {
  it('stands in every JSON form of the text, or the form is seen to hide something', () => {
    const escaped = (text: string, which: readonly boolean[]) =>
      [...text].map((c, i) =>
        which[i % which.length] && c < '\u007f' ? `\\u00${c.charCodeAt(0).toString(16).padStart(2, '0')}` : JSON.stringify(c).slice(1, -1),
      );
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
        (text, which) => {
          const mark = markOf(text);
          const plain = Buffer.from(JSON.stringify({ text }));
          const slashes = Buffer.from(JSON.stringify({ text }).replaceAll('/', '\\/'));
          const strange = Buffer.from(`{"text":"${escaped(text, which).join('')}"}`);
          if (mark === undefined) return;
          expect(mark.length).toBeLessThanOrEqual(64);
          for (const form of [plain, slashes, strange]) expect(form.includes(mark) || hidesText(form)).toBe(true);
        },
      ),
    );
  });

  it('is the longest stretch without anything that JSON writes otherwise', () => {
    expect(markOf('say "hello there" to C:\\Users\\ann')).toBe('hello there');
    expect(markOf('')).toBe(undefined);
    expect(markOf('한국어')).toBe(undefined);
    expect(markOf('x'.repeat(5000))).toBe('x'.repeat(64));
  });
});

it('values that share their chains ask for no more pages than their budget', () => {
  const store = storeOf();
  const input = inputOf(bytesOf(store));
  const { view, map } = openStates(input).live;
  const budget = { pages: 5 };
  const label: StateLabel = { region: 'damaged-row', generation: 0, commit: 0, budget, proof: () => 'pointer' };
  const chains = Array.from({ length: view.pageCount }, (_, i) => valueChains(view, i + 1, label, 1 << 30)).flat();
  expect(map().broken.size).toBe(0);
  expect(budget.pages).toBe(0);
  expect(chains.reduce((sum, { segments }) => sum + segments.length - 1, 0)).toBe(5);
  expect(chains.filter(({ stop }) => stop === 'limit').length).toBeGreaterThan(1);
});
