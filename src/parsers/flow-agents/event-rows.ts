import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import type { RowType } from '../../rows/row-types.js';
import { loggedCommand } from '../hook-capture/corroboration.js';
import { commandIn, pathsIn, toolNameOf } from '../hook-capture/tool-names.js';
import { pairs, problems } from '../json-store.js';
import { type FlowEvent, type Said, textOf } from './event.js';
import { resultFields } from './result-fields.js';

/** Rows of one event: one, and the last message of the assistant where an event holds a new one. */
export function* eventRows(event: FlowEvent, said: Said, line: number): Generator<Draft> {
  const message = textOf(event.hook.last_assistant_message);
  const before = said.get(event.session);
  const repeated = message !== '' && before?.text === message;
  const main = mainRow(event);
  const marks = repeated ? { last_assistant_message: `as on line ${before.line}` } : {};
  if (message !== '' && !repeated) {
    said.set(event.session, { text: message, line });
    const text = { event: event.type, note: 'last message of the assistant, as the event at the end of the turn holds it' };
    yield row(event, 'assistant', message, { origin: 'agent', source_pointer: '/hook/last_assistant_message', details: text });
  }
  const { hook } = event.rest;
  const { last_assistant_message: _, ...others } = isObject(hook) ? hook : {};
  const rest = message === '' ? event.rest : { ...event.rest, hook: others };
  yield { ...main, details: { event: event.type, ...marks, ...main.details, record: trimmed(rest, event) } };
}

/** Texts that a column holds are not given twice. */
function trimmed(rest: JsonObject, { type }: FlowEvent): JsonObject {
  const { tool, turn, ...others } = rest;
  const slim: JsonObject = { ...others };
  if (isObject(tool)) {
    const { input, output, ...facts } = tool;
    const kept = type === 'tool.result' ? { input } : type === 'tool.invoke' ? { output } : { input, output };
    slim.tool = { ...facts, ...kept };
  } else if (tool !== undefined) slim.tool = tool;
  if (isObject(turn) && type === 'turn.user') {
    const { prompt_text: _, ...facts } = turn;
    slim.turn = typeof turn.prompt_text === 'string' ? facts : turn;
  } else if (turn !== undefined) slim.turn = turn;
  return slim;
}

function row(event: FlowEvent, row_type: RowType, text: string, columns: Omit<Draft, 'row_type' | 'text'> = {}): Draft {
  return {
    row_type,
    text,
    time: event.time,
    session_id: event.session,
    project_path: event.cwd,
    message_id: event.id,
    model: event.model,
    identity: event.id === '' ? undefined : `flow-agents\u0000${row_type}\u0000${event.id}\u0000${event.time?.original ?? ''}`,
    ...columns,
    problem: problems(columns.problem, event.problem),
  };
}

function mainRow(event: FlowEvent): Draft {
  const { type, record } = event;
  const agent = isObject(record.agent) ? { agent: record.agent.name, runtime: record.agent.runtime } : {};
  switch (type) {
    case 'session.start':
      return row(event, 'session', `session: start${pairs({ ...agent, model: event.model })}`, { origin: 'automatic' });
    case 'session.end': {
      const seconds = isObject(record.session) ? record.session.duration_s : undefined;
      const ms = typeof seconds === 'number' ? Math.round(seconds * 1000) : -1;
      const duration = Number.isSafeInteger(ms) && ms >= 0 ? ms : null;
      return row(event, 'session', `session: end${pairs({ ...agent, duration_s: seconds })}`, {
        origin: 'automatic',
        duration_ms: duration,
      });
    }
    case 'turn.user':
      return promptRow(event);
    case 'tool.invoke':
      return toolName(event) === '' ? noToolRow(event) : callRow(event);
    case 'tool.result':
      return toolName(event) === '' ? noToolRow(event) : resultRow(event);
    case 'tool.permission_request':
      return askedRow(event);
    case 'agent.delegate':
      return delegateRow(event);
    case 'session.usage':
      return usageRow(event);
    case 'workflow.outcome': {
      const outcome = isObject(record.workflow_outcome) ? record.workflow_outcome : {};
      const shown = pairs({ process_status: outcome.process_status, quality_status: outcome.quality_status });
      return row(event, 'session', `session: workflow outcome${shown}`, { origin: 'automatic' });
    }
    default:
      return row(event, 'session', `session: event type=${type === '' ? 'not recorded' : type}`, { origin: 'automatic' });
  }
}

const toolName = ({ tool }: FlowEvent) => textOf(tool.name);

/** Redaction writes the paths it clears into any record, so that an object `tool` proves no call. */
function noToolRow(event: FlowEvent): Draft {
  return row(event, 'session', `session: event type=${event.type}`, {
    origin: 'automatic',
    problem: 'the event names no tool: no call is proved',
  });
}

function promptRow(event: FlowEvent): Draft {
  const { turn } = event;
  const text = textOf(turn.prompt_text);
  const missing = text === '' ? 'the text of the prompt was not kept' : '';
  return row(event, 'prompt', text, { origin: 'unknown', problem: missing });
}

function toolColumns(event: FlowEvent): Omit<Draft, 'row_type' | 'text'> {
  const { tool } = event;
  const name = toolName(event);
  const input = isObject(tool.input) ? tool.input : {};
  const command = commandIn(toolNameOf(name).role, input) || textOf(tool.command);
  return { tool_name: name, command, file_paths: pathsIn(input), details: candidates(event, name, command) };
}

/** An event holds no id of the call: where else to look for it is named, and no row is taken for its copy. */
function candidates({ hook, type }: FlowEvent, tool_name: string, command: string): JsonObject {
  const session_id = textOf(hook.runtime_session_id);
  const row_type = type === 'tool.result' ? 'tool_result' : 'tool_use';
  const found: JsonObject[] = [];
  if (session_id !== '') found.push({ in: 'session', row_type, session_id, tool_name, ...(command === '' ? {} : { command }) });
  if (command !== '') found.push({ in: 'flow-agents-command-log', row_type: 'tool_result', command: loggedCommand(command) });
  return found.length === 0 ? {} : { corroborates: found };
}

const USAGE_NOTE = { usage_note: 'of the whole turn: each call of the turn repeats it' };

function callRow(event: FlowEvent): Draft {
  const { input } = event.tool;
  const known = input !== undefined && input !== null;
  const columns = toolColumns(event);
  return row(event, 'tool_use', known ? compact(input) : '', {
    ...columns,
    origin: 'agent',
    problem: known ? '' : 'the arguments of the call were not kept',
    details: { ...columns.details, ...(Object.keys(event.usage).length > 0 ? USAGE_NOTE : {}) },
  });
}

function resultRow(event: FlowEvent): Draft {
  const { output } = event.tool;
  const known = output !== undefined && output !== null;
  const columns = toolColumns(event);
  const { problem, ...fields } = resultFields(event.tool);
  return row(event, 'tool_result', known ? compact(output) : '', {
    ...columns,
    ...fields,
    problem: problems(!known && 'the output was not kept', event.record.timed_out === true && 'recorded as timed out', problem),
    details: { ...columns.details, ...(Object.keys(event.usage).length > 0 ? USAGE_NOTE : {}) },
  });
}

function askedRow(event: FlowEvent): Draft {
  const { permission } = event.record;
  const description = isObject(permission) ? textOf(permission.description) : '';
  const columns = toolColumns(event);
  return row(event, 'permission', `permission asked:${pairs({ tool: columns.tool_name })}: ${description}`, {
    ...columns,
    decision: 'requested',
  });
}

function delegateRow(event: FlowEvent): Draft {
  const { delegation } = event.record;
  const targets = isObject(delegation) ? delegation.targets : undefined;
  return row(event, 'tool_use', targets === undefined || targets === null ? '' : compact(targets), {
    origin: 'agent',
    tool_name: 'subagent',
  });
}

const FIGURES = [
  'duration_s',
  'tool_invocations',
  'delegations',
  'input_tokens',
  'output_tokens',
  'estimated_cost_usd',
  'semantics',
  'scope',
];

function usageRow(event: FlowEvent): Draft {
  const figures = Object.fromEntries(FIGURES.map((key) => [key, event.usage[key]]));
  return row(event, 'usage', `usage:${pairs({ model: event.model, ...figures })}`, { origin: 'automatic' });
}
