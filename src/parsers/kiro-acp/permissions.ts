import { isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { pairs } from '../json-store.js';
import { filled, named } from '../kiro-v2/fields.js';
import { objectOf, textOf } from './frame.js';

/** A question to the person that has no answer yet. */
export interface Question {
  readonly tool: string;
  readonly toolUseId: string;
  /** Kind of each option, by id. */
  readonly options: ReadonlyMap<string, string>;
}

export function questionOf(params: JsonObject): Question {
  const call = objectOf(params.toolCall);
  const options: unknown[] = Array.isArray(params.options) ? params.options : [];
  return {
    tool: textOf(call.toolName) || textOf(call.name),
    toolUseId: textOf(call.toolCallId),
    options: new Map(options.flatMap((option) => (isObject(option) ? [[textOf(option.optionId), textOf(option.kind)] as const] : []))),
  };
}

export function requestRow(params: JsonObject, { tool, toolUseId }: Question): Draft {
  const { sessionId, toolCall, options, ...rest } = params;
  const shown = pairs({ tools: tool || textOf(objectOf(toolCall).title) });
  return {
    row_type: 'permission',
    text: `permission decision: requested${shown} source=acp`,
    tool_name: tool,
    tool_use_id: toolUseId,
    decision: 'requested',
    details: { ...filled({ call: toolCall, options }), ...named('params', rest) },
  };
}

/** What was answered: the chosen option names itself; its kind in the question says what it means. */
export function answerRow(result: unknown, question: Question): Draft {
  const { outcome, ...rest } = objectOf(result);
  const { outcome: how, optionId, ...more } = objectOf(outcome);
  const by = how === 'cancelled' ? 'interrupt' : textOf(optionId) || 'unknown';
  const decision = how === 'cancelled' ? 'cancelled' : meaning(question.options.get(by) || by);
  return {
    row_type: 'permission',
    text: `permission decision: ${decision} by=${by}${pairs({ tools: question.tool })} source=acp`,
    tool_name: question.tool,
    tool_use_id: question.toolUseId,
    decision,
    decided_by: by,
    problem: decision === 'unknown' ? 'what the answer means is not known' : '',
    details: decision === 'unknown' ? filled({ answer: result }) : { ...named('result', rest), ...named('outcome', more) },
  };
}

function meaning(kind: string): 'approved' | 'denied' | 'unknown' {
  if (/^(?:allow|approve|accept)/i.test(kind)) return 'approved';
  return /^(?:reject|deny|decline)/i.test(kind) ? 'denied' : 'unknown';
}
