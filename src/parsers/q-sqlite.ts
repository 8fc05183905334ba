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
import type { Snapshot } from '../evidence/sqlite.js';
import { lazyLiveIndex, recover } from '../recover/index.js';
import type { Draft } from '../rows/draft.js';
import type { DatabaseParser, DatabaseUnit } from './parser.js';
import { CONVERSATION_TABLES, conversationUnit, conversationUnits } from './q-conversation-tables.js';
import { databaseRows } from './q-database.js';
import { recoveredRows } from './q-recovered.js';
import { shellRows } from './q-shell-table.js';
import { credentialRows, migrationRows, stateRows } from './q-state.js';

const MAGIC = 'SQLite format 3\u0000';

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
    return (
      head.toString('latin1', 0, MAGIC.length) === MAGIC && /CREATE TABLE ["'`[]?(?:conversations|auth_kv)\b/i.test(head.toString('latin1'))
    );
  },

  units(database) {
    const units: DatabaseUnit[] = [{ table: '', rowid: null, size: 0 }];
    for (const name of Object.keys(TABLES)) if (database.table(name) !== undefined) units.push({ table: name, rowid: null, size: 0 });
    return [...units, ...conversationUnits(database)];
  },

  *recover(files, artifact) {
    yield* recoveredRows(recover(files, lazyLiveIndex(files)), artifact.agent);
  },

  *parse(database, unit, artifact) {
    if (unit.table === '') yield* databaseRows(database, CONVERSATION_TABLES, Object.keys(TABLES));
    else if (unit.rowid === null) yield* TABLES[unit.table]?.(database) ?? [];
    else yield* conversationUnit(database, unit.table, unit.rowid, artifact);
  },
};
