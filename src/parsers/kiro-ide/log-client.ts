import { compact } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { pairs } from '../json-store.js';
import { details, listOf, objectOf, textOf } from './fields.js';
import { FROM_LOG, objectIn, requestRows } from './log-request.js';

/** Rows of a record of `q-client.log`: one call of the service, with input and output, as JSON behind time and level. */
export function* clientRows(text: string, place: Partial<Draft>): Generator<Draft> {
  const call = objectIn(text);
  if (call === undefined) return;
  const command = textOf(call, 'commandName');
  const input = objectOf(call, 'input');
  const state = objectOf(input, 'conversationState');
  if (state !== undefined) yield* requestRows(state, '/input/conversationState', place);
  if (command === 'InvokeMCPCommand') {
    const tool = textOf(objectOf(input, 'params'), 'name') || textOf(input, 'method');
    yield {
      row_type: 'tool_use',
      text: compact(input ?? null),
      origin: 'agent',
      tool_name: tool,
      ...place,
      ...FROM_LOG,
      source_pointer: '/input',
      details: details({ ...place.details, output: call.output }),
    };
  }
  for (const breakdown of listOf(objectOf(call, 'output'), 'usageBreakdownList')) {
    const used = textOf(breakdown, 'resourceType');
    yield {
      row_type: 'usage',
      text: `usage: as told by the service${pairs({ resource: used })}`,
      ...place,
      details: details({ ...place.details, breakdown }),
    };
  }
}
