import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { pairs, problems } from '../json-store.js';
import { messageRows } from './blocks.js';
import { type SessionColumns, sessionIdentity } from './context.js';
import { turnDecision } from './decisions.js';
import { filled, named } from './fields.js';
import { messageContext, messageHead } from './message.js';
import { durationMs, timeWindow } from './times.js';
import type { Turn } from './turn.js';

/** Rows of the finished turns: model and its changes, figures, errors, and what only this file still holds of them. */
export function* turnRows(turns: readonly Turn[], session: SessionColumns, held: ReadonlySet<string>, journal: boolean): Generator<Draft> {
  const toolNames = new Map<string, string>();
  let before: Turn | undefined;
  let model = '';
  for (const turn of turns) {
    if (turn.model !== '' && turn.model !== model) {
      yield modelRow(turn, model, before, session);
      model = turn.model;
    }
    yield* answerRows(turn, session, held, journal, toolNames);
    if (!turn.ids.some((id) => held.has(id))) yield* turnDecision(turn, [], session);
    yield usageRow(turn, session);
    const failure = turn.stored.result;
    if (isObject(failure) && failure.Err !== undefined && failure.Err !== null) yield errorRow(turn, failure.Err, session);
    before = turn;
  }
  const listed = turns.flatMap(({ ids }) => ids);
  if (!journal && listed.length > 0) yield missingJournal(listed, session);
}

function modelRow(turn: Turn, old: string, before: Turn | undefined, session: SessionColumns): Draft {
  return {
    row_type: 'model',
    text: old === '' ? `model: ${turn.model}` : `model: ${old} -> ${turn.model}`,
    model: turn.model,
    ...session,
    identity: sessionIdentity(session.session_id, 'model', turn.ids.at(-1) ?? '', 0),
    source_pointer: `${turn.pointer}/model`,
    // The model was chosen at some time between the two; neither is the time of the choice.
    details: timeWindow(before?.end, turn.end),
  };
}

/** The copy of the final answer, where no journal holds it. */
function* answerRows(
  turn: Turn,
  session: SessionColumns,
  held: ReadonlySet<string>,
  journal: boolean,
  toolNames: Map<string, string>,
): Generator<Draft> {
  const { answer } = turn;
  if (answer === undefined || (answer.id !== '' && held.has(answer.id))) return;
  const head = messageHead(answer.stored);
  const context = messageContext(
    head,
    session,
    `${turn.pointer}/result/Ok`,
    {},
    {
      time: answer.time,
      model: turn.model,
      rank: 1,
      toolNames,
      marks: {
        ...(turn.model ? { model_source: 'turn of the session file' } : {}),
        ...(answer.time ? {} : timeWindow(undefined, turn.end)),
      },
      problem: problems(head.problem, journal ? 'the journal does not hold this message' : 'journal is missing'),
    },
  );
  yield* messageRows(context, { kind: 'assistant', content: head.content, results: head.results });
}

function usageRow(turn: Turn, session: SessionColumns): Draft {
  const { message_ids, result, model, end_timestamp, metering_usage, turn_duration, end_reason, context_usage_percentage, ...rest } =
    turn.stored;
  const credits = creditsOf(metering_usage);
  const duration = durationMs(turn_duration);
  const shown = {
    ...credits.sums,
    context_usage: context_usage_percentage,
    duration_ms: duration,
    end_reason,
    model,
    messages: Array.isArray(message_ids) ? message_ids.length : undefined,
  };
  return {
    row_type: 'usage',
    text: `usage:${pairs(shown)}`,
    time: turn.end,
    ...session,
    model: turn.model,
    duration_ms: duration,
    source_pointer: turn.pointer,
    identity: sessionIdentity(session.session_id, 'usage', turn.ids.at(-1) ?? '', 0),
    problem: problems(turn.problem, !turn.end && 'the turn holds no end time that can be read'),
    details: {
      ...filled({ metering_usage, context_usage_percentage }),
      ...(duration === null ? filled({ turn_duration }) : {}),
      ...(turn.end ? {} : filled({ end_timestamp })),
      ...oddIds(message_ids),
      ...resultRest(result),
      ...named('turn', rest),
    },
  };
}

/** Entries of the id list that are no ids. */
function oddIds(list: unknown): JsonObject {
  if (!Array.isArray(list)) return filled({ message_ids: list });
  return filled({ message_ids: list.filter((id) => typeof id !== 'string' && id !== null) });
}

/** What `result` holds besides the answer and the error. */
function resultRest(result: unknown): JsonObject {
  if (!isObject(result)) return filled({ result });
  const { Ok, Err, ...rest } = result;
  return named('result', { ...rest, ...(isObject(Ok) ? {} : { Ok }) });
}

/** Credits of a turn by unit; several entries add up. Sums are rounded to nine places: binary fractions add up badly. */
function creditsOf(list: unknown): { readonly sums: Record<string, number> } {
  const sums = new Map<string, number>();
  for (const entry of Array.isArray(list) ? list : []) {
    if (!isObject(entry) || typeof entry.value !== 'number') continue;
    const unit = [entry.unitPlural, entry.unit].find((name) => typeof name === 'string' && /^\w{1,40}$/.test(name)) ?? 'amount';
    sums.set(String(unit), (sums.get(String(unit)) ?? 0) + entry.value);
  }
  return { sums: Object.fromEntries([...sums].map(([unit, sum]) => [unit, Number(sum.toFixed(9))])) };
}

/** A turn that ended in an error of the service or the stream. */
function errorRow(turn: Turn, failure: unknown, session: SessionColumns): Draft {
  const [kind, inner] = isObject(failure) ? (Object.entries(failure)[0] ?? []) : [undefined, undefined];
  const facts = isObject(inner) ? inner : {};
  const request = typeof facts.original_request_id === 'string' ? facts.original_request_id : '';
  const shown = pairs({ kind, status: facts.original_status_code });
  const message = typeof facts.original_message === 'string' ? facts.original_message : compact(failure);
  return {
    row_type: 'session',
    text: `session: turn ended in an error${shown}: ${message}`,
    time: turn.end,
    ...session,
    request_id: request,
    model: turn.model,
    source_pointer: `${turn.pointer}/result/Err`,
    identity: sessionIdentity(session.session_id, 'session', turn.ids.at(-1) ?? '', 'error'),
    details: { error: failure },
  };
}

function missingJournal(ids: readonly string[], session: SessionColumns): Draft {
  return {
    row_type: 'gap',
    text: `gap: journal of the session is missing messages=${ids.length}`,
    ...session,
    source_pointer: '/session_state/conversation_metadata/user_turn_metadatas',
    problem: 'the session file lists messages of a journal that is not beside it',
    details: { message_ids: ids },
  };
}
