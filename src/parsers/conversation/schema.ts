/**
 * Stored records of the Amazon Q conversation value (`ConversationState`), as far as rows need them.
 * Source: aws/amazon-q-developer-cli, crates/chat-cli/src/cli/chat/{conversation,message,parser}.rs (1.10.0 to 1.19.7).
 * Every schema lets unknown fields pass; only the fields without which a record means nothing are required.
 */
import { z } from 'zod';
import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import { excerpt } from '../../rows/problem.js';
import { fits } from '../fits.js';

const ToolUseResultSchema = z.looseObject({
  tool_use_id: z.string(),
  content: z.array(z.unknown()).nullish(),
  status: z.string().nullish(),
});

const EnvStateSchema = z.looseObject({
  operating_system: z.string().nullish(),
  current_working_directory: z.string().nullish(),
  environment_variables: z.array(z.unknown()).nullish(),
});

const UserSchema = z.looseObject({
  additional_context: z.string().nullish(),
  env_context: z.looseObject({ env_state: EnvStateSchema.nullish() }).nullish(),
  // A later version may add a tag: then none of the known ones is set.
  content: z.union([
    z.string(),
    z.looseObject({
      Prompt: z.looseObject({ prompt: z.string() }).optional(),
      ToolUseResults: z.looseObject({ tool_use_results: z.array(ToolUseResultSchema) }).optional(),
      CancelledToolUses: z.looseObject({ prompt: z.string().nullish(), tool_use_results: z.array(ToolUseResultSchema) }).optional(),
    }),
  ]),
  timestamp: z.string().nullish(),
  images: z.array(z.unknown()).nullish(),
});

const ToolUseSchema = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  orig_name: z.string().nullish(),
  // Missing in exports of early builds and in values of Kiro CLI.
  args: z.unknown().optional(),
  orig_args: z.unknown().optional(),
});

const ResponseSchema = z.looseObject({ message_id: z.string().nullish(), content: z.string().nullish() });

const AssistantSchema = z.union([
  z.string(),
  z.looseObject({
    Response: ResponseSchema.optional(),
    ToolUse: ResponseSchema.extend({ tool_uses: z.array(ToolUseSchema).nullish() }).optional(),
  }),
]);

const MetadataSchema = z.looseObject({
  request_id: z.string().nullish(),
  message_id: z.string().nullish(),
  request_start_timestamp_ms: z.number().nullish(),
  stream_end_timestamp_ms: z.number().nullish(),
  tool_use_ids_and_names: z.array(z.unknown()).nullish(),
  model_id: z.string().nullish(),
});

const EntrySchema = z.looseObject({ user: UserSchema, assistant: AssistantSchema, request_metadata: MetadataSchema.nullish() });

export type StoredUser = z.infer<typeof UserSchema>;
export type StoredToolUse = z.infer<typeof ToolUseSchema>;
export type StoredResult = z.infer<typeof ToolUseResultSchema>;
export type StoredMetadata = z.infer<typeof MetadataSchema>;

type ToolUses = readonly StoredToolUse[];

/** A history entry in one form, whichever of the stored forms it had. */
export interface Entry {
  readonly user: StoredUser;
  readonly content: UserContent;
  readonly assistant: Assistant;
  readonly metadata: StoredMetadata | undefined;
  /** Last pointer steps of the two messages: names in the object form, places in the pair form. */
  readonly steps: { readonly user: string; readonly assistant: string; readonly metadata: string };
  /** Unknown fields of the entry, as stored; those further inside by their path. */
  readonly extra: JsonObject;
  /** Fields that had to be set aside for their shape: path and excerpt. */
  readonly odd: readonly string[];
}

export type UserContent =
  | { readonly kind: 'prompt'; readonly prompt: string }
  | { readonly kind: 'results'; readonly results: readonly StoredResult[] }
  | { readonly kind: 'cancelled'; readonly prompt: string | null; readonly results: readonly StoredResult[] }
  | { readonly kind: 'unknown'; readonly tag: string; readonly raw: unknown };

export interface Assistant {
  /** `Response`, `ToolUse`, or a tag of a later version. */
  readonly tag: string;
  readonly content: string;
  readonly messageId: string;
  readonly toolUses: ToolUses;
  /** Set for an unknown tag. */
  readonly raw: unknown;
}

/** `raw` is the record that could not be read, where it is sound JSON. */
export type EntryResult =
  | { readonly ok: true; readonly entry: Entry }
  | { readonly ok: false; readonly problem: string; readonly raw?: unknown };

const PAIR_STEPS = { user: '0', assistant: '1', metadata: '2' };
const OBJECT_STEPS = { user: 'user', assistant: 'assistant', metadata: 'request_metadata' };
const MAX_REPAIRS = 16;

/**
 * Reads one history entry: an object `{user, assistant, request_metadata}` (since 1.13.0) or an array
 * `[user, assistant]` or `[user, assistant, metadata]` (1.10 to 1.12). An optional field of an unexpected shape is
 * set aside and named in `odd`; only an entry without its key fields fails.
 */
export function readEntry(raw: unknown): EntryResult {
  const pair = Array.isArray(raw);
  const record: unknown = pair ? { user: raw[0], assistant: raw[1], request_metadata: raw[2] ?? null } : raw;
  const odd: string[] = [];
  if (fits(EntrySchema, record)) return { ok: true, entry: entryOf(record, pair, odd) };
  let candidate = record;
  let parsed = EntrySchema.safeParse(candidate);
  for (let i = 0; !parsed.success && i < MAX_REPAIRS; i++) {
    const repaired = withoutFault(candidate, parsed.error, odd);
    if (repaired === undefined) return { ok: false, problem: faultOf(parsed.error), raw };
    candidate = repaired;
    parsed = EntrySchema.safeParse(candidate);
  }
  if (!parsed.success) return { ok: false, problem: faultOf(parsed.error), raw };
  return { ok: true, entry: entryOf(parsed.data, pair, odd) };
}

function entryOf(stored: z.infer<typeof EntrySchema>, pair: boolean, odd: readonly string[]): Entry {
  const { user, assistant, request_metadata, ...extra } = stored;
  return {
    user,
    content: contentOf(user.content),
    assistant: assistantOf(assistant),
    metadata: request_metadata ?? undefined,
    steps: pair ? PAIR_STEPS : OBJECT_STEPS,
    extra: unknownFields(extra, user, assistant),
    odd,
  };
}

const CONTENT_TAGS = ['Prompt', 'ToolUseResults', 'CancelledToolUses'];
const ASSISTANT_TAGS = ['Response', 'ToolUse'];
const ENV_STATE = ['operating_system', 'current_working_directory', 'environment_variables'];
const CALL = ['id', 'name', 'orig_name', 'args', 'orig_args'];

/** What no row is made from otherwise. Fields of the user message, of results and of the metadata are told with their rows. */
function unknownFields(extra: JsonObject, user: StoredUser, assistant: z.infer<typeof AssistantSchema>): JsonObject {
  const found: JsonObject = extra;
  const look = (path: string, record: unknown, known: readonly string[]) => {
    if (!isObject(record)) return;
    for (const key in record) if (!known.includes(key) && record[key] !== null) found[`${path}.${key}`] = record[key];
  };
  const lookInto = (path: string, record: unknown, tags: readonly string[], known: readonly string[]) => {
    const tag = isObject(record) ? tags.find((name) => record[name] !== undefined) : undefined;
    if (tag === undefined || !isObject(record)) return;
    look(path, record, [tag]);
    look(`${path}.${tag}`, record[tag], known);
  };
  look('user.env_context', user.env_context, ['env_state']);
  look('user.env_context.env_state', user.env_context?.env_state, ENV_STATE);
  lookInto('user.content', user.content, CONTENT_TAGS, ['prompt', 'tool_use_results']);
  lookInto('assistant', assistant, ASSISTANT_TAGS, ['message_id', 'content', 'tool_uses']);
  const calls = typeof assistant === 'string' ? [] : (assistant.ToolUse?.tool_uses ?? []);
  for (const [i, call] of calls.entries()) look(`assistant.ToolUse.tool_uses.${i}`, call, CALL);
  return found;
}

/** The assistant message alone, for alignment with the transcript; undefined when it cannot be read. */
export function readAssistant(raw: unknown): Assistant | undefined {
  if (fits(AssistantSchema, raw)) return assistantOf(raw);
  const parsed = AssistantSchema.safeParse(raw);
  return parsed.success ? assistantOf(parsed.data) : undefined;
}

function contentOf(content: StoredUser['content']): UserContent {
  if (typeof content === 'string') return { kind: 'unknown', tag: content, raw: content };
  if (content.Prompt !== undefined) return { kind: 'prompt', prompt: content.Prompt.prompt };
  if (content.ToolUseResults !== undefined) return { kind: 'results', results: content.ToolUseResults.tool_use_results };
  if (content.CancelledToolUses !== undefined) {
    const { prompt, tool_use_results } = content.CancelledToolUses;
    return { kind: 'cancelled', prompt: prompt ?? null, results: tool_use_results };
  }
  return { kind: 'unknown', tag: Object.keys(content)[0] ?? '', raw: content };
}

function assistantOf(stored: z.infer<typeof AssistantSchema>): Assistant {
  if (typeof stored === 'string') return { tag: stored, content: '', messageId: '', toolUses: [], raw: stored };
  if (stored.Response !== undefined) {
    const { content, message_id } = stored.Response;
    return { tag: 'Response', content: content ?? '', messageId: message_id ?? '', toolUses: [], raw: undefined };
  }
  if (stored.ToolUse !== undefined) {
    const { content, message_id, tool_uses } = stored.ToolUse;
    return { tag: 'ToolUse', content: content ?? '', messageId: message_id ?? '', toolUses: tool_uses ?? [], raw: undefined };
  }
  return { tag: Object.keys(stored)[0] ?? '', content: '', messageId: '', toolUses: [], raw: stored };
}

function faultOf(error: z.ZodError): string {
  const { path, message } = deepest(error);
  return `${path.map(String).join('.') || 'entry'}: ${message}`;
}

/** The most specific issue: for a union that failed, the one that got furthest into the record. */
function deepest(error: z.ZodError): { path: PropertyKey[]; message: string } {
  let best: { path: PropertyKey[]; message: string } = { path: [], message: 'unexpected shape' };
  const visit = (issues: readonly z.core.$ZodIssue[], prefix: readonly PropertyKey[]) => {
    for (const issue of issues) {
      const path = [...prefix, ...issue.path];
      if (issue.code === 'invalid_union') for (const branch of issue.errors) visit(branch, path);
      else if (path.length > best.path.length) best = { path, message: issue.message };
    }
  };
  visit(error.issues, []);
  return best;
}

/**
 * A copy of the record without the value the check complained of. Where a required value is missing, the element of the list
 * that lacks it goes (one call or result of several). Undefined when nothing can go but the two messages themselves.
 */
function withoutFault(record: unknown, error: z.ZodError, odd: string[]): unknown {
  const { path } = deepest(error);
  if (!isObject(record)) return undefined;
  const copy: unknown = structuredClone(record);
  const holders: unknown[] = [copy];
  for (const key of path.slice(0, -1)) holders.push(childOf(holders.at(-1), key));
  if (childOf(holders.at(-1), path.at(-1) ?? '') === undefined) {
    while (path.length > 0 && !Array.isArray(holders.at(-1))) {
      path.pop();
      holders.pop();
    }
  }
  const last = path.at(-1);
  if (last === undefined || (path.length === 1 && last !== 'request_metadata')) return undefined;
  const holder = holders.at(-1);
  const value = childOf(holder, last);
  if (value === undefined) return undefined;
  odd.push(`${path.map(String).join('.')}=${excerpt(compact(value), 120)}`);
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else if (isObject(holder)) delete holder[String(last)];
  return copy;
}

function childOf(holder: unknown, key: PropertyKey): unknown {
  if (Array.isArray(holder)) return holder[Number(key)];
  return isObject(holder) ? holder[String(key)] : undefined;
}
