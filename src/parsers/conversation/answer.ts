import type { JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { fromEpochMs } from '../../rows/time.js';
import type { EntryRows } from './entry-context.js';
import { answerAuthor } from './origin.js';
import type { StoredMetadata } from './schema.js';
import { callColumns, calledName } from './tools.js';

/** Rows of the assistant side of an entry: its text, then its calls. The first of them carries the request's figures. */
export function* answerRows(context: EntryRows): Generator<Draft> {
  const { entry, pointer, answerTime } = context;
  const { assistant, metadata } = entry;
  const at = `${pointer}/${entry.steps.assistant}`;
  const origin = answerAuthor(entry, context.conversation.timesKept);
  const request = requestColumns(metadata);
  const names = namesByModel(metadata);
  // Calls that the request names but the message lacks.
  const lost = [...names].filter(([id]) => !assistant.toolUses.some((call) => call.id === id));
  if (lost.length > 0) request.details.tool_use_ids_and_names = lost;
  const ids = { message_id: assistant.messageId || metadata?.message_id || '', request_id: metadata?.request_id ?? '' };
  const model = origin === 'agent' ? context.model : '';
  const inherited =
    model !== '' && !metadata?.model_id ? { model_source: context.conversation.fallbackModel?.source ?? 'previous entry' } : {};
  let carrier: ReturnType<typeof requestColumns> | undefined = request;
  if (assistant.raw !== undefined) {
    yield context.row('error', `parser: unknown kind of assistant message: ${assistant.tag}`, at, {
      time: answerTime,
      ...ids,
      ...request,
      problem: 'unknown kind of assistant message',
      details: { ...request.details, raw: assistant.raw },
    });
    return;
  }
  if (assistant.content !== '' || assistant.toolUses.length === 0) {
    yield context.row('assistant', assistant.content, `${at}/${assistant.tag}/content`, {
      time: answerTime,
      origin,
      model,
      ...ids,
      ...request,
      details: { ...request.details, ...inherited },
    });
    carrier = undefined;
  }
  for (const [i, call] of assistant.toolUses.entries()) {
    const columns = callColumns(call);
    const name = calledName(call);
    context.conversation.toolNames.set(call.id, name);
    const given = names.get(call.id);
    const details = {
      ...columns.details,
      ...(given !== undefined && given !== name ? { name_by_model: given } : {}),
      ...(i === 0 ? inherited : {}),
    };
    yield context.row('tool_use', columns.text, `${at}/ToolUse/tool_uses/${i}`, {
      time: answerTime,
      origin: 'agent',
      model,
      tool_name: name,
      tool_use_id: call.id,
      command: columns.command,
      file_paths: columns.filePaths,
      problem: columns.problem,
      ...ids,
      ...carrier,
      details: carrier === undefined ? details : { ...carrier.details, ...details },
    });
    carrier = undefined;
  }
}

// time_between_chunks: thousands of timings per answer, listed as not carried.
const OWN_COLUMNS = new Set([
  'request_id',
  'message_id',
  'stream_end_timestamp_ms',
  'tool_use_ids_and_names',
  'model_id',
  'time_between_chunks',
]);

/** Figures of the request that gave this answer. Duration is from sending it to the end of the stream. */
function requestColumns(metadata: StoredMetadata | undefined): { duration_ms: number | null; details: JsonObject } {
  if (metadata === undefined) return { duration_ms: null, details: {} };
  const details: JsonObject = {};
  for (const key in metadata) {
    if (OWN_COLUMNS.has(key)) continue;
    const value = metadata[key];
    if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    details[key] = value;
  }
  const start = fromEpochMs(metadata.request_start_timestamp_ms, 'request_start');
  const end = fromEpochMs(metadata.stream_end_timestamp_ms, 'stream_end');
  // A number that is no time has no column.
  if (end === undefined && metadata.stream_end_timestamp_ms != null) details.stream_end_timestamp_ms = metadata.stream_end_timestamp_ms;
  const known = start !== undefined && end !== undefined && end.ms >= start.ms;
  return { duration_ms: known ? end.ms - start.ms : null, details };
}

/** Names as the model gave them; they are not rewritten when a tool list changes. */
function namesByModel(metadata: StoredMetadata | undefined): Map<string, string> {
  const names = new Map<string, string>();
  for (const pair of metadata?.tool_use_ids_and_names ?? []) {
    if (Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string') names.set(pair[0], pair[1]);
  }
  return names;
}
