import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { problems } from '../json-store.js';
import { contentOf } from './content.js';
import { details, listOf, objectOf, rest, textOf, texts } from './fields.js';
import { answerIdentity, promptIdentity } from './identity.js';
import { contextItemRow, promptRows, uncalledRows } from './message-rows.js';
import { isPlaceholder } from './prompt-text.js';

/** One entry of `history` in a workspace session. */
export interface HistoryItem {
  readonly item: JsonObject;
  readonly index: number;
  readonly pointer: string;
  readonly problem: string;
  /** Execution that the entry belongs to: a prompt has it from the answer behind it. */
  readonly execution: string;
  readonly columns: Pick<Draft, 'session_id' | 'project_path'>;
}

/** Rows of an entry: the prompt with what was sent along with it, or the answer, or a note on where the answer must stand. */
export function* historyRows(entry: HistoryItem): Generator<Draft> {
  const { item, pointer, columns, execution } = entry;
  const message = objectOf(item, 'message') ?? {};
  const role = textOf(message, 'role');
  const id = textOf(message, 'id');
  const content = contentOf(message.content);
  const extra = details({
    history_index: entry.index,
    execution_id: execution,
    message: rest(message, ...texts(message, 'role', 'id'), 'content'),
    item: rest(item, ...known(item)),
    content: content.others,
    execution_logs: content.executions,
  });
  const place = { ...columns, message_id: id, source_pointer: step(pointer, 'message') };
  if (role === 'user') {
    yield* promptRows(content.text, {
      ...place,
      origin: 'typed',
      rank: 1,
      problem: entry.problem,
      details: extra,
      identity: promptIdentity(execution),
    });
  } else if (role === 'assistant') yield* answerRows(entry, content.text, { ...place, details: extra });
  else yield otherRow(entry, { ...place, details: details({ ...extra, role, text: content.text }) });
  yield* uncalledRows(content.calls, { ...columns, message_id: id, source_pointer: `${pointer}/message/content` });
  for (const [i, context] of listOf(item, 'contextItems').entries()) {
    yield { ...contextItemRow(context, step(`${pointer}/contextItems`, i)), ...columns, message_id: id };
  }
  yield* promptLogRows(entry, content.text, id);
}

/** Members that rows of their own are made of, as far as they have the expected type. */
function known(item: JsonObject): string[] {
  const logs = Array.isArray(item.promptLogs) || isObject(item.promptLogs) ? ['promptLogs'] : [];
  return [
    ...texts(item, 'executionId'),
    ...(isObject(item.message) ? ['message'] : []),
    ...(Array.isArray(item.contextItems) ? ['contextItems'] : []),
    ...logs,
  ];
}

/** The answer itself; for the placeholder a row that says where it stands, so that it is never taken for what was said. */
function* answerRows(entry: HistoryItem, text: string, place: Partial<Draft>): Generator<Draft> {
  const { execution, problem, columns } = entry;
  if (!isPlaceholder(text) && text !== '') {
    yield {
      row_type: 'assistant',
      text,
      origin: 'agent',
      rank: 1,
      identity: answerIdentity(execution),
      ...place,
      problem,
    };
    return;
  }
  const stored = text === '' ? 'no text is stored' : `placeholder ${JSON.stringify(text.trim())} is stored`;
  if (execution === '') {
    const why = 'no execution is named: the answer may stand in an execution log of this session';
    yield { row_type: 'gap', text: `gap: answer not in the session file: ${stored}`, ...place, problem: problems(problem, why) };
    return;
  }
  yield {
    row_type: 'session',
    text: `session: answer left to the execution log execution=${execution}: ${stored}`,
    origin: 'automatic',
    ...place,
    problem,
  };
}

function otherRow({ execution, problem }: HistoryItem, place: Partial<Draft>): Draft {
  const role = isObject(place.details) && typeof place.details.role === 'string' ? place.details.role : '';
  const what = role === '' ? 'entry without a message' : `entry of the role ${JSON.stringify(role).slice(0, 80)}`;
  return {
    row_type: 'session',
    text: `session: ${what}${execution === '' ? '' : ` execution=${execution}`}`,
    ...place,
    problem: problems(problem, role !== '' && 'this role is not known'),
  };
}

/** What was sent to the model and what came back, as far as a build kept it. It can be the only copy of an answer. */
function* promptLogRows({ item, pointer, columns, execution, index }: HistoryItem, own: string, id: string): Generator<Draft> {
  const stored = item.promptLogs;
  const logs: unknown[] = Array.isArray(stored) ? stored : isObject(stored) ? [stored] : [];
  for (const [i, log] of logs.entries()) {
    const at = Array.isArray(stored) ? step(`${pointer}/promptLogs`, i) : `${pointer}/promptLogs`;
    const place = { ...columns, message_id: id, model: textOf(log, 'model') };
    const known = { history_index: index, execution_id: execution };
    if (!isObject(log)) {
      yield { row_type: 'context', text: compact(log), ...place, source_pointer: at, origin: 'automatic', details: details(known) };
      continue;
    }
    const extra = details({ ...known, prompt_log: rest(log, 'prompt', 'completion') });
    const { prompt, completion } = log;
    if (prompt !== undefined && prompt !== null && prompt !== '') {
      yield {
        row_type: 'context',
        text: compact(prompt),
        origin: 'automatic',
        ...place,
        source_pointer: `${at}/prompt`,
        details: { ...extra, note: 'text as sent to the model' },
      };
    }
    if (typeof completion === 'string' && completion !== '' && completion !== own) {
      yield {
        row_type: 'assistant',
        text: completion,
        origin: 'agent',
        rank: 2,
        identity: answerIdentity(execution),
        ...place,
        source_pointer: `${at}/completion`,
        details: { ...extra, note: 'text as it came from the model' },
      };
    } else if (typeof completion !== 'string' || prompt === undefined || prompt === '') {
      yield { row_type: 'context', text: compact(log), origin: 'automatic', ...place, source_pointer: at, details: extra };
    }
  }
}
