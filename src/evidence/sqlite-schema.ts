import type Database from 'better-sqlite3';
import { excerpt } from '../rows/problem.js';
import { faultText } from './fault.js';
import type { SnapshotProblem } from './snapshot.js';

export interface SchemaTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly virtual: boolean;
  /** Name under which the rowid is asked for; undefined when the table has none that can be reached. */
  readonly rowid: string | undefined;
}

export interface Schema {
  readonly tables: readonly SchemaTable[];
  readonly problems: readonly SnapshotProblem[];
}

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Tables that hold rows of their own. Views, triggers and virtual tables are code from the file: they are named and left alone. */
export function readSchema(database: Database.Database): Schema {
  const tables: SchemaTable[] = [];
  const problems: SnapshotProblem[] = [];
  const say = (what: string) => void problems.push({ what, fatal: false });
  try {
    const entries = database.prepare<[], unknown>('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid').raw(true);
    for (const entry of entries.iterate()) {
      const [type, name, owner, sql] = texts(entry);
      if (type === 'table' && name !== '' && !/^sqlite_/i.test(name)) {
        const table = readTable(database, name, sql, say);
        if (table) tables.push(table);
      } else if (type === 'view') say(`the database holds a view named ${excerpt(name)}; it was not read`);
      else if (type === 'trigger') say(`the database holds a trigger named ${excerpt(name)} on ${excerpt(owner)}; it was not run`);
    }
  } catch (error) {
    say(`the list of tables could not be read to its end: ${faultText(error)}`);
  }
  return { tables, problems };
}

type Texts = readonly [string, string, string, string];

function texts(entry: unknown): Texts {
  const list: unknown[] = Array.isArray(entry) ? entry : [];
  const at = (i: number) => {
    const value = list[i];
    return typeof value === 'string' ? value : '';
  };
  return [at(0), at(1), at(2), at(3)];
}

function readTable(database: Database.Database, name: string, sql: string, say: (what: string) => void): SchemaTable | undefined {
  if (!/^CREATE\s+TABLE\b/i.test(sql)) {
    say(`table ${excerpt(name)} is a virtual table; it was not read`);
    return { name, columns: [], virtual: true, rowid: undefined };
  }
  try {
    const columns = storedColumns(database, name);
    if (columns.length === 0 || !isItself(database, name, columns)) {
      say(`table ${excerpt(name)} is not what its name says; it was not read`);
      return undefined;
    }
    return { name, columns, virtual: false, rowid: rowidName(database, name, columns) };
  } catch (error) {
    say(`table ${excerpt(name)} could not be read: ${faultText(error)}`);
    return undefined;
  }
}

function storedColumns(database: Database.Database, table: string): string[] {
  const columns: string[] = [];
  for (const entry of database.prepare<[], unknown>(`PRAGMA table_xinfo(${quote(table)})`).all()) {
    if (typeof entry !== 'object' || entry === null || !('name' in entry) || !('hidden' in entry)) continue;
    // 0 is a stored column; 2 and 3 are generated ones.
    if (typeof entry.name === 'string' && entry.hidden === 0) columns.push(entry.name);
  }
  return columns;
}

/** A damaged schema read in recovery mode can put a view in the place of a table: its columns come from elsewhere. */
function isItself(database: Database.Database, table: string, columns: readonly string[]): boolean {
  const statement = database.prepare(`SELECT ${columns.map(quote).join(', ')} FROM ${quote(table)}`);
  return statement.columns().every((column) => column.table?.toLowerCase() === table.toLowerCase());
}

/** A column may bear the name `rowid`, and then hides the real one. */
function rowidName(database: Database.Database, table: string, columns: readonly string[]): string | undefined {
  const taken = new Set(columns.map((column) => column.toLowerCase()));
  const name = ['rowid', '_rowid_', 'oid'].find((candidate) => !taken.has(candidate));
  if (name === undefined) return undefined;
  try {
    database.prepare(`SELECT ${name} FROM ${quote(table)}`);
    return name;
  } catch {
    return undefined;
  }
}
