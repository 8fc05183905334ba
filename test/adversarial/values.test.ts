import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Fuzzer } from '../fuzz/engine.js';
import { print, slotsOf, treeOf } from '../fuzz/json-tree.js';
import { Bench, freshScan, isDatabase } from '../fuzz/subject.js';

// A value of this kind in each place of a record of each store, through the pipeline's own reader.

const fuzzer = new Fuzzer();
const bench = new Bench(fuzzer.corpus, mkdtempSync(join(fuzzer.folder, 'bench-')), freshScan());
afterAll(() => {
  bench.close();
  fuzzer.remove();
});

/** Names that JavaScript gives a meaning of its own. */
const NAMES =
  '{"__proto__":{"polluted":true},"toString":1,"valueOf":2,"toJSON":3,"constructor":null,"hasOwnProperty":0,"length":-1,"then":4}';
const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const DEEP_OBJECT = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
const MOST = 24;

/** The smallest file of a store with one value after the other replaced; only some of them where there are many. */
function* replaced(store: string, value: string, most: number, repeat = false): Generator<Buffer> {
  const [file] = filesOf(store);
  const lines = (file?.bytes.toString('utf8') ?? '').split('\n');
  const whole = treeOf(lines.join('\n'));
  const parts = whole === undefined ? lines : [print(whole)];
  for (const [i, part] of parts.entries()) {
    const count = slotsOf(treeOf(part) ?? { raw: '' }).length;
    for (let at = 0; at < count; at += Math.max(1, Math.ceil((count * parts.length) / most))) {
      const tree = treeOf(part);
      const slot = tree && slotsOf(tree)[at];
      if (tree === undefined || slot === undefined) continue;
      if (repeat) slot.add({ raw: value });
      else slot.set({ raw: value });
      yield Buffer.from(parts.toSpliced(i, 1, print(tree)).join('\n'));
    }
  }
}

const filesOf = (store: string) =>
  [...(fuzzer.corpus.byStore.get(store) ?? [])].filter((file) => !isDatabase(file)).sort((a, b) => a.bytes.length - b.bytes.length);

async function expectSound(store: string, contents: Iterable<Buffer>): Promise<void> {
  const [file] = filesOf(store);
  if (file === undefined) return;
  for (const bytes of contents) await bench.check({ file, bytes, wal: undefined });
}

describe.each(fuzzer.stores.filter((store) => filesOf(store).length > 0))('%s', (store) => {
  it('takes names like __proto__ and toString for names', async () => {
    await expectSound(store, replaced(store, NAMES, MOST));
  });

  it('takes a repeated name for what it is', async () => {
    await expectSound(store, replaced(store, '"again"', MOST, true));
  });

  it('reads values nested 100,000 deep, whole and in a record', async () => {
    await expectSound(store, [Buffer.from(DEEP), Buffer.from(DEEP_OBJECT), Buffer.from(DEEP_OBJECT.slice(0, 400_000))]);
    await expectSound(store, replaced(store, DEEP, 3));
  });
});

it('changes nothing for the program itself', () => {
  expect('polluted' in {}).toBe(false);
});
