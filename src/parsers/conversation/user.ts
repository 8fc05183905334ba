import { compact, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { classifyCancel, classifyRefusal, type Decision, deniedTool } from './decisions.js';
import { type EntryRows, surroundings } from './entry-context.js';
import { imageDetails } from './images.js';
import { authorOf, invisibleCount, visibleText } from './origin.js';
import type { StoredResult } from './schema.js';
import { resultColumns } from './tools.js';

/** Rows of the user side of an entry: a prompt, or the results of the calls before it with what was decided about them. */
export function* userRows(context: EntryRows): Generator<Draft> {
  const { entry, pointer } = context;
  const content = `${pointer}/${entry.steps.user}/content`;
  const first = { ...surroundings(context), ...imageDetails(entry.user.images), ...unknownUserFields(context) };
  switch (entry.content.kind) {
    case 'prompt':
      yield* promptRows(context, entry.content.prompt, `${content}/Prompt/prompt`, first);
      return;
    case 'results':
      yield* resultRows(context, entry.content.results, `${content}/ToolUseResults/tool_use_results`, first, undefined);
      return;
    case 'cancelled': {
      const { prompt, results } = entry.content;
      const decision = classifyCancel(prompt, Boolean(entry.user.timestamp), context.conversation.timesKept);
      yield* resultRows(context, results, `${content}/CancelledToolUses/tool_use_results`, first, decision);
      if (prompt !== null && !decision.fixed)
        yield* promptRows(context, prompt, `${content}/CancelledToolUses/prompt`, results.length > 0 ? {} : first);
      else if (results.length === 0) yield decisionRow(context, decision, `${content}/CancelledToolUses/prompt`, '', '', first);
      return;
    }
    case 'unknown':
      yield context.row('error', `parser: unknown kind of user message: ${entry.content.tag}`, content, {
        time: context.userTime,
        problem: 'unknown kind of user message',
        details: { raw: entry.content.raw, ...first },
      });
  }
}

const KNOWN_USER = new Set(['additional_context', 'env_context', 'content', 'timestamp', 'images']);

function unknownUserFields({ entry }: EntryRows): JsonObject {
  const details: JsonObject = {};
  for (const [key, value] of Object.entries(entry.user)) if (!KNOWN_USER.has(key) && value !== null) details[key] = value;
  return details;
}

function* promptRows(context: EntryRows, prompt: string, pointer: string, details: JsonObject): Generator<Draft> {
  const { entry, gap, sequence, userTime, model } = context;
  const author = authorOf(prompt, entry, {
    index: context.index,
    previousTag: sequence.previousTag,
    timesKept: context.conversation.timesKept,
    inTranscript: gap.promptLine !== undefined,
  });
  const notes = author.note === '' ? {} : { note: author.note };
  if (author.toolOutput) {
    yield context.row('tool_result', prompt, pointer, {
      time: userTime,
      model,
      status: 'unknown',
      outcome: 'ambiguous',
      problem: author.note,
      details,
    });
    return;
  }
  const hidden = hiddenText(prompt, gap.promptLine);
  yield context.row('prompt', prompt, pointer, {
    time: userTime,
    model,
    origin: author.origin,
    textKey: prompt,
    details: { ...details, ...notes, ...hidden.details },
    problem: hidden.problem,
  });
  const tool = deniedTool(prompt);
  if (tool !== undefined) {
    yield context.row('permission', `permission decision: denied by=deny-rule tool=${tool}`, pointer, {
      time: userTime,
      tool_name: tool,
      decision: 'denied',
      decided_by: 'deny-rule',
    });
  }
}

/** The stored prompt is cleaned of invisible characters, the transcript keeps the raw input: a difference shows hidden text. */
function hiddenText(stored: string, line: string | undefined): { problem: string; details: JsonObject } {
  if (line === undefined || line === stored || visibleText(line) !== visibleText(stored)) return { problem: '', details: {} };
  const count = invisibleCount(line) - invisibleCount(stored);
  return { problem: `the line typed holds ${count} invisible characters that the stored prompt lacks`, details: { typed_line: line } };
}

function* resultRows(
  context: EntryRows,
  results: readonly StoredResult[],
  pointer: string,
  details: JsonObject,
  cancel: Decision | undefined,
): Generator<Draft> {
  for (const [i, result] of results.entries()) {
    const at = `${pointer}/${i}`;
    const columns = resultColumns(result);
    const refusal = cancel === undefined ? classifyRefusal(columns.text) : undefined;
    const tool = context.conversation.toolNames.get(result.tool_use_id) ?? '';
    const shown = { ...(i === 0 ? details : {}), ...columns.details, ...unknownResultFields(result), ...approval(context, result, cancel) };
    yield context.row('tool_result', cancel === undefined ? columns.text : `cancelled ${columns.text}`, at, {
      time: context.userTime,
      model: context.model,
      tool_name: tool,
      tool_use_id: result.tool_use_id,
      status: cancel !== undefined ? 'canceled' : refusal?.by === 'hook' ? 'blocked' : columns.status,
      outcome: cancel !== undefined ? 'ambiguous' : columns.outcome,
      exit_code: columns.exitCode,
      problem: columns.problem,
      details: shown,
    });
    if (cancel !== undefined) yield cancelRow(context, cancel, at, tool, result.tool_use_id, results.length);
    if (refusal !== undefined) {
      yield context.row('permission', `permission decision: ${refusal.text}`, at, {
        time: context.userTime,
        tool_name: tool,
        tool_use_id: result.tool_use_id,
        decision: 'denied',
        decided_by: refusal.by,
        details: { execution: 'no' },
      });
    }
  }
}

const KNOWN_RESULT = new Set(['tool_use_id', 'content', 'status']);

function unknownResultFields(result: StoredResult): JsonObject {
  const details: JsonObject = {};
  for (const [key, value] of Object.entries(result)) if (!KNOWN_RESULT.has(key) && value !== null) details[key] = value;
  return details;
}

/** How the call came to run, as far as the transcript tells. */
function approval({ gap }: EntryRows, result: StoredResult, cancel: Decision | undefined): JsonObject {
  if (cancel !== undefined) return {};
  if (gap.answered.has(result.tool_use_id)) return { approval: 'answered' };
  return gap.notAsked ? { approval: 'ran without being asked for' } : {};
}

/**
 * A denial stops every call of its message, also those already accepted. Which of several was denied is told only by the
 * transcript; without it the doubt is written into the row.
 */
function cancelRow(context: EntryRows, cancel: Decision, pointer: string, tool: string, id: string, calls: number): Draft {
  const { deniedId } = context.gap;
  const sibling =
    cancel.decision === 'denied' &&
    ((cancel.by === 'n' && deniedId !== undefined && deniedId !== id) ||
      (cancel.by === 'deny-rule' && tool !== '' && tool !== cancel.tool));
  if (sibling) {
    const text = cancel.text.replace('denied', 'cancelled');
    return decisionRow(
      context,
      { ...cancel, decision: 'cancelled', text },
      pointer,
      tool,
      id,
      {},
      'cancelled with another call of the same message that was denied',
    );
  }
  const unsure = cancel.by === 'n' && calls > 1 && deniedId === undefined;
  return decisionRow(
    context,
    cancel,
    pointer,
    tool,
    id,
    {},
    unsure ? `one of ${calls} calls was denied and all were cancelled; which one is not recorded` : '',
  );
}

function decisionRow(
  context: EntryRows,
  decision: Decision,
  pointer: string,
  tool: string,
  id: string,
  details: JsonObject,
  problem = '',
): Draft {
  const stored = context.entry.content.kind === 'cancelled' && decision.fixed ? context.entry.content.prompt : null;
  return context.row('permission', `permission decision: ${decision.text}`, pointer, {
    time: context.userTime,
    tool_name: tool,
    tool_use_id: id,
    decision: decision.decision,
    decided_by: decision.by,
    details: { ...details, execution: decision.execution, ...(stored === null ? {} : { message: compact(stored) }) },
    problem,
  });
}
