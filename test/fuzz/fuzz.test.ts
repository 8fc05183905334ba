import { afterAll, expect, it } from 'vitest';
import { PARSERS } from '../../src/parsers/index.js';
import { Fuzzer } from './engine.js';

const fuzzer = new Fuzzer();
afterAll(() => fuzzer.remove());

it('has files of every store that has a parser', () => {
  expect(fuzzer.stores).toEqual(PARSERS.map(({ id }) => id).sort());
});

it.each(fuzzer.stores)('%s: damaged files give sound rows of that file, in bounded time', async (store) => {
  const { failures, inputs } = await fuzzer.store(store, 20_260_101, 12);
  expect(failures.map(({ file, what, seed }) => `${file}: ${what} (seed ${seed})`)).toEqual([]);
  expect(inputs).toBeGreaterThan(0);
});
