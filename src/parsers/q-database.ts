/**
 * What a database says as a whole: counters, tables that are not read, conversations that are gone.
 *
 * `INSERT OR REPLACE` gives each written conversation the rowid `max + 1`, so the highest rowid is the number of assistant
 * messages ever saved (as long as the newest row was never deleted). When it is above the number of messages that the live
 * values can hold, other conversations were written and replaced.
 */
import type { Snapshot } from '../evidence/sqlite.js';
import type { Draft } from '../rows/draft.js';
import { errorDraft, escapeUnsafe } from '../rows/problem.js';
import { toUtcText } from '../rows/time.js';
import { numberOf, tableFault } from './q-state.js';

/** Key that every stored user message has, in all versions; inside text its quotes would be escaped. */
const MESSAGE_MARK = '"additional_context":';

export function* databaseRows(database: Snapshot, conversationTables: readonly string[], others: readonly string[]): Generator<Draft> {
  const tables = database.tables();
  const present = conversationTables.filter((name) => database.table(name) !== undefined);
  if (tables.length > 0) {
    const names = tables.map((table) => `${escapeUnsafe(table.name)}=${table.rows ?? '?'}`).join(' ');
    yield { row_type: 'config', text: `database: highest_conversation_rowid=${highestRowid(database)} rows: ${names}` };
  }
  for (const name of present) {
    for (const item of database.iterate(name, [])) if (item.fault !== undefined) yield tableFault(name, item.fault, item.rowid);
  }
  for (const table of tables) {
    const read = conversationTables.includes(table.name.toLowerCase()) || others.includes(table.name.toLowerCase());
    if (read || (table.rows === 0 && !table.virtual) || table.name.startsWith('sqlite_')) continue;
    const kind = table.virtual ? 'virtual table' : 'table';
    yield errorDraft(`${kind} is not read by this version: ${escapeUnsafe(table.name)} rows=${table.rows ?? 'unknown'}`);
  }
  if (present.length > 0 && present.every((name) => database.table(name)?.rows === 0)) yield emptyRow(database);
  else yield* replacedRows(database);
}

function highestRowid(database: Snapshot): number {
  let highest = 0;
  for (const item of database.iterate('conversations', [])) if (item.fault === undefined) highest = Math.max(highest, item.rowid);
  return highest;
}

function emptyRow(database: Snapshot): Draft {
  const made = firstRun(database);
  return {
    row_type: 'gap',
    text: `gap: database holds no conversation${made === undefined ? '' : ` created=${toUtcText(made)}`}`,
    problem: 'new, never used for chat, or made anew after a loss',
  };
}

function* replacedRows(database: Snapshot): Generator<Draft> {
  const highest = highestRowid(database);
  const rows = database.table('conversations')?.rows ?? 0;
  if (highest <= rows) return;
  const messages = countMessages(database);
  if (messages === undefined || highest <= messages) return;
  yield {
    row_type: 'gap',
    text: `gap: conversations were replaced saved_messages=${highest} held_messages=${messages} missing=${highest - messages}`,
    problem: 'each saved assistant message raises the highest rowid by one; the live values hold fewer',
  };
}

/** Time of the oldest migration, in milliseconds. */
function firstRun(database: Snapshot): number | undefined {
  let first: number | undefined;
  for (const item of database.iterate('migrations', ['migration_time'])) {
    const time = item.fault === undefined ? numberOf(item.values[0]) : undefined;
    if (time !== undefined && time > 0 && time < 253_402_300_799 && (first === undefined || time * 1000 < first)) first = time * 1000;
  }
  return first;
}

/** The most messages the live values can hold (copies inside a value are counted too); undefined when one cannot be read. */
function countMessages(database: Snapshot): number | undefined {
  let count = 0;
  try {
    for (const item of database.iterate('conversations', [])) {
      if (item.fault !== undefined) return undefined;
      const bytes = database.blob('conversations', item.rowid, 'value');
      for (let at = bytes.indexOf(MESSAGE_MARK); at >= 0; at = bytes.indexOf(MESSAGE_MARK, at + MESSAGE_MARK.length)) count += 1;
    }
  } catch {
    return undefined;
  }
  return count;
}
