import { isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import type { Row } from '../../rows/row.js';
import { pairs, problems } from '../json-store.js';
import { type Question, type Ruling, rulingOf } from './approvals.js';
import type { RecordRows } from './record-rows.js';
import { type Fields, kiroMeta, readPayload, textOf } from './schema.js';

/** A question: for permission, one row for each call it decides on; a question of the agent to the person is none. */
export function* questionRows(context: RecordRows): Generator<Draft> {
  const { record, row, index, log } = context;
  const { fields, problem, rest } = readPayload('pending_interaction', record.payload);
  const asked = log.survey.approvals.askedAt(index);
  const text = fields.question ? `: ${fields.question}` : '';
  const details = { payload: rest('type', 'toolCallId', 'question') };
  if (asked === undefined || asked.type === 'user_input') {
    yield row('session', `session: question of the agent${text}`, '/payload', { tool_use_id: fields.toolCallId ?? '', problem, details });
    return;
  }
  const open = !asked.answered && !asked.abandoned;
  for (const call of asked.calls) {
    const tool_name = log.survey.tools.get(call) ?? '';
    yield row('permission', `permission decision: requested${pairs({ tool: tool_name })}${text}`, '/payload', {
      tool_name,
      tool_use_id: call,
      decision: 'requested',
      problem: problems(
        problem,
        open && 'neither an answer nor the end of the turn is recorded',
        asked.type === '' && 'what kind of question it is, is not recorded',
      ),
      details: { ...details, ...(call === asked.id ? {} : { approval_id: asked.id }) },
    });
  }
}

/** An answer, joined with its question. One without a question is kept, and says so. */
export function* answerRows(context: RecordRows): Generator<Draft> {
  const { record, row, index, log } = context;
  const { fields, problem, rest } = readPayload('interaction_resolved', record.payload);
  const asked = log.survey.approvals.answeredAt(index);
  const id = fields.toolCallId ?? '';
  const details = { payload: rest('type', 'toolCallId') };
  if (asked?.type === 'user_input' || (asked === undefined && fields.outcome === 'answered')) {
    const answer = typeof fields.selectedOption === 'string' ? fields.selectedOption : textOf(fields.selectedOption, 'title');
    const text = `session: answer to the agent${pairs({ outcome: fields.outcome })}${answer === '' ? '' : `: ${answer}`}`;
    yield row('session', text, '/payload', { tool_use_id: id, problem: problems(problem, !asked && NO_QUESTION), details });
    return;
  }
  const ruling = rulingOf(record.payload, asked);
  for (const call of asked?.calls ?? [id]) {
    yield rulingRow(context, ruling, call, {
      problem: problems(
        problem,
        !asked && NO_QUESTION,
        asked?.abandoned && 'answered after the end of its turn',
        ruling.decision === 'unknown' && 'what was decided is not clear',
        ruling.always && ruling.decision !== 'unknown' && 'a standing rule was asked for with it',
      ),
      details: { ...details, ...(call === id ? {} : { approval_id: id }), ...(ruling.always ? { scope: 'always' } : {}) },
    });
  }
}

const NO_QUESTION = 'its question is not in the log';

/** Questions that the end of a turn left without an answer: the turn was cancelled or the program was killed. */
export function* abandonedRows(context: RecordRows): Generator<Draft> {
  const { index, log } = context;
  for (const question of log.survey.approvals.abandonedAt(index)) {
    if (question.type === 'user_input') continue;
    for (const call of question.calls)
      yield rulingRow(context, { decision: 'abandoned', by: '', always: false }, call, ofQuestion(question, call));
  }
}

function ofQuestion(question: Question, call: string): { details: JsonObject } {
  return { details: call === question.id ? {} : { approval_id: question.id } };
}

/** Whether the call ran, as far as the ruling tells. */
const EXECUTION = new Map<Row['decision'], string>([
  ['denied', 'no'],
  ['cancelled', 'unknown'],
  ['abandoned', 'unknown'],
]);

function rulingRow(context: RecordRows, ruling: Ruling, call: string, columns: { problem?: string; details: JsonObject }): Draft {
  const tool_name = context.log.survey.tools.get(call) ?? '';
  const by = { by: ruling.by, tool: tool_name };
  const execution = EXECUTION.get(ruling.decision);
  return context.row('permission', `permission decision: ${ruling.decision}${pairs(by)}`, '/payload', {
    tool_name,
    tool_use_id: call,
    decision: ruling.decision,
    decided_by: ruling.by,
    ...columns,
    details: { ...columns.details, ...(execution === undefined ? {} : { execution }) },
  });
}

export interface CallPermission {
  /** How the call came to run, as far as this log tells. */
  readonly details: JsonObject;
  /** Called behind the row of the call. */
  readonly row?: () => Draft;
}

/** States of a call that ran; one that failed may have been refused for its arguments. */
const RAN = new Set(['executing', 'running', 'completed']);

/** What the record of a call says of permission, where no question and answer say it. */
export function callPermission(context: RecordRows, fields: Fields<'tool_call'>): CallPermission {
  const { approvals, complete } = context.log.survey;
  const call = fields.toolCallId ?? '';
  const status = fields.status ?? '';
  const ruling = approvals.rulingOn(call);
  const asked = approvals.wasAsked(call);
  const { policyDenial } = kiroMeta(fields._meta);
  if (isObject(policyDenial)) return { details: {}, row: () => policyRow(context, fields, policyDenial) };
  if (ruling !== undefined) return { details: { approval: `answered: ${ruling.decision}` } };
  const unanswered = asked ? 'asked for, but no answer is recorded' : '';
  if (status === 'denied')
    return { details: {}, row: () => statusRow(context, fields, 'denied', asked ? 'unknown' : 'policy', unanswered) };
  if (status === 'approved') {
    return { details: {}, row: () => statusRow(context, fields, 'approved', 'unknown', unanswered || 'no question is recorded') };
  }
  // A sub-agent's questions are in the log of its parent; a damaged log may have lost one.
  const whole = complete && context.log.subSession === '' && context.log.begun && context.log.convertedFrom === undefined;
  const silent = !asked && whole && !approvals.isVague();
  return { details: silent && RAN.has(status) ? { approval: 'ran without being asked for' } : {} };
}

function policyRow(context: RecordRows, fields: Fields<'tool_call'>, denial: JsonObject): Draft {
  const { capability, resource } = denial;
  const shown = pairs({ by: 'policy', tool: fields.toolName, capability, resource });
  return context.row('permission', `permission decision: denied${shown}`, '/payload/_meta/kiro/policyDenial', {
    tool_name: fields.toolName ?? '',
    tool_use_id: fields.toolCallId ?? '',
    decision: 'denied',
    decided_by: 'policy',
    details: { policy_denial: denial, execution: 'no' },
  });
}

function statusRow(context: RecordRows, fields: Fields<'tool_call'>, decision: Row['decision'], by: string, problem: string): Draft {
  return context.row('permission', `permission decision: ${decision}${pairs({ by, tool: fields.toolName })}`, '/payload/status', {
    tool_name: fields.toolName ?? '',
    tool_use_id: fields.toolCallId ?? '',
    decision,
    decided_by: by,
    problem,
    details: { source: 'status of the call' },
  });
}
