/**
 * Stored records of the v2 engine, as far as rows need them. Every schema lets unknown fields pass and takes null for a
 * missing value; what has another type than expected is named and kept raw.
 */
import { z } from 'zod';

/** Payload of `Prompt`, `AssistantMessage` and `ToolResults`; members of a compaction snapshot name the id `id`. */
export const MessageSchema = z.looseObject({
  message_id: z.string().nullish(),
  id: z.string().nullish(),
  role: z.string().nullish(),
  results: z.record(z.string(), z.unknown()).nullish(),
  meta: z.record(z.string(), z.unknown()).nullish(),
});

export const ThinkingSchema = z.looseObject({
  text: z.string().nullish(),
  modelId: z.string().nullish(),
  redactedContent: z.array(z.unknown()).nullish(),
});

export const ToolUseSchema = z.looseObject({
  toolUseId: z.string().nullish(),
  name: z.string().nullish(),
});

export const ToolResultSchema = z.looseObject({
  toolUseId: z.string().nullish(),
  content: z.array(z.unknown()).nullish(),
  status: z.string().nullish(),
});

/** One member of `results`: what the program knows of a call and its result. */
export const ResultSchema = z.looseObject({
  tool: z.record(z.string(), z.unknown()).nullish(),
  result: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
});

export const CompactionSchema = z.looseObject({
  summary: z.string().nullish(),
  messages_snapshot: z.array(z.unknown()).nullish(),
});

export const TurnSchema = z.looseObject({
  message_ids: z.array(z.unknown()).nullish(),
  result: z.record(z.string(), z.unknown()).nullish(),
  end_reason: z.string().nullish(),
  model: z.string().nullish(),
  metering_usage: z.array(z.unknown()).nullish(),
  context_usage_percentage: z.number().nullish(),
});

export const SessionSchema = z.looseObject({
  session_id: z.string().nullish(),
  cwd: z.string().nullish(),
  title: z.string().nullish(),
  parent_session_id: z.string().nullish(),
  session_created_reason: z.string().nullish(),
});
