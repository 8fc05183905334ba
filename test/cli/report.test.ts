import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodePage } from '../report/write/decode.js';
import { copyHome, kirotrail, rowsOf, sha256, stateOf, testFolder } from '../support/cli.js';
import { LOGINS, plantHome, SECRETS } from '../support/planted-home.js';

const folder = testFolder();
const evidence = join(folder, 'evidence');
const timeline = join(folder, 'timeline.jsonl');
const page = join(folder, 'report.html');

beforeAll(() => {
  copyHome(evidence);
  expect(kirotrail([evidence, '-o', timeline, '-q']).code).toBe(1);
});

describe('a report over evidence', () => {
  it('is one file over all rows of the timeline, says what could not be read, and leaves the evidence as it was', () => {
    const before = stateOf(evidence);
    const { code, stdout, stderr } = kirotrail(['report', evidence, '-o', page]);
    expect([code, stdout.length]).toEqual([1, 0]);
    expect(stateOf(evidence)).toEqual(before);
    const rows = rowsOf(readFileSync(timeline));
    const { summary, tables, rows: shown } = decodePage(page);
    expect(shown.map(({ row_id }) => row_id)).toEqual(rows.map(({ row_id }) => row_id));
    expect(stderr).toContain(`${String(rows.length).replace(/(\d)(\d{3})$/, '$1,$2')} rows, ${summary.figures.sessions} sessions, `);
    expect(stderr).toContain(`written to ${page}`);
    expect(summary.timeline_sha256).toBe(sha256(readFileSync(timeline)));
    expect(summary.files_partly_read).toBeGreaterThan(0);
    expect(tables.not_read.filter(({ path }) => path.endsWith('.cli_bash_history'))).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('UTF-8') }),
    ]);
  });

  it('is the same over its timeline, from another path, in another time zone and locale', () => {
    const other = join(folder, 'other/deeper');
    cpSync(evidence, join(other, 'evidence'), { recursive: true, preserveTimestamps: true });
    const again = join(folder, 'again.html');
    const env = { TZ: 'Asia/Kolkata', LC_ALL: 'tr_TR.UTF-8' };
    expect(kirotrail(['report', '../deeper/evidence', '-o', again, '-q', '--workers', '2'], { cwd: other, env }).code).toBe(1);
    expect(sha256(readFileSync(again))).toBe(sha256(readFileSync(page)));
    // The timeline itself is whole; that some evidence is not stands in the page, from its manifest.
    expect(kirotrail(['report', timeline, '-o', again, '-q', '--force']).code).toBe(0);
    expect(sha256(readFileSync(again))).toBe(sha256(readFileSync(page)));
  });

  it('holds no secret, in rows, names of files or findings; only those that are asked for', () => {
    const home = plantHome(join(folder, 'planted'));
    const masked = join(folder, 'masked.html');
    const shown = join(folder, 'shown.html');
    const { stderr } = kirotrail(['report', home, '-o', masked]);
    const warned = kirotrail(['report', home, '-o', shown, '--secrets', 'show']).stderr;
    const [quiet, loud] = [decodePage(masked), decodePage(shown)];
    const holds = (text: string, value: string) => text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1));
    const everything = [stderr, quiet.html, quiet.inflated].join('\n');
    expect(Object.entries({ ...SECRETS, ...LOGINS }).filter(([, value]) => holds(everything, value))).toEqual([]);
    expect(holds(loud.inflated, SECRETS.prompt)).toBe(true);
    expect(Object.values(LOGINS).filter((value) => holds(loud.inflated, value) || holds(warned, value))).toEqual([]);
    expect([quiet.summary.secrets_policy, loud.summary.secrets_policy]).toEqual(['masked', 'shown']);
    expect(warned).toContain('warning: the page holds secrets as stored');
  });

  it('takes rules, suppressions, a level and a title', () => {
    const known = join(folder, 'known.yaml');
    writeFileSync(known, '- {rule: grant.*, reason: known here}\n');
    const output = join(folder, 'titled.html');
    expect(kirotrail(['report', timeline, '-o', output, '--title', 'Case <7>', '--suppress', known, '--level', 'high', '-q']).code).toBe(0);
    const { html, summary, tables } = decodePage(output);
    expect(html).toContain('<title>Case &lt;7&gt;</title>');
    expect(summary.title).toBe('Case <7>');
    expect(new Set(tables.findings.map(({ level }) => level))).toEqual(new Set(['critical', 'high']));
    expect(tables.findings.some(({ suppressed_by }) => suppressed_by.includes('grant.*: known here'))).toBe(true);
    expect(summary.remarks.some((remark) => remark.startsWith('Findings below level high are not listed: '))).toBe(true);
  });

  it('holds only what is asked for', () => {
    const rows = rowsOf(readFileSync(timeline));
    const id = rows.find(({ session_id }) => session_id !== '')?.session_id ?? '';
    const output = join(folder, 'one.html');
    expect(kirotrail(['report', timeline, '-o', output, '--session', id, '--no-text']).code).toBe(0);
    const { summary } = decodePage(output);
    expect(summary.rows).toBe(rows.filter((row) => row.session_id === id || row.row_type === 'error').length);
    expect([summary.texts, summary.scope.startsWith(`Rows of session ${id} only: `)]).toEqual([false, true]);
  });
});

describe('a call that cannot be carried out', () => {
  const lines = () => readFileSync(timeline, 'utf8').split('\n').filter(Boolean);
  const written = (name: string, text: string | Uint8Array) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  /** Without error rows, which no filter leaves out. */
  const clean = () =>
    written(
      'clean.jsonl',
      lines()
        .filter((line) => !line.includes('"row_type":"error"'))
        .join('\n'),
    );

  it.each<[string, () => readonly string[], number, string]>([
    ['no evidence', () => ['-o', 'x.html'], 2, 'name evidence, or a timeline'],
    ['no output', () => [timeline], 2, 'name the page to write with -o FILE'],
    ['standard output', () => [timeline, '-o', '-'], 2, 'name the page to write'],
    ['a folder that is not there', () => [timeline, '-o', join(folder, 'none/x.html')], 2, 'no such folder'],
    ['an output that is there', () => [timeline, '-o', page], 2, 'output exists'],
    ['a folder as output', () => [timeline, '-o', evidence, '--force'], 2, 'not a regular file'],
    ['an output in the evidence', () => [evidence, '-o', join(evidence, 'x.html')], 2, 'lies inside the evidence'],
    [
      'scratch in the evidence',
      () => [evidence, '-o', join(folder, 'x.html'), '--scratch', evidence],
      2,
      'scratch folder lies inside the evidence',
    ],
    ['the timeline as output', () => [timeline, '-o', timeline, '--force'], 2, 'lies inside the evidence'],
    ['a timeline in CSV', () => [written('t.csv', 'timestamp_utc,host,user,agent,\n'), '-o', 'x.html'], 2, 'timeline in CSV'],
    [
      'another schema',
      () => [written('old.jsonl', `${lines()[0]?.replace('"kirotrail/1"', '"kirotrail/9"')}\n`), '-o', 'x.html'],
      2,
      'has the schema kirotrail/9',
    ],
    ['an empty file', () => [written('empty.jsonl', ''), '-o', 'x.html'], 3, 'nothing found in 1 files, no page was written'],
    [
      'an empty folder',
      () => [(mkdirSync(join(folder, 'empty'), { recursive: true }), join(folder, 'empty')), '-o', 'x.html'],
      3,
      'nothing found in 0 files',
    ],
    [
      'no row in it',
      () => [written('broken.jsonl', '{"timestamp_utc":"","schema":"kirotrail/1"}\n{"a":\n'), '-o', 'x.html'],
      3,
      'the timeline holds no rows',
    ],
    ['no row left', () => [clean(), '-o', 'x.html', '--session', 'none'], 3, 'no row is left by the filter, no page was written'],
    ['a size that is none', () => [timeline, '-o', 'x.html', '--max-size', '1'], 2, '--max-size: megabytes'],
    ['two opposite wishes', () => [timeline, '-o', 'x.html', '--max-size', '50', '--single'], 2, 'opposite things'],
    ['a time without offset', () => [timeline, '-o', 'x.html', '--since', '2025-01-01T00:00:00'], 2, '--since: not a time with offset'],
    ['rules that are not there', () => [timeline, '-o', 'x.html', '--rules', join(folder, 'none.yaml')], 2, '--rules: cannot read'],
  ])('%s: says so in a line and writes nothing', (_, args, code, message) => {
    const before = readdirSync(folder).filter((file) => /\.html|parts|partial|^\./.test(file));
    const result = kirotrail(['report', ...args()], { cwd: folder });
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(message)]);
    expect(result.stderr).not.toMatch(/ {4}at |internal fault|system error/);
    expect(readdirSync(folder).filter((file) => /\.html|parts|partial|^\./.test(file))).toEqual(before);
    expect(existsSync(join(evidence, 'x.html'))).toBe(false);
  });

  it('a folder that cannot be written to', () => {
    if (process.getuid?.() === 0) return;
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o500);
    expect(kirotrail(['report', timeline, '-o', join(closed, 'x.html')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot write'),
    });
  });
});

describe('a timeline with lines that are no rows', () => {
  it('makes a page of the others, and names them', () => {
    const damaged = join(folder, 'damaged.jsonl');
    cpSync(timeline, damaged);
    const row = JSON.parse(readFileSync(timeline, 'utf8').split('\n')[0] ?? '');
    const bad = [
      'not json',
      JSON.stringify({ ...row, row_id: 'x' }),
      JSON.stringify({ ...row, timestamp_utc: '2025-02-30T00:00:00.000Z' }),
      JSON.stringify({ ...row, exit_code: 1.5 }),
      JSON.stringify({ ...row, source_line: null }),
      '{"timestamp_utc":"2025-',
    ];
    appendFileSync(damaged, bad.join('\n'));
    const output = join(folder, 'damaged.html');
    const { code, stderr } = kirotrail(['report', damaged, '-o', output]);
    const rows = rowsOf(readFileSync(timeline));
    const { summary, rows: shown } = decodePage(output);
    expect([code, shown.length]).toEqual([1, rows.length]);
    expect(summary.remarks).toContainEqual(
      expect.stringContaining(
        `are not in this report: 6 (line ${rows.length + 1}: not JSON; line ${rows.length + 2}: not a row of a timeline;`,
      ),
    );
    expect(stderr).toContain('Lines of the timeline that are no rows');
    // The manifest beside the sound timeline is not that of this one.
    expect(summary.not_read).toBeNull();
  });
});
