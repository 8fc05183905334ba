import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { COLUMNS, type Row } from '../../src/rows/row.js';
import { copyHome, kirotrail, rowsOf, saveExport, testFolder, writeFileDeep } from '../support/cli.js';

const QUERIES = fileURLToPath(new URL('../../queries', import.meta.url));
const folder = testFolder();
const at = (name: string) => join(folder, name);
const sql = (name: string) => readFileSync(join(QUERIES, `${name}.sql`), 'utf8');
/** Put together here: the repository holds no text that looks like a key. */
const TOKEN = `gh${'p_'}16C7e42F292c6912E7710c838347Ae178B4a`;
let rows: Row[];

beforeAll(() => {
  copyHome(at('laptop'));
  writeFileDeep(at('laptop/exports/key.json'), saveExport('on-laptop', [[`push with ${TOKEN}`, 'no']]));
  writeFileDeep(
    at('server/home/root/saved.json'),
    saveExport('on-server', [
      [`the token is ${TOKEN}`, 'noted'],
      ['and now?', 'done'],
    ]),
  );
  writeFileSync(at('key'), 'one key for the whole case');
  for (const machine of ['laptop', 'server'])
    kirotrail([at(machine), '--host', machine, '--user', 'mira', '--fingerprint-key', at('key'), '-q', '-o', at(`${machine}.jsonl`)]);
  rows = rowsOf(readFileSync(at('laptop.jsonl')));
  expect(rows.length).toBeGreaterThan(100);
});

type Answer = Record<string, unknown>[];

/** Runs queries of the pack over timelines; the answer of the last. */
async function ask(timelines: string, names: readonly string[], view = sql('rows')): Promise<Answer> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    await connection.run(`SET VARIABLE timelines = '${timelines.replaceAll("'", "''")}'`);
    await connection.run(`SET VARIABLE parquet = '${at('timeline.parquet')}'`);
    await connection.run(view);
    let answer: Answer = [];
    for (const name of names) answer = (await connection.runAndReadAll(sql(name))).getRowObjectsJson();
    return answer;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const one = (name: string) => ask(at('laptop.jsonl'), [name]);
const all = (name: string) => ask(at('*.jsonl'), [name]);
const pick = (answer: Answer, ...columns: string[]) => answer.map((row) => columns.map((column) => row[column]));

describe('the rows', () => {
  it('have every column, in order, with the values of the JSONL', async () => {
    const text = sql('rows');
    expect([...text.matchAll(/(\w+): '(?:VARCHAR|BIGINT|JSON)(?:\[\])?'/g)].map((match) => match[1])).toEqual([...COLUMNS]);
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    await connection.run(`SET VARIABLE timelines = '${at('laptop.jsonl')}'`);
    await connection.run(text);
    const read = (await connection.runAndReadAll('SELECT * FROM timeline')).getRowObjectsJson();
    connection.closeSync();
    instance.closeSync();
    const number = (value: unknown) => (value === null ? null : Number(value));
    for (const [i, row] of rows.entries()) {
      const { time, machine, details, secrets, ...rest } = read[i] ?? {};
      expect(machine).toBe('laptop');
      expect(time === null ? '' : `${String(time).padEnd(23, '.000').slice(0, 10)}`).toBe(row.timestamp_utc.slice(0, 10));
      expect(JSON.parse(String(details))).toEqual(row.details);
      expect(JSON.parse(String(secrets))).toEqual(row.secrets);
      for (const column of ['text', 'command', 'row_id', 'file_paths', 'secret_rules', 'problem', 'timestamp_utc'] as const)
        expect(rest[column]).toEqual(row[column]);
      for (const column of ['source_line', 'exit_code', 'source_offset', 'secret_count'] as const)
        expect(number(rest[column])).toBe(row[column]);
    }
  });
});

describe('over one timeline', () => {
  it('what ran: each command once, with its end as far as one is recorded', async () => {
    const ran = pick(await one('what-ran'), 'time', 'session_id', 'command', 'status', 'outcome', 'exit_code').filter(
      ([time]) => time !== null,
    );
    for (const command of [
      ['2025-01-20 09:06:40', 'c0ffee00-1111-4222-8333-444455556666', 'ls -la', 'no result on record', 'ambiguous', '0'],
      ['2025-01-20 09:08:20', 'c0ffee00-1111-4222-8333-444455556666', 'printf "a\\tb\\n"', 'no result on record', 'ambiguous', '0'],
      [
        '2025-01-20 09:10:00',
        'c0ffee00-1111-4222-8333-444455556666',
        'for f in *.md; do\n  wc -l $f\ndone',
        'no result on record',
        'fail',
        '1',
      ],
      ['2025-11-12 08:12:46.581', '5ea02c47-96db-4f38-8b4a-805cbed79f64', 'npm run build', 'completed', 'fail', '2'],
      ['2026-05-11 06:13:50', '4b6f2d10-5a7c-4e21-9d38-1f0e2c3b4a51', 'npm test', 'completed', 'fail', '1'],
      ['2026-05-11 06:15:30', '4b6f2d10-5a7c-4e21-9d38-1f0e2c3b4a51', 'npm test', 'completed', 'pass', '0'],
      ['2026-06-20 10:02:06', '4b6f2d10-5a7c-4e21-9d38-1f0e2c3b4a51', 'npm run format', 'completed', 'pass', '0'],
      ['2026-09-14 05:47:07', 'sess_1c9b4f0e-3d2a-4b5c-8e7f-60718293a4b5', 'npm test', 'completed', 'fail', '1'],
      ['2026-09-14 05:47:13', 'sess_1c9b4f0e-3d2a-4b5c-8e7f-60718293a4b5', 'git push', 'blocked', 'ambiguous', null],
      ['2026-09-14 05:47:26.3', 'sess_1c9b4f0e-3d2a-4b5c-8e7f-60718293a4b5', 'git diff', 'completed', 'pass', '0'],
    ])
      expect(ran).toContainEqual(command);
    const called = rows.filter((row) => ['tool_use', 'shell'].includes(row.row_type) && row.command !== '' && row.duplicate_of === '');
    expect(ran).toHaveLength(called.filter((row) => row.timestamp_utc !== '').length);
  });

  it('who allowed it: the decision on record, and "no decision" where there is none', async () => {
    const answer = await one('who-allowed-it');
    const calls = rows.filter((row) => row.row_type === 'tool_use' && row.duplicate_of === '');
    expect(answer.map((row) => row.row_id).sort()).toEqual(calls.map((row) => row.row_id).sort());
    const said = new Map(pick(answer, 'what', 'decision', 'for_the_tool').map(([what, ...rest]) => [what, rest]));
    expect(said.get('git push')).toEqual(['denied by reject, requested', '']);
    expect(said.get('rm -rf exports/old')).toEqual(['denied by user', '']);
    expect(said.get('ls exports/old')).toEqual(['cancelled by interrupt', '']);
    expect(said.get('wc -l answers.csv')).toEqual(['approved by y', '']);
    expect(said.get('git diff')).toEqual(['approved by always-accept, requested', '']);
    expect(said.get('{"path":".env"}')).toEqual(['denied by policy', '']);
    // One answer for two calls names neither.
    expect(said.get('npm run build')).toEqual(['no decision on record', 'approved by y, granted by slash-command']);
    expect(said.get('npm run format')).toEqual(['no decision on record', '']);
  });

  it('what may run without a question', async () => {
    const grants = pick(await one('standing-grants'), 'decision', 'text').map(([decision, text]) => `${decision} ${text}`);
    expect(grants).toContain('granted permission setting: allowedTools=fs_read (from .aws/amazonq/cli-agents/dev.json, file mtime)');
    expect(grants).toContain(
      'denied permission setting: toolsSettings.execute_bash.deniedCommands=["git push .*"] (from .aws/amazonq/cli-agents/dev.json, file mtime)',
    );
  });

  it('what was touched: each path once, by whom and how often', async () => {
    const touched = new Map(pick(await one('what-was-touched'), 'path', 'by', 'times').map(([path, ...rest]) => [path, rest]));
    expect(touched.get('/home/mira/work/shop/src/cart.ts')).toEqual([['file', 'fs_read', 'fs_write'], '5']);
    expect(touched.get('.env')).toEqual([['read_file'], '1']);
    expect(touched.get('src/price.ts')).toEqual([['readFile', 'str_replace'], '2']);
    const named = rows.filter((row) => (row.row_type === 'tool_use' || row.row_type === 'file') && row.duplicate_of === '');
    expect(touched.size).toBe(new Set(named.flatMap((row) => row.file_paths)).size);
  });

  it('what is missing: gaps, errors and doubts', async () => {
    const missing = await one('missing');
    const counted = (kind: string) => missing.filter((row) => row.kind === kind).length;
    expect(counted('gap')).toBe(rows.filter((row) => row.row_type === 'gap').length);
    expect(counted('error')).toBe(rows.filter((row) => row.row_type === 'error').length);
    expect(counted('problem')).toBe(rows.filter((row) => row.problem !== '' && row.row_type !== 'gap' && row.row_type !== 'error').length);
    expect(missing.map((row) => row.what)).toContain('gap: history is shorter than the transcript missing=24 assistant messages');
    expect(missing.map((row) => row.what)).toContain('gap: conversation cleared source=journal');
  });

  it('what was recovered, without copies of live rows', async () => {
    const recovered = pick(await one('recovered'), 'recovered', 'confidence', 'text');
    expect(recovered).toContainEqual(['superseded', 'complete', 'now rename the table']);
    expect(recovered).toContainEqual(['snapshot', 'complete', 'keep the CSV header as it is']);
    expect(recovered).toContainEqual(['transcript', 'complete', 'clean up the mail archive']);
    expect(recovered).toHaveLength(
      rows.filter((row) => row.recovered !== '' && row.row_type !== 'recovered' && row.duplicate_of === '').length,
    );
  });
});

describe('over the timelines of many machines', () => {
  it('which machines there are', async () => {
    const hosts = pick(await all('hosts'), 'machine', 'agent', 'rows', 'sessions', 'typed_prompts');
    expect(hosts.filter(([machine]) => machine === 'server')).toEqual([['server', 'amazon-q-cli', '5', '1', '0']]);
    const total = hosts.reduce((sum, [, , count]) => sum + Number(count), 0);
    expect(total).toBe(rows.length + rowsOf(readFileSync(at('server.jsonl'))).length);
  });

  it('which secrets stand where: the same secret on two machines is one line', async () => {
    const secrets = await all('secrets');
    const token = secrets.filter((row) => row.rule === 'github-token');
    expect(pick(token, 'class', 'rows', 'machines', 'files')).toEqual([
      ['secret', '2', ['laptop', 'server'], ['exports/key.json', 'home/root/saved.json']],
    ]);
    expect(JSON.stringify(secrets)).not.toContain(TOKEN);
    const listed = rows.flatMap((row) => row.secrets.map((secret) => `${secret.fingerprint} ${secret.rule}`));
    expect(secrets.map((row) => `${row.fingerprint} ${row.rule}`).sort()).toEqual([...new Set(listed)].sort());
  });

  it.each(readdirSync(QUERIES).filter((name) => name !== 'rows.sql' && name !== 'to-parquet.sql'))(
    '%s answers for all what it answers for one',
    async (file) => {
      const name = file.replace('.sql', '');
      const ids = (answer: Answer) => answer.filter((row) => row.machine === 'laptop').map((row) => row.row_id ?? row.a_row);
      if (name !== 'secrets') expect(ids(await all(name))).toEqual(ids(await one(name)));
    },
  );
});

describe('Parquet', () => {
  it('gives the same answers, in fewer bytes', async () => {
    await ask(at('*.jsonl'), ['to-parquet']);
    const view = `CREATE VIEW timeline AS SELECT * FROM '${at('timeline.parquet')}'`;
    for (const name of ['hosts', 'what-ran', 'who-allowed-it', 'secrets', 'recovered'])
      expect(await ask('', [name], view)).toEqual(await all(name));
    expect(statSync(at('timeline.parquet')).size).toBeLessThan(statSync(at('laptop.jsonl')).size / 2);
  });
});
