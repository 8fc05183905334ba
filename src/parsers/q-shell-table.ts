/**
 * Table `history`: commands a person ran in a terminal with the companion shell integration; not written by the chat
 * program. `start_time` and `end_time` are Unix seconds, `duration` milliseconds.
 * Source: aws/amazon-q-developer-cli at 1.9.0, crates/fig_settings/src/history.rs; continued in
 * aws/amazon-q-developer-cli-autocomplete, so rows can be recent.
 */
import type { Snapshot } from '../evidence/sqlite.js';
import type { Draft } from '../rows/draft.js';
import { fromEpochSeconds } from '../rows/time.js';
import { numberOf, tableFault, textOf } from './q-state.js';

/** Columns that have a place of their own in a row; `time` is the name of `start_time` before the third migration. */
const PLACED: ReadonlySet<string> = new Set(['id', 'command', 'session_id', 'cwd', 'start_time', 'time', 'duration', 'exit_code']);

export function* shellRows(database: Snapshot): Generator<Draft> {
  const columns = (database.table('history')?.columns ?? []).filter((column) => column !== 'id');
  for (const item of database.iterate('history', columns)) {
    if (item.fault !== undefined) {
      yield tableFault('history', item.fault, item.rowid);
      continue;
    }
    const stored = new Map(columns.map((column, i) => [column, item.values[i]] as const));
    yield { ...shellRow(stored), source_line: item.rowid };
  }
}

/** A row of the table by its columns, whether it is in the table still or was found in deleted space. */
export function shellRow(stored: ReadonlyMap<string, unknown>): Draft {
  const text = (column: string) => textOf(stored.get(column));
  const start = numberOf(stored.get('start_time')) ?? numberOf(stored.get('time'));
  const exit = numberOf(stored.get('exit_code')) ?? null;
  const details: Record<string, unknown> = {};
  for (const [column, value] of stored) {
    if (PLACED.has(column) || value === null || value === undefined || value === '') continue;
    details[column] = numberOf(value) ?? textOf(value);
  }
  return {
    row_type: 'shell',
    text: text('command'),
    command: text('command'),
    time: fromEpochSeconds(start, 'record'),
    origin: 'typed',
    session_id: text('session_id'),
    project_path: text('cwd'),
    exit_code: exit,
    outcome: exit === null ? 'ambiguous' : exit === 0 ? 'pass' : 'fail',
    duration_ms: numberOf(stored.get('duration')) ?? null,
    details,
    identity: `shell:${start ?? ''}:${text('session_id')}`,
  };
}
