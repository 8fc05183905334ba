import { isObject, type JsonObject } from '../../evidence/json.js';

// What is a payload, what is a wrapper around one. Aliases as seen in the three dialects and in captures of teams.

export const EVENT_KEYS = ['hook_event_name', 'hookEventName', 'event'] as const;
const LEGACY = new Set(['toolName', 'toolArgs', 'toolResult', 'toolSuccess']);
/** Keys under which a capture keeps the payload, as an object or as the JSON text that stood on standard input. */
export const INNER_KEYS = ['payload', 'stdin', 'input', 'data', 'hook_input', 'hookInput', 'body'] as const;

export type EventKind = 'start' | 'prompt' | 'pre' | 'post' | 'stop' | 'task' | 'permission' | 'other';

const KINDS: Readonly<Record<string, EventKind>> = {
  agentspawn: 'start',
  sessionstart: 'start',
  userpromptsubmit: 'prompt',
  promptsubmit: 'prompt',
  pretooluse: 'pre',
  posttooluse: 'post',
  posttoolusefailure: 'post',
  stop: 'stop',
  agentstop: 'stop',
  sessionend: 'stop',
  subagentstop: 'stop',
  pretaskexec: 'task',
  posttaskexec: 'task',
  permissionrequest: 'permission',
};

export function kindOf(event: string): EventKind {
  const name = event.toLowerCase();
  return Object.hasOwn(KINDS, name) ? (KINDS[name] ?? 'other') : 'other';
}

/** A hook payload by its keys. Kiro IDE 0.12 names no event: its four keys alone tell it. */
export function isPayload(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  if (typeof value.hook_event_name === 'string' || typeof value.hookEventName === 'string') return true;
  if (typeof value.event === 'string' && kindOf(value.event) !== 'other') return true;
  if (typeof value.tool_name === 'string' && (Object.hasOwn(value, 'tool_input') || Object.hasOwn(value, 'tool_response'))) return true;
  if (typeof value.toolName === 'string' && Object.keys(value).every((key) => LEGACY.has(key))) return true;
  return ['toolArgs', 'toolResult', 'toolSuccess'].some((key) => Object.hasOwn(value, key));
}

/** The payload under a key of a wrapper: an object, or a text that is one. */
export function innerPayload(value: unknown): JsonObject | undefined {
  const inner = typeof value === 'string' ? parsedObject(value) : value;
  return isPayload(inner) ? inner : undefined;
}

export function parsedObject(text: string): JsonObject | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Value of `USER_PROMPT` in a captured environment; an empty one, as on Kiro IDE 1.x, says nothing. */
export function userPromptOf(value: JsonObject): string | undefined {
  const { env } = value;
  const prompt = isObject(env) ? env.USER_PROMPT : undefined;
  return typeof prompt === 'string' && prompt !== '' ? prompt : undefined;
}

export function isWrapper(value: JsonObject): boolean {
  return userPromptOf(value) !== undefined || INNER_KEYS.some((key) => innerPayload(value[key]) !== undefined);
}

export function isCapture(value: JsonObject): boolean {
  return isPayload(value) || isWrapper(value);
}
