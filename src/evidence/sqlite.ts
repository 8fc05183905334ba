import { rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Scratch } from './scratch.js';
import type { Snapshot, SnapshotDescription, SnapshotItem, SnapshotProblem, TableInfo } from './snapshot.js';
import { type Artifact, TooLargeError } from './source.js';
import { copyDatabase } from './sqlite-copy.js';
import { connect, settle } from './sqlite-open.js';
import { columnOf, type Prepare, readRows } from './sqlite-rows.js';
import { quote, readSchema, type SchemaTable } from './sqlite-schema.js';

export type { Snapshot, SnapshotDescription, SnapshotRow } from './snapshot.js';

/** Longest value the package hands over; `octet_length` still tells the size of longer ones. */
const VALUE_LIMIT = 536_870_888;

/**
 * Copies a database into the scratch folder and opens the copy. Throws when the file cannot be read or copied; whatever is
 * wrong with its content is in `problems`. The evidence folder is read and nothing else.
 */
export function openSnapshot(path: string | Buffer, artifact: Artifact, scratch: Scratch): Snapshot {
  const copy = copyDatabase(path, scratch, artifact.file.split('/').at(-1) ?? '');
  const remove = () => rmSync(copy.folder, { recursive: true, force: true });
  try {
    const problems: SnapshotProblem[] = [...copy.problems];
    const mode = settle(copy, problems);
    const { size, sha256, sidecars, path: copyPath } = copy;
    return attach({ artifact, sha256, size, sidecars, problems, copyPath, mode }, problems, remove);
  } catch (error) {
    remove();
    throw error;
  }
}

/** Opens the copy of a snapshot again, in another thread. Closing it leaves the copy in place. */
export function reopenSnapshot(description: SnapshotDescription): Snapshot {
  return attach(description, undefined, () => {});
}

/** `found` takes what the schema shows; a snapshot that is opened again brings that along. */
function attach(description: SnapshotDescription, found: SnapshotProblem[] | undefined, release: () => void): Snapshot {
  const { artifact, sha256, size, sidecars, problems, copyPath, mode } = description;
  const database = mode === 'none' ? undefined : connect(copyPath, mode);
  const about = { artifact, sha256, size, sidecars, problems, copyPath, description };
  const reader = database === undefined ? nothing() : readerOf(database, found);
  return {
    ...about,
    ...reader,
    close() {
      database?.close();
      release();
    },
  };
}

type Reader = Pick<Snapshot, 'tables' | 'table' | 'iterate' | 'sizeOf' | 'blob'>;

function nothing(): Reader {
  return {
    tables: () => [],
    table: () => undefined,
    *iterate() {},
    sizeOf: () => 0,
    blob: () => Buffer.alloc(0),
  };
}

function readerOf(database: Database.Database, found: SnapshotProblem[] | undefined): Reader {
  const schema = readSchema(database);
  found?.push(...schema.problems);
  const byName = new Map(schema.tables.map((table) => [table.name.toLowerCase(), table]));
  const prepare = statementCache(database);
  const utf8 = database.pragma('encoding', { simple: true }) === 'UTF-8';
  if (!utf8) found?.push({ what: 'the database stores its text as UTF-16; it was converted', fatal: false });
  const infos = new Map<string, TableInfo>();

  const info = (table: SchemaTable): TableInfo => {
    const known = infos.get(table.name);
    if (known) return known;
    const { name, columns, virtual, rowid } = table;
    const made = { name, columns, virtual, rows: virtual ? null : countRows(prepare, table), withoutRowid: rowid === undefined };
    infos.set(name, made);
    return made;
  };

  const value = (name: string, expression: (column: string) => string, rowid: number, column: string): unknown => {
    const table = byName.get(name.toLowerCase());
    if (table === undefined || table.virtual) return undefined;
    const place = table.rowid === undefined ? 'LIMIT 1 OFFSET ?' : `WHERE ${table.rowid} = ?`;
    const row = prepare(`SELECT ${expression(columnOf(table, column))} FROM ${quote(table.name)} ${place}`).get(
      BigInt(table.rowid === undefined ? rowid - 1 : rowid),
    );
    return Array.isArray(row) ? row[0] : undefined;
  };

  const sizeOf = (table: string, rowid: number, column: string): number =>
    Number(value(table, (c) => `octet_length(${c})`, rowid, column) ?? 0);

  return {
    tables: () => schema.tables.map(info),
    table(name) {
      const table = byName.get(name.toLowerCase());
      return table && info(table);
    },
    *iterate(name, columns): Generator<SnapshotItem> {
      const table = byName.get(name.toLowerCase());
      if (table === undefined) return;
      if (table.virtual) yield { fault: 'a virtual table is not read', rowid: null };
      else yield* readRows(prepare, table, columns);
    },
    sizeOf,
    blob(table, rowid, column) {
      const size = sizeOf(table, rowid, column);
      if (size > VALUE_LIMIT) throw new TooLargeError(`table ${table}, rowid ${rowid}: the value has ${size} bytes`);
      const stored = value(table, (c) => (utf8 ? `CAST(${c} AS BLOB)` : c), rowid, column);
      if (Buffer.isBuffer(stored)) return stored;
      return stored === null || stored === undefined ? Buffer.alloc(0) : Buffer.from(String(stored));
    },
  };
}

/**
 * Counted by walking the rowids: `count(*)` on a forged file whose pages point at each other does not come to an end,
 * while rowids that no longer rise give it away.
 */
function countRows(prepare: Prepare, { name, rowid }: SchemaTable): number | null {
  if (rowid === undefined) return null;
  let count = 0;
  let last: bigint | undefined;
  try {
    for (const row of prepare(`SELECT ${rowid} FROM ${quote(name)} ORDER BY ${rowid}`).iterate()) {
      const id = Array.isArray(row) ? row[0] : undefined;
      if (typeof id !== 'bigint' || (last !== undefined && id <= last)) return null;
      last = id;
      count += 1;
    }
    return count;
  } catch {
    return null;
  }
}

/** A statement that is being iterated cannot be used a second time; a nested reader gets one of its own. */
function statementCache(database: Database.Database): Prepare {
  const known = new Map<string, ReturnType<Prepare>>();
  return (sql) => {
    const cached = known.get(sql);
    if (cached !== undefined && !cached.busy) return cached;
    const statement = database.prepare<unknown[], unknown>(sql).raw(true).safeIntegers(true);
    known.set(sql, statement);
    return statement;
  };
}
