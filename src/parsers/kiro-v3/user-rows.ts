import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { problems } from '../json-store.js';
import { attachments, contentText } from './attachments.js';
import { authorOf } from './author.js';
import type { RecordRows } from './record-rows.js';
import { readPayload, textOf } from './schema.js';

/** A prompt, and a context row for each item that was sent along with it. */
export function* userRows({ record, row }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('user', record.payload);
  const { text, others } = contentText(record.payload.content);
  const { origin, note } = authorOf(text, fields.source ?? '', fields._meta);
  const fromPerson = origin === 'typed' || origin === 'unknown';
  yield row('prompt', text, '/payload/content', {
    origin,
    problem: problems(problem, text === '' && 'a prompt without text'),
    ...(fromPerson && text !== '' ? { textKey: text } : {}),
    details: {
      payload: rest('type', 'content', 'images', 'documents', 'contextItems'),
      ...(others.length > 0 ? { content: others } : {}),
      ...attached(fields),
      ...(note === '' ? {} : { note }),
    },
  });
  for (const [i, item] of (fields.contextItems ?? []).entries()) yield contextItemRow(row, item, step('/payload/contextItems', i));
}

/** Images and documents of a record, as far as it has any. */
export function attached(fields: {
  readonly images?: unknown[] | null | undefined;
  readonly documents?: unknown[] | null | undefined;
}): JsonObject {
  const { images, documents } = fields;
  return {
    ...(images && images.length > 0 ? { images: attachments(images) } : {}),
    ...(documents && documents.length > 0 ? { documents: attachments(documents) } : {}),
  };
}

function contextItemRow(row: RecordRows['row'], item: unknown, pointer: string): Draft {
  if (!isObject(item) || typeof item.content !== 'string')
    return row('context', compact(item), pointer, { origin: 'injected', details: { item } });
  const { content, ...others } = item;
  const uri = textOf(item, 'uri');
  return row('context', content, pointer, { origin: 'injected', file_paths: uri === '' ? [] : [uri], details: { item: others } });
}
