import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/catalog/load.js';
import { AGENTS } from '../../src/enrich/row-index.js';
import { splitNames } from '../../src/write/split-name.js';
import { zip } from '../support/archives.js';
import { copyHome, kirotrail, manifestOf, rowsOf, saveExport, sha256, testFolder, writeFileDeep } from '../support/cli.js';

const folder = testFolder();
const disk = join(folder, 'disk');
const HISTORY = '.aws/amazonq/.cli_bash_history';

beforeAll(() => {
  copyHome(join(disk, 'home/mira'));
  for (const user of ['alice', 'ALICE', '=cmd()', 'no-user', '.bob']) writeFileDeep(join(disk, 'home', user, HISTORY), `I am ${user}\n`);
  // One conversation in two homes and outside of them: copies point from file to file.
  for (const place of ['home/alice', 'home/.bob', 'srv'])
    writeFileDeep(join(disk, place, 'chat.json'), saveExport('c', [['shared', 'yes']]));
});

/** Lines of a divided run and of a whole one; a CSV record may span lines. */
function records(path: string): string[] {
  const bytes = readFileSync(path);
  if (path.endsWith('.jsonl')) return bytes.toString('utf8').split('\n').filter(Boolean);
  return parse(bytes, { relax_quotes: true }).map((cells: string[]) => JSON.stringify(cells));
}

describe.each(['user', 'agent'] as const)('--split %s', (by) => {
  it.each([
    ['jsonl', '0'],
    ['jsonl', '2'],
    ['csv', '0'],
  ])('%s, %s workers: all files together are the whole timeline, each in its order', (format, workers) => {
    const whole = join(folder, `whole-${by}.${format}`);
    const out = join(folder, `${by}-${workers}.${format}`);
    const code = kirotrail([disk, '-q', '-o', whole, '--force']).code;
    expect(kirotrail([disk, '-q', '-o', out, '--split', by, '--workers', workers]).code).toBe(code);
    const header = format === 'csv' ? 1 : 0;
    const all = records(whole).slice(header);
    const manifest = manifestOf(`${out}.manifest.json`);
    const place = new Map(all.map((record, i) => [record, i]));
    const parts = manifest.outputs.map(({ path, rows, sha256: hash, size }) => {
      const own = records(path).slice(header);
      expect([own.length, sha256(readFileSync(path)), readFileSync(path).length]).toEqual([rows, hash, size]);
      const places = own.map((record) => place.get(record) ?? -1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      return own;
    });
    expect(parts.flat().sort()).toEqual(all.sort());
    expect(manifest.counts.rows).toBe(all.length);
  });

  it('each file holds the rows of one', () => {
    for (const { path, holds } of manifestOf(join(folder, `${by}-0.jsonl.manifest.json`)).outputs) {
      const rows = rowsOf(readFileSync(path));
      expect(new Set(rows.map((row) => `${by} ${row[by]}`.trimEnd()))).toEqual(new Set([holds]));
    }
  });
});

it('names files after users, whatever they are called', () => {
  const { outputs, users } = manifestOf(join(folder, 'user-0.jsonl.manifest.json'));
  expect(outputs.map(({ path, holds }) => `${path.slice(folder.length + 1)}: ${holds}`)).toEqual([
    'user-0-no-user.jsonl: user',
    'user-0-_bob.jsonl: user .bob',
    'user-0-_cmd__.jsonl: user =cmd()',
    'user-0-ALICE.jsonl: user ALICE',
    'user-0-alice-2.jsonl: user alice',
    'user-0-mira.jsonl: user mira',
    'user-0-no-user-2.jsonl: user no-user',
  ]);
  expect(users.map(({ user, inputs, rows }) => [user, inputs, rows])).toContainEqual(['ALICE', 1, 1]);
  expect(users.map(({ user }) => user)).toEqual(['', '.bob', '=cmd()', 'ALICE', 'alice', 'mira', 'no-user']);
});

it('makes file names that are safe everywhere, and never the same twice', () => {
  const keys = [
    '..',
    '../../x',
    'a/b',
    'a\\b',
    'con',
    'NUL.txt',
    'x'.repeat(300),
    'x'.repeat(301),
    'e\u0301',
    '\u00e9',
    'a\u001b[31m',
    'jörg',
    '',
    ' ',
  ];
  const names = splitNames('/out/t.csv', keys, 'no-user');
  expect(names.slice(0, 6)).toEqual([
    '/out/t-_.csv',
    '/out/t-__.._x.csv',
    '/out/t-a_b.csv',
    '/out/t-a_b-2.csv',
    '/out/t-_con.csv',
    '/out/t-_NUL.txt.csv',
  ]);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(keys.length);
  for (const name of names) expect(name).toMatch(/^\/out\/t-[\p{L}\p{N}._-]{1,110}\.csv$/u);
});

it('says who left what at the end of a run', () => {
  const { stderr } = kirotrail([disk, '-o', join(folder, 'told.jsonl'), '--split', 'user']);
  expect(stderr).toContain('files, ');
  expect(stderr).toMatch(
    / {2}users {5}\(no user\) 1 sources \d+ rows, \.bob 2 sources \d+ rows, =cmd\(\) 1 sources 1 rows, ALICE 1 sources 1 rows/,
  );
});

it('refuses standard output, and files that are there', () => {
  expect(kirotrail([disk, '--split', 'user']).code).toBe(2);
  expect(kirotrail([disk, '-o', join(folder, 'both.csv'), '--split', 'user', '--csv-split', '5']).code).toBe(2);
  const out = join(folder, 'there.jsonl');
  writeFileSync(join(folder, 'there-mira.jsonl'), 'mine');
  const { code, stderr } = kirotrail([disk, '-q', '-o', out, '--split', 'user']);
  expect([code, stderr]).toEqual([2, `kirotrail: output exists: ${join(folder, 'there-mira.jsonl')} (use --force to replace it)\n`]);
  expect(readFileSync(join(folder, 'there-mira.jsonl'), 'utf8')).toBe('mine');
});

it('takes archives of many homes', () => {
  const members = ['ann', 'bob'].map((user) => ({ name: `C/Users/${user}/${HISTORY}`, data: `I am ${user}\n` }));
  writeFileSync(join(folder, 'homes.zip'), zip(members));
  const out = join(folder, 'homes.jsonl');
  expect(kirotrail([join(folder, 'homes.zip'), '-q', '-o', out, '--split', 'user']).code).toBe(0);
  expect(rowsOf(readFileSync(join(folder, 'homes-bob.jsonl'))).map((row) => row.text)).toEqual(['I am bob']);
});

it('knows every agent of the catalog', () => {
  for (const { agent, places } of loadCatalog())
    for (const name of [agent, ...places.map((place) => place.agent ?? '')]) expect(AGENTS).toContain(name);
});
