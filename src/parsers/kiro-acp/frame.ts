import { isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import type { Instant } from '../../rows/time.js';
import type { JsonRecord } from '../json-lines.js';
import { unixTime } from '../kiro-v2/times.js';

export type Direction = 'to agent' | 'to client' | 'unknown';

/** One recorded message with its time and direction. */
export interface Frame {
  readonly time: Instant | undefined;
  readonly direction: Direction;
  /** Absent when it is no JSON-RPC object. */
  readonly message: JsonObject | undefined;
  readonly raw: JsonObject;
  readonly columns: Pick<Draft, 'time' | 'source_line' | 'source_offset' | 'recovered' | 'confidence'>;
  readonly problem: string;
}

const DIRECTIONS = new Map<unknown, Direction>([
  ['out', 'to agent'],
  ['client->agent', 'to agent'],
  ['in', 'to client'],
  ['agent->client', 'to client'],
]);

export function frameOf(record: JsonRecord): Frame {
  const raw = record.value;
  const time = unixTime(raw.ts, 'record');
  const message = typeof raw.msg === 'string' ? parsed(raw.msg) : raw.msg;
  return {
    time,
    direction: DIRECTIONS.get(raw.dir) ?? 'unknown',
    message: isObject(message) ? message : undefined,
    raw,
    columns: { time, ...record.place, ...record.damaged },
    problem: [record.problem, time ? '' : 'the frame holds no time that can be read'].filter(Boolean).join('; '),
  };
}

/** One build writes the message as a text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
