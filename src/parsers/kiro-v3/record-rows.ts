import { compact, isBare, isObject, type JsonObject, without } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import type { RowType } from '../../rows/row-types.js';
import { fromRfc3339, type Instant } from '../../rows/time.js';
import { promptSecond } from '../conversation/identity.js';
import type { JsonRecord } from '../json-lines.js';
import { problems } from '../json-store.js';
import type { StoredRecord } from './schema.js';
import type { SessionParts } from './session-parts.js';
import type { Survey } from './survey.js';

/** What all rows of one log share, and what is remembered from one record to the next. */
export interface Log {
  readonly columns: Required<Pick<Draft, 'session_id' | 'project_path' | 'parent_session_id'>>;
  /** Of a sub-agent's run: its id; else empty. */
  readonly subSession: string;
  /** Id in the older engine of a session that was converted from it. */
  readonly convertedFrom: string | undefined;
  /** Copies of another session's rows rank behind these. */
  readonly rank: number;
  readonly survey: Survey;
  readonly parts: SessionParts;
  /** Line of each record id, by type. */
  readonly lines: Map<string, number>;
  /** Name of the sub-agent by id of its run. */
  readonly agents: Map<string, string>;
  /** How many rows of a message were made, for messages the converter gave several records. */
  readonly stems: Map<string, number>;
  model: string;
  /** Some record that begins a turn was read. */
  begun: boolean;
}

export type RowColumns = Omit<Draft, 'row_type' | 'text' | 'time' | 'message_id'>;

/** One record and the way to make its rows. */
export interface RecordRows {
  readonly record: StoredRecord;
  readonly index: number;
  readonly log: Log;
  readonly synthetic: boolean;
  row(type: RowType, text: string, pointer: string, columns?: RowColumns): Draft;
}

// A revert takes records out of the conversation, a summary only out of what the model is sent.
const MARKS = new Map([
  ['checkpoint_revert', 'superseded_by'],
  ['summarization', 'out_of_context'],
]);
const SYNTHETIC = /-synthetic$/;
const CONVERTED = /^(.+)-(?:text|thinking|tool)-\d+$/;

export function recordRows(record: StoredRecord, line: JsonRecord, index: number, log: Log): RecordRows {
  const { survey } = log;
  const synthetic = SYNTHETIC.test(record.id);
  const when = timeOf(record, synthetic, log);
  const mark = survey.tombstones.markOf(index);
  const superseded = mark?.kind === 'checkpoint_revert';
  const shared: JsonObject = { ...when.details };
  if (log.subSession !== '') shared.sub_session_id = log.subSession;
  if (mark !== undefined) shared[MARKS.get(mark.kind) ?? 'removed_by'] = mark.by;
  if (synthetic) shared.synthetic = true;
  const kept: JsonRecord['damaged'] = superseded ? { recovered: 'superseded', confidence: 'complete' } : line.damaged;
  const doubts = problems(when.problem, repeated(record, line, log), line.problem);
  const used = new Map<RowType, number>();
  let rows = 0;
  const row: RecordRows['row'] = (row_type, text, pointer, columns = {}) => {
    const nth = used.get(row_type) ?? 0;
    used.set(row_type, nth + 1);
    const first = rows === 0;
    rows += 1;
    return {
      // Member by member where there are few: spreading is what rows would spend their time with.
      row_type,
      text,
      time: when.time,
      message_id: record.id,
      session_id: log.columns.session_id,
      project_path: log.columns.project_path,
      parent_session_id: log.columns.parent_session_id,
      ...kept,
      source_line: line.place.source_line,
      source_offset: line.place.source_offset,
      source_pointer: pointer,
      rank: log.rank,
      identity: identityOf(record, row_type, nth, columns.tool_use_id ?? '', when, log),
      ...columns,
      problem: problems(columns.problem, doubts),
      details: detailsOf(record, columns.details, first, shared),
    };
  };
  return { record, index, log, synthetic, row };
}

/** Details of a row; those that concern the whole record stand in its first row. An empty payload says nothing. */
function detailsOf({ type, others }: StoredRecord, own: JsonObject | undefined, first: boolean, shared: JsonObject): JsonObject {
  const bare = own !== undefined && isObject(own.payload) && isBare(own.payload);
  const details: JsonObject = { type, ...(bare ? without(own, ['payload']) : own) };
  if (first && !isBare(others)) details.record = others;
  return isBare(shared) ? details : { ...details, ...shared };
}

interface When {
  readonly time: Instant | undefined;
  readonly details: JsonObject;
  readonly problem: string;
  /** Made by the converter: an older original of it exists, or existed. */
  readonly converted: boolean;
}

/** A time that tells when a record was repaired or converted is not when the thing happened. */
function timeOf(record: StoredRecord, synthetic: boolean, log: Log): When {
  const { timestamp, type, id } = record;
  const time = typeof timestamp === 'string' ? fromRfc3339(timestamp, 'message') : undefined;
  const range = log.survey.conversion;
  const within = time !== undefined && range !== undefined && time.ms >= range.from && time.ms <= range.to;
  const converted = type === 'user' ? log.convertedFrom !== undefined : CONVERTED.test(id) || within;
  if (synthetic) {
    const problem = 'written when the session was loaded again: when it ended is not recorded';
    return { time: undefined, details: { reload_time: timestamp }, problem, converted };
  }
  if (converted && type !== 'user') {
    const problem = 'written by the conversion from the older engine: its own time is not recorded';
    return { time: undefined, details: { conversion_time: timestamp }, problem, converted };
  }
  if (time) return { time, details: {}, problem: '', converted };
  if (timestamp === undefined || timestamp === null) return { time: undefined, details: {}, problem: 'no time is recorded', converted };
  return { time: undefined, details: { timestamp }, problem: 'the recorded time is not a date', converted };
}

function repeated({ id, type }: StoredRecord, { place }: JsonRecord, { lines }: Log): string {
  if (id === '') return 'the record has no id';
  const key = `${type}\u0000${id}`;
  const first = lines.get(key);
  if (first === undefined) lines.set(key, place.source_line);
  return first === undefined ? '' : `the same record id as on line ${first}`;
}

/**
 * The same for a row and its copies: a fork copies records with their ids and times into a new session, the converter keeps
 * the ids of messages and calls and the times of prompts of the older engine, whose rows are named by session, type, one of
 * these and number.
 */
function identityOf(
  { id, timestamp }: StoredRecord,
  type: RowType,
  nth: number,
  call: string,
  { converted, time }: When,
  log: Log,
): string | undefined {
  if (id === '') return undefined;
  if (!converted || log.convertedFrom === undefined) return `kiro-v3\u0000${type}\u0000${id}\u0000${compact(timestamp)}\u0000${nth}`;
  if (type === 'tool_use' || type === 'tool_result') return `${log.convertedFrom}\u0000${type}\u0000${call}\u00000`;
  const stem = type === 'prompt' && time !== undefined ? promptSecond(time) : (CONVERTED.exec(id)?.[1] ?? id);
  const key = `${type}\u0000${stem}`;
  const n = log.stems.get(key) ?? 0;
  log.stems.set(key, n + 1);
  return `${log.convertedFrom}\u0000${type}\u0000${stem}\u0000${n}`;
}
