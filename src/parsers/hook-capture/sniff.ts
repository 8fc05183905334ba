import { isObject, type JsonObject } from '../../evidence/json.js';
import { isCapture } from './shapes.js';

// Recognises a capture by its beginning: a whole first object that is a payload or a wrapper, or names of fields that only
// payloads have. A text about hooks (a setting, a schema, a chat) does not hold an event name as the value of that key.

const MOST = 4096;
const EVENT = /(?:^|[{,\s])\\?"(?:hook_event_name|hookEventName)\\?"\s*:\s*\\?"[A-Za-z]{4,40}\\?"/;
const LEGACY_NAME = /(?:^|[{,\s"])\\?"toolName\\?"\s*:\s*\\?"\w/;
const LEGACY_FIELD = /(?:^|[{,\s"])\\?"(?:toolArgs|toolResult|toolSuccess)\\?"\s*:/;
// Stores that keep payloads of hooks inside records of their own.
const OTHERS = /"(?:event_type|schema_version|conversation_id|jsonrpc|payload"\s*:\s*\{\s*"type)"/;

export function looksCaptured(head: Buffer): boolean {
  const text = head.toString('utf8').replace(/^\ufeff/, '');
  const first = firstObject(text);
  if (first !== undefined) return isCapture(first) && !isOther(first);
  const start = text.slice(0, MOST);
  if (!/^\s*[{[]/.test(start) || OTHERS.test(start)) return false;
  return EVENT.test(start) || (LEGACY_NAME.test(start) && LEGACY_FIELD.test(start));
}

function isOther(value: JsonObject): boolean {
  return ['event_type', 'conversation_id', 'jsonrpc'].some((key) => Object.hasOwn(value, key));
}

function firstObject(text: string): JsonObject | undefined {
  const feed = text.indexOf('\n');
  try {
    const value: unknown = JSON.parse(feed < 0 ? text : text.slice(0, feed));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
