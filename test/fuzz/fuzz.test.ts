import { afterAll, expect, it } from 'vitest';
import { PARSERS } from '../../src/parsers/index.js';
import { COMMANDS, Fuzzer, PACKED, WRITERS } from './engine.js';

const fuzzer = new Fuzzer();
afterAll(() => fuzzer.remove());

it('has files of every store that has a parser', () => {
  expect(fuzzer.stores).toEqual(PARSERS.map(({ id }) => id).sort());
});

it.each([WRITERS, ...fuzzer.stores])('%s: hostile input gives sound rows, in bounded time', async (store) => {
  const { failures, inputs } = await fuzzer.store(store, 20_260_101, 5);
  expect(failures.map(({ file, what, seed }) => `${file}: ${what} (seed ${seed})`)).toEqual([]);
  expect(inputs).toBeGreaterThan(0);
});

it.each([COMMANDS, PACKED])('%s: the built program ends as it should over changed evidence, and leaves what it should', async (store) => {
  const { failures, inputs } = await fuzzer.store(store, 20_260_101, 60);
  expect(failures.map(({ file, what, seed }) => `${file}: ${what} (seed ${seed})`)).toEqual([]);
  expect(inputs).toBe(6);
});
