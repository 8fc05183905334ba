import { afterAll, expect, it } from 'vitest';
import { PARSERS } from '../../src/parsers/index.js';
import { Fuzzer, WRITERS } from './engine.js';

const fuzzer = new Fuzzer();
afterAll(() => fuzzer.remove());

it('has files of every store that has a parser', () => {
  expect(fuzzer.stores).toEqual(PARSERS.map(({ id }) => id).sort());
});

it.each([WRITERS, ...fuzzer.stores])('%s: hostile input gives sound rows, in bounded time', async (store) => {
  const { failures, inputs } = await fuzzer.store(store, 20_260_101, 12);
  expect(failures.map(({ file, what, seed }) => `${file}: ${what} (seed ${seed})`)).toEqual([]);
  expect(inputs).toBeGreaterThan(0);
});
