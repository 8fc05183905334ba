/**
 * `data.sqlite3` of Amazon Q Developer CLI and of the programs it was renamed to: conversations (one value per working
 * directory, rewritten after every assistant message), program state, stored logins, the legacy shell history, migrations.
 *
 * Proves: the last conversation of each directory with its requests, refusals and results; the order in which directories
 * were last written (rowid); the last day and version that ran; that a login was stored. Cannot show: earlier conversations
 * of a directory (see free pages), results of the last calls before the program ended.
 *
 * Source: aws/amazon-q-developer-cli, crates/chat-cli/src/database/mod.rs and sqlite_migrations/ (1.10.0 to 1.19.7).
 * Evidence level L1.
 */

import { type Artifact, type ByteSource, TooLargeError } from '../evidence/source.js';
import type { Snapshot } from '../evidence/sqlite.js';
import type { Draft } from '../rows/draft.js';
import { errorDraft, messageOf } from '../rows/problem.js';
import { conversationRows } from './conversation/conversation.js';
import { loadConversation } from './conversation/load.js';
import type { DatabaseParser, DatabaseUnit } from './parser.js';
import { databaseRows } from './q-database.js';
import { shellRows } from './q-shell-table.js';
import { credentialRows, migrationRows, stateRows } from './q-state.js';

const MAGIC = 'SQLite format 3\u0000';
const CONVERSATIONS = 'conversations';

/** Tables read as a whole, by name. */
const TABLES: Readonly<Record<string, (database: Snapshot) => Iterable<Draft>>> = {
  migrations: migrationRows,
  state: stateRows,
  auth_kv: credentialRows,
  history: shellRows,
};

export const qSqlite: DatabaseParser = {
  id: 'q-sqlite',
  container: 'sqlite',

  /** The schema lies on the first page, right behind the header. */
  detect(head) {
    return head.toString('latin1', 0, MAGIC.length) === MAGIC && /CREATE TABLE ["'`[]?(?:conversations|auth_kv)\b/i.test(head.toString('latin1'));
  },

  units(database) {
    const units: DatabaseUnit[] = [{ table: '', rowid: null, size: 0 }];
    for (const name of Object.keys(TABLES)) if (database.table(name) !== undefined) units.push({ table: name, rowid: null, size: 0 });
    for (const item of database.iterate(CONVERSATIONS, [])) {
      if (item.fault === undefined) units.push({ table: CONVERSATIONS, rowid: item.rowid, size: sizeOf(database, item.rowid) });
    }
    return units;
  },

  *parse(database, unit, artifact) {
    if (unit.table === '') yield* databaseRows(database, [CONVERSATIONS, ...Object.keys(TABLES)]);
    else if (unit.rowid === null) yield* TABLES[unit.table]?.(database) ?? [];
    else yield* conversationUnit(database, unit.rowid, artifact);
  },
};

function sizeOf(database: Snapshot, rowid: number): number {
  try {
    return database.sizeOf(CONVERSATIONS, rowid, 'value');
  } catch {
    // A damaged row: its unit says so when it is read.
    return 0;
  }
}

function* conversationUnit(database: Snapshot, rowid: number, artifact: Artifact): Generator<Draft> {
  const place = { source_line: rowid };
  let project = '';
  try {
    project = database.blob(CONVERSATIONS, rowid, 'key').toString('utf8');
    const value = loadConversation(bytesOf(database.blob(CONVERSATIONS, rowid, 'value')));
    yield* conversationRows(value, { agent: artifact.agent, project, line: rowid, rank: 0 });
  } catch (error) {
    const what = error instanceof TooLargeError ? 'conversation value is too large to be read' : 'conversation could not be read';
    yield errorDraft(`${what} (${messageOf(error)})`, '', { ...place, project_path: project });
  }
}

function bytesOf(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}
