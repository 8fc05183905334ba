import { existsSync, renameSync, truncateSync } from 'node:fs';
import Database from 'better-sqlite3';
import { faultText } from './fault.js';
import { openRegular, readFully } from './open.js';
import type { SnapshotDescription, SnapshotProblem } from './snapshot.js';
import type { DatabaseCopy } from './sqlite-copy.js';

const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');
const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex');
const HEADER = 100;

/** Version of the SQLite library that reads the databases. */
export function sqliteVersion(): string {
  const database = new Database(':memory:');
  try {
    return String(database.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    database.close();
  }
}

/** Opens a private copy, read-only. In recovery mode a wrong page count or a damaged schema entry no longer stops SQLite. */
export function connect(path: string, mode: 'plain' | 'recovery'): Database.Database {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    // `writable_schema` is what makes SQLite overlook damage; the package permits it in unsafe mode only. Nothing is written.
    if (mode === 'recovery') database.unsafeMode(true).pragma('writable_schema = ON');
    database.pragma('trusted_schema = OFF');
    database.pragma('query_only = ON');
    database.pragma('cell_size_check = ON');
    database.prepare('SELECT count(*) FROM sqlite_master').get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Brings the copy into a state in which it can be opened read-only, and finds the mode in which that works. */
export function settle(copy: DatabaseCopy, problems: SnapshotProblem[]): SnapshotDescription['mode'] {
  const say = (what: string, fatal = false) => void problems.push({ what, fatal });
  if (copy.size === 0) {
    const beside = copy.sidecars.map((s) => `${s.name} of ${s.size} bytes`).join(' and ');
    say(`empty (0 bytes) database${beside === '' ? '' : `, with ${beside} beside it`}`, true);
    return 'none';
  }
  if (copy.journal) rollBack(copy.path, say);
  const header = readHead(copy.path, HEADER);
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) {
    say('not a SQLite database', true);
    return 'none';
  }
  const rest = copy.size % pageSizeOf(header);
  if (rest > 0 && rest < copy.size) {
    // SQLite would fill the page up with zeros, and take those for rows and for the end of long values.
    truncateSync(copy.path, copy.size - rest);
    say(`the file ends inside a page; its last ${rest} bytes were not read`);
  }
  if (!copy.wal && (header[18] === 2 || header[19] === 2)) say('database header says write-ahead log, but there is no -wal file');
  try {
    connect(copy.path, 'plain').close();
    return 'plain';
  } catch (error) {
    const missing = copy.wal ? '' : missingPages(header, copy.size);
    try {
      connect(copy.path, 'recovery').close();
      say(`damaged database: ${faultText(error)}${missing}; rows whose pages still exist are read`);
      return 'recovery';
    } catch {
      say(`damaged database: ${faultText(error)}${missing}`, true);
      return 'none';
    }
  }
}

function readHead(path: string, length: number): Buffer {
  const file = openRegular(path);
  try {
    return readFully(file.fd, Buffer.alloc(length), 0);
  } finally {
    file.close();
  }
}

function pageSizeOf(header: Buffer): number {
  const stored = header.length < HEADER ? 0 : header.readUInt16BE(16);
  return stored >= 512 ? stored : 65_536;
}

function missingPages(header: Buffer, size: number): string {
  if (header.length < HEADER) return `, its header is cut off after ${header.length} bytes`;
  const pageSize = pageSizeOf(header);
  const pages = header.readUInt32BE(28);
  if (size >= pages * pageSize) return '';
  return `, truncated: its header names ${pages} pages of ${pageSize} bytes, the file has ${size} bytes`;
}

/**
 * A journal with a header is the rest of a transaction that never ended. A read-only connection refuses such a database;
 * one that may write restores the old pages first. That changes the copy, never the evidence.
 */
function rollBack(path: string, say: (what: string) => void): void {
  const journal = `${path}-journal`;
  const first = readHead(journal, 1);
  if (first.length === 0 || first[0] === 0) return;
  if (namesAnother(journal)) {
    // SQLite would open the file named there, anywhere on this machine, and delete it.
    renameSync(journal, `${path}.unused-journal`);
    say('the -journal file belongs to a transaction over several databases and was not applied');
    return;
  }
  let fault = '';
  try {
    const database = new Database(path, { fileMustExist: true });
    try {
      database.prepare('SELECT count(*) FROM sqlite_master').get();
    } finally {
      database.close();
    }
  } catch (error) {
    fault = `: ${faultText(error)}`;
  }
  if (!existsSync(journal)) say('hot rollback journal: read as it was before the unfinished transaction');
  else {
    renameSync(journal, `${path}.unused-journal`);
    say(`the -journal file could not be applied${fault}`);
  }
}

/** True when the journal ends in the name of a super-journal. */
function namesAnother(journal: string): boolean {
  const file = openRegular(journal);
  try {
    return readFully(file.fd, Buffer.alloc(8), Math.max(0, file.size - 8)).equals(JOURNAL_MAGIC);
  } finally {
    file.close();
  }
}
