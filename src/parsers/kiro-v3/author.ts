import type { JsonObject } from '../../evidence/json.js';
import type { Row } from '../../rows/row.js';
import { kiroMeta } from './schema.js';

/** Who wrote a `user` record, and why that is said. */
export interface Author {
  readonly origin: Row['origin'];
  readonly note: string;
}

// A text that is nothing but such an element is what a hook adds to a conversation.
const HOOK_ELEMENT = /^\s*<([A-Za-z][\w:-]{0,60})(?:\s[^>]{0,500})?>[\s\S]*<\/\1>\s*$/;

/**
 * The engine marks its own texts from 2.21.4 on; older ones bear no mark. `typed` is said only of records that name the chat
 * as their source or carry the tag of a typed prompt.
 */
export function authorOf(text: string, source: string, meta: JsonObject | null | undefined): Author {
  const { syntheticUserMessageReason: reason, userMessageTag: tag } = kiroMeta(meta);
  if (reason !== undefined && reason !== null && reason !== false) return { origin: 'agent', note: 'written by the agent program' };
  if (source === 'hook') return { origin: 'injected', note: 'written by a hook' };
  const element = HOOK_ELEMENT.exec(text)?.[1] ?? '';
  if (/hook/i.test(element)) return { origin: 'injected', note: 'the text is a hook instruction' };
  if (source === 'steer') return { origin: 'typed', note: 'typed while the agent was at work' };
  if (source === 'api') return { origin: 'automatic', note: 'sent by a client program' };
  const tagged = typeof tag === 'string' && tag.startsWith('prompt_');
  if (source === 'chat' || (source === '' && tagged)) return { origin: 'typed', note: '' };
  return { origin: 'unknown', note: '' };
}
