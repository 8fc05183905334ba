import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../src/rows/row.js';
import { copyHome, kirotrail, sha256, testFolder } from '../support/cli.js';

const folder = testFolder();
const at = (name: string) => join(folder, name);
const PARTS = ['alpha', 'beta', 'gamma'] as const;
let whole: Row[] = [];

const rowsIn = (text: string | Buffer): Row[] =>
  `${text}`
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Row => JSON.parse(line));

/** The root is a part of what some rows say: of the file that a setting came from. */
const withoutRoot = (row: Row): Row => ({ ...row, text: row.text.replace(`(from ${row.source_file.split('/')[0]}/`, '(from ') });

beforeAll(() => {
  // Three machines. The third has a copy of the first one's Amazon Q files, and a file that the second has, too.
  copyHome(at('roots/alpha/home/ann'));
  cpSync('fixtures/findings/home', at('roots/beta/home'), { recursive: true, preserveTimestamps: true });
  for (const part of ['.aws', '.local/share/amazon-q'])
    cpSync(at(`roots/alpha/home/ann/${part}`), at(`roots/gamma/home/zoe/${part}`), { recursive: true, preserveTimestamps: true });
  cpSync(at('roots/beta/home/mira/exports'), at('roots/gamma/home/zoe/exports'), { recursive: true, preserveTimestamps: true });
  writeFileSync(at('key'), 'a key of more than sixteen bytes');
  const same = ['-f', 'jsonl', '-q', '--fingerprint-key', at('key'), '-o'];
  for (const part of PARTS) expect(kirotrail([at(`roots/${part}`), ...same, at(`${part}.jsonl`)]).code).toBeLessThan(2);
  kirotrail([...PARTS.map((part) => at(`roots/${part}`)), ...same, at('whole.jsonl')]);
  whole = rowsIn(readFileSync(at('whole.jsonl'), 'utf8'));
}, 120_000);

describe('timelines of several machines', () => {
  it('become what one run over all of them writes', () => {
    const { code, stderr } = kirotrail(['merge', ...PARTS.map((part) => at(`${part}.jsonl`)), '-o', at('merged.jsonl')]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^3 timelines, \d+ rows, \d+ of them repeat a row of an earlier timeline\n$/),
    ]);
    const merged = rowsIn(readFileSync(at('merged.jsonl'), 'utf8'));
    expect(merged.map(withoutRoot)).toEqual(whole.map(withoutRoot));
    expect(merged.filter((row) => row.duplicate_of !== '' && row.source_file.startsWith('gamma/')).length).toBeGreaterThan(100);
    expect(new Set(merged.map((row) => row.row_id)).size).toBe(merged.length);
    const ids = new Set(merged.map((row) => row.row_id));
    expect(merged.filter((row) => row.duplicate_of !== '' && !ids.has(row.duplicate_of))).toEqual([]);
    const manifest = JSON.parse(readFileSync(at('merged.jsonl.manifest.json'), 'utf8'));
    expect(manifest.inputs.map(({ label, rows }: { label: string; rows: number }) => [label, rows])).toEqual(
      PARTS.map((part) => [part, rowsIn(readFileSync(at(`${part}.jsonl`), 'utf8')).length]),
    );
    expect(manifest.outputs[0].sha256).toBe(sha256(readFileSync(at('merged.jsonl'))));
  });

  it('give the same bytes in whatever order they are named, under names of one’s own', () => {
    const named = [`gamma=${at('gamma.jsonl')}`, `alpha=${at('alpha.jsonl')}`, `beta=${at('beta.jsonl')}`];
    expect(sha256(kirotrail(['merge', ...named]).stdout)).toBe(sha256(readFileSync(at('merged.jsonl'))));
  });

  it('called alike are named after their folders', () => {
    for (const part of PARTS) {
      mkdirSync(at(`out/${part}`), { recursive: true });
      cpSync(at(`${part}.jsonl`), at(`out/${part}/timeline.jsonl`));
      cpSync(at(`${part}.jsonl.manifest.json`), at(`out/${part}/timeline.jsonl.manifest.json`));
    }
    const { stdout } = kirotrail(['merge', ...PARTS.map((part) => at(`out/${part}/timeline.jsonl`))]);
    expect(sha256(stdout)).toBe(sha256(readFileSync(at('merged.jsonl'))));
  });

  it('without their manifests hold the same rows, and rows with a time in the same order', () => {
    for (const part of PARTS) cpSync(at(`${part}.jsonl`), at(`bare-${part}.jsonl`));
    const { stdout } = kirotrail(['merge', ...PARTS.map((part) => `${part}=${at(`bare-${part}.jsonl`)}`)]);
    const merged = rowsIn(stdout);
    const ids = (rows: readonly Row[]) => rows.map((row) => `${row.row_id} ${row.duplicate_of}`);
    expect(ids(merged).toSorted()).toEqual(ids(whole).toSorted());
    expect(merged.length).toBe(whole.length);
  });
});

describe('what cannot be merged', () => {
  const refused = (...args: string[]) => {
    const { code, stderr } = kirotrail(['merge', ...args]);
    expect(stderr).not.toContain('    at ');
    return [code, stderr.trim().replaceAll(folder, '')];
  };

  it('is said in a sentence', () => {
    writeFileSync(at('notes.txt'), 'nothing');
    writeFileSync(at('table.csv'), 'timestamp_utc,host,user,agent,session_id\n');
    expect(refused()).toEqual([2, expect.stringContaining('merge: name timelines in JSONL')]);
    expect(refused(at('none.jsonl'))).toEqual([2, 'kirotrail: cannot open /none.jsonl (ENOENT)']);
    expect(refused(at('notes.txt'))).toEqual([2, 'kirotrail: /notes.txt is no timeline in JSONL']);
    expect(refused(at('table.csv'))).toEqual([2, expect.stringContaining('is a timeline in CSV')]);
    expect(refused(at('alpha.jsonl'), at('alpha.jsonl'))).toEqual([2, 'kirotrail: two timelines are called alpha: name them (name=path)']);
    expect(refused(at('alpha.jsonl'), '-o', at('alpha.jsonl'), '--force')).toEqual([
      2,
      'kirotrail: output is one of the timelines: /alpha.jsonl',
    ]);
    expect(refused(at('alpha.jsonl'), '-o', at('merged.jsonl'))).toEqual([2, expect.stringContaining('output exists')]);
  });

  it('is left out line by line, and named', () => {
    const [first = '', second = ''] = readFileSync(at('alpha.jsonl'), 'utf8').split('\n');
    writeFileSync(at('broken.jsonl'), `${first}\n{"cut":\n${second}\n`);
    const { code, stdout, stderr } = kirotrail(['merge', at('broken.jsonl'), '-q']);
    expect([code, rowsIn(stdout).length]).toEqual([1, 2]);
    expect(stderr).toBe(
      'left out: broken, line 2: not JSON\n1 timelines, 2 rows, 0 of them repeat a row of an earlier timeline\n1 lines were left out\n',
    );
  });

  it('is nothing, where nothing was found', () => {
    writeFileSync(at('empty.jsonl'), '');
    const { code, stdout } = kirotrail(['merge', at('empty.jsonl')]);
    expect([code, `${stdout}`]).toEqual([3, '']);
    expect(rowsIn(kirotrail(['merge', at('empty.jsonl'), at('beta.jsonl')]).stdout).length).toBe(
      rowsIn(readFileSync(at('beta.jsonl'), 'utf8')).length,
    );
  });
});
