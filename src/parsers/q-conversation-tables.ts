/**
 * The tables that hold conversation values: `conversations` (one per directory) and, in Kiro CLI, `conversations_v2` (several
 * per directory, with the times of creation and last change in Unix milliseconds).
 * Source: aws/amazon-q-developer-cli, crates/chat-cli/src/database/mod.rs; for `conversations_v2`, which is closed source, the
 * column set agreed by kenn-io/agentsview (internal/parser/kiro_sqlite.go) and BlakeASmith/kiro-sessionizer. Evidence L1, L4.
 */
import { type Artifact, type ByteSource, TooLargeError } from '../evidence/source.js';
import type { Snapshot } from '../evidence/sqlite.js';
import type { Draft } from '../rows/draft.js';
import { errorDraft, messageOf } from '../rows/problem.js';
import { fromEpochMs } from '../rows/time.js';
import { conversationRows } from './conversation/conversation.js';
import { loadConversation } from './conversation/load.js';
import type { DatabaseUnit } from './parser.js';
import { numberOf, textOf } from './q-state.js';

const V2 = 'conversations_v2';
export const CONVERSATION_TABLES: readonly string[] = ['conversations', V2];

/** One unit per value, in rowid order. Rows that cannot be reached are told by the unit of the database. */
export function conversationUnits(database: Snapshot): DatabaseUnit[] {
  return CONVERSATION_TABLES.flatMap((table) => {
    const units: DatabaseUnit[] = [];
    for (const item of database.iterate(table, [])) {
      if (item.fault === undefined) units.push({ table, rowid: item.rowid, size: sizeOf(database, table, item.rowid) });
    }
    return units;
  });
}

function sizeOf(database: Snapshot, table: string, rowid: number): number {
  try {
    return database.sizeOf(table, rowid, 'value');
  } catch {
    // A damaged row: its unit says so when it is read.
    return 0;
  }
}

export function* conversationUnit(database: Snapshot, table: string, rowid: number, artifact: Artifact): Generator<Draft> {
  let project = '';
  try {
    project = database.blob(table, rowid, 'key').toString('utf8');
    const value = loadConversation(bytesOf(database.blob(table, rowid, 'value')));
    const times = table === V2 ? timesOf(database, rowid) : undefined;
    yield* conversationRows(value, { agent: artifact.agent, project, line: rowid, rank: times === undefined || times.newest ? 0 : 1 });
    if (times !== undefined) yield* timeRows(times, textOf(value.members.conversation_id), project, artifact.agent, rowid);
  } catch (error) {
    const what = error instanceof TooLargeError ? 'conversation value is too large to be read' : 'conversation could not be read';
    const named = table === V2 ? { session_id: timesOf(database, rowid)?.id ?? '' } : {};
    yield errorDraft(`${what} (${messageOf(error)})`, '', { source_line: rowid, project_path: project, ...named });
  }
}

interface StoredTimes {
  readonly id: string;
  readonly created: number | undefined;
  readonly updated: number | undefined;
  /** No other row of the same conversation was changed later. */
  readonly newest: boolean;
}

/** Read once for all values of a database: each asks for the times of its own row. */
const timesOfTables = new WeakMap<Snapshot, ReadonlyMap<number, StoredTimes>>();

function timesOf(database: Snapshot, rowid: number): StoredTimes | undefined {
  const known = timesOfTables.get(database) ?? readTimes(database);
  timesOfTables.set(database, known);
  return known.get(rowid);
}

/** The same conversation can lie under several directories: the copy changed last is primary. */
function readTimes(database: Snapshot): Map<number, StoredTimes> {
  const rows: { rowid: number; id: string; created: number | undefined; updated: number | undefined }[] = [];
  const latest = new Map<string, number>();
  for (const item of database.iterate(V2, ['conversation_id', 'created_at', 'updated_at'])) {
    if (item.fault !== undefined) continue;
    const [first, created, updated] = item.values;
    const row = { rowid: item.rowid, id: textOf(first), created: numberOf(created), updated: numberOf(updated) };
    rows.push(row);
    latest.set(row.id, Math.max(latest.get(row.id) ?? Number.NEGATIVE_INFINITY, row.updated ?? 0));
  }
  return new Map(
    rows.map(({ rowid, id, created, updated }) => [rowid, { id, created, updated, newest: (updated ?? 0) >= (latest.get(id) ?? 0) }]),
  );
}

function* timeRows(times: StoredTimes, id: string, project: string, agent: string, rowid: number): Generator<Draft> {
  const problem = times.id === id ? '' : `the row names conversation ${times.id}, its value another`;
  const place = { agent, session_id: id || times.id, project_path: project, source_line: rowid };
  const rows = [
    ['created', times.created, 'row_created'],
    ['last saved', times.updated, 'row_updated'],
  ] as const;
  for (const [what, stored, source] of rows) {
    if (stored === undefined) continue;
    const time = fromEpochMs(stored, source);
    yield {
      row_type: 'session',
      text: `session: conversation ${what}`,
      time,
      newRun: true,
      ...place,
      details: time === undefined ? { stored } : {},
      problem: problem || (time === undefined ? 'no usable time' : ''),
      identity: `${place.session_id}\u0000session\u0000${source}\u0000${stored}`,
    };
  }
}

function bytesOf(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}
