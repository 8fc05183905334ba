import { isObject, type JsonObject } from '../../evidence/json.js';
import type { Instant } from '../../rows/time.js';
import { typed } from '../json-store.js';
import { TurnSchema } from './schema.js';
import { sessionTime, unixTime } from './times.js';

/** A turn of the session file: one request of the person and everything up to its end. Only finished turns are listed. */
export interface Turn {
  readonly index: number;
  readonly pointer: string;
  readonly stored: JsonObject;
  /** Ids of its messages, in order; null entries are left out. */
  readonly ids: readonly string[];
  readonly model: string;
  readonly endReason: string;
  readonly end: Instant | undefined;
  /** Copy of the final answer, with a time of its own. */
  readonly answer: Answer | undefined;
  /** What has another type than expected, or empty. */
  readonly problem: string;
}

export interface Answer {
  readonly id: string;
  readonly time: Instant | undefined;
  readonly stored: JsonObject;
}

const METADATA = '/session_state/conversation_metadata/user_turn_metadatas';

/** Turns of a session file, and list entries that are none. */
export function turnsOf(session: JsonObject): {
  readonly turns: Turn[];
  readonly odd: { readonly pointer: string; readonly value: unknown }[];
} {
  const list = listOf(session);
  const turns: Turn[] = [];
  const odd: { pointer: string; value: unknown }[] = [];
  for (const [index, stored] of list.entries()) {
    const pointer = `${METADATA}/${index}`;
    if (isObject(stored)) turns.push(turnOf(stored, index, pointer));
    else odd.push({ pointer, value: stored });
  }
  return { turns, odd };
}

function listOf(session: JsonObject): unknown[] {
  const state = session.session_state;
  const metadata = isObject(state) ? state.conversation_metadata : undefined;
  const list = isObject(metadata) ? metadata.user_turn_metadatas : undefined;
  return Array.isArray(list) ? list : [];
}

function turnOf(stored: JsonObject, index: number, pointer: string): Turn {
  const { fields, problem } = typed(TurnSchema, stored);
  return {
    index,
    pointer,
    stored,
    ids: (fields.message_ids ?? []).filter((id): id is string => typeof id === 'string' && id !== ''),
    model: fields.model ?? '',
    endReason: fields.end_reason ?? '',
    end: sessionTime(stored.end_timestamp),
    answer: answerOf(fields.result),
    problem,
  };
}

function answerOf(result: JsonObject | null | undefined): Answer | undefined {
  const stored = result?.Ok;
  if (!isObject(stored)) return undefined;
  const meta = isObject(stored.meta) ? stored.meta : {};
  const id = typeof stored.id === 'string' ? stored.id : typeof stored.message_id === 'string' ? stored.message_id : '';
  return { id, time: unixTime(meta.timestamp, 'record'), stored };
}
