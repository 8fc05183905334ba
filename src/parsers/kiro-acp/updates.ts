import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { callColumns } from '../conversation/tools.js';
import { filled, named } from '../kiro-v2/fields.js';
import { resultColumns } from '../kiro-v2/results.js';
import { contentOf } from './content.js';
import { textOf } from './frame.js';

/** Rows of a call and of what became of it; other updates give none. */
export function updateRow(update: JsonObject): Draft | undefined {
  if (update.sessionUpdate === 'tool_call') return callRow(update);
  const ended = update.status === 'completed' || update.status === 'failed';
  return update.sessionUpdate === 'tool_call_update' && ended ? resultRow(update) : undefined;
}

function callRow(update: JsonObject): Draft {
  const { sessionUpdate, toolCallId, rawInput, content, ...rest } = update;
  const input = isObject(rawInput) ? withoutPurpose(rawInput) : { args: rawInput, purpose: undefined };
  const columns = callColumns({ id: textOf(toolCallId), name: toolNameOf(update), args: input.args, orig_args: undefined });
  const shown = contentOf(content);
  return {
    row_type: 'tool_use',
    text: columns.text || textOf(update.title),
    origin: 'agent',
    tool_name: toolNameOf(update),
    tool_use_id: textOf(toolCallId),
    command: columns.command || (update.kind === 'execute' && isObject(rawInput) ? textOf(rawInput.command) : ''),
    file_paths: [...new Set([...columns.filePaths, ...locations(update)])],
    problem: columns.problem,
    details: { ...filled({ purpose: input.purpose, content_text: shown.text || undefined }), ...shown.details, ...named('call', rest) },
  };
}

function withoutPurpose({ __tool_use_purpose: purpose, ...args }: JsonObject): { args: unknown; purpose: unknown } {
  return { args, purpose };
}

/** The protocol has a title for people and a kind; the name of the tool is given only by some builds. */
function toolNameOf(update: JsonObject): string {
  const meta = isObject(update._meta) ? update._meta : {};
  const kiro = isObject(meta.kiro) ? meta.kiro : {};
  return textOf(update.toolName) || textOf(update.name) || textOf(kiro.toolName) || textOf(kiro.toolId);
}

function locations(update: JsonObject): string[] {
  const list: unknown[] = Array.isArray(update.locations) ? update.locations : [];
  return list.flatMap((place) => (isObject(place) && typeof place.path === 'string' ? [place.path] : []));
}

function resultRow(update: JsonObject): Draft {
  const { sessionUpdate, toolCallId, status, content, rawOutput, ...rest } = update;
  const outcome = status === 'failed' ? 'Error' : 'Success';
  const given = rawOutput === undefined || rawOutput === null ? {} : { [outcome]: rawOutput };
  const { toolName, cancelled, details, ...columns } = resultColumns(
    { status: status === 'failed' ? 'error' : 'success' },
    { result: given },
  );
  const shown = contentOf(content);
  const differs = shown.text !== '' && columns.text !== '' && columns.text !== shown.text;
  return {
    row_type: 'tool_result',
    ...columns,
    text: shown.text || columns.text,
    tool_name: toolNameOf(update),
    tool_use_id: textOf(toolCallId),
    details: { ...details, ...(differs ? { raw_output: compact(rawOutput) } : {}), ...shown.details, ...named('update', rest) },
  };
}
