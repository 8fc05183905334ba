import { isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { pairs, problems } from '../json-store.js';
import type { Action, Execution } from './action.js';
import { callRows } from './action-call.js';
import { contentOf } from './content.js';
import type { Element } from './document.js';
import { between, details, instantOf, objectOf, rest, textOf, texts } from './fields.js';
import { answerIdentity } from './identity.js';

const HIDDEN = '...';

/** Rows of an action, by its kind. A kind that is not known is taken for a call. */
export function* actionRows(record: JsonObject, element: Element, execution: Execution): Generator<Draft> {
  const action = actionOf(record, element, execution);
  const { type, columns, output, details: extra } = action;
  if (type === 'say' || type === 'reasoning') yield messageRow(action);
  else if (type === 'displayError') {
    const message = textOf(record, 'errorMessage') || contentOf(objectOf(record, 'output')?.message ?? output).text;
    yield {
      row_type: 'log',
      text: `log: shown to the user as an error: ${message}`,
      origin: 'automatic',
      ...columns,
      details: whole(action),
    };
  } else if (type === 'intentClassification') {
    const intent = textOf(objectOf(record, 'intentResult'), 'classification');
    yield {
      row_type: 'session',
      text: `session: request classified${pairs({ intent })}`,
      origin: 'automatic',
      ...columns,
      details: whole(action),
    };
  } else if (type === 'model') {
    const took = between(columns.time, instantOf(record.endTime, 'completed_at'));
    yield {
      row_type: 'session',
      text: `session: model request${pairs({ state: action.state })}`,
      duration_ms: took,
      ...columns,
      details: whole(action),
    };
  } else if (type === 'taskStatus') {
    yield { row_type: 'session', text: `session: task status${pairs({ state: action.state })}`, ...columns, details: whole(action) };
  } else if (type === '' && action.input === undefined && output === undefined) {
    yield {
      row_type: 'session',
      text: 'session: action without a type',
      ...columns,
      details: { ...extra, record },
      problem: problems(columns.problem, 'not an action as this version knows them'),
    };
  } else yield* callRows(action);
}

function actionOf(record: JsonObject, { key, pointer, problem }: Element, execution: Execution): Action {
  const id = textOf(record, 'actionId');
  const { columns } = execution;
  const time = instantOf(record.emittedAt, 'message');
  const other = textOf(record, 'executionId');
  const session = textOf(record, 'chatSessionId');
  const state = textOf(record, 'actionState');
  return {
    record,
    type: textOf(record, 'actionType'),
    id,
    state,
    input: record.input,
    output: record.output,
    execution,
    columns: {
      ...columns,
      time,
      source_pointer: pointer,
      message_id: id,
      problem: problems(
        problem,
        time === undefined && 'no usable time is recorded',
        other !== '' && execution.id !== '' && other !== execution.id && `belongs to another execution: ${other}`,
        session !== '' && columns.session_id !== '' && session !== columns.session_id && `names another session: ${session}`,
      ),
      // The state is part of it: builds write an action again when its state changes.
      identity: id === '' ? undefined : `kiro-ide\u0000action\u0000${execution.id}\u0000${id}\u0000${state}\u0000${key}`,
    },
    details: details({
      execution_id: other || execution.id,
      action_type: record.actionType,
      action_state: record.actionState,
      action: rest(
        record,
        ...CARRIED,
        ...texts(record, 'executionId', 'actionId', 'chatSessionId', 'errorMessage'),
        ...(time === undefined ? [] : ['emittedAt']),
      ),
    }),
  };
}

const CARRIED = ['actionType', 'actionState', 'input', 'output', 'intentResult'];

/** Everything the action holds, for rows that show only a part of it as text. */
function whole({ record, details: extra }: Action): JsonObject {
  const { input, output, errorMessage, intentResult } = record;
  return details({ ...extra, input, output, errorMessage, intentResult });
}

function messageRow(action: Action): Draft {
  const { record, type, columns, output, execution } = action;
  const message = isObject(output) ? output.message : output;
  const { text, others } = contentOf(message);
  const hidden = type === 'reasoning' && text.trim() === HIDDEN;
  const error = textOf(record, 'errorMessage');
  return {
    row_type: type === 'say' ? 'assistant' : 'thinking',
    text,
    origin: 'agent',
    ...columns,
    ...(type === 'say' ? { identity: answerIdentity(execution.id) } : {}),
    problem: problems(columns.problem, hidden && 'the reasoning is not stored', text === '' && 'no text is stored'),
    details: details({
      ...action.details,
      input: record.input,
      output: isObject(output) ? rest(output, 'message') : undefined,
      content: others,
      error,
      intentResult: record.intentResult,
    }),
  };
}
