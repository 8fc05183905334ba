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

const COLUMNS = [
  'command',
  'shell',
  'pid',
  'session_id',
  'cwd',
  'start_time',
  'time',
  'end_time',
  'duration',
  'exit_code',
  'hostname',
  'in_ssh',
  'in_docker',
];

export function* shellRows(database: Snapshot): Generator<Draft> {
  const present = database.table('history')?.columns ?? [];
  const columns = COLUMNS.filter((column) => present.includes(column));
  const others = present.filter((column) => !COLUMNS.includes(column) && column !== 'id');
  for (const item of database.iterate('history', [...columns, ...others])) {
    if (item.fault !== undefined) {
      yield tableFault('history', item.fault, item.rowid);
      continue;
    }
    const stored = new Map([...columns, ...others].map((column, i) => [column, item.values[i]] as const));
    yield shellRow(stored, item.rowid, others);
  }
}

function shellRow(stored: ReadonlyMap<string, unknown>, rowid: number, others: readonly string[]): Draft {
  const text = (column: string) => textOf(stored.get(column));
  // Before the third migration the column was called `time`.
  const start = numberOf(stored.get('start_time')) ?? numberOf(stored.get('time'));
  const exit = numberOf(stored.get('exit_code')) ?? null;
  const details: Record<string, unknown> = {};
  for (const column of ['shell', 'pid', 'hostname', 'end_time', 'in_ssh', 'in_docker', ...others]) {
    const value = stored.get(column);
    if (value === null || value === undefined || value === '') continue;
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
    source_line: rowid,
    details,
    identity: `shell:${start ?? ''}:${text('session_id')}`,
  };
}
