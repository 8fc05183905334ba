import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import type { Instant } from '../../rows/time.js';
import { type SessionColumns, sessionIdentity } from './context.js';
import type { Turn } from './turn.js';

/** The model the session stood at when the file was written, unless the last turn has named it already. */
export function sessionModelRow(
  stored: JsonObject,
  turns: readonly Turn[],
  session: SessionColumns,
  updated: Instant | undefined,
): Draft | undefined {
  const model = modelOf(stored);
  const last = turns.findLast((turn) => turn.model !== '')?.model ?? '';
  if (model === '' || model === last) return undefined;
  return {
    row_type: 'model',
    text: `${last === '' ? `model: ${model}` : `model: ${last} -> ${model}`} source=session_state`,
    time: updated,
    model,
    ...session,
    source_pointer: '/session_state/rts_model_state/model_info/model_id',
    identity: sessionIdentity(session.session_id, 'model', session.session_id, 'state'),
    problem: 'the model in use when the session file was last written; since when is not recorded',
  };
}

function modelOf(stored: JsonObject): string {
  const state = stored.session_state;
  const rts = isObject(state) ? state.rts_model_state : undefined;
  const info = isObject(rts) ? rts.model_info : undefined;
  return isObject(info) && typeof info.model_id === 'string' ? info.model_id : '';
}

/** Whole requests to the service: system prompt, tools, context. Set only while a turn is under way. */
export function* requestRows(stored: JsonObject, session: SessionColumns): Generator<Draft> {
  const state = stored.session_state;
  const metadata = isObject(state) ? state.conversation_metadata : undefined;
  if (!isObject(metadata)) return;
  for (const key of ['user_turn_start_request', 'last_request']) {
    const request = metadata[key];
    if (request === undefined || request === null) continue;
    yield {
      row_type: 'context',
      text: compact(request),
      origin: 'automatic',
      ...session,
      source_pointer: `/session_state/conversation_metadata/${key}`,
      identity: sessionIdentity(session.session_id, 'context', session.session_id, key),
      details: { request: key },
    };
  }
}
