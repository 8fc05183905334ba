import { isObject, type JsonObject, without } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import type { Instant } from '../../rows/time.js';
import { problems, typed } from '../json-store.js';
import type { MessageContext, SessionColumns } from './context.js';
import { filled, named } from './fields.js';
import { MessageSchema } from './schema.js';
import { unixTime } from './times.js';

/** What a stored message says besides its blocks. */
export interface MessageHead {
  readonly id: string;
  readonly role: string;
  /** Its own time. Only prompts have been seen with one. */
  readonly time: Instant | undefined;
  readonly content: unknown;
  readonly results: unknown;
  readonly extras: JsonObject;
  readonly problem: string;
}

const MESSAGE = ['message_id', 'id', 'role', 'content', 'results', 'meta'];
const META = ['timestamp'];

export function messageHead(data: JsonObject): MessageHead {
  const { fields, problem } = typed(MessageSchema, data);
  const { message_id, id, role, content, results, meta } = data;
  const timestamp = isObject(meta) ? meta.timestamp : undefined;
  const time = unixTime(timestamp, 'message');
  const odd: JsonObject = {};
  if (typeof message_id !== 'string') odd.message_id = message_id;
  if (typeof id !== 'string') odd.id = id;
  if (role !== 'user' && role !== 'assistant') odd.role = role;
  if (!isObject(results)) odd.results = results;
  if (!isObject(meta)) odd.meta = meta;
  if (time === undefined) odd.timestamp = timestamp;
  const rest = without(data, MESSAGE);
  const otherMeta = isObject(meta) ? without(meta, META) : {};
  return {
    id: fields.message_id || fields.id || '',
    role: fields.role ?? '',
    time,
    content,
    results,
    extras: { ...named('fields', rest), ...named('meta', otherMeta), ...named('stored', odd) },
    problem: problems(problem, !time && timestamp !== undefined && timestamp !== null && 'the time is not a Unix time'),
  };
}

/** Context of a message that is not in a journal, or is a copy; a journal adds what it knows. */
export function messageContext(
  head: MessageHead,
  session: SessionColumns,
  pointer: string,
  place: MessageContext['place'],
  columns: Partial<MessageContext> = {},
): MessageContext {
  return {
    session,
    messageId: head.id,
    pointer,
    place,
    time: head.time,
    marks: {},
    extras: head.extras,
    problem: head.problem,
    model: '',
    recovered: undefined,
    rank: 0,
    wasTyped: () => false,
    toolNames: new Map(),
    ...columns,
  };
}

/** Kind of a message that tells its role only, as in a snapshot. */
export function kindOf({ role, content, results }: MessageHead): 'prompt' | 'assistant' | 'results' {
  if (role === 'assistant') return 'assistant';
  const answers = Array.isArray(content) && content.some((block: unknown) => isObject(block) && block.kind === 'toolResult');
  return answers || isObject(results) ? 'results' : 'prompt';
}

/** A message that is no JSON object. */
export function oddMessage(what: string, value: unknown, columns: Omit<Draft, 'row_type' | 'text'>): Draft {
  const problem = `${what} is not a JSON object`;
  return { row_type: 'error', text: `parser: ${problem}`, ...columns, problem, details: filled({ value }) };
}
