import { isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { pairs, problems, readObject, typed } from '../json-store.js';
import type { Companions, FileParser } from '../parser.js';
import { type SessionColumns, sessionIdentity } from './context.js';
import { filled, named } from './fields.js';
import { grantRows } from './grants.js';
import { idsInJournal } from './journal-ids.js';
import { fileName, sessionIdOf, stemOf } from './names.js';
import { SessionSchema } from './schema.js';
import { requestRows, sessionModelRow } from './state.js';
import { sessionTime } from './times.js';
import { turnsOf } from './turn.js';
import { turnRows } from './turn-rows.js';

// .kiro/sessions/cli/<uuid>.json of Kiro CLI, engine v2: what the program keeps of a session beside its journal, written anew
// after each turn: start, directory, title, parent, model, credits and end of each finished turn, and the grants of the
// session. `<uuid>.json.tmp` is one that was not renamed in time: the last state, never read by the program.
// It proves that the session existed also where the journal is gone, and refusals of calls (by how a turn ended). Grants are a
// state at the last writing: when each was given, and whether it was used, is not recorded. Its token counts are always 0, and
// `session_created_reason` says "subagent" for every session: only a parent id shows a child.
// Versions: 1.2x to 2.22; a model per turn since about 2.16. Evidence: L4 with samples, neochoon/agenthud:
// docs/schemas/kiro-session.md; marmutapp/superbased-observer: testdata/kirocli; dwalleck/cyril: docs (permissions).

const START = /^(?:\xef\xbb\xbf)?\s{0,64}\{\s{0,64}"session_id"\s{0,64}:/;
const REQUIRED = ['"cwd"', '"session_state"'];

export const kiroV2Session: FileParser = {
  id: 'kiro-v2-session',
  container: 'file',
  detect: (head) => START.test(head.toString('latin1', 0, 1024)) && REQUIRED.every((key) => head.includes(key)),
  companions: (name) => [`${stemOf(name)}.jsonl`],
  parse,
};

function* parse(source: FileSource, companions: Companions): Generator<Draft> {
  const name = fileName(source.artifact);
  const rank = /\.tmp$/i.test(name) ? 1 : 0;
  for (const row of rowsOf(source, name, companions)) yield { ...row, rank: (row.rank ?? 0) + rank };
}

function* rowsOf(source: FileSource, name: string, companions: Companions): Generator<Draft> {
  const stored = yield* readObject(source, 'session file');
  if (!stored) return;
  if (!('session_id' in stored) && !('session_state' in stored)) {
    const what = 'session file: neither session_id nor session_state in it';
    yield { ...errorDraft(what), session_id: sessionIdOf(name), details: { value: stored } };
    return;
  }
  const { fields } = typed(SessionSchema, stored);
  const session: SessionColumns = {
    session_id: fields.session_id || sessionIdOf(name),
    project_path: fields.cwd ?? '',
    parent_session_id: fields.parent_session_id ?? '',
  };
  const { turns, odd } = turnsOf(stored);
  const journal = companions.get(`${stemOf(name)}.jsonl`);
  const held = idsInJournal(journal, turns);
  yield startRow(stored, session, name);
  for (const { pointer, value } of odd) {
    const problem = 'entry of the turn list is not a JSON object';
    yield { row_type: 'error', text: `parser: ${problem}`, ...session, source_pointer: pointer, problem, details: { value } };
  }
  yield* turnRows(turns, session, held, journal !== undefined);
  const updated = sessionTime(stored.updated_at);
  const model = sessionModelRow(stored, turns, session, updated);
  if (model !== undefined) yield model;
  yield* grantRows(stored, session, updated);
  yield* requestRows(stored, session);
}

/** The session as a whole, at its start, with every field of the file that has no row of its own. */
function startRow(stored: JsonObject, session: SessionColumns, name: string): Draft {
  const { fields, problem } = typed(SessionSchema, stored);
  const { session_id, cwd, title, parent_session_id, created_at, session_state: state, ...more } = stored;
  const { updated_at, session_created_reason, imported_from, goal, ...rest } = more;
  const time = sessionTime(created_at);
  const { state: stateDetails, agent } = stateOf(state);
  const text = pairs({ agent, parent: fields.parent_session_id, imported_from });
  const fileId = sessionIdOf(name);
  return {
    row_type: 'session',
    text: `session: start${text}${fields.title ? `: ${fields.title}` : ''}`,
    time,
    ...session,
    identity: sessionIdentity(session.session_id, 'session', session.session_id, 'start'),
    problem: problems(
      problem,
      !time && 'the session file holds no start time that can be read',
      fileId !== '' && fields.session_id !== undefined && fields.session_id !== fileId && 'the session id differs from the file name',
    ),
    details: {
      ...filled({ updated_at, session_created_reason, imported_from, goal }),
      ...named('fields', rest),
      ...(typeof session_id === 'string' ? {} : filled({ stored_session_id: session_id })),
      ...(typeof cwd === 'string' ? {} : filled({ stored_cwd: cwd })),
      ...(typeof title === 'string' ? {} : filled({ stored_title: title })),
      ...(typeof parent_session_id === 'string' ? {} : filled({ stored_parent: parent_session_id })),
      ...(time ? {} : filled({ created_at })),
      ...stateDetails,
    },
  };
}

/** `session_state` without what has rows of its own. */
function stateOf(state: unknown): { readonly state: JsonObject; readonly agent: unknown } {
  if (!isObject(state)) return { state: filled({ session_state: state }), agent: undefined };
  const { conversation_metadata: metadata, permissions, agent_name, ...rest } = state;
  const { user_turn_metadatas: turns, user_turn_start_request, last_request, ...more } = isObject(metadata) ? metadata : {};
  const odd = {
    ...(isObject(metadata) ? {} : { conversation_metadata: metadata }),
    ...(Array.isArray(turns) ? {} : { user_turn_metadatas: turns }),
    ...(isObject(permissions) ? {} : { permissions }),
  };
  return { state: { ...named('state', rest), ...named('conversation_metadata', more), ...named('stored', odd) }, agent: agent_name };
}
