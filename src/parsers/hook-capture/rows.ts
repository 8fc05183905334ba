import { compact, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { problems } from '../json-store.js';
import { named } from '../kiro-v2/fields.js';
import type { CaptureContext } from './context.js';
import { candidatesFor, identityOf } from './corroboration.js';
import { argumentsKey, type Pair } from './pairing.js';
import { resolvedPath } from './prose.js';
import { resultColumns } from './response.js';
import { commandIn, pathsIn, type ToolName, toolNameOf } from './tool-names.js';

/** Rows of one payload. */
export function* payloadRows(context: CaptureContext): Generator<Draft> {
  const { payload } = context;
  switch (payload.kind) {
    case 'prompt':
      yield promptRow(context);
      return;
    case 'pre':
      yield callRow(context);
      return;
    case 'post':
      yield* postRows(context);
      return;
    case 'permission':
      yield askedRow(context);
      return;
    case 'stop':
      if (payload.answer !== undefined && payload.answer !== '') yield context.row('assistant', payload.answer, { origin: 'agent' });
      else yield context.row('session', `session: stop event=${payload.event}`, { origin: 'automatic' });
      return;
    case 'start': {
      const prompt = payload.prompt === undefined ? {} : { prompt: payload.prompt };
      yield context.row('session', `session: start event=${payload.event}`, { origin: 'automatic', details: prompt });
      return;
    }
    default:
      yield otherRow(context);
  }
}

function promptRow(context: CaptureContext): Draft {
  const { payload } = context;
  if (payload.prompt === undefined || payload.prompt === '') {
    return context.row('session', `session: prompt event without text event=${payload.event}`, {
      origin: 'unknown',
      problem: 'a prompt was sent, but the payload does not hold its text: Kiro IDE 1.0.242 and others leave it empty',
    });
  }
  // The IDE sends the event also for prompts it makes itself (1.2.37), and a program can start the command line programs.
  const note = payload.dialect === 'kiro-ide 1.x' ? { note: 'the event is also sent for prompts that the program made itself' } : {};
  return context.row('prompt', payload.prompt, { origin: 'unknown', details: note });
}

function callRow(context: CaptureContext): Draft {
  const { payload, agent, place, time } = context;
  const { session, cwd, tool, toolUseId } = payload;
  const name = toolNameOf(tool);
  const text = argumentsText(payload);
  const input = payload.input ?? {};
  const columns = callColumns(context, name, input);
  const known = { command: columns.command ?? '', paths: columns.file_paths ?? [] };
  // Only what a later result needs is kept, not the payload with its whole files.
  context.calls.add({ payload: { session, cwd, tool, toolUseId }, agent, ...known, place, time, key: argumentsKey(text) });
  return context.row('tool_use', text, {
    ...columns,
    problem: problems(
      tool === '' && 'the payload names no tool',
      Object.keys(input).length === 0 && 'empty input: the payload does not hold the arguments of the call',
    ),
  });
}

function argumentsText({ input }: CaptureContext['payload']): string {
  return input === undefined ? '' : compact(callArguments(input));
}

/** The purpose is a note of the program beside the arguments; sessions keep it apart too. */
function callArguments({ __tool_use_purpose: _, ...input }: JsonObject): JsonObject {
  return input;
}

function callColumns(context: CaptureContext, name: ToolName, input: JsonObject): Omit<Draft, 'row_type' | 'text'> {
  const { payload } = context;
  const command = commandIn(name.role, input);
  const paths = pathsIn(input);
  return {
    origin: 'agent',
    tool_name: payload.tool,
    tool_use_id: payload.toolUseId,
    command,
    file_paths: paths,
    identity: identityOf(payload, 'tool_use'),
    details: {
      ...toolDetails(name),
      ...('__tool_use_purpose' in input ? { purpose: input.__tool_use_purpose } : {}),
      ...candidatesFor(payload, 'tool_use', command, paths),
    },
  };
}

function toolDetails({ norm, role, delegate }: ToolName): JsonObject {
  return { tool_name_norm: norm, tool_role: role, ...(delegate === '' ? {} : { delegate, delegate_source: 'tool name' }) };
}

function* postRows(context: CaptureContext): Generator<Draft> {
  const { payload } = context;
  const name = toolNameOf(payload.tool);
  if (name.role === 'delegate-shell') {
    const text = typeof payload.response === 'string' ? payload.response : compact(payload.response ?? '');
    const details = { ...toolDetails(name), ...named('input', payload.input ?? {}) };
    const note = 'an empty call that follows a delegation; it names no agent and is no call of its own';
    const columns = { tool_name: payload.tool, tool_use_id: payload.toolUseId };
    yield context.row('log', `log: tool=${payload.tool}: ${text}`, { ...columns, details: { ...details, note } });
    return;
  }
  const text = argumentsText(payload);
  const pair = context.calls.take(payload, argumentsKey(text));
  if (pair === undefined && payload.tool !== '') yield inferredCall(context, name, text);
  yield resultRow(context, name, pair);
}

/** A call that only its result proves. Its time is not that of the result. */
function inferredCall(context: CaptureContext, name: ToolName, text: string): Draft {
  const input = context.payload.input ?? {};
  const columns = callColumns(context, name, input);
  return {
    ...context.row('tool_use', text, { ...columns, details: { ...columns.details, note: 'call inferred from its result' } }),
    time: undefined,
    problem: problems('no payload ahead of the call is in this capture', Object.keys(input).length === 0 && 'empty input'),
  };
}

function resultRow(context: CaptureContext, name: ToolName, pair: Pair | undefined): Draft {
  const { payload, time } = context;
  const input = payload.input ?? {};
  const empty = Object.keys(input).length === 0;
  const ownCommand = commandIn(name.role, input);
  // Arguments of a call that was found by order alone may be those of another one.
  const sure = pair !== undefined && pair.by !== 'order' ? pair.call : undefined;
  const command = ownCommand || (sure?.command ?? '');
  const { path, details, problem, ...columns } = resultColumns(payload, name, command || (pair?.call.command ?? ''));
  const paths = pathsIn(input);
  const resolved = resolvedPath(path, payload.cwd);
  const all = path === '' || paths.includes(path) || paths.includes(resolved) ? paths : [...paths, path];
  const elapsed = sure?.time !== undefined && time !== undefined ? time.ms - sure.time.ms : -1;
  return context.row('tool_result', columns.text, {
    ...columns,
    tool_name: payload.tool,
    tool_use_id: payload.toolUseId,
    command,
    eventCommand: command || (pair?.call.command ?? ''),
    file_paths: all,
    duration_ms: elapsed >= 0 ? elapsed : null,
    identity: identityOf(payload, 'tool_result'),
    problem: problems(
      problem,
      payload.tool === '' && 'the payload names no tool',
      payload.response === undefined && 'the payload holds no result',
      empty && name.role === 'shell' && 'empty input: the payload does not hold the command',
      empty &&
        path === '' &&
        (name.role === 'write' || name.role === 'edit') &&
        'empty input, and the result names no file that was written',
    ),
    details: {
      ...toolDetails(name),
      ...details,
      ...(empty ? {} : { input }),
      ...(path === '' ? {} : { file_path_source: 'result text' }),
      ...(resolved === '' ? {} : { resolved_path: resolved }),
      ...(pair ? { paired: pair.by, call: { ...pair.call.place, command: pair.call.command, file_paths: pair.call.paths } } : {}),
      ...(elapsed >= 0 ? { duration_source: 'times of the two captures' } : {}),
      ...candidatesFor(payload, 'tool_result', command, all),
    },
  });
}

function askedRow(context: CaptureContext): Draft {
  const { payload } = context;
  const name = toolNameOf(payload.tool);
  const input = payload.input ?? {};
  return context.row('permission', `permission asked: tool=${payload.tool}: ${compact(input)}`, {
    tool_name: payload.tool,
    tool_use_id: payload.toolUseId,
    command: commandIn(name.role, input),
    file_paths: pathsIn(input),
    decision: 'requested',
    details: { ...toolDetails(name), ...named('input', input) },
  });
}

function otherRow(context: CaptureContext): Draft {
  const { payload } = context;
  if (payload.event === '') {
    return context.row('session', 'session: prompt or stop event without text', {
      origin: 'unknown',
      problem: 'the payload names no event and holds no text: on Kiro IDE 0.12 a prompt and the end of a turn look so',
    });
  }
  return context.row('session', `session: hook event=${payload.event}`, { origin: 'automatic' });
}
