import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Row, readEvidence, UsageError } from '../../src/index.js';
import { copyHome, kirotrail, manifestOf, rowsOf, saveExport, stateOf, testFolder, writeFileDeep } from '../support/cli.js';

const folder = testFolder();
const at = (name: string) => join(folder, name);
const scratch = at('scratch');
const left = () => readdirSync(scratch);

beforeAll(() => {
  mkdirSync(scratch);
  copyHome(at('home'));
  const turns = Array.from({ length: 400 }, (_, i) => [`prompt ${i} ${'p'.repeat(200)}`, `answer ${i}`] as const);
  for (let i = 0; i < 60; i++) writeFileDeep(at(`long/${i}.json`), saveExport(`session-${i}`, turns));
});

async function all(rows: AsyncIterable<Row>): Promise<Row[]> {
  const list: Row[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

describe('readEvidence', () => {
  it('gives the rows of the command, in order, with secrets masked and duplicates named, and the manifest', async () => {
    const before = stateOf(at('home'));
    kirotrail([at('home'), '-q', '-o', at('x.jsonl'), '--host', 'h']);
    const rows = readEvidence(at('home'), { host: 'h', scratch });
    expect(rows.manifest).toBeUndefined();
    expect(await all(rows)).toEqual(rowsOf(readFileSync(at('x.jsonl'))));
    const { inputs, counts, secrets } = manifestOf(at('x.jsonl.manifest.json'));
    expect(rows.manifest).toMatchObject({ inputs, counts, secrets, outputs: [] });
    expect([stateOf(at('home')), left()]).toEqual([before, []]);
  });

  it('can be gone through again, and several times at once', async () => {
    const rows = readEvidence(at('home/exports'), { scratch });
    const [one, two] = await Promise.all([all(rows), all(rows)]);
    expect(one.length).toBeGreaterThan(10);
    expect(two).toEqual(one);
    expect(left()).toEqual([]);
  });

  it('takes the filters of the command', async () => {
    const options = { scratch, duplicates: false, recover: false, filter: { rowTypes: ['prompt'] as const } };
    const types = new Set((await all(readEvidence([at('home')], options))).map((row) => `${row.row_type} ${row.duplicate_of}`));
    expect([...types].sort()).toEqual(['error ', 'prompt ']);
  });

  it('does nothing before the first row is asked for', async () => {
    const iterator = readEvidence('/nowhere/at/all', { scratch })[Symbol.asyncIterator]();
    expect(left()).toEqual([]);
    await expect(iterator.next()).rejects.toThrow(UsageError);
    expect(left()).toEqual([]);
  });

  it('keeps rows back until they are asked for, and removes its folder when the loop is left', async () => {
    let seen = 0;
    for await (const row of readEvidence(at('long'), { scratch })) {
      expect(row.schema).toBe('kirotrail/1');
      // The rest waits on disk.
      expect(left()).toHaveLength(1);
      if (++seen === 3) break;
      await pause(5);
    }
    expect(left()).toEqual([]);
    const failing = async () => {
      for await (const row of readEvidence(at('long'), { scratch })) throw new Error(`no use for ${row.row_type}`);
    };
    await expect(failing()).rejects.toThrow('no use for');
    expect(left()).toEqual([]);
  });

  it('ends with the reason of an abort: before it begins, and while rows are taken', async () => {
    const reason = new Error('enough');
    await expect(all(readEvidence(at('long'), { scratch, signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    const controller = new AbortController();
    const taken: Row[] = [];
    const taking = async () => {
      for await (const row of readEvidence(at('home'), { scratch, signal: controller.signal })) {
        taken.push(row);
        if (taken.length === 2) controller.abort(reason);
      }
    };
    await expect(taking()).rejects.toBe(reason);
    expect([taken.length, left()]).toEqual([2, []]);
  });

  it.each(['read', 'write'] as const)('ends while it is still in the phase: %s', async (phase) => {
    const controller = new AbortController();
    const phases = new Set<string>();
    const progress = (state: { readonly phase: string; readonly done: number }) => {
      phases.add(state.phase);
      if (state.phase === phase && state.done >= 3) controller.abort();
    };
    await expect(all(readEvidence(at('long'), { scratch, signal: controller.signal, progress, workers: 0 }))).rejects.toThrow(/abort/i);
    expect([[...phases].at(-1), left()]).toEqual([phase, []]);
  });

  it.runIf(existsSync('/proc/self/fd'))('leaves no file open behind', async () => {
    const open = () => readdirSync('/proc/self/fd').length;
    await all(readEvidence(at('home/exports'), { scratch }));
    const before = open();
    for (let i = 0; i < 5; i++) {
      const controller = new AbortController();
      await all(readEvidence(at('long'), { scratch, workers: 0, signal: controller.signal, progress: () => controller.abort() })).catch(
        () => {},
      );
      for await (const _ of readEvidence(at('home/exports'), { scratch })) break;
    }
    expect(open()).toBeLessThanOrEqual(before + 1);
  });
});
