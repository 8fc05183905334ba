import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { copyHome, filesIn, kirotrail, manifestOf, rowsOf, saveExport, sha256, stateOf, testFolder } from '../support/cli.js';

const folder = testFolder();
const home = join(folder, 'evidence');
const first = { csv: '', jsonl: '' };

/** Hashes of both formats. */
function hashes(root: string, more: readonly string[] = [], options: { cwd?: string; env?: Record<string, string> } = {}): typeof first {
  const [csv, jsonl] = ['csv', 'jsonl'].map((format) => {
    const { code, stdout, stderr } = kirotrail([root, '-q', '-f', format, ...more], options);
    expect([code, stderr]).toEqual([1, '']);
    return sha256(stdout);
  });
  return { csv: csv ?? '', jsonl: jsonl ?? '' };
}

/** The same files again, made in another order, with the same times. */
function rebuild(target: string, order: (names: string[]) => string[]): string {
  for (const name of order(filesIn(home))) {
    const path = join(target, name);
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(join(home, name), path);
    const { atime, mtime } = statSync(join(home, name));
    utimesSync(path, atime, mtime);
  }
  return target;
}

beforeAll(() => {
  copyHome(home);
  // A second copy inside the tree: duplicates and copy numbers must not depend on the order of reading either.
  cpSync(join(home, '.local'), join(home, 'backup/.local'), { recursive: true, preserveTimestamps: true });
  Object.assign(first, hashes(home));
});

describe('same evidence, same bytes', () => {
  it('twice', () => expect(hashes(home)).toEqual(first));

  it.each(['timesketch', 'ecs'])('as %s, in another time zone, language and number of threads, and copied', (format) => {
    const other = join(folder, `copy for ${format}`);
    cpSync(home, other, { recursive: true, preserveTimestamps: true });
    const hash = (root: string, more: readonly string[], env: Record<string, string>) =>
      sha256(kirotrail([root, '-q', '-f', format, ...more], { env }).stdout);
    const one = hash(home, ['--workers', '0'], { TZ: 'UTC' });
    expect(hash(other, ['--workers', '2'], { TZ: 'Asia/Kolkata', LC_ALL: 'tr_TR.UTF-8' })).toBe(one);
  });

  it('copied to another path, named by a relative path, from another working directory', () => {
    const other = join(folder, 'elsewhere with blank/deeper/copy');
    mkdirSync(dirname(other), { recursive: true });
    cpSync(home, other, { recursive: true, preserveTimestamps: true });
    expect(hashes(other)).toEqual(first);
    expect(hashes('../copy/', [], { cwd: other })).toEqual(first);
  });

  it('with files created in another order', () => {
    expect(hashes(rebuild(join(folder, 'backwards'), (names) => names.toReversed()))).toEqual(first);
    const byHash = (names: string[]) => names.toSorted((a, b) => (sha256(Buffer.from(a)) < sha256(Buffer.from(b)) ? -1 : 1));
    expect(hashes(rebuild(join(folder, 'shuffled'), byHash))).toEqual(first);
  });

  it.each([
    { TZ: 'Asia/Kolkata', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' },
    { TZ: 'America/St_Johns', LC_ALL: 'C', UV_THREADPOOL_SIZE: '1' },
    { UV_THREADPOOL_SIZE: '16', HOME: '/nonexistent', USER: 'someone', HOSTNAME: 'otherhost', SOURCE_DATE_EPOCH: '0' },
  ])('with %j', (env) => expect(hashes(home, [], { env })).toEqual(first));

  it.each(['0', '1', '3'])('read by %s worker threads', (workers) => expect(hashes(home, ['--workers', workers])).toEqual(first));
});

describe('evidence stays as it is', () => {
  const DATABASE = '.local/share/amazon-q/data.sqlite3';
  type Prepared = readonly [name: string, prepare: (path: string, root: string) => void];

  /** A database with an open transaction or log, copied as it stands on the disk at that moment. */
  function copyLive(path: string, parts: readonly string[], write: (database: Database.Database) => void): void {
    const live = join(mkdtempSync(join(folder, 'live-')), 'live');
    copyFileSync(path, live);
    const database = new Database(live);
    write(database);
    for (const part of parts) copyFileSync(live + part, path + part);
    database.close();
  }

  const value = saveExport('in-the-log', [['only in the log', 'yes']]);
  const insert = (database: Database.Database) =>
    database.prepare('INSERT INTO conversations (key, value) VALUES (?, ?)').run('/home/mira/log', value);

  function withLog(path: string, parts: readonly string[]): void {
    copyLive(path, parts, (database) => {
      database.pragma('journal_mode = WAL');
      database.pragma('wal_autocheckpoint = 0');
      insert(database);
    });
  }

  /** The pages of an unfinished transaction are forced out of a small cache, so that only the journal can undo them. */
  function withJournal(path: string): void {
    copyLive(path, ['', '-journal'], (database) => {
      database.pragma('journal_mode = DELETE');
      database.pragma('cache_size = 1');
      database.exec('BEGIN IMMEDIATE');
      for (let i = 0; i < 50; i++) {
        database.prepare('INSERT INTO conversations (key, value) VALUES (?, ?)').run(`/home/mira/${i}`, value);
      }
    });
  }

  const CASES: readonly Prepared[] = [
    ['as built', () => {}],
    ['a write-ahead log', (path) => withLog(path, ['', '-wal'])],
    ['a write-ahead log and its index', (path) => withLog(path, ['', '-wal', '-shm'])],
    ['a header that says write-ahead log, without one', (path) => withLog(path, [''])],
    ['a hot journal', (path) => withJournal(path)],
    ['a database of no bytes', (path) => writeFileSync(path, '')],
    ['a cut database', (path) => writeFileSync(path, readFileSync(path).subarray(0, 9000))],
    [
      'folders without write permission',
      (path, root) => {
        for (const name of ['.local/share/amazon-q', '.local/share', '.local', '.']) chmodSync(join(root, name), 0o500);
        chmodSync(path, 0o400);
      },
    ],
  ];

  it.each(CASES)('%s', (name, prepare) => {
    const root = join(folder, `untouched ${name}`);
    mkdirSync(root);
    const path = join(root, DATABASE);
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(join(home, DATABASE), path);
    writeFileSync(join(root, 'chat.json'), saveExport('c', [['hello', 'hi']]));
    prepare(path, root);
    const before = stateOf(root);
    const out = join(folder, `${name}.jsonl`);
    expect(kirotrail([root, '-q', '-o', out]).code).toBeLessThan(2);
    const after = stateOf(root);
    for (const directory of ['.', '.local', '.local/share', '.local/share/amazon-q']) chmodSync(join(root, directory), 0o700);
    expect(after).toEqual(before);
    const manifest = manifestOf(`${out}.manifest.json`);
    const input = manifest.inputs.find((entry) => entry.path === DATABASE);
    expect(input?.sha256).toBe(sha256(readFileSync(path)));
    for (const sidecar of input?.sidecars ?? []) expect(sidecar.sha256).toBe(sha256(readFileSync(join(dirname(path), sidecar.name))));
    expect(input?.sidecars.map((sidecar) => sidecar.name) ?? []).toEqual(SIDECARS[name] ?? []);
    const inLog = rowsOf(readFileSync(out)).filter((row) => row.text === 'only in the log');
    expect(inLog.some((row) => row.recovered === '')).toBe(name.startsWith('a write-ahead log'));
    // What an unfinished transaction wrote is no live row; it comes back marked as such.
    if (name === 'a hot journal') expect(inLog.map((row) => row.problem).join()).toContain('not committed');
  });

  const SIDECARS: Readonly<Record<string, readonly string[]>> = {
    'a write-ahead log': ['data.sqlite3-wal'],
    'a write-ahead log and its index': ['data.sqlite3-wal'],
    'a hot journal': ['data.sqlite3-journal'],
  };
});
