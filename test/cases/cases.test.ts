import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Format } from '../../src/pipeline/options.js';
import { run } from '../../src/pipeline/run.js';
import { type Row, RowSchema } from '../../src/rows/row.js';
import { ExpectedSchema, unmet } from './checker.js';

const CASES = fileURLToPath(new URL('../../fixtures/cases', import.meta.url));
const names = readdirSync(CASES).filter((name) => existsSync(join(CASES, name, 'expected.json')));

const LINUX = '.local/share/amazon-q/data.sqlite3';
/** Databases of the cases: source, and place below `home`. */
const DATABASES: Readonly<Record<string, readonly (readonly [sql: string, path: string])[]>> = {
  '02-q-denied-and-interrupted': [['data.sql', LINUX]],
  '03-q-checkpoint-cjk-recovered': [['data.sql', LINUX]],
  '05-q-truncated-db': [
    ['data.sql', LINUX],
    ['data2.sql', '.local/share/kiro-cli/data.sqlite3'],
  ],
  '07-q-invalid-utf8-text': [['data.sql', LINUX]],
  '08-kiro-cli-v2-same-directory': [['data.sql', 'Library/Application Support/kiro-cli/data.sqlite3']],
  '18-layout-nested-windows-copy': [['data.sql', 'evidence/C/Users/bob/AppData/Local/amazon-q/data.sqlite3']],
  '22-q-orphan-and-repeated-results': [['data.sql', LINUX]],
};

/** What cannot lie in a repository. */
const FINISH: Readonly<Record<string, (home: string) => void>> = {
  // Closing the connection would fold the log into the database: both are copied while it is open.
  '06-kiro-cli-wal-pending': (home) => {
    const target = join(home, '.local/share/kiro-cli');
    const live = join(dirname(home), 'live.sqlite3');
    mkdirSync(target, { recursive: true });
    const database = new Database(live);
    database.exec(readFileSync(join(CASES, '06-kiro-cli-wal-pending/data.sql'), 'utf8'));
    for (const ending of ['', '-wal']) cpSync(live + ending, join(target, `data.sqlite3${ending}`));
    database.close();
  },
  '05-q-truncated-db': (home) => {
    const path = join(home, LINUX);
    truncateSync(path, Math.floor(readFileSync(path).length / 2));
  },
  '19-layout-symlink-loop-and-brackets': (home) => {
    const folder = join(home, 'case [7] (copy)');
    symlinkSync('..', join(folder, '.kiro/up'));
    symlinkSync('/nonexistent/elsewhere', join(folder, '.aws'));
    const record = join(folder, '.amazonq/.subagents/x.json');
    mkdirSync(dirname(record), { recursive: true });
    cpSync(join(CASES, '17-q-delegate-running-and-unknown-cwd/home/code/shop/.amazonq/.subagents/dev.json'), record);
    chmodSync(record, 0);
  },
};

function build(name: string, folder: string): string {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  if (existsSync(join(CASES, name, 'home'))) cpSync(join(CASES, name, 'home'), home, { recursive: true });
  for (const [sql, path] of DATABASES[name] ?? []) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    const database = new Database(join(home, path));
    database.exec(readFileSync(join(CASES, name, sql), 'utf8'));
    database.close();
  }
  FINISH[name]?.(home);
  return folder;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kirotrail-cases-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function timeline(path: string, output: string, format: Format) {
  const { manifest } = await run({
    paths: [path],
    output,
    format,
    force: true,
    host: '',
    user: '',
    filter: { keepUndated: false, rowTypes: [], sessions: [], projects: [] },
    keepDuplicates: true,
    csv: { raw: false, bom: false },
    allFiles: false,
    recover: true,
    secrets: { policy: 'off', least: 'medium' },
    argv: [],
  });
  return { manifest, text: readFileSync(output, 'utf8') };
}

const rowsOf = (text: string): Row[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => RowSchema.parse(JSON.parse(line)));

describe('cases from public reports', () => {
  it.each(names)('%s', async (name) => {
    const expected = ExpectedSchema.parse(JSON.parse(readFileSync(join(CASES, name, 'expected.json'), 'utf8')));
    const path = join(build(name, join(folder, name)), expected.run.path);
    // Permission bits do not stop root.
    const warnings = expected.warnings.filter(({ says }) => !says.includes('not when run as root') || process.getuid?.() !== 0);
    const { manifest, text } = await timeline(path, join(folder, `${name}.jsonl`), 'jsonl');
    const rows = rowsOf(text);
    expect(unmet({ ...expected, warnings }, rows, manifest)).toEqual([]);
    expect(new Set(rows.map((row) => row.row_id)).size).toBe(rows.length);
  });

  it('gives one CSV record per row of hostile prompts, each cell guarded and the text recoverable', async () => {
    const path = join(CASES, '20-csv-hazards-in-prompts/home/export.json');
    const jsonl = rowsOf((await timeline(path, join(folder, 'csv-hazards.jsonl'), 'jsonl')).text);
    const csv = (await timeline(path, join(folder, 'csv-hazards.csv'), 'csv')).text;
    const records: Record<string, string>[] = parse(csv, { columns: true });
    expect(records.map((record) => record.row_id)).toEqual(jsonl.map((row) => row.row_id));
    const prompts = records.filter((record) => record.row_type === 'prompt').map((record) => record.text ?? '');
    expect(prompts).toHaveLength(14);
    for (const text of prompts) expect(text).not.toMatch(/^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/);
    // None of these may reach a terminal.
    expect(csv).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
    expect(prompts[0]).toBe("'=cmd|' /C calc'!A0");
    expect(prompts[6]).toBe('he said "no, never"');
    expect(prompts[13]).toBe(' lead and trail ');
  });
});
