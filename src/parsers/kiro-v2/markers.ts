import { compact, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { pairs, typed } from '../json-store.js';
import { filled, named } from './fields.js';
import { CompactionSchema } from './schema.js';

// Records without a message: what left the model's context, and prompts taken back. `Clear` and `CancelledPrompt` carry no
// data; `ResetTo`, `Cancelled` and `PromptClear` are legal in the schema, and no writer of them is known.

/** Row of a record that stands for an event of the session; absent for other kinds. */
export function markerRow(kind: unknown, data: unknown): Draft | undefined {
  const details = data === undefined || data === null ? {} : { data };
  switch (kind) {
    case 'Clear':
    case 'PromptClear':
      return { row_type: 'gap', text: 'gap: conversation cleared source=journal', details: { kind, ...details } };
    case 'ResetTo':
      return { row_type: 'gap', text: `gap: history cut back source=journal${target(data)}`, details };
    case 'CancelledPrompt':
    case 'Cancelled':
      return { row_type: 'session', text: 'session: prompt cancelled source=journal', details: { kind, ...details } };
    default:
      return undefined;
  }
}

function target(data: unknown): string {
  return typeof data === 'object' && data !== null && 'target_index' in data ? pairs({ target_index: data.target_index }) : '';
}

/** The summary of a compaction. Its snapshot of messages is read elsewhere. */
export function summaryRow(data: JsonObject): Draft {
  const { fields, problem } = typed(CompactionSchema, data);
  const { summary, strategy, messages_snapshot, ...rest } = data;
  const text = typeof summary === 'string' ? summary : summary === undefined || summary === null ? '' : compact(summary);
  return {
    row_type: 'summary',
    text,
    origin: 'agent',
    source_pointer: '/data/summary',
    problem,
    details: {
      ...filled({ strategy }),
      ...named('fields', rest),
      messages: fields.messages_snapshot?.length ?? 0,
      ...(Array.isArray(messages_snapshot) ? {} : filled({ stored_snapshot: messages_snapshot })),
    },
  };
}
