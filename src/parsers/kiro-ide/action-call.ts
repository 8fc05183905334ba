import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import { sha256Of } from '../../evidence/sha256.js';
import type { Draft } from '../../rows/draft.js';
import type { Row } from '../../rows/row.js';
import { problems } from '../json-store.js';
import { namedPaths } from '../named-paths.js';
import type { Action } from './action.js';
import { isAutopilot } from './autonomy.js';
import { contentOf } from './content.js';
import { between, details, instantOf, rest, textOf, texts } from './fields.js';
import { callIdentity } from './identity.js';

const PATH_KEYS = ['path', 'file', 'targetFile', 'filePath', 'paths', 'files', 'filePaths'];
const SHELLS = new Set([
  'runCommand',
  'executeBash',
  'executePwsh',
  'controlProcess',
  'execute_bash',
  'execute_pwsh',
  'control_bash_process',
]);
/** Texts of whole files: hashed, so that a file on disk can be compared with what was written. */
const FILE_TEXTS = ['originalContent', 'modifiedContent', 'content', 'text'];
const UNFINISHED = /^(?:pending|running|in_?progress|requested|started|queued)$/i;

/** A call, what a person decided on it as far as its state tells, and its result. */
export function* callRows(action: Action): Generator<Draft> {
  const { type, id, input, columns, execution } = action;
  const use = execution.earlier.useOf(id);
  const tool = textOf(use, 'name') || type;
  const call = { tool_name: tool, tool_use_id: id };
  const sent = use?.args;
  const named = input ?? sent;
  const shown = input === undefined ? undefined : compact(input);
  // Compared by their text: in a store of one build both are the same, member by member.
  const called = sent === undefined ? undefined : compact(sent);
  const command = SHELLS.has(type) || SHELLS.has(tool) ? textOf(input, 'command') : '';
  yield {
    row_type: 'tool_use',
    text: shown ?? called ?? '',
    origin: 'agent',
    ...call,
    command,
    file_paths: namedPaths(isObject(named) ? named : {}, PATH_KEYS),
    ...columns,
    identity: callIdentity('tool_use', id) ?? columns.identity,
    problem: problems(columns.problem, type === '' && 'the kind of action is not recorded'),
    details: details({
      ...action.details,
      file_sha256: hashes(input),
      ...(called !== undefined && called !== (shown ?? '') ? { called: sent } : {}),
      ...(use ? { call: rest(use, ...texts(use, 'type', 'id', 'name'), 'args') } : {}),
      intentResult: action.record.intentResult,
    }),
  };
  if (type === 'userInput' && action.output !== undefined && action.output !== null) yield* answerRow(action, call);
  else {
    yield* decisionRow(action, call);
    yield* resultRow(action, call, command !== '');
  }
}

type Call = Pick<Draft, 'tool_name' | 'tool_use_id'>;

const part = (identity: string | undefined, name: string) => (identity === undefined ? undefined : `${identity}\u0000${name}`);

function hashes(input: unknown): JsonObject {
  const found = FILE_TEXTS.flatMap((key) => {
    const text = textOf(input, key);
    return text === '' ? [] : [[key, sha256Of(text)] as const];
  });
  return Object.fromEntries(found);
}

/** A question of the agent: what a person wrote in answer is a prompt. */
function* answerRow({ output, columns, record, details: extra }: Action, call: Call): Generator<Draft> {
  const answer = isObject(output) ? (output.answer ?? output.response ?? output.message ?? output.userInput ?? output.value) : output;
  yield {
    row_type: 'prompt',
    text: typeof answer === 'string' ? answer : compact(output),
    origin: typeof answer === 'string' ? 'typed' : 'unknown',
    ...call,
    ...columns,
    time: instantOf(record.endTime, 'completed_at'),
    identity: part(columns.identity, 'answer'),
    details: details({
      ...extra,
      output: isObject(output) ? output : undefined,
      error: record.errorMessage,
      note: 'answer to a question of the agent',
    }),
  };
}

const VERDICTS: readonly [RegExp, Row['decision']][] = [
  [/^accept/i, 'approved'],
  [/^(?:reject|den)/i, 'denied'],
];

function* decisionRow({ state, columns, record, type, execution, details: extra }: Action, call: Call): Generator<Draft> {
  const decision = VERDICTS.find(([pattern]) => pattern.test(state))?.[1];
  if (decision === undefined) return;
  const automatic = decision === 'approved' && isAutopilot(execution.autonomy);
  const by = automatic ? 'unknown' : 'user';
  yield {
    row_type: 'permission',
    text: `permission decision: ${decision} by=${by} action=${type} state=${state}`,
    decision,
    decided_by: by,
    ...call,
    ...columns,
    // The action bears the time at which it was given out, not that of the decision.
    time: instantOf(record.endTime, 'completed_at'),
    identity: part(columns.identity, 'decision'),
    problem: problems(columns.problem, automatic && 'in autopilot an edit can be accepted without a question'),
    details: extra,
  };
}

function* resultRow(action: Action, call: Call, shell: boolean): Generator<Draft> {
  const { record, id, state, output, columns, execution } = action;
  const response = execution.earlier.takeResponse(id);
  const error = textOf(record, 'errorMessage');
  if (output === undefined && response === undefined && error === '' && (state === '' || UNFINISHED.test(state))) return;
  const ended = instantOf(record.endTime, 'completed_at');
  const stored = resultText(output);
  const heard = response === undefined ? { text: '', others: [] } : contentOf(response.value.message);
  const text = stored ?? (heard.text || error);
  const exit = exitCodeOf(output);
  const { status, outcome } = endOf(state, exit, error !== '', response?.value.success);
  yield {
    row_type: 'tool_result',
    text: status === 'canceled' ? `cancelled ${text}`.trimEnd() : text,
    ...call,
    ...columns,
    time: ended,
    identity: part(columns.identity, 'result'),
    status,
    outcome,
    exit_code: exit,
    duration_ms: between(columns.time, ended),
    problem: problems(
      columns.problem,
      shell && exit === null && status === 'completed' && 'no exit code is recorded',
      exit === -1 && 'the exit code -1 is also given for commands that went well',
    ),
    details: details({
      ...action.details,
      output: isObject(output) ? outputRest(output) : undefined,
      ...(error === '' || error === text ? {} : { error }),
      ...(response === undefined
        ? {}
        : { response: rest(response.value, 'type', 'id', 'name', ...(heard.text === text ? ['message'] : [])) }),
    }),
  };
}

const TEXT_KEYS = ['output', 'message', 'content', 'text', 'result'];

/** The text of an output: the whole, its one text member, or its compact form; undefined when there is none. */
function resultText(output: unknown): string | undefined {
  if (output === undefined || output === null) return undefined;
  if (!isObject(output)) return compact(output);
  const key = textKey(output);
  if (key === undefined) return Object.keys(output).length === 0 ? '' : compact(output);
  const text = textOf(output, key);
  const errors = textOf(output, 'stderr');
  return errors === '' ? text : `${text}\nstderr:\n${errors}`;
}

const textKey = (output: JsonObject) => TEXT_KEYS.find((key) => typeof output[key] === 'string');

function outputRest(output: JsonObject): JsonObject {
  const key = textKey(output);
  return key === undefined ? {} : rest(output, key, 'exitCode');
}

function exitCodeOf(output: unknown): number | null {
  if (!isObject(output)) return null;
  const code = output.exitCode ?? output.exit_code;
  return typeof code === 'number' && Number.isSafeInteger(code) ? code : null;
}

const STATES: readonly [RegExp, Row['status']][] = [
  [/^(?:success|succeed|accept|complete)/i, 'completed'],
  [/^cancel/i, 'canceled'],
  [/^(?:reject|den|block)/i, 'blocked'],
  [/^(?:error|fail)/i, 'failed'],
];

/** An exit code is the evidence; without one a state tells that a tool ran, not how it went. */
function endOf(state: string, exit: number | null, error: boolean, success: unknown): Pick<Row, 'status' | 'outcome'> {
  const told =
    STATES.find(([pattern]) => pattern.test(state))?.[1] ??
    (success === true ? 'completed' : success === false || error ? 'failed' : 'unknown');
  if (told === 'canceled' || told === 'blocked') return { status: told, outcome: 'ambiguous' };
  if (exit === null) return { status: told, outcome: told === 'failed' ? 'fail' : 'ambiguous' };
  if (exit === -1) return { status: told, outcome: 'ambiguous' };
  if (exit !== 0) return { status: 'failed', outcome: 'fail' };
  return { status: told, outcome: told === 'failed' ? 'ambiguous' : 'pass' };
}
