import type { Draft } from '../../rows/draft.js';
import { problems } from '../json-store.js';
import { contentText } from './attachments.js';
import type { Log, RecordRows } from './record-rows.js';
import { readPayload } from './schema.js';

const ROW_TYPES = new Map([
  ['Say', 'assistant'],
  ['Print', 'assistant'],
  ['Reasoning', 'thinking'],
  ['Summary', 'summary'],
] as const);

/** What the engine writes in the place of a reasoning that it keeps encrypted. */
const HIDDEN = '...';

/** Text of the assistant by the kind of operation, behind a row for a model that is new. */
export function* assistantRows(context: RecordRows): Generator<Draft> {
  const { record, row, log } = context;
  const { fields, problem, rest } = readPayload('assistant', record.payload);
  const { operationType: operation, reasoningSignature: signature, reasoningModelId: storedModel } = fields;
  const { text, others } = contentText(record.payload.content);
  const type = operation ? operationRow(operation) : 'assistant';
  const model = modelName(storedModel ?? '');
  if (model !== '') yield* modelChange(model, log, row);
  const encrypted = type === 'thinking' && text.trim() === HIDDEN && Boolean(signature);
  yield row(type ?? 'assistant', text, '/payload/content', {
    origin: 'agent',
    model,
    problem: problems(
      problem,
      type === undefined && 'unknown kind of operation',
      encrypted && 'the reasoning is stored encrypted: its text is not here',
    ),
    details: {
      payload: rest('type', 'content', 'reasoningSignature', 'reasoningRedactedContent'),
      ...(others.length > 0 ? { content: others } : {}),
      ...(encrypted ? { encrypted: true } : {}),
      ...(signature ? { signature_characters: signature.length } : {}),
      ...(fields.reasoningRedactedContent ? { redacted_content: true } : {}),
    },
  });
}

function operationRow(operation: string) {
  for (const [name, type] of ROW_TYPES) if (name === operation) return type;
  return undefined;
}

/** `qdev::auto` -> `auto`: what stands ahead is the provider. */
function modelName(stored: string): string {
  return stored.slice(stored.lastIndexOf('::') < 0 ? 0 : stored.lastIndexOf('::') + 2);
}

function* modelChange(model: string, log: Log, row: RecordRows['row']): Generator<Draft> {
  if (model === log.model) return;
  yield row('model', log.model === '' ? `model: ${model}` : `model: ${log.model} -> ${model}`, '/payload/reasoningModelId', { model });
  log.model = model;
}
