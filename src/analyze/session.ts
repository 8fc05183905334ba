import { z } from 'zod';
import { LEVELS } from './hits.js';

export const SESSION_SCHEMA = 'kirotrail-session/1';

const count = z.int();
const texts = z.array(z.string());
const tally = z.record(z.string(), count);

/** One session: what was done in it and by whose decision. Counts are of primary rows; copies are counted apart. */
export const SessionSchema = z.strictObject({
  session_id: z.string(),
  agents: texts,
  host: z.string(),
  user: z.string(),
  project_paths: texts,
  first_utc: z.string().describe('earliest recorded time; file times do not count'),
  last_utc: z.string(),
  rows: count,
  undated: count,
  duplicates: count.describe('rows that another row already says'),
  recovered: count,
  by_type: tally,
  prompts: z
    .strictObject({ typed: count, automatic: count, injected: count, agent: count, unknown: count })
    .describe('who wrote the prompts'),
  models: texts,
  tools: tally.describe('calls by tool'),
  decisions: z
    .strictObject({
      approved: count,
      denied: count,
      cancelled: count,
      abandoned: count,
      granted: count,
      requested: count,
      not_recorded: count,
    })
    .describe('granted: standing grants; not_recorded: calls without any decision on record, which is not "allowed"'),
  commands: z
    .strictObject({ total: count, completed: count, failed: count, not_run: count, unknown: count })
    .describe('shell commands of tool calls; completed: without an exit code other than 0'),
  files_touched: texts.describe('paths that calls wrote or deleted, the first thousand; calls that did not run are left out'),
  files_touched_count: count,
  files_read_count: count,
  credits: z.number().nullable().describe('sum of recorded credits; null where none is recorded'),
  gaps: count,
  errors: count,
  secrets: z.strictObject({ occurrences: count, distinct: count }),
  parent_session_ids: texts,
  child_session_ids: texts,
  findings: z.record(z.enum(LEVELS), count).describe('findings by level, without suppressed ones'),
  info: tally.describe('rows matched by rules of level info'),
  source_files: texts,
  schema: z.literal(SESSION_SCHEMA),
  tool_version: z.string(),
});

export type Session = z.infer<typeof SessionSchema>;
