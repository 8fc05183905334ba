import { z } from 'zod';
import { isObject, type JsonObject, pick, without } from '../../evidence/json.js';
import { typed } from '../json-store.js';

// Shapes of the v3 engine's records. Every key is optional: the schema version was never raised, builds differ, and redacted
// copies lack keys. What has an unexpected type stays in the details of its row.

const text = z.string().nullish();
const number = z.number().nullish();
const list = z.array(z.unknown()).nullish();
const object = z.record(z.string(), z.unknown()).nullish();

export const PAYLOADS = {
  user: z.looseObject({ source: text, contextItems: list, images: list, documents: list, _meta: object }),
  assistant: z.looseObject({
    operationType: text,
    reasoningSignature: text,
    reasoningModelId: text,
    reasoningRedactedContent: z.unknown().optional(),
  }),
  tool_call: z.looseObject({
    toolCallId: text,
    toolName: text,
    args: z.unknown().optional(),
    status: text,
    kind: text,
    filePath: text,
    _meta: object,
  }),
  tool_result: z.looseObject({ toolCallId: text, success: z.boolean().nullish(), durationMs: number, _meta: object }),
  pending_interaction: z.looseObject({ interactionType: text, toolCallId: text, question: text, options: list, _meta: object }),
  interaction_resolved: z.looseObject({ toolCallId: text, outcome: text, selectedOption: z.unknown().optional() }),
  turn_start: z.looseObject({ executionId: text }),
  turn_end: z.looseObject({ executionId: text, stopReason: text, stopDetails: object }),
  session_event: z.looseObject({ category: text, context: z.unknown().optional() }),
  usage_summary: z.looseObject({ promptTurnSummaries: list, elapsedTime: number, status: text, requestIds: list }),
  session_metadata: z.looseObject({ key: text, value: z.unknown().optional() }),
  session_start: z.looseObject({ agentType: text, forcedRole: text, images: list, documents: list, steeringDocuments: list }),
  steering_inclusion: z.looseObject({ documents: list }),
  ContextualHookInvoked: z.looseObject({
    hookId: text,
    name: text,
    hookActionType: text,
    status: text,
    command: text,
    output: text,
    exitCode: z.int().nullish(),
  }),
  sub_agent_start: z.looseObject({ subSessionId: text, subAgentName: text, prompt: text }),
  sub_agent_complete: z.looseObject({ subSessionId: text, response: text, status: text, errorMessage: text }),
  sub_agent_progress: z.looseObject({ subSessionId: text, message: text }),
  tombstone: z.looseObject({ kind: text, effectiveFromMessageId: text }),
  tool_revert: z.looseObject({ toolCallId: text }),
  mode_change: z.looseObject({ fromMode: text, toMode: text, reason: text }),
  error: z.looseObject({ message: text, code: z.union([z.string(), z.number()]).nullish() }),
  system: z.looseObject({}),
  agent_note: z.looseObject({}),
};

export type PayloadType = keyof typeof PAYLOADS;
export type Fields<T extends PayloadType> = z.output<(typeof PAYLOADS)[T]>;

/** One line of a log. */
export interface StoredRecord {
  /** Empty when it has none. */
  readonly id: string;
  readonly timestamp: unknown;
  readonly type: string;
  readonly payload: JsonObject;
  /** Members of the line besides the three known ones, and those of an unexpected type. */
  readonly others: JsonObject;
}

const MEMBERS = ['id', 'timestamp', 'payload'];

/** Undefined for what is not a record at all: no object, or no payload that names its type. */
export function recordOf(value: unknown): StoredRecord | undefined {
  if (!isObject(value)) return undefined;
  const { id, timestamp, payload } = value;
  if (!isObject(payload) || typeof payload.type !== 'string') return undefined;
  const rest = without(value, MEMBERS);
  const others = id === undefined || typeof id === 'string' ? rest : { ...rest, id };
  return { id: typeof id === 'string' ? id : '', timestamp, type: payload.type, payload, others };
}

/** How each record begins: for finding one behind a torn line. */
export const RECORD_START = '{"id":';

export interface Read<T extends PayloadType> {
  readonly fields: Fields<T>;
  readonly problem: string;
  /** What a row must carry in its details: everything but the named members, as far as these have the expected type. */
  rest(...carried: readonly (keyof Fields<T> & string)[]): JsonObject;
}

export function readPayload<T extends PayloadType>(type: T, payload: JsonObject): Read<T> {
  const schema: (typeof PAYLOADS)[T] = PAYLOADS[type];
  const { fields, problem } = typed(schema, payload);
  return {
    fields,
    problem,
    rest(...carried) {
      const held: readonly string[] = carried;
      return pick(payload, (key, value) => !isEmpty(value) && !(held.includes(key) && key in fields));
    },
  };
}

export function isPayloadType(type: string): type is PayloadType {
  return Object.hasOwn(PAYLOADS, type);
}

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

/** `_meta.kiro` of a record. */
export function kiroMeta(meta: JsonObject | null | undefined): JsonObject {
  return isObject(meta?.kiro) ? meta.kiro : {};
}

/** A member that is a text, else empty. */
export function textOf(holder: unknown, key: string): string {
  if (!isObject(holder)) return '';
  const value = holder[key];
  return typeof value === 'string' ? value : '';
}
