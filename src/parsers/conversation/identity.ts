import { createHash } from 'node:crypto';
import { compact } from '../../evidence/json.js';
import type { Entry } from './schema.js';

/**
 * What makes two stored entries the same one, in the database row, an export, a snapshot or a tangent copy. Ids first: the
 * message id is made once and kept; then the request id; then the ids of the calls or results; then the content, by the
 * names and arguments the model gave (stored ones are rewritten later), with the place where neither times nor ids exist.
 */
export function entryKey(entry: Entry, index: number): string {
  const messageId = entry.assistant.messageId || entry.metadata?.message_id;
  if (messageId) return `m:${messageId}`;
  if (entry.metadata?.request_id) return `q:${entry.metadata.request_id}`;
  const calls = entry.assistant.toolUses.map((call) => call.id).join(',');
  if (calls !== '') return `t:${calls}`;
  const results = 'results' in entry.content ? entry.content.results.map((r) => r.tool_use_id).join(',') : '';
  const hash = createHash('sha256');
  hash
    .update(compact(entry.user.content))
    .update('\u0000')
    .update(entry.assistant.content)
    .update('\u0000')
    .update(entry.user.timestamp ?? '');
  const place = entry.user.timestamp || results !== '' ? '' : `:${index}`;
  return `h:${hash.digest('hex').slice(0, 24)}${place}`;
}
