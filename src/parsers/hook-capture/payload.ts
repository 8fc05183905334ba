import { isObject, type JsonObject } from '../../evidence/json.js';
import { EVENT_KEYS, type EventKind, kindOf } from './shapes.js';

// One shape for the payloads of Kiro IDE 1.x (snake_case, PascalCase events), Kiro IDE 0.12 (camelCase, no event name), Kiro CLI
// and Amazon Q CLI (snake_case, camelCase events). Evidence: captures described in awslabs/aidlc-workflows (harness/kiro-ide) and
// aws/amazon-q-developer-cli: docs/hooks.md.

export type Dialect = 'kiro-ide 1.x' | 'kiro-ide 0.12' | 'kiro-cli or amazon-q-cli';

export interface Payload {
  readonly dialect: Dialect;
  readonly event: string;
  readonly kind: EventKind;
  readonly session: string;
  readonly cwd: string;
  readonly tool: string;
  readonly toolUseId: string;
  /** Undefined: not in the payload. */
  readonly input: JsonObject | undefined;
  readonly response: unknown;
  readonly success: boolean | undefined;
  readonly prompt: string | undefined;
  readonly answer: string | undefined;
  /** Fields that are there with a wrong type; they are left blank, the raw value is in `rest`. */
  readonly malformed: readonly string[];
  /** Fields no column takes. */
  readonly rest: JsonObject;
}

const isString = (value: unknown): value is string => typeof value === 'string';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isResponse = (value: unknown): value is string | JsonObject => isString(value) || isObject(value);

export function readPayload(stored: JsonObject): Payload {
  const malformed: string[] = [];
  const taken = new Set<string>();
  const pick = <T>(keys: readonly string[], fits: (value: unknown) => value is T): T | undefined => {
    for (const key of keys) {
      const value = Object.hasOwn(stored, key) ? stored[key] : undefined;
      // Null is like absent on every channel.
      if (value === undefined || value === null) continue;
      if (fits(value)) {
        taken.add(key);
        return value;
      }
      malformed.push(key);
    }
    return undefined;
  };
  const event = pick(EVENT_KEYS, isString) ?? '';
  const kind = event === '' ? inferredKind(stored) : kindOf(event);
  const prompted = kind === 'prompt' || kind === 'start';
  // A field that has no place in an event of this kind stays among the rest.
  const ended = kind === 'post';
  const called = ended || kind === 'pre' || kind === 'permission';
  const tool = called ? pick(['tool_name', 'toolName'], isString) : undefined;
  const input = called ? pick(['tool_input', 'toolArgs'], isObject) : undefined;
  const response = ended ? pick(['tool_response', 'toolResult', 'tool_output'], isResponse) : undefined;
  const success = ended ? pick(['tool_success', 'toolSuccess'], isBoolean) : undefined;
  return {
    dialect: dialectOf(stored, event),
    event,
    kind,
    session: pick(['session_id', 'sessionId'], isString) ?? '',
    cwd: pick(['cwd'], isString) ?? '',
    tool: tool ?? '',
    toolUseId: (called ? pick(['tool_use_id', 'toolUseId', 'tool_call_id', 'toolCallId'], isString) : undefined) ?? '',
    input,
    response,
    success,
    prompt: prompted ? pick(['prompt', 'user_prompt', 'userPrompt', 'message'], isString) : undefined,
    answer: kind === 'stop' ? pick(['assistant_response', 'assistantResponse', 'last_assistant_message'], isString) : undefined,
    malformed,
    rest: Object.fromEntries(Object.entries(stored).filter(([key]) => !taken.has(key))),
  };
}

/** 0.12 names no event: a result makes it a post event, a tool alone a pre event; a prompt and a stop look the same. */
function inferredKind(stored: JsonObject): EventKind {
  const has = (key: string) => Object.hasOwn(stored, key) && stored[key] !== null;
  if (['toolResult', 'toolSuccess', 'tool_response', 'tool_success', 'tool_output'].some(has)) return 'post';
  return ['toolName', 'tool_name'].some(has) ? 'pre' : 'other';
}

function dialectOf(stored: JsonObject, event: string): Dialect {
  if (event === '' && !Object.hasOwn(stored, 'tool_name')) return 'kiro-ide 0.12';
  return /^[a-z]/.test(event) ? 'kiro-cli or amazon-q-cli' : 'kiro-ide 1.x';
}
