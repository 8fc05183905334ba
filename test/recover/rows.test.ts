import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildFixtures } from '../../scripts/build-fixtures.js';
import { recoveredRows } from '../../src/parsers/q-recovered.js';
import { liveIndexOf, recover } from '../../src/recover/index.js';
import type { Draft } from '../../src/rows/draft.js';
import { hash, inputOf } from './support.js';

let folder: string;
let main: Buffer;
let rows: Draft[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kirotrail-recover-rows-'));
  main = readFileSync(buildFixtures(folder)[0] ?? '');
  const input = inputOf({ main });
  rows = [...recoveredRows(recover(input, liveIndexOf(input)), 'amazon-q-cli')];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const slicesOf = (row: Draft): { offset: number; length: number }[] => {
  const { slices } = row.details ?? {};
  return Array.isArray(slices) ? slices : [];
};

it('the replaced conversation of the fixture home is readable again', () => {
  for (const marker of ['SCRATCH-OLD-1', 'SCRATCH-OLD-2', 'SCRATCH-OLD-3']) {
    const prompt = rows.find(({ row_type, text }) => row_type === 'prompt' && text.startsWith(marker));
    expect(prompt?.project_path).toBe('/home/mira/work/scratch');
    expect(prompt?.time?.original).toContain('2025-10-10T10:0');
    expect(['freelist', 'unallocated']).toContain(prompt?.recovered);
    expect(['complete', 'partial']).toContain(prompt?.confidence);
  }
  expect(rows.some(({ row_type, text }) => row_type === 'assistant' && text.startsWith('SCRATCH-OLD-ANSWER-2'))).toBe(true);
});

it('each row leads to its bytes, and to one hash for one entry', () => {
  const carved = rows.filter(({ recovered }) => recovered !== undefined && recovered !== '');
  expect(carved.length).toBeGreaterThan(10);
  for (const row of carved) {
    const bytes = Buffer.concat(slicesOf(row).map(({ offset, length }) => main.subarray(offset, offset + length)));
    expect(hash(bytes)).toBe(row.details?.entry_sha256);
    expect(row.source_offset).toBe(slicesOf(row)[0]?.offset);
    expect(row.details).toHaveProperty('joins');
    expect(row.details).toHaveProperty('stop');
  }
});

it('one notice says what the scan found', () => {
  const notices = rows.filter(({ row_type }) => row_type === 'recovered');
  expect(notices).toHaveLength(1);
  expect(notices[0]?.text).toMatch(
    /^deleted space: recovered=\d+ complete=\d+ probable=\d+ partial=\d+ fragment=\d+ pages=\d+ free_pages=\d+/,
  );
});

it('a deleted login is told by its place and key only', () => {
  const login = rows.find(({ text }) => text.startsWith('credential in deleted space'));
  expect(login?.text).toContain('key=codewhisperer:odic:token bytes=59');
  expect(login?.withheld).toEqual([{ rule: 'auth-store', key: 'access_token', value: 'old-access-not-real' }]);
  const shown = rows.map(({ withheld: _, ...row }) => row);
  expect(JSON.stringify(shown).includes('access-not-real')).toBe(false);
});

it('the same file gives the same rows', () => {
  const input = inputOf({ main });
  expect([...recoveredRows(recover(input, liveIndexOf(input)), 'amazon-q-cli')]).toEqual(rows);
});

it('a nesting that nobody can write again is cut, and that is said', () => {
  const input = inputOf({ main });
  const result = recover(input, liveIndexOf(input));
  const whole = [...result.entries()].find(({ kind }) => kind === 'entry');
  if (whole === undefined) throw new Error('no entry');
  const depth = 100_000;
  const raw: unknown = JSON.parse(
    `{"user":{"content":{"Prompt":{"prompt":"p"}},"odd":${'['.repeat(depth)}${']'.repeat(depth)}},"assistant":{"Response":{"content":"a"}}}`,
  );
  const deep = {
    ...result,
    *entries() {
      yield { ...whole, raw };
    },
  };
  const made = [...recoveredRows(deep, 'amazon-q-cli')];
  expect(() => JSON.stringify(made)).not.toThrow();
  expect(made.some(({ problem }) => problem?.includes('nested too deeply'))).toBe(true);
});
