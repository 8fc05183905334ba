import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Edit, edited, editJson } from './edits.js';

/**
 * Changes stored values where the file is a database that can be opened, and the bytes of the file where it is none. Written
 * without a transaction over the whole, so that deleted pages arise as they do in life.
 */
export function editedDatabase(bytes: Buffer, plan: readonly Edit[], other: Buffer, folder: string): Buffer {
  const path = join(folder, 'edited.sqlite3');
  writeFileSync(path, bytes);
  try {
    const database = new Database(path);
    try {
      database.pragma('journal_mode = DELETE');
      database.pragma('synchronous = OFF');
      for (const edit of plan) changeCell(database, edit);
    } finally {
      database.close();
    }
    return readFileSync(path);
  } catch {
    return edited(bytes, plan, other);
  }
}

function changeCell(database: Database.Database, edit: Edit): void {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT NULL").pluck().all().map(String);
  const table = quoted(tables[edit.at % Math.max(1, tables.length)] ?? 'none');
  const rowids = database.prepare(`SELECT rowid FROM ${table}`).pluck().all();
  const rowid = rowids[(edit.at >>> 4) % Math.max(1, rowids.length)];
  const columns = database.prepare(`SELECT name FROM pragma_table_info(?)`).pluck().all(table.slice(1, -1)).map(String);
  const column = quoted(columns.at(-1 - ((edit.to >>> 4) % Math.max(1, columns.length))) ?? 'none');
  if (rowid === undefined) return;
  if (edit.kind === 'drop') database.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(rowid);
  else {
    const old = database.prepare(`SELECT CAST(${column} AS TEXT) FROM ${table} WHERE rowid = ?`).pluck().get(rowid);
    const value = editJson(String(old ?? ''), edit, '');
    database
      .prepare(`UPDATE OR REPLACE ${table} SET ${column} = ? WHERE rowid = ?`)
      .run(edit.to % 7 === 0 ? Buffer.from(value) : value, rowid);
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
