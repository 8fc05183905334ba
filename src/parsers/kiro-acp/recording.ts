import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { jsonLines } from '../json-lines.js';
import { pairs, problems } from '../json-store.js';
import { filled, named } from '../kiro-v2/fields.js';
import type { FileParser } from '../parser.js';
import { type ChunkJoiner, joinChunks } from './chunks.js';
import { contentOf } from './content.js';
import { type Frame, frameOf, objectOf, textOf } from './frame.js';
import { answerRow, type Question, questionOf, requestRow } from './permissions.js';
import { updateRow } from './updates.js';
import { asksForToken, holdsToken, showUnread, tokenFacts } from './withhold.js';

// A recording of the Agent Client Protocol between Kiro CLI and its client, switched on with KIRO_ACP_RECORD_PATH, under any
// name. It is the only store of the v2 engine that holds questions for permission and the answers to them, and it dates every
// message to the millisecond. It proves what was sent; a prompt may come from a program as well as from a person.
// Tokens that the client hands over are never written to a row.
// Versions: 2.11 and later; other recorders write seconds and `agent->client`. Evidence: L4 with samples,
// dwalleck/cyril: docs; the protocol itself: agentclientprotocol.com.

const BEGIN = '{"ts":';
const DIRECTION = '"(?:in|out|agent->client|client->agent)"';
const HEAD = new RegExp(
  ['^(?:\\xef\\xbb\\xbf)?', '\\{', '"ts"', ':', '"?[\\d.]{1,40}"?', ',', '"dir"', ':', DIRECTION, ',', '"msg"', ':'].join('\\s{0,64}'),
);

export const kiroAcpRecording: FileParser = {
  id: 'kiro-acp-recording',
  container: 'file',
  detect: (head) => HEAD.test(head.toString('latin1', 0, 1024)),
  parse,
};

interface Pending {
  readonly method: string;
  readonly session: string;
  readonly cwd: string;
  readonly question: Question | undefined;
}

interface Recording {
  /** Requests without an answer yet, by direction and id. */
  readonly pending: Map<string, Pending>;
  readonly projects: Map<string, string>;
  readonly chunks: ChunkJoiner;
}

function* parse(source: FileSource): Generator<Draft> {
  const recording: Recording = { pending: new Map(), projects: new Map(), chunks: joinChunks() };
  for (const content of jsonLines(source, { begin: BEGIN, show: showUnread })) {
    if ('error' in content) {
      yield* located(recording, recording.chunks.flush());
      yield content.error;
    } else yield* located(recording, frameRows(recording, frameOf(content.record)));
  }
  yield* located(recording, recording.chunks.flush());
}

function* located(recording: Recording, rows: Iterable<Draft>): Generator<Draft> {
  for (const row of rows) yield { ...row, project_path: recording.projects.get(row.session_id ?? '') ?? '' };
}

function* frameRows(recording: Recording, frame: Frame): Generator<Draft> {
  const { message, raw } = frame;
  const params = objectOf(message?.params);
  const session = textOf(params.sessionId);
  if (message?.method === 'session/update' && isObject(params.update) && isPlain(frame, message, params)) {
    if (yield* recording.chunks.take(frame, session, params.update)) return;
  }
  yield* recording.chunks.flush();
  const row = message === undefined ? unreadRow(raw) : rowOf(recording, frame, message, params);
  const { dir, ts, msg, ...rest } = raw;
  const unknown = { ...rest, ...(frame.direction === 'unknown' ? { dir } : {}), ...(frame.time ? {} : { ts }) };
  yield {
    session_id: session,
    ...row,
    ...frame.columns,
    problem: problems(row.problem, frame.problem),
    details: { ...row.details, ...filled({ rpc_id: message?.id }), ...(holdsToken(unknown) ? {} : named('frame', unknown)) },
  };
}

const PLAIN = new Set(['ts', 'dir', 'msg', 'jsonrpc', 'method', 'params', 'sessionId', 'update']);

/** Nothing beside what a joined message keeps. */
function isPlain({ raw, direction, problem }: Frame, message: JsonObject, params: JsonObject): boolean {
  return direction !== 'unknown' && problem === '' && [raw, message, params].flatMap(Object.keys).every((key) => PLAIN.has(key));
}

function rowOf(recording: Recording, frame: Frame, message: JsonObject, params: JsonObject): Draft {
  if (typeof message.method !== 'string') return answered(recording, frame, message);
  const row = callRow(recording, frame, message, params);
  const { id, jsonrpc, method, params: stored, ...rest } = message;
  const odd = { ...rest, ...(isObject(stored) || row.row_type === 'log' ? {} : { params: stored }) };
  return holdsToken(odd) ? row : { ...row, details: { ...row.details, ...named('message', odd) } };
}

function unreadRow(raw: JsonObject): Draft {
  const shown = showUnread(compact(raw.msg));
  return { row_type: 'log', text: `log: source=acp: ${shown}`, origin: 'automatic', problem: 'not a JSON-RPC message', details: {} };
}

/** A request or a notification. */
function callRow(recording: Recording, frame: Frame, message: JsonObject, params: JsonObject): Draft {
  const method = textOf(message.method);
  const question = method === 'session/request_permission' ? questionOf(params) : undefined;
  if (message.id !== undefined && message.id !== null) {
    const key = `${frame.direction}\u0000${compact(message.id)}`;
    recording.pending.set(key, { method, session: textOf(params.sessionId), cwd: textOf(params.cwd), question });
  }
  if (textOf(params.cwd) && textOf(params.sessionId)) recording.projects.set(textOf(params.sessionId), textOf(params.cwd));
  if (question !== undefined) return requestRow(params, question);
  if (method === 'session/prompt') return promptRow(params);
  if (method === 'session/set_model' && typeof params.modelId === 'string') return modelRow(params, params.modelId);
  const update = method === 'session/update' && isObject(params.update) ? updateRow(params.update) : undefined;
  if (update !== undefined) {
    const { sessionId, update: _, ...rest } = params;
    return { ...update, details: { ...update.details, ...named('params', rest) } };
  }
  const withheld = asksForToken(method) || (!method.startsWith('session/update') && holdsToken(message.params));
  const body = withheld ? 'token withheld' : compact(message.params ?? {});
  return logRow(frame, { method }, body, withheld ? tokenFacts(message.params) : {});
}

function promptRow(params: JsonObject): Draft {
  const { sessionId, prompt, ...rest } = params;
  const { text, details } = contentOf(prompt);
  return { row_type: 'prompt', text, origin: 'unknown', textKey: text, details: { ...details, ...named('params', rest) } };
}

function modelRow(params: JsonObject, model: string): Draft {
  const { sessionId, modelId, ...rest } = params;
  return { row_type: 'model', text: `model: ${model} source=acp`, model, details: named('params', rest) };
}

/** An answer, joined to its question by id; it goes the other way. */
function answered(recording: Recording, frame: Frame, message: JsonObject): Draft {
  const back = frame.direction === 'to agent' ? 'to client' : 'to agent';
  const key = `${back}\u0000${compact(message.id)}`;
  const asked = recording.pending.get(key);
  recording.pending.delete(key);
  const { id, jsonrpc, result, error, ...rest } = message;
  const body = { ...filled({ result, error }), ...rest };
  if (holdsToken(message) || (asked ? asksForToken(asked.method) : typeof result === 'string')) {
    // Beside a token that was asked for, nothing of free form is shown.
    const more = { ...(asked ? {} : filled({ error })), ...rest };
    const details = { ...tokenFacts(result), ...(holdsToken(more) ? {} : named('message', more)) };
    return logRow(frame, { answer_to: asked?.method ?? 'unknown' }, 'token withheld', details);
  }
  if (asked?.question !== undefined && isObject(result)) {
    const row = answerRow(result, asked.question);
    return { ...row, session_id: asked.session, details: { ...row.details, ...named('message', { error, ...rest }) } };
  }
  const session = textOf(objectOf(result).sessionId) || asked?.session || '';
  if (asked !== undefined && asked.cwd !== '' && session !== '') recording.projects.set(session, asked.cwd);
  const shown = compact(body);
  const problem = asked === undefined ? 'the request to this answer is not in the recording' : '';
  if (asked?.method === 'session/new' || asked?.method === 'session/load') {
    const what = asked.method === 'session/new' ? 'start' : 'load';
    return { row_type: 'session', text: `session: ${what} source=acp: ${shown}`, session_id: session, details: {} };
  }
  return { ...logRow(frame, { answer_to: asked?.method ?? 'unknown' }, shown, {}), session_id: session, problem };
}

function logRow(frame: Frame, head: JsonObject, body: string, details: JsonObject): Draft {
  return {
    row_type: 'log',
    text: `log: source=acp${pairs({ to: frame.direction.replace('to ', ''), ...head })}: ${body}`,
    origin: 'automatic',
    details,
  };
}
