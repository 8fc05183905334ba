import { isObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import type { Instant } from '../../rows/time.js';
import { pairs } from '../json-store.js';
import type { Document } from './document.js';
import { details, listOf, rest, textOf } from './fields.js';
import { executionIdentity } from './identity.js';

/** What an execution cost, in the unit that is recorded (credits, not tokens and not money). The sum belongs to its end. */
export function* usageRows(document: Document, time: Instant | undefined, columns: Partial<Draft>, execution: string): Generator<Draft> {
  for (const element of document.elements('usageSummary')) {
    if ('error' in element) {
      yield { ...element.error, ...columns };
      continue;
    }
    const { value, key } = element;
    const place = { time, ...columns, source_pointer: step('/usageSummary', key) };
    if (!isObject(value)) {
      yield { row_type: 'usage', text: 'usage: ', ...place, problem: 'not an object', details: { value } };
      continue;
    }
    const tools = listOf(value, 'usedTools').filter((tool) => typeof tool === 'string');
    yield {
      row_type: 'usage',
      text: `usage:${pairs({ [textOf(value, 'unit') || 'usage']: value.usage, tools: tools.join(',') })}`,
      ...place,
      identity: executionIdentity(execution, `usage ${key}`),
      model: textOf(value, 'modelId') || (columns.model ?? ''),
      details: details({ execution_id: execution, ...rest(value) }),
    };
  }
}
