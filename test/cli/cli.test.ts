import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { COLUMNS, type Row } from '../../src/rows/row.js';
import { ROW_TYPES } from '../../src/rows/row-types.js';
import { VERSION } from '../../src/version.js';
import {
  CLI,
  copyHome,
  filesIn,
  kirotrail,
  manifestOf,
  rowsOf,
  saveExport,
  sha256,
  shell,
  stateOf,
  testFolder,
  writeFileDeep,
} from '../support/cli.js';

const folder = testFolder();
const home = join(folder, 'evidence');
const survey = join(home, 'exports/survey.md');
let before: string[];

beforeAll(() => {
  copyHome(home);
  before = stateOf(home);
});

/** Evidence that takes a second or two to read; made once. */
function longEvidence(): string {
  const path = join(folder, 'long');
  if (existsSync(path)) return path;
  mkdirSync(path);
  const turns = Array.from({ length: 150 }, (_, i) => [`prompt ${i} ${'p'.repeat(300)}`, `answer ${i} ${'a'.repeat(300)}`] as const);
  for (let i = 0; i < 150; i++) writeFileSync(join(path, `${i}.json`), saveExport(`session-${i}`, turns));
  return path;
}

let count = 0;
/** An empty folder for the output of one test. */
function outFolder(): string {
  const path = join(folder, `out ${++count}`);
  mkdirSync(path);
  return path;
}

/** What a run left behind. */
const leftIn = (path: string) => readdirSync(path).sort();

describe('exit codes', () => {
  it('0: all evidence read in full', () => {
    const { code, stdout, stderr } = kirotrail([survey]);
    expect(code).toBe(0);
    expect(stderr).toContain('problems  none');
    expect(stdout.toString()).toContain('\n');
  });

  it('1: done, but something could not be read in full; rows and manifest name it', () => {
    const out = join(outFolder(), 'x.jsonl');
    expect(kirotrail([home, '-o', out, '-q']).code).toBe(1);
    const errors = rowsOf(readFileSync(out)).filter((row) => row.row_type === 'error');
    const problems = manifestOf(`${out}.manifest.json`).inputs.flatMap((input) => input.problems);
    expect(errors.length).toBeGreaterThan(0);
    expect(problems).toHaveLength(errors.length);
    for (const row of errors) expect(problems).toContain(row.problem);
  });

  it('1: also when a file named in the call is not recognised beside others that are', () => {
    const { code, stderr } = kirotrail([survey, join(home, 'notes.txt')]);
    expect(code).toBe(1);
    expect(stderr).toContain('notes.txt: not recognised');
  });

  it('1: a root that cannot be read is a row, not "nothing found"', () => {
    if (process.getuid?.() === 0) return console.log('skipped as root: folders without read permission can be read');
    const shut = join(outFolder(), 'shut');
    mkdirSync(shut, { mode: 0o000 });
    const { code, stdout } = kirotrail([shut, '-f', 'jsonl', '-q']);
    chmodSync(shut, 0o700);
    expect(code).toBe(1);
    expect(rowsOf(stdout).map((row) => row.row_type)).toEqual(['error']);
  });

  it.each([
    [[], /name at least one path/],
    [['--nope', 'x'], /Unknown argument: nope/],
    [['/nowhere/at/all'], /cannot open \/nowhere\/at\/all \(ENOENT\)/],
    [['.', '-o', ''], /--output needs a file name/],
    [['.', '-o'], /Not enough arguments following: o/],
    [['.', '--manifest', ''], /--manifest needs a file name/],
    [['.', '-f', 'xml'], /Invalid values/],
    [['.', '-o', 'a.csv', '-o', 'b.csv'], /--output is given more than once/],
    [['.', '--since', '2025-11-14T09:00:00'], /--since: not a time with offset/],
    [['.', '--until', '2025-02-30'], /--until: not a time/],
    [['.', '--row-type', 'prompt,propmt'], /unknown row type propmt/],
    [['.', '--scratch', '/nowhere'], /(?:no such folder|cannot use the scratch folder)/],
    [['.', '-'], /standard input stands alone/],
    [['catalog', 'more'], /Unknown argument: more/],
  ])('2: %j', (args, message) => {
    const { code, stdout, stderr } = kirotrail(args, { cwd: home });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^kirotrail: [^\n]+\n$/);
    expect(code).toBe(2);
    expect(stdout.toString()).toBe('');
  });

  it('3: nothing found', () => {
    const empty = outFolder();
    const out = join(outFolder(), 'x.csv');
    const { code, stderr } = kirotrail([empty, '-o', out]);
    expect(code).toBe(3);
    expect(stderr).toContain('nothing found in 0 files');
    expect(readFileSync(out, 'utf8')).toBe(`${COLUMNS.join(',')},csv_notes\n`);
    expect(manifestOf(`${out}.manifest.json`)).toMatchObject({ inputs: [], counts: { rows: 0 } });
    expect(kirotrail([join(home, 'notes.txt'), '-q']).code).toBe(3);
  });

  it('70: a full disk, said in one line', () => {
    if (!existsSync('/dev/full')) return console.log('skipped: this system has no /dev/full');
    for (const line of ['$KIROTRAIL "$HOME_COPY" -q >/dev/full', '$KIROTRAIL catalog >/dev/full']) {
      const { code, stderr } = shell(line, { env: { HOME_COPY: home } });
      expect(stderr).toMatch(/^kirotrail: system error: ENOSPC: no space left on device[^\n]*\n$/);
      expect(code).toBe(70);
    }
  });

  it('70: a file that cannot grow; neither file nor temporary file stays', () => {
    const out = outFolder();
    const scratch = outFolder();
    // A limit on file sizes stands in for a full disk; with the signal ignored the write fails.
    const line = `trap '' XFSZ; ulimit -f 16; exec $KIROTRAIL "$HOME_COPY" -q -o "$OUT/x.csv" --scratch "$SCRATCH"`;
    const { code, stderr } = shell(line, { env: { HOME_COPY: home, OUT: out, SCRATCH: scratch } });
    expect(stderr).toMatch(/^kirotrail: system error: EFBIG[^\n]*\n$/);
    expect(code).toBe(70);
    expect([leftIn(out), leftIn(scratch)]).toEqual([[], []]);
  });
});

describe('standard output', () => {
  it('carries data only, quiet or not', () => {
    const [loud, quiet] = [kirotrail([home]), kirotrail([home, '--quiet'])];
    expect(loud.stdout.equals(quiet.stdout)).toBe(true);
    expect(quiet.stderr).toBe('');
    expect(loud.stderr).toMatch(/sources read, \d+ rows\n/);
    expect(loud.stderr).not.toContain('\u001b');
    const records = parse(loud.stdout) as string[][];
    expect(records[0]).toEqual([...COLUMNS, 'csv_notes']);
    expect(loud.stderr).toContain(` ${records.length - 1} rows\n`);
    expect(rowsOf(kirotrail([home, '-f', 'jsonl']).stdout)).toHaveLength(records.length - 1);
  });

  it('has no manifest unless one is named, and -o - says the same as nothing', () => {
    const cwd = outFolder();
    const [plain, ...same] = [['-q'], ['-q', '-o', '-'], ['-q', '--output', '-'], ['-q', '--output=-']].map((args) =>
      kirotrail([survey, ...args], { cwd }),
    );
    for (const other of same) expect(other.stdout.equals(plain?.stdout ?? Buffer.alloc(0))).toBe(true);
    expect(leftIn(cwd)).toEqual([]);
    expect(kirotrail([survey, '-q', '--manifest', 'm.json'], { cwd }).code).toBe(0);
    expect(manifestOf(join(cwd, 'm.json')).outputs).toMatchObject([{ path: '-', sha256: sha256(plain?.stdout ?? Buffer.alloc(0)) }]);
  });

  it('ends quietly when its reader goes away', () => {
    const wide = writeFileDeep(join(outFolder(), 'wide.json'), saveExport('wide', Array(300).fill(['p'.repeat(2000), 'a'.repeat(2000)])));
    for (const args of ['"$IN" -q', '"$IN" -q -f jsonl', 'catalog', 'catalog --format json']) {
      const line = `{ $KIROTRAIL ${args}; echo "code $?" >&2; } | head -c 10`;
      const { stdout, stderr } = shell(line, { env: { IN: wide } });
      expect(stderr).toBe('code 0\n');
      expect(stdout).toHaveLength(10);
    }
  });

  it('ends without a stack when the reader of its messages goes away too', () => {
    const { stdout } = shell('{ $KIROTRAIL "$IN" 2>&1; echo "code $?" >&3; } 3>&1 1>&4 4>&- | cat', { env: { IN: survey } });
    expect(stdout.toString()).not.toContain('    at ');
    const gone = shell('$KIROTRAIL "$IN" 2>&1 >/dev/null | true', { env: { IN: survey } });
    expect(gone.stderr).toBe('');
  });
});

describe('output files', () => {
  it('take their format from the extension, unless one is given', () => {
    const out = outFolder();
    const first = (name: string, ...more: string[]) => {
      expect(kirotrail([survey, '-q', '-o', join(out, name), ...more]).code).toBe(0);
      return readFileSync(join(out, name), 'utf8').slice(0, 14);
    };
    const [csv, jsonl] = ['timestamp_utc,', '{"timestamp_ut'];
    expect(['a.csv', 'a'].map((name) => first(name))).toEqual([csv, csv]);
    expect(['A.JSONL', 'a.ndjson'].map((name) => first(name))).toEqual([jsonl, jsonl]);
    expect([first('b.csv', '-f', 'jsonl'), first('b.jsonl', '--format', 'csv')]).toEqual([jsonl, csv]);
  });

  it('are private, with their manifest beside them, and nothing else is left', () => {
    const out = outFolder();
    expect(shell('umask 000; $KIROTRAIL "$IN" -q -o "$OUT/x.csv"', { env: { IN: survey, OUT: out } }).code).toBe(0);
    expect(leftIn(out)).toEqual(['x.csv', 'x.csv.manifest.json']);
    for (const name of leftIn(out)) expect(statSync(join(out, name)).mode & 0o777).toBe(0o600);
  });

  it('are not replaced without --force, neither is the manifest', () => {
    const out = outFolder();
    for (const name of ['x.csv', 'y.csv.manifest.json', 'm.json']) writeFileSync(join(out, name), 'kept');
    const cases = [
      ['-o', 'x.csv'],
      ['-o', 'y.csv'],
      ['-o', 'z.csv', '--manifest', 'm.json'],
    ];
    for (const args of cases) {
      const { code, stderr } = kirotrail([survey, ...args], { cwd: out });
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^kirotrail: output exists: .*--force/)]);
    }
    expect(leftIn(out)).toEqual(['m.json', 'x.csv', 'y.csv.manifest.json']);
    for (const name of leftIn(out)) expect(readFileSync(join(out, name), 'utf8')).toBe('kept');
    for (const args of cases) expect(kirotrail([survey, '-q', '--force', ...args], { cwd: out }).code).toBe(0);
    for (const name of leftIn(out)) expect(readFileSync(join(out, name), 'utf8')).not.toBe('kept');
  });

  it('are refused where output and manifest are one file, or the target is a folder or a device', () => {
    const out = outFolder();
    mkdirSync(join(out, 'folder'));
    symlinkSync('folder', join(out, 'link'));
    for (const args of [
      ['-o', 'x', '--manifest', './x'],
      ['-o', 'folder'],
      ['-o', 'link'],
      ['-o', 'y', '--manifest', 'folder'],
      ['-o', '/dev/null'],
    ]) {
      expect(kirotrail([survey, '--force', ...args], { cwd: out }).code).toBe(2);
    }
    expect(leftIn(out)).toEqual(['folder', 'link']);
  });

  it('replace a link instead of writing through it', () => {
    const out = outFolder();
    const other = writeFileDeep(join(outFolder(), 'other'), 'kept');
    symlinkSync(other, join(out, 'x.csv'));
    symlinkSync('nowhere', join(out, 'y.csv'));
    expect(kirotrail([survey, '-q', '-o', 'x.csv'], { cwd: out }).code).toBe(2);
    expect(kirotrail([survey, '-q', '-o', 'y.csv'], { cwd: out }).code).toBe(2);
    expect(kirotrail([survey, '-q', '-o', 'x.csv', '--force'], { cwd: out }).code).toBe(0);
    expect(readFileSync(other, 'utf8')).toBe('kept');
  });

  it('are never written into the evidence, also not through a link, nor the manifest, nor the scratch folder', () => {
    const out = outFolder();
    symlinkSync(home, join(out, 'link'));
    symlinkSync(out, join(out, 'harmless'));
    const inside = [
      [home, '-o', join(home, 'x.csv')],
      [home, '-o', join(out, 'link/x.csv')],
      [home, '-o', join(home, '..evidence.csv')],
      [home, '-o', join(out, 'x.csv'), '--manifest', join(home, 'm.json')],
      [home, '-o', join(out, 'x.csv'), '--manifest', join(out, 'link/exports/m.json')],
      [home, '-o', join(out, 'x.csv'), '--secrets-sarif', join(home, 's.sarif')],
      [home, '--secrets-sarif', join(out, 'link/s.sarif')],
      [survey, home, '-o', join(home, 'work/x.csv')],
      [survey, '-o', survey, '--force'],
      [home, '--scratch', home],
    ];
    for (const args of inside) {
      const { code, stderr } = kirotrail([...args, '-q']);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringMatching(/^kirotrail: .*inside the evidence/)]);
    }
    expect(kirotrail([home, '-q'], { env: { TMPDIR: join(home, 'tmp') } }).code).toBe(2);
    expect(leftIn(out)).toEqual(['harmless', 'link']);
    expect(kirotrail([survey, '-q', '-o', join(out, 'harmless/x.csv')]).code).toBe(0);
    expect(kirotrail([survey, '-q', '-o', `${home} beside.csv`]).code).toBe(0);
    expect(stateOf(home)).toEqual(before);
  });

  it('leave nothing behind when the call is refused late', () => {
    const out = outFolder();
    for (const more of [
      ['--scratch', survey],
      ['--manifest', join(out, 'none/m.json')],
      ['--secrets-sarif', join(out, 'none/s.sarif')],
      ['--secrets-sarif', join(out, 'x.csv')],
      ['--secrets-sarif', survey],
    ]) {
      expect(kirotrail([survey, '-q', '-o', join(out, 'x.csv'), ...more]).code).toBe(2);
      expect(leftIn(out)).toEqual([]);
    }
  });

  it.each([
    ['SIGTERM', '0'],
    ['SIGINT', '2'],
    ['SIGHUP', '0'],
  ] as const)('leave nothing behind after %s with %s workers, nor does the scratch folder', async (signal, workers) => {
    const evidence = longEvidence();
    const [out, scratch] = [outFolder(), outFolder()];
    const args = [CLI, evidence, '-q', '-o', join(out, 'x.csv'), '--scratch', scratch, '--workers', workers];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    const ended = new Promise<readonly [number | null, string | null]>((resolve) => {
      child.on('exit', (code, by) => resolve([code, by]));
    });
    for (let waited = 0; leftIn(scratch).length === 0 && waited < 10_000; waited += 5) await pause(5);
    expect(leftIn(out)).toHaveLength(2);
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    expect([leftIn(out), leftIn(scratch)]).toEqual([[], []]);
  });
});

describe('standard input', () => {
  it('is one export, with the rows of the file but for its place', () => {
    const bytes = readFileSync(survey);
    const [piped, file] = [kirotrail(['-', '-f', 'jsonl', '-q'], { input: bytes }), kirotrail([survey, '-f', 'jsonl', '-q'])];
    expect([piped.code, file.code]).toEqual([0, 0]);
    expect(new Set(rowsOf(piped.stdout).map((row) => row.source_file))).toEqual(new Set(['(stdin)']));
    const same = (stdout: Buffer) => rowsOf(stdout).map((row) => ({ ...row, source_file: '', user: '' }));
    expect(same(piped.stdout)).toEqual(same(file.stdout));
    expect(rowsOf(piped.stdout)[0]?.source_sha256).toBe(sha256(bytes));
  });

  it('gives exit code 3 where nothing is recognised', () => {
    for (const input of [Buffer.alloc(0), Buffer.from('hello'), Buffer.from([0xff, 0xfe, 0])]) {
      const { code, stderr } = kirotrail(['-'], { input });
      expect(code).toBe(3);
      expect(stderr).toContain('not recognised: (stdin)');
    }
  });
});

describe('filters', () => {
  let rows: Row[];
  beforeAll(() => {
    rows = rowsOf(kirotrail([home, '-q', '-f', 'jsonl']).stdout);
  });
  function filtered(...args: string[]) {
    const out = join(outFolder(), 'x.jsonl');
    const { code } = kirotrail([home, '-q', '-o', out, ...args]);
    expect(code).toBe(1);
    const manifest = manifestOf(`${out}.manifest.json`);
    const rows = rowsOf(readFileSync(out));
    expect(manifest.outputs[0]?.rows).toBe(rows.length);
    expect(manifest.counts.rows).toBe(rows.length);
    return { rows, left: manifest.counts.left_out };
  }
  const ids = (rows: readonly { row_id: string }[]) => rows.map((row) => row.row_id).sort();
  const isError = (row: { row_type: string }) => row.row_type === 'error';

  it('--since and --until keep what lies between, and count the rest by reason', () => {
    const [since, until] = ['2025-11-12T00:00:00.000Z', '2025-11-13T10:00:00.000Z'];
    const dated = rows.filter((row) => row.timestamp_utc !== '');
    const wanted = rows.filter((row) => isError(row) || (row.timestamp_utc >= since && row.timestamp_utc < until));
    expect(wanted.length).toBeGreaterThan(10);
    const found = filtered('--since', '2025-11-12', '--until', '2025-11-13T11:00:00+01:00');
    expect(ids(found.rows)).toEqual(ids(wanted));
    expect(found.left).toEqual({
      since: dated.filter((row) => !isError(row) && row.timestamp_utc < since).length,
      undated: rows.filter((row) => !isError(row) && row.timestamp_utc === '').length,
      until: dated.filter((row) => !isError(row) && row.timestamp_utc >= until).length,
    });
    const kept = filtered('--since', since, '--keep-undated');
    expect(ids(kept.rows)).toEqual(ids(rows.filter((row) => isError(row) || row.timestamp_utc === '' || row.timestamp_utc >= since)));
    expect(kept.left).toEqual({ since: rows.length - kept.rows.length });
  });

  it('--until is exclusive and --since inclusive', () => {
    const moment = rows.find((row) => row.timestamp_utc !== '' && row.row_type === 'prompt')?.timestamp_utc ?? '';
    const has = (rows: readonly { timestamp_utc: string }[]) => rows.some((row) => row.timestamp_utc === moment);
    expect(has(filtered('--since', moment).rows)).toBe(true);
    expect(has(filtered('--until', moment).rows)).toBe(false);
  });

  it('--row-type, --session and --project, alone and together; error rows stay', () => {
    const session = rows.find((row) => row.project_path === '/home/mira/work/api')?.session_id ?? '';
    const other = rows.find((row) => row.project_path === '/home/mira/work/infra')?.session_id ?? '';
    expect(new Set([session, other, '']).size).toBe(3);
    const check = (args: string[], keep: (row: (typeof rows)[number]) => boolean) => {
      const found = filtered(...args);
      const wanted = rows.filter((row) => isError(row) || keep(row));
      expect(ids(found.rows)).toEqual(ids(wanted));
      expect(Object.values(found.left).reduce((sum, n) => sum + n, 0)).toBe(rows.length - wanted.length);
      return found.left;
    };
    check(['--row-type', 'prompt,permission'], (row) => /^(?:prompt|permission)$/.test(row.row_type));
    check(['--session', session], (row) => row.session_id === session);
    check(['--session', session, '--session', other], (row) => row.session_id === session || row.session_id === other);
    check(['--project', '**/api'], (row) => row.project_path === '/home/mira/work/api');
    check(['--project', '/home/mira/work/{api,infra}'], (row) => /^\/home\/mira\/work\/(?:api|infra)$/.test(row.project_path));
    const both = ['--row-type', 'prompt', '--session', session];
    expect(Object.keys(check(both, (row) => row.row_type === 'prompt' && row.session_id === session)).sort()).toEqual([
      'row-type',
      'session',
    ]);
    expect(filtered('--session', 'no such session').rows.every(isError)).toBe(true);
  });

  it('an option of a list takes one value: a path behind it stays a path', () => {
    const { code, stdout } = kirotrail(['--session', 'x', survey, '-q', '-f', 'jsonl']);
    expect([code, stdout.toString()]).toEqual([0, '']);
  });

  it('--no-duplicates leaves out exactly the rows that name a primary', () => {
    const found = filtered('--no-duplicates');
    expect(ids(found.rows)).toEqual(ids(rows.filter((row) => row.duplicate_of === '')));
    expect(found.rows.every((row) => row.duplicate_of === '')).toBe(true);
    expect(found.left).toEqual({ duplicates: rows.length - found.rows.length });
    expect(found.left.duplicates).toBeGreaterThan(0);
  });
});

describe('evidence options', () => {
  it('--host and --user fill their columns, also as numbers or with a leading zero', () => {
    const rows = rowsOf(kirotrail([survey, '-q', '-f', 'jsonl', '--host', '007', '--user', '1e5']).stdout);
    expect(rows.every((row) => row.host === '007' && row.user === '1e5')).toBe(true);
  });

  it('several roots are all read, under their own names', () => {
    const other = writeFileDeep(join(outFolder(), 'evidence/chat.json'), saveExport('other', [['hello', 'hi']]));
    const out = join(outFolder(), 'x.jsonl');
    expect(kirotrail([home, join(other, '..'), survey, '-q', '-o', out]).code).toBe(1);
    const { source_roots, inputs } = manifestOf(`${out}.manifest.json`);
    expect(source_roots).toEqual([home, join(other, '..'), survey]);
    expect(inputs.map((input) => input.path)).toEqual(expect.arrayContaining(['evidence#2/chat.json']));
    const rows = rowsOf(readFileSync(out));
    expect(rows.some((row) => row.source_file === 'evidence#2/chat.json' && row.text === 'hello')).toBe(true);
    expect(rows.some((row) => row.source_file === 'evidence/exports/survey.md')).toBe(true);
    expect(new Set(rows.map((row) => row.row_id)).size).toBe(rows.length);
  });

  it('takes numbers and names like options as paths', () => {
    const cwd = outFolder();
    for (const name of ['12', '0x10', '-odd']) writeFileSync(join(cwd, name), saveExport(name, [['hello', name]]));
    const sources = (...args: string[]) =>
      new Set(rowsOf(kirotrail(['-q', '-f', 'jsonl', ...args], { cwd }).stdout).map((row) => row.source_file));
    expect(sources('12', '0x10')).toEqual(new Set(['12', '0x10']));
    expect(sources('--', '-odd')).toEqual(new Set(['-odd']));
  });
});

describe('what it says', () => {
  it('catalog, as text and as JSON', () => {
    const text = kirotrail(['catalog']);
    const json = kirotrail(['catalog', '--format', 'json']);
    expect([text.code, json.code, text.stderr, json.stderr]).toEqual([0, 0, '', '']);
    const stores: { id: string }[] = JSON.parse(json.stdout.toString());
    expect(stores.length).toBeGreaterThan(10);
    for (const { id } of stores)
      expect(text.stdout.toString()).toContain(`\n${id}: `.slice(text.stdout.toString().startsWith(`${id}: `) ? 1 : 0));
  });

  it('--help lists options and exit codes, --version the version', () => {
    const { code, stdout, stderr } = kirotrail(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    const help = stdout.toString().replaceAll(/\s+/g, ' ');
    expect(help).toContain('kirotrail <path>... [options]');
    expect(help).toMatch(/Exit codes: 0 .*1 .*2 .*3 .*70 /);
    for (const option of ['output', 'format', 'manifest', 'force', 'since', 'until', 'session', 'host', 'scratch', 'quiet']) {
      expect(help).toContain(`--${option}`);
    }
    expect(kirotrail(['--version']).stdout.toString()).toBe(`${VERSION}\n`);
    const usage = kirotrail(['.', '--row-type', 'x']).stderr;
    for (const type of Object.keys(ROW_TYPES)) expect(usage).toContain(type);
  });

  it('never a raw escape sequence out of a name', () => {
    const evil = '\u001b]52;c;eA==\u0007\u001b[2J\u202e\n';
    const root = join(outFolder(), `root ${evil}`);
    writeFileDeep(join(root, `${evil}.json`), saveExport('evil', [['hello', 'hi']]));
    writeFileDeep(join(root, '.aws/amazonq/cli-agents', `${evil}.json`), '{ broken');
    writeFileDeep(join(root, `.aws/amazonq/${evil}`), '');
    const cwd = outFolder();
    const calls = [
      [root],
      [root, '-o', `${evil}.csv`],
      [root, '-o', `${evil}.csv`],
      [`${root} missing`],
      [root, `--${evil}`],
      [root, '--row-type', evil],
    ];
    const raw = new RegExp('[\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]');
    expect(
      calls.map((args) => {
        const { code, stderr } = kirotrail(args, { cwd });
        expect(stderr).not.toMatch(raw);
        expect(stderr).toContain('\\u{1b}');
        return code;
      }),
    ).toEqual([1, 1, 2, 2, 2, 2]);
    const { stdout } = kirotrail([root, '-q']);
    expect(stdout.toString()).not.toMatch(raw);
  });
});

describe('manifest', () => {
  it('names inputs and outputs with the hashes of their bytes, and counts that are those of the rows', () => {
    const out = join(outFolder(), 'x.jsonl');
    expect(kirotrail([home, '-o', out, '-q']).code).toBe(1);
    const manifest = manifestOf(`${out}.manifest.json`);
    const rows = rowsOf(readFileSync(out));
    const hashes = new Map(filesIn(home).map((file) => [file, sha256(readFileSync(join(home, file)))]));
    expect(manifest.inputs.length).toBeGreaterThan(20);
    for (const input of manifest.inputs) {
      expect([input.path, input.sha256]).toEqual([input.path, hashes.get(input.path)]);
      expect(input.size).toBe(statSync(join(home, input.path)).size);
      expect(input.mtime_utc).toBe('2025-11-20T10:00:00.000Z');
      expect(input.rows).toBe(rows.filter((row) => row.source_file === input.path).length);
    }
    for (const row of rows) expect(row.source_sha256).toBe(hashes.get(row.source_file));
    const bytes = readFileSync(out);
    const placed = rows.findLastIndex((row) => row.timestamp_utc !== '') + 1;
    const order = { placed, ahead: expect.any(Array), held: expect.any(Array) };
    expect(manifest.outputs).toEqual([{ path: out, format: 'jsonl', rows: rows.length, size: bytes.length, sha256: sha256(bytes), order }]);
    const other = shell('sha256sum "$OUT"', { env: { OUT: out } });
    if (other.code === 127) console.log('skipped: sha256sum is not installed here');
    else expect(other.stdout.toString().slice(0, 64)).toBe(manifest.outputs[0]?.sha256);
    const byType: Record<string, number> = {};
    for (const row of rows) byType[row.row_type] = (byType[row.row_type] ?? 0) + 1;
    expect(manifest.counts).toMatchObject({
      rows: rows.length,
      by_type: byType,
      undated: rows.filter((row) => row.timestamp_utc === '').length,
      recovered: rows.filter((row) => row.recovered !== '').length,
      duplicates: rows.filter((row) => row.duplicate_of !== '').length,
      left_out: {},
    });
    expect(manifest.argv).toEqual([home, '-o', out, '-q']);
    expect(manifest.csv).toBeNull();
  });

  it('counts the cells that the CSV had to change', () => {
    const out = outFolder();
    const input = writeFileDeep(
      join(outFolder(), 'chat.json'),
      saveExport('c', [
        ['=1', '\u001b'],
        ['+1', 'a'.repeat(40_000)],
      ]),
    );
    expect(kirotrail([input, '-q', '-o', 'x.csv'], { cwd: out }).code).toBe(0);
    const notes = (parse(readFileSync(join(out, 'x.csv')), { columns: true }) as Record<string, string>[]).map(
      (row) => row.csv_notes ?? '',
    );
    const number = (kind: string) => notes.join(';').split(`${kind}:`).length - 1;
    expect(manifestOf(join(out, 'x.csv.manifest.json')).csv).toEqual({
      cells_guarded: number('guarded'),
      cells_escaped: number('escaped'),
      cells_cut: number('cut'),
    });
    expect(number('guarded')).toBeGreaterThanOrEqual(2);
  });

  it('honours SOURCE_DATE_EPOCH, so that even the manifest can be the same bytes', () => {
    const out = outFolder();
    const env = { SOURCE_DATE_EPOCH: '1700000000' };
    const manifests = [1, 2].map(() => {
      expect(kirotrail([survey, '-q', '--force', '-o', 'x.csv'], { cwd: out, env }).code).toBe(0);
      return readFileSync(join(out, 'x.csv.manifest.json'), 'utf8');
    });
    expect(manifests[0]).toBe(manifests[1]);
    expect(manifests[0]).toContain('"started_utc": "2023-11-14T22:13:20.000Z"');
  });
});
