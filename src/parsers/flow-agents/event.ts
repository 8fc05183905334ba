import { isObject, type JsonObject } from '../../evidence/json.js';
import { fromEpochMs, fromRfc3339, type Instant } from '../../rows/time.js';

export interface FlowEvent {
  readonly type: string;
  readonly id: string;
  readonly time: Instant | undefined;
  readonly session: string;
  readonly cwd: string;
  readonly model: string;
  readonly tool: JsonObject;
  readonly turn: JsonObject;
  readonly hook: JsonObject;
  readonly usage: JsonObject;
  /** The record as stored, without what only columns and texts carry. */
  readonly rest: JsonObject;
  readonly record: JsonObject;
  readonly problem: string;
}

/** Last message of the assistant per session, and the line it stands on: each event at the end of a turn repeats it. */
export type Said = Map<string, { readonly text: string; readonly line: number }>;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export function readEvent(record: JsonObject): FlowEvent {
  const { timestamp, event_id, event_type, ...others } = record;
  const time = flowTime(timestamp);
  const hook = objectOf(record.hook);
  const context = objectOf(record.context);
  const usage = objectOf(record.usage);
  return {
    type: textOf(event_type),
    id: textOf(event_id),
    time,
    // The session id of the record is a hash of the host's own, where that is known.
    session: textOf(hook.runtime_session_id) || textOf(record.session_id),
    cwd: textOf(context.cwd),
    model: textOf(usage.model) || textOf(hook.model) || textOf(record.model),
    tool: objectOf(record.tool),
    turn: objectOf(record.turn),
    hook,
    usage,
    rest: {
      ...others,
      ...(time === undefined ? { timestamp } : {}),
      ...(typeof event_id === 'string' ? {} : { event_id }),
      ...(typeof event_type === 'string' ? {} : { event_type }),
    },
    record,
    problem: time === undefined ? 'the record holds no time that can be read' : '',
  };
}

/** A text of epoch milliseconds since schema 0.3.0, RFC 3339 before. */
export function flowTime(stored: unknown): Instant | undefined {
  if (typeof stored === 'number') return fromEpochMs(stored, 'record');
  if (typeof stored !== 'string') return undefined;
  if (!/^\d{12,14}$/.test(stored)) return fromRfc3339(stored, 'record');
  const instant = fromEpochMs(Number(stored), 'record');
  return instant && { ...instant, original: stored };
}
