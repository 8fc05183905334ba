import { isObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { pairs } from '../json-store.js';
import { details, listOf, objectOf, textOf } from './fields.js';
import { FROM_LOG, objectIn, requestRows } from './log-request.js';

/** `Q Chat API.log` holds JSON blocks between lines of 31 equals signs. */
export function isSeparator(line: string): boolean {
  return /^={20,80}\s*$/.test(line);
}

/** Rows of a block: a request, or an answer with its events. */
export function* apiBlockRows(text: string, place: Partial<Draft>): Generator<Draft> {
  const block = objectIn(text.slice(Math.max(0, text.indexOf('{'))));
  if (block === undefined) return;
  const state = objectOf(objectOf(block, 'request'), 'conversationState');
  if (state !== undefined) yield* requestRows(state, '/request/conversationState', place);
  const response = objectOf(block, 'response');
  if (response === undefined) return;
  const columns = { ...place, ...FROM_LOG, session_id: textOf(response, 'conversationId') };
  const events = listOf(response, 'events');
  const streamed = events.map((event) => textOf(objectOf(event, 'assistantResponseEvent'), 'content')).join('');
  const answer = textOf(response, 'fullResponse') || streamed;
  if (answer !== '') yield { row_type: 'assistant', text: answer, origin: 'agent', ...columns, source_pointer: '/response/fullResponse' };
  yield* callRows(events, columns);
  for (const event of events) {
    const metering = objectOf(event, 'meteringEvent');
    if (metering !== undefined) {
      yield {
        row_type: 'usage',
        text: `usage:${pairs({ [textOf(metering, 'unit') || 'usage']: metering.usage })}`,
        ...columns,
        details: details({ ...place.details, metering }),
      };
    }
  }
}

/** The arguments of a call come in pieces. */
function* callRows(events: readonly unknown[], columns: Partial<Draft>): Generator<Draft> {
  const calls = new Map<string, { name: string; input: string }>();
  for (const event of events) {
    const use = isObject(event) ? objectOf(event, 'toolUseEvent') : undefined;
    if (use === undefined) continue;
    const id = textOf(use, 'toolUseId');
    const call = calls.get(id) ?? { name: '', input: '' };
    call.name ||= textOf(use, 'name');
    call.input +=
      typeof use.input === 'string' ? use.input : use.input === undefined || use.input === null ? '' : JSON.stringify(use.input);
    calls.set(id, call);
  }
  for (const [id, { name, input }] of calls) {
    yield {
      row_type: 'tool_use',
      text: input,
      origin: 'agent',
      tool_name: name,
      tool_use_id: id,
      ...columns,
      source_pointer: '/response/events',
    };
  }
}
