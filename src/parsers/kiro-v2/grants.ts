import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import type { Instant } from '../../rows/time.js';
import { problems } from '../json-store.js';
import { type SessionColumns, sessionIdentity } from './context.js';

// Grants a person gave for the rest of a session ("trust", "always"): tools, commands as regular expressions, paths.

const POINTER = '/session_state/permissions';

/** One row per entry, dated by the writing of the file: the state at that time, not the moment of the grant. */
export function* grantRows(stored: JsonObject, session: SessionColumns, updated: Instant | undefined): Generator<Draft> {
  const state = stored.session_state;
  const permissions = isObject(state) ? state.permissions : undefined;
  if (!isObject(permissions)) return;
  for (const [key, value] of Object.entries(permissions)) {
    const pointer = step(POINTER, key);
    if (!isObject(value)) {
      yield* listRows(key, value, pointer, session, updated);
      continue;
    }
    for (const [inner, list] of Object.entries(value)) yield* listRows(`${key}.${inner}`, list, step(pointer, inner), session, updated);
  }
}

function* listRows(key: string, list: unknown, pointer: string, session: SessionColumns, updated: Instant | undefined): Generator<Draft> {
  if (list === null || list === undefined) return;
  const entries: unknown[] = Array.isArray(list) ? list : [list];
  for (const [i, entry] of entries.entries()) {
    const decision = /(?:^|\.)denied_/.test(key) ? 'denied' : /(?:^|\.)(?:allowed|trusted)_/.test(key) ? 'granted' : 'unknown';
    const sound = Array.isArray(list) && typeof entry === 'string';
    yield {
      row_type: 'permission',
      text: `permission setting: session ${key}=${compact(entry)} (session state, updated_at)`,
      time: updated,
      ...session,
      tool_name: key.endsWith('_tools') && typeof entry === 'string' ? entry : '',
      command: key.endsWith('_commands') && typeof entry === 'string' ? entry : '',
      file_paths: key.endsWith('_paths') && typeof entry === 'string' ? [entry] : [],
      decision,
      decided_by: 'session',
      source_pointer: Array.isArray(list) ? step(pointer, i) : pointer,
      identity: sessionIdentity(session.session_id, 'permission', session.session_id, `${key}\u0000${i}`),
      problem: problems('a state at the last writing of the file: when it was granted is not recorded', !sound && 'not a text in a list'),
      details: { value: entry },
    };
  }
}
