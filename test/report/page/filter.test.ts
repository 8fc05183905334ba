import { describe, expect, it } from 'vitest';
import { binsOf, filterRows } from '../../../src/report/page/data/filter.js';
import { rawOf } from '../../../src/report/page/text/raw.js';
import { crc32 } from '../../../src/report/page/worker/crc32.js';
import { Texts, textBlock } from '../../../src/report/page/worker/texts.js';

const facet = (key: string, of: number[], values: string[]) => ({ key, label: key, of: Uint8Array.from(of), values: values.map(rawOf) });

describe('filterRows', () => {
  const time = Float64Array.from([10, 20, Number.NaN, 40, 50, 60]);
  const facets = [facet('kind', [0, 1, 1, 2, 2, 2], ['a', 'b', 'c']), facet('user', [0, 0, 1, 1, 0, 1], ['x', 'y'])];
  const run = (chosen: Record<string, number[]>, lists: number[][] = [], from: number | null = null, to: number | null = null) => {
    const sets = new Map(Object.entries(chosen).map(([key, values]) => [key, new Set(values)]));
    const { rows, undated, counts } = filterRows(time, facets, { chosen: sets, lists, from, to });
    return [[...rows], undated, [...(counts.get('kind') ?? [])], [...(counts.get('user') ?? [])]];
  };

  it('counts each facet as if nothing were chosen in it, and as the others choose', () => {
    expect(run({})).toEqual([[0, 1, 2, 3, 4, 5], 1, [1, 2, 3], [3, 3]]);
    expect(run({ kind: [2] })).toEqual([[3, 4, 5], 0, [1, 2, 3], [1, 2]]);
    expect(run({ kind: [2], user: [1] })).toEqual([[3, 5], 0, [0, 1, 2], [1, 2]]);
  });

  it('takes what every list and the span let pass; a row without a time is in no span', () => {
    expect(run({}, [[1, 2, 2, 5]])[0]).toEqual([1, 2, 5]);
    expect(
      run({}, [
        [1, 2, 5],
        [5, 2],
      ])[0],
    ).toEqual([2, 5]);
    expect(run({}, [], 20, 50)).toEqual([[1, 3], 0, [0, 1, 1], [1, 1]]);
  });

  it('bins and undated rows are all rows', () => {
    const bins = binsOf(Uint32Array.from([0, 1, 2, 3, 4, 5]), time, Uint8Array.from([0, 0, 0, 1, 1, 1]), 2, { from: 10, to: 61 });
    expect(bins.flat().reduce((sum, n) => sum + n, 0)).toBe(5);
    expect([bins[0], bins.at(-4)]).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });
});

describe('the texts of the worker', () => {
  const texts = ['Abc İ', '', 'x\u0000 é 😀 ABC', 'ab', 'c'];
  const bytes = texts.map((text) => new TextEncoder().encode(text));
  const all = new Texts();
  all.add(
    textBlock(
      7,
      Uint8Array.from(bytes.flatMap((one) => [...one])),
      Uint32Array.from(bytes, ({ length }) => length),
    ),
  );

  it('are cut by their lengths, whatever characters they hold', () => {
    expect(texts.map((_, i) => all.text(7 + i, 1e9)?.text)).toEqual(texts);
    expect(all.text(6, 9)).toBeNull();
    expect(all.text(12, 9)).toBeNull();
    expect(all.text(9, 3)).toEqual({ text: 'x\u0000 ', length: 11, lines: 1 });
  });

  it('are found in any case, and never across two rows', () => {
    expect([...all.search('abc')]).toEqual([7, 9]);
    const plain = new Texts();
    const joined = new TextEncoder().encode('needleneedl' + 'e needle');
    plain.add(textBlock(0, joined, Uint32Array.from([6, 5, 8])));
    expect([...plain.search('NEEDLE')]).toEqual([0, 2]);
  });

  it('has the CRC-32 that everybody has', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe('cbf43926');
    expect(crc32(new Uint8Array())).toBe('00000000');
  });
});
