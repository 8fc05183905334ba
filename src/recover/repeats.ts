import { isStrict } from './carved.js';
import { type EntryFacts, list, record } from './keys.js';
import { type Token, tokenAt } from './token-at.js';
import type { Join } from './types.js';

/** Keys that an entry has once; inside a stored text their quotes would be escaped. */
const METADATA_KEYS = [
  'request_metadata',
  'request_id',
  'message_id',
  'request_start_timestamp_ms',
  'stream_end_timestamp_ms',
  'time_to_first_chunk',
  'time_between_chunks',
  'user_prompt_length',
  'response_size',
  'chat_conversation_type',
  'tool_use_ids_and_names',
  'model_id',
  'message_meta_tags',
];
const SHORTEST_ID = 16;
const SHORTEST_PART = 8;
const SHORTEST_KEY_PART = 3;

/**
 * An entry repeats itself: its id stands in the answer and in the metadata, the length of the answer in the metadata, the
 * arguments of a call twice. An only join in doubt is proved where an id of this entry stands on both of its sides, and what
 * the join cuts has the length or the copy that it must have: then nothing is left out there, and nothing repeated.
 */
export function proveByRepeats(bytes: Buffer, value: unknown, facts: EntryFacts, joins: readonly Join[]): readonly Join[] {
  const doubts = joins.filter(({ proof }) => !isStrict(proof));
  const [doubt] = doubts;
  if (doubt === undefined || doubts.length > 1 || doubt.proof === 'contested' || Array.isArray(value)) return joins;
  const token = tokenAt(bytes, doubt.at);
  // A key that stands twice is lost in the parsed value.
  if (token === undefined || JSON.stringify(value) !== bytes.toString('utf8')) return joins;
  const proved =
    inMessageId(bytes, facts, token, doubt.at) || (idOnBothSides(bytes, facts, doubt.at) && isWhole(value, facts, token, doubt.at));
  return proved ? joins.map((join) => (join === doubt ? { ...join, proof: 'repeats' } : join)) : joins;
}

function idOnBothSides(bytes: Buffer, { messageId, metadataMessageId, calls }: EntryFacts, at: number): boolean {
  const ids = calls.filter((id) => id.length >= SHORTEST_ID).map((id) => JSON.stringify(id));
  if (messageId.length >= SHORTEST_ID && messageId === metadataMessageId) ids.push(`"message_id":${JSON.stringify(messageId)}`);
  return ids.some((id) => {
    const first = bytes.indexOf(id);
    return first >= 0 && first + Buffer.byteLength(id) <= at && at <= bytes.lastIndexOf(id);
  });
}

/** The join cuts one of the two message ids; enough of it stands on either side to tell whose it is, and which of the two. */
function inMessageId(bytes: Buffer, { messageId, metadataMessageId }: EntryFacts, { path, isKey, start, end }: Token, at: number): boolean {
  if (isKey || path.at(-1) !== 'message_id' || messageId !== metadataMessageId || messageId.length < SHORTEST_ID) return false;
  const behind = path[0] === 'assistant' ? ',"content":' : ',"request_start_timestamp_ms":';
  return Math.min(at - start, end - at) > SHORTEST_PART && bytes.subarray(end, end + behind.length).equals(Buffer.from(behind));
}

function isWhole(value: unknown, facts: EntryFacts, token: Token, at: number): boolean {
  const { path, isKey } = token;
  const name = path.at(-1) ?? '';
  if (isKey) return path.length <= 2 && onlyKey(name, at - token.start - 1);
  if (path[0] !== 'assistant') return false;
  if (path.length === 3 && name === 'content') return sizes(value, facts).has(facts.metadata.response_size);
  return path[2] === 'tool_uses' && hasTwin(callsOf(value)[Number(path[3])], path[4] ?? '');
}

/** No other key begins as the first part of this one, and none ends as the second: they can only stand here. */
function onlyKey(name: string, cut: number): boolean {
  const others = METADATA_KEYS.filter((key) => key !== name);
  if (others.length === METADATA_KEYS.length || cut < SHORTEST_KEY_PART || name.length - cut < SHORTEST_KEY_PART) return false;
  return others.every((key) => !key.startsWith(name.slice(0, cut)) && !key.endsWith(name.slice(cut)));
}

/** Lengths that the metadata may name: of the text alone, or with the arguments of the calls. */
function sizes(value: unknown, { answer }: EntryFacts): ReadonlySet<unknown> {
  const content = Buffer.byteLength(answer);
  const args = callsOf(value).reduce<number>((sum, call) => sum + Buffer.byteLength(JSON.stringify(record(call).args ?? null)), 0);
  return new Set([content, content + args]);
}

const callsOf = (value: unknown): readonly unknown[] => list(record(record(record(value).assistant).ToolUse).tool_uses);

/** Arguments are stored as the model gave them and as they were used. */
function hasTwin(call: unknown, part: string): boolean {
  const { args, orig_args: original } = record(call);
  return (part === 'args' || part === 'orig_args') && args !== undefined && JSON.stringify(args) === JSON.stringify(original);
}
