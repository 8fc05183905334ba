import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createScratch, type Scratch } from '../../src/evidence/scratch.js';
import { openSnapshot, reopenSnapshot, type Snapshot } from '../../src/evidence/sqlite.js';
import { artifactOf, fingerprint, tempFolder } from './helpers.js';

let folder = '';
let scratch: Scratch;
const opened: Snapshot[] = [];

beforeEach(() => {
  folder = tempFolder();
  scratch = createScratch();
});

afterEach(() => {
  for (const snapshot of opened.splice(0)) snapshot.close();
  expect(readdirSync(scratch.path)).toEqual([]);
  scratch.remove();
});

const path = (name = 'data.sqlite3') => join(folder, name);

function open(name?: string): Snapshot {
  const snapshot = openSnapshot(path(name), artifactOf(name ?? 'data.sqlite3'), scratch);
  opened.push(snapshot);
  return snapshot;
}

function make(build: (database: Database.Database) => void, name?: string): void {
  const database = new Database(path(name));
  build(database);
  database.close();
}

function conversations(database: Database.Database, count: number): void {
  database.exec('CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT)');
  const insert = database.prepare('INSERT INTO conversations VALUES (?, ?)');
  for (let i = 1; i <= count; i++) insert.run(`/p/${i}`, `${i}:`.padEnd(i % 7 === 0 ? 20_000 : 300, 'v'));
}

const whats = (snapshot: Snapshot) => snapshot.problems.map((p) => p.what);
const rowids = (snapshot: Snapshot, table = 'conversations') =>
  [...snapshot.iterate(table, [])].filter((item) => item.fault === undefined).map((item) => item.rowid);

describe('a sound database', () => {
  test('gives tables, rows in rowid order and values as bytes, and leaves the evidence as it was', () => {
    make((database) => {
      conversations(database, 3);
      database.prepare('INSERT INTO conversations VALUES (?, CAST(? AS TEXT))').run('bad', Buffer.from([0x61, 0xff, 0x62]));
      database.exec('CREATE TABLE state (key TEXT PRIMARY KEY, value BLOB); INSERT INTO state VALUES (1, 9007199254740993), (2, 5)');
    });
    const before = fingerprint(folder);
    const snapshot = open();
    expect(snapshot.problems).toEqual([]);
    expect(snapshot.tables().map((t) => [t.name, t.rows, t.columns.join()])).toEqual([
      ['conversations', 4, 'key,value'],
      ['state', 2, 'key,value'],
    ]);
    expect([...snapshot.iterate('Conversations', ['KEY', 'missing'])].at(-1)).toEqual({ rowid: 4, values: ['bad', null] });
    expect([...snapshot.iterate('state', ['value'])]).toEqual([
      { rowid: 1, values: [9007199254740993n] },
      { rowid: 2, values: [5] },
    ]);
    expect(snapshot.sizeOf('conversations', 4, 'value')).toBe(3);
    expect(snapshot.blob('conversations', 4, 'value')).toEqual(Buffer.from([0x61, 0xff, 0x62]));
    expect(snapshot.blob('conversations', 99, 'value')).toEqual(Buffer.alloc(0));
    expect([...snapshot.iterate('auth_kv', ['key'])]).toEqual([]);
    expect(fingerprint(folder)).toEqual(before);
  });

  test('may be read in a nested way, and again from its description', () => {
    make((database) => conversations(database, 3));
    const snapshot = open();
    const pairs: string[] = [];
    for (const a of snapshot.iterate('conversations', ['key']))
      for (const b of snapshot.iterate('conversations', ['key'])) pairs.push(`${a.rowid}${b.rowid}`);
    expect(pairs).toHaveLength(9);
    const again = reopenSnapshot(structuredClone(snapshot.description));
    expect(rowids(again)).toEqual([1, 2, 3]);
    again.close();
    expect(existsSync(snapshot.copyPath)).toBe(true);
  });

  test('reads the table, not code that bears a name like it', () => {
    make((database) => {
      database.exec(`CREATE TABLE secret (a); INSERT INTO secret VALUES (1);
        CREATE VIEW conversations AS SELECT a AS key, a AS value FROM secret;
        CREATE TRIGGER t AFTER INSERT ON secret BEGIN DELETE FROM secret; END;
        CREATE VIRTUAL TABLE history USING fts5(command);
        CREATE TABLE g (a, b AS (a + 1));
        INSERT INTO g VALUES (7)`);
    });
    const snapshot = open();
    expect(whats(snapshot)).toEqual([
      'the database holds a view named conversations; it was not read',
      'the database holds a trigger named t on secret; it was not run',
      'table history is a virtual table; it was not read',
    ]);
    expect([...snapshot.iterate('conversations', ['key'])]).toEqual([]);
    expect([...snapshot.iterate('history', ['command'])]).toEqual([{ fault: 'a virtual table is not read', rowid: null }]);
    expect([...snapshot.iterate('g', ['a', 'b'])]).toEqual([{ rowid: 1, values: [7, null] }]);
  });

  test('numbers rows that have no rowid by their place, and finds a rowid that a column hides', () => {
    make((database) => {
      database.exec(`CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO w VALUES ('b', 2), ('a', 1);
        CREATE TABLE h (rowid TEXT, "we""ird" TEXT); INSERT INTO h VALUES ('x', 'y');
        CREATE TABLE n (rowid, oid, _rowid_); INSERT INTO n VALUES (1, 2, 3)`);
    });
    const snapshot = open();
    expect(snapshot.table('w')?.withoutRowid).toBe(true);
    expect([...snapshot.iterate('w', ['k'])]).toEqual([
      { rowid: 1, values: ['a'] },
      { rowid: 2, values: ['b'] },
    ]);
    expect(snapshot.blob('w', 2, 'k').toString()).toBe('b');
    expect([...snapshot.iterate('h', ['rowid', 'we"ird'])]).toEqual([{ rowid: 1, values: ['x', 'y'] }]);
    expect([...snapshot.iterate('n', ['oid'])]).toEqual([{ rowid: 1, values: [2] }]);
  });

  test('names a row whose number is beyond what can be told apart, and reads the others', () => {
    make((database) => {
      database.exec('CREATE TABLE conversations (key TEXT, value TEXT)');
      const insert = database.prepare('INSERT INTO conversations (rowid, key, value) VALUES (?, ?, ?)');
      for (const id of [1n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n]) insert.run(id, `/p/${id}`, 'v');
    });
    expect([...open().iterate('conversations', ['key'])]).toEqual([
      { rowid: 1, values: ['/p/1'] },
      { rowid: 9007199254740991, values: ['/p/9007199254740991'] },
      { fault: 'row 9007199254740993: a number beyond 2^53, the row is not read', rowid: null },
      { fault: 'row 9223372036854775807: a number beyond 2^53, the row is not read', rowid: null },
    ]);
  });

  test('stored as UTF-16 is converted', () => {
    make((database) => {
      database.pragma("encoding = 'UTF-16le'");
      database.exec("CREATE TABLE c (v); INSERT INTO c VALUES ('가b'), (x'00ff')");
    });
    const snapshot = open();
    expect(snapshot.blob('c', 1, 'v').toString()).toBe('가b');
    expect(snapshot.blob('c', 2, 'v')).toEqual(Buffer.from([0, 255]));
  });
});

describe('log and journal', () => {
  test('a write-ahead log is read from the copy', () => {
    make((database) => {
      database.pragma('journal_mode = WAL');
      database.pragma('wal_autocheckpoint = 0');
      conversations(database, 1);
      database.pragma('wal_checkpoint(TRUNCATE)');
      database.exec("INSERT INTO conversations VALUES ('late', 'x')");
      copyFileSync(path('live'), path());
      copyFileSync(path('live-wal'), path('data.sqlite3-wal'));
    }, 'live');
    const before = fingerprint(folder);
    const snapshot = open();
    expect(rowids(snapshot)).toEqual([1, 2]);
    expect(snapshot.problems).toEqual([]);
    expect(snapshot.sidecars.map((s) => s.name)).toEqual(['data.sqlite3-wal']);
    expect(snapshot.sidecars[0]?.size).toBe(readFileSync(path('data.sqlite3-wal')).length);
    expect(fingerprint(folder)).toEqual(before);
  });

  test('a header that says write-ahead log without a log is reported', () => {
    make((database) => {
      database.pragma('journal_mode = WAL');
      conversations(database, 1);
    });
    const before = fingerprint(folder);
    const snapshot = open();
    expect(whats(snapshot)).toEqual(['database header says write-ahead log, but there is no -wal file']);
    expect(rowids(snapshot)).toEqual([1]);
    expect(fingerprint(folder)).toEqual(before);
  });

  function withHotJournal(): void {
    make((database) => {
      conversations(database, 60);
      database.pragma('cache_size = 5');
      database.exec("BEGIN; UPDATE conversations SET value = replace(value, 'v', 'w')");
      copyFileSync(path('live'), path());
      copyFileSync(path('live-journal'), path('data.sqlite3-journal'));
      database.exec('ROLLBACK');
    }, 'live');
  }

  test('a hot journal is rolled back in the copy', () => {
    withHotJournal();
    const before = fingerprint(folder);
    const snapshot = open();
    expect(whats(snapshot)).toEqual(['hot rollback journal: read as it was before the unfinished transaction']);
    const values = [...snapshot.iterate('conversations', ['value'])].flatMap((item) => (item.fault === undefined ? item.values : []));
    expect(values).toHaveLength(60);
    expect(values.every((v) => typeof v === 'string' && v.endsWith('v'))).toBe(true);
    expect(fingerprint(folder)).toEqual(before);
  });

  test('a journal that names another file is not applied, and that file lives on', () => {
    withHotJournal();
    const victim = path('victim');
    writeFileSync(victim, 'precious');
    const name = Buffer.from(victim);
    const trailer = Buffer.alloc(20);
    trailer.writeUInt32BE(1, 0);
    trailer.writeUInt32BE(name.length, 4);
    trailer.writeUInt32BE(
      name.reduce((sum, byte) => sum + byte, 0),
      8,
    );
    Buffer.from('d9d505f920a163d7', 'hex').copy(trailer, 12);
    const journal = readFileSync(path('data.sqlite3-journal'));
    writeFileSync(path('data.sqlite3-journal'), Buffer.concat([journal, trailer.subarray(0, 4), name, trailer.subarray(4)]));
    const before = fingerprint(folder);
    expect(whats(open())[0]).toContain('transaction over several databases');
    expect(fingerprint(folder)).toEqual(before);
  });

  test('names in upper case belong together', () => {
    make((database) => {
      database.pragma('journal_mode = WAL');
      conversations(database, 2);
      copyFileSync(path('live'), path('DATA.SQLITE3'));
      copyFileSync(path('live-wal'), path('DATA.SQLITE3-WAL'));
    }, 'live');
    const snapshot = open('DATA.SQLITE3');
    expect(snapshot.sidecars.map((s) => s.name)).toEqual(['DATA.SQLITE3-WAL']);
    expect(rowids(snapshot)).toEqual([1, 2]);
  });
});

describe('a damaged database', () => {
  test.each([
    ['', 'empty (0 bytes) database'],
    ['this is no database, however long it may be '.repeat(40), 'not a SQLite database'],
    ['SQLite format 3\0', 'damaged database: file is not a database (SQLITE_NOTADB), its header is cut off after 16 bytes'],
  ])('content %#', (content, what) => {
    writeFileSync(path(), content);
    const snapshot = open();
    expect(snapshot.problems).toEqual([{ what, fatal: true }]);
    expect(snapshot.tables()).toEqual([]);
    expect([...snapshot.iterate('conversations', ['key'])]).toEqual([]);
    expect(snapshot.sha256).toHaveLength(64);
  });

  test('cut in half gives the rows whose pages exist, each of them right, and says where it ends', () => {
    make((database) => conversations(database, 400));
    truncateSync(path(), readFileSync(path()).length >> 1);
    const snapshot = open();
    expect(whats(snapshot).join('; ')).toMatch(/damaged database: .*malformed.*truncated: its header names \d+ pages of 4096 bytes/);
    expect(snapshot.problems.some((p) => p.fatal)).toBe(false);
    const items = [...snapshot.iterate('conversations', ['key', 'value'])];
    const rows = items.flatMap((item) => (item.fault === undefined ? [item] : []));
    expect(rows.length).toBeGreaterThan(150);
    for (const { rowid, values } of rows) {
      expect(values).toEqual([`/p/${rowid}`, `${rowid}:`.padEnd(rowid % 7 === 0 ? 20_000 : 300, 'v')]);
    }
    expect(items.at(-1)).toMatchObject({ fault: expect.stringMatching(/^rows from rowid \d+ on: .*malformed/), rowid: null });
    const again = reopenSnapshot(snapshot.description);
    expect([...again.iterate('conversations', ['key', 'value'])]).toEqual(items);
    again.close();
  });

  test.each(['CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT)', 'CREATE TABLE conversations (key TEXT, value TEXT)'])(
    'with zeroed pages in the middle goes on behind them: %s',
    (schema) => {
      make((database) => {
        database.exec(schema);
        const insert = database.prepare('INSERT INTO conversations VALUES (?, ?)');
        for (let i = 1; i <= 400; i++) insert.run(`/p/${i}`, 'v'.repeat(300));
      });
      const bytes = readFileSync(path());
      const middle = Math.floor(bytes.length / 4096 / 2) * 4096;
      bytes.fill(0, middle, middle + 4096);
      writeFileSync(path(), bytes);
      const items = [...open().iterate('conversations', ['key', 'value'])];
      const rows = items.flatMap((item) => (item.fault === undefined ? [item] : []));
      expect(rows.length).toBeGreaterThan(380);
      expect(rows.length).toBeLessThan(400);
      expect(rows.at(-1)?.rowid).toBe(400);
      expect(rows.every(({ rowid, values }) => values[0] === `/p/${rowid}`)).toBe(true);
      expect(items.length).toBeGreaterThan(rows.length);
    },
  );

  test('every cut of a small database is read without an exception', () => {
    make((database) => conversations(database, 12));
    const whole = readFileSync(path());
    for (let cut = 0; cut < whole.length; cut += 1000) {
      writeFileSync(path(), whole.subarray(0, cut));
      const snapshot = openSnapshot(path(), artifactOf('x'), scratch);
      for (const table of snapshot.tables())
        for (const item of snapshot.iterate(table.name, table.columns))
          if (item.fault === undefined) expect(item.values[0]).toBe(`/p/${item.rowid}`);
      expect(snapshot.problems.length).toBeGreaterThan(0);
      snapshot.close();
    }
  });

  test('with any bytes changed is read to an end', () => {
    make((database) => conversations(database, 40));
    const whole = readFileSync(path());
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let round = 0; round < 150; round++) {
      const bytes = Buffer.from(whole);
      for (let i = random(30); i >= 0; i--)
        bytes[round % 2 === 0 ? random(bytes.length) : random(bytes.length / 4096) * 4096 + random(40)] = random(256);
      writeFileSync(path(), bytes);
      const snapshot = openSnapshot(path(), artifactOf('x'), scratch);
      for (const table of snapshot.tables()) expect([...snapshot.iterate(table.name, table.columns)].length).toBeLessThan(2000);
      snapshot.close();
    }
  });

  test('in an unusual place or of an unusual name', () => {
    make((database) => conversations(database, 1));
    const raw = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x64, 0xff, 0x0a])]);
    renameSync(path(), raw);
    const snapshot = openSnapshot(raw, artifactOf('d'), scratch);
    expect(rowids(snapshot)).toEqual([1]);
    snapshot.close();
    expect(() => openSnapshot(folder, artifactOf('d'), scratch)).toThrow('not a regular file');
    expect(() => openSnapshot(path('absent'), artifactOf('d'), scratch)).toThrow();
  });
});
