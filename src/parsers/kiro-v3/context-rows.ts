import { compact, isObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import type { Row } from '../../rows/row.js';
import { pairs } from '../json-store.js';
import type { RecordRows } from './record-rows.js';
import { readPayload, textOf } from './schema.js';
import { outcomeOf } from './shell-output.js';

/** One row for each steering document that was put before the model: its text, or its address where only that is kept. */
export function* steeringRows({ record, row }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('steering_inclusion', record.payload);
  const documents = fields.documents ?? [];
  const shared = { payload: rest('type', 'documents') };
  if (documents.length === 0)
    yield row('context', '', '/payload', { origin: 'injected', problem: problem || 'no document is named', details: shared });
  for (const [i, document] of documents.entries()) {
    const pointer = step('/payload/documents', i);
    const place = typeof document === 'string' ? document : textOf(document, 'id');
    const columns = { origin: 'injected', problem, file_paths: place === '' ? [] : [place] } as const;
    if (!isObject(document) || typeof document.content !== 'string') {
      const details = { ...shared, ...(typeof document === 'string' ? { text_not_stored: true } : {}) };
      yield row('context', compact(document), pointer, { ...columns, details });
    } else {
      const { content, ...others } = document;
      yield row('context', content, pointer, { ...columns, details: { ...shared, document: others } });
    }
  }
}

const STATUS = new Map<string, Row['status']>([
  ['running', 'running'],
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
]);

/** A hook that ran: its output is what it put before the model; without any, the row names the hook. */
export function* hookRows({ record, row }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('ContextualHookInvoked', record.payload);
  const { hookId, name, hookActionType, output, status, command } = fields;
  const exitCode = fields.exitCode ?? null;
  const head = `hook:${pairs({ id: hookId, action: hookActionType, status })}${name ? `: ${name}` : ''}`;
  yield row('context', output || head, output ? '/payload/output' : '/payload', {
    origin: 'injected',
    command: command ?? '',
    exit_code: exitCode,
    status: STATUS.get(status ?? '') ?? 'unknown',
    outcome: outcomeOf(exitCode, status === 'failed'),
    problem,
    details: { payload: rest('type', 'command', 'output', 'exitCode') },
  });
}
