import { createHash, hash } from 'node:crypto';
import type { Draft } from './draft.js';
import { type Row, SCHEMA } from './row.js';
import { ROW_TYPES } from './row-types.js';
import { toUtcText } from './time.js';

/** Provenance shared by all rows of one unit (a file, or one value of a database). */
export interface UnitStamp {
  readonly host: string;
  readonly user: string;
  /** The home the file lies in; not part of the row. */
  readonly home: string;
  readonly agent: string;
  readonly file: string;
  readonly table: string;
  /** Rowid of the unit's value, or 0. */
  readonly rowid: number;
  readonly sha256: string;
  /** 0 for the first file with these bytes, 1 for the next, by path order. */
  readonly copy: number;
  readonly toolVersion: string;
  /** When the file was last modified, in milliseconds; for formats that must have a time on each row. */
  readonly fileTime?: number | undefined;
  /** Tells apart units that speak of the same places of a file (live rows and deleted space). */
  readonly scope?: string;
  /** Why the store may tell of what another holds. */
  readonly echo?: 'retold' | 'migrated' | 'marker' | undefined;
  /** What is doubtful about the file as a whole: each row says it. */
  readonly doubt?: string | undefined;
  /** How often a place and row type have been used: the ordinal keeps row ids apart. */
  readonly used: Map<string, number>;
}

/** Completes a draft to a row. Every column is set, in column order, so that all rows share one shape. */
export function stampRow(draft: Draft, unit: UnitStamp): Row {
  const { time } = draft;
  const agent = draft.agent || unit.agent;
  const line = draft.source_line ?? unit.rowid;
  const pointer = draft.source_pointer ?? '';
  const offset = draft.source_offset ?? null;
  const place = placeKey({ row_type: draft.row_type, source_line: line, source_pointer: pointer, source_offset: offset });
  const ordinal = unit.used.get(place) ?? 0;
  unit.used.set(place, ordinal + 1);
  return {
    timestamp_utc: time === undefined ? '' : toUtcText(time.ms),
    host: unit.host,
    user: unit.user,
    agent,
    session_id: draft.session_id ?? '',
    project_path: draft.project_path ?? '',
    git_branch: '',
    turn_type: ROW_TYPES[draft.row_type],
    model: draft.model ?? '',
    tool_name: draft.tool_name ?? '',
    tool_use_id: draft.tool_use_id ?? '',
    text: draft.text,
    source_file: unit.file,
    source_line: line,
    row_type: draft.row_type,
    origin: draft.origin ?? '',
    timestamp_source: time === undefined ? 'none' : time.source,
    timestamp_original: time === undefined ? '' : time.original,
    status: draft.status ?? '',
    outcome: draft.outcome ?? '',
    exit_code: draft.exit_code ?? null,
    duration_ms: draft.duration_ms ?? null,
    command: draft.command ?? '',
    file_paths: draft.file_paths ?? [],
    decision: draft.decision ?? '',
    decided_by: draft.decided_by ?? '',
    recovered: draft.recovered ?? '',
    confidence: draft.confidence ?? '',
    duplicate_of: '',
    message_id: draft.message_id ?? '',
    request_id: draft.request_id ?? '',
    parent_session_id: draft.parent_session_id ?? '',
    source_table: unit.table,
    source_pointer: pointer,
    source_offset: offset,
    source_sha256: unit.sha256,
    secret_count: null,
    secret_rules: [],
    secrets: [],
    row_id: idOfCopy(
      shortHash(
        `${agent}\u0000${unit.sha256}\u0000${unit.table}\u0000${place}\u0000${ordinal}${unit.sha256 === '' ? `\u0000${unit.file}` : ''}${unit.scope ?? ''}`,
      ),
      unit.copy,
    ),
    problem: unit.doubt === undefined ? (draft.problem ?? '') : [draft.problem ?? '', unit.doubt].filter((text) => text !== '').join('; '),
    details: draft.details ?? {},
    schema: SCHEMA,
    tool_version: unit.toolVersion,
  };
}

/** Place and kind of a row within its unit. */
export function placeKey(row: Pick<Row, 'row_type' | 'source_line' | 'source_pointer' | 'source_offset'>): string {
  return `${row.row_type}\u0000${row.source_line}\u0000${row.source_pointer}\u0000${row.source_offset ?? ''}`;
}

/**
 * The id of the same row in the nth file of the same bytes. Doing it twice gives the first id again, so that runs over parts of a
 * case can be told what number a file has in the whole.
 */
export function idOfCopy(id: string, copy: number): string {
  return copy === 0 ? id : flipped(id, shortHash(`copy ${copy}`));
}

/** Ids whose 64 bits are flipped by a mark. */
export function flipped(id: string, mark: string): string {
  return ((BigInt(`0x${id}`) ^ BigInt(`0x${mark}`)) & 0xffffffffffffffffn).toString(16).padStart(16, '0');
}

// One-shot hashing (Node 20.12 and later) costs half as much as a hash object.
export const shortHash: (seed: string) => string =
  typeof hash === 'function'
    ? (seed) => hash('sha256', seed, 'hex').slice(0, 16)
    : (seed) => createHash('sha256').update(seed).digest('hex').slice(0, 16);
