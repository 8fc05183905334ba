import { createHash } from 'node:crypto';
import { compact } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import type { Instant } from '../../rows/time.js';
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

const BY_CALL = new Set<Draft['row_type']>(['tool_use', 'tool_result', 'permission']);

/**
 * Names a row of an entry, and what numbers it among its like, as the later engines of Kiro do where a session lies in several
 * of them (kiro-v2/context.ts, kiro-v3/record-rows.ts): a call, its result and the decision on it by the id of the call, a text
 * of the assistant by the id of its message, a prompt by its second, since this store gives prompts no id. All other rows
 * belong to their entry.
 */
export function rowKey(row_type: Draft['row_type'], call: string, messageId: string, said: Instant | undefined, entry: string): string {
  if (BY_CALL.has(row_type) && call !== '') return call;
  if (row_type === 'assistant' && messageId !== '') return messageId;
  return row_type === 'prompt' && said !== undefined ? promptSecond(said) : entry;
}

/** The v2 engine keeps the time of a prompt in whole seconds; session and text make it one. */
export function promptSecond(said: Instant): string {
  return `second ${Math.floor(said.ms / 1000)}`;
}
