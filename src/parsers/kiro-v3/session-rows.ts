import { compact, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { pairs, problems } from '../json-store.js';
import { contentText } from './attachments.js';
import { abandonedRows } from './permission-rows.js';
import type { RecordRows } from './record-rows.js';
import { readPayload, textOf } from './schema.js';
import { attached } from './user-rows.js';

// Records of the course of a session: turns, events, modes, reverts, notes. Each is one `session` row.

export function* turnStartRows({ record, row }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('turn_start', record.payload);
  yield row('session', `session: turn started${pairs({ id: fields.executionId })}`, '/payload', { problem, details: carried(rest) });
}

export function* turnEndRows(context: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('turn_end', context.record.payload);
  const { refusal } = fields.stopDetails ?? {};
  const explanation = textOf(refusal, 'explanation');
  const shown = pairs({ reason: fields.stopReason, refusal: textOf(refusal, 'category'), id: fields.executionId });
  const text = `session: turn ended${shown}${explanation === '' ? '' : `: ${explanation}`}`;
  yield context.row('session', text, '/payload', { problem, details: carried(rest) });
  yield* abandonedRows(context);
}

export function* eventRows({ record, row }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('session_event', record.payload);
  const shown = pairs({ event: fields.category, status: textOf(fields.context, 'status'), turn: textOf(fields.context, 'executionId') });
  yield row('session', `session:${shown}`, '/payload', { problem, details: carried(rest) });
}

/**
 * Written last in the first turn: mostly the system prompt, by one reading of the engine the first prompt. It is never taken
 * for a prompt here; where the log holds none ahead of the end of the turn, the row says so.
 */
export function* startRows({ record, row, log }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('session_start', record.payload);
  const { text, others } = contentText(record.payload.content);
  const shown = pairs({ agent_type: fields.agentType, forced_role: fields.forcedRole });
  yield row('session', `session: started${shown}${text === '' ? '' : `: ${text}`}`, '/payload/content', {
    problem: problems(problem, !log.survey.promptAhead && 'the log holds no prompt of the first turn: this text may be it'),
    details: {
      payload: rest('type', 'content', 'agentType', 'forcedRole', 'images', 'documents'),
      ...(others.length > 0 ? { content: others } : {}),
      ...attached(fields),
    },
  });
}

export function* modeRows({ record, row }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('mode_change', record.payload);
  const shown = pairs({ from: fields.fromMode, to: fields.toMode });
  const text = `session: mode changed${shown}${fields.reason ? `: ${fields.reason}` : ''}`;
  yield row('session', text, '/payload', { problem, details: carried(rest) });
}

/** Nothing a tombstone takes out is dropped: its rows are marked. It is no proof that the person asked for it. */
export function* tombstoneRows({ record, row, index, log }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('tombstone', record.payload);
  const removed = log.survey.tombstones.removedBy(index);
  const shown = pairs({ kind: fields.kind, from: fields.effectiveFromMessageId, records: removed });
  yield row('session', `session: tombstone${shown}`, '/payload', {
    problem: problems(
      problem,
      removed === undefined && 'the record it names is not in the log, or was taken out before: nothing is taken out',
    ),
    details: carried(rest),
  });
}

export function* toolRevertRows({ record, row, log }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('tool_revert', record.payload);
  const call = fields.toolCallId ?? '';
  const tool_name = log.survey.tools.get(call) ?? '';
  yield row('session', `session: changes of a call taken back${pairs({ tool: tool_name, call })}`, '/payload', {
    tool_name,
    tool_use_id: call,
    problem,
    details: carried(rest),
  });
}

export function* errorRows({ record, row }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('error', record.payload);
  const text = `session: error${pairs({ code: fields.code })}${fields.message ? `: ${fields.message}` : ''}`;
  yield row('session', text, '/payload', { problem, details: carried(rest) });
}

/** `system` and `agent_note`: texts of the engine, never seen in a real log. */
export function* noteRows({ record, row }: RecordRows): Generator<Draft> {
  const { rest } = readPayload('system', record.payload);
  const { text, others } = contentText(record.payload.content);
  yield row('session', `session: ${record.type}${text === '' ? '' : `: ${text}`}`, '/payload/content', {
    details: { payload: rest('type', 'content'), ...(others.length > 0 ? { content: others } : {}) },
  });
}

export function* metadataRows({ record, row }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('session_metadata', record.payload);
  const { key, value } = fields;
  if (key === 'contextUsage') {
    const percentage = typeof value === 'object' && value !== null && 'usagePercentage' in value ? value.usagePercentage : value;
    yield row('usage', `usage: context${pairs({ percentage })}`, '/payload/value', { problem, details: carried(rest) });
    return;
  }
  const text = key === 'displayError' ? textOf(value, 'message') : key === 'recap' ? textOf(value, 'text') : '';
  const head =
    key === 'displayError'
      ? `error shown${pairs({ kind: textOf(value, 'errorType') })}`
      : key === 'recap'
        ? 'recap'
        : `metadata${pairs({ key })}`;
  const shown = text === '' ? compact(value) : text;
  yield row('session', `session: ${head}${shown === '' ? '' : `: ${shown}`}`, '/payload/value', { problem, details: carried(rest) });
}

/** What a turn cost. The sum of a turn stands once, at its end. */
export function* usageRows({ record, row }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('usage_summary', record.payload);
  const parts = (fields.promptTurnSummaries ?? []).map((part) => pairs({ unit: textOf(part, 'unit'), usage: numberOf(part, 'usage') }));
  const { elapsedTime } = fields;
  const whole = typeof elapsedTime === 'number' && Number.isSafeInteger(elapsedTime) && elapsedTime >= 0;
  const requests = (fields.requestIds ?? []).filter((id) => typeof id === 'string');
  yield row('usage', `usage:${pairs({ status: fields.status })}${parts.join('')}`, '/payload', {
    duration_ms: whole ? elapsedTime : null,
    request_id: requests.length === 1 ? (requests[0] ?? '') : '',
    problem,
    details: carried(rest),
  });
}

function numberOf(holder: unknown, key: string): number | undefined {
  const found = Object.entries(typeof holder === 'object' && holder !== null ? holder : {}).find(([name]) => name === key)?.[1];
  return typeof found === 'number' ? found : undefined;
}

/** Everything the record holds: these records are small, and their texts are only a view of them. */
function carried(rest: (...carried: string[]) => JsonObject): JsonObject {
  return { payload: rest('type') };
}
