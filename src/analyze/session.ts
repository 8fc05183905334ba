import { z } from 'zod';
import { LEVELS } from './hits.js';

export const SESSION_SCHEMA = 'kirotrail-session/1';

const count = z.int();
const texts = z.array(z.string());
const tally = z.record(z.string(), count);

/** One session: what was done in it and by whose decision. Counts are of primary rows; copies are counted apart. */
export const SessionSchema = z.strictObject({
  session_id: z.string().describe('as stored'),
  agents: texts.describe('agents that wrote rows of it'),
  host: z.string().describe('from `--host`'),
  user: z.string().describe('owner of the home'),
  project_paths: texts.describe('working directories'),
  first_utc: z.string().describe('earliest recorded time; file times do not count'),
  last_utc: z.string().describe('latest recorded time'),
  rows: count.describe('primary rows'),
  undated: count.describe('rows without a time of their own'),
  duplicates: count.describe('rows that another row already says'),
  recovered: count.describe('rows from copies, transcripts, replaced or deleted data'),
  by_type: tally.describe('rows by type'),
  prompts: z
    .strictObject({ typed: count, automatic: count, injected: count, agent: count, unknown: count })
    .describe('who wrote the prompts'),
  models: texts.describe('models that served it'),
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
    .strictObject({ total: count, completed: count, failed: count, not_run: count, unknown: count, partly_understood: count })
    .describe(
      'shell commands of tool calls; completed: without an exit code other than 0; partly_understood: the text was cut, or is no whole command',
    ),
  files_touched: texts.describe('paths that calls wrote or deleted, the first thousand; calls that did not run are left out'),
  files_touched_count: count.describe('all of these paths'),
  files_read_count: count.describe('paths that calls read'),
  credits: z.number().nullable().describe('sum of recorded credits; null where none is recorded'),
  gaps: count.describe('things known to have existed and not there'),
  errors: count.describe('pieces that could not be read'),
  secrets: z.strictObject({ occurrences: count, distinct: count }).describe('secrets found in its rows'),
  parent_session_ids: texts.describe('sessions that started it'),
  child_session_ids: texts.describe('sessions that it started'),
  findings: z.record(z.enum(LEVELS), count).describe('findings by level, without suppressed ones'),
  info: tally.describe('rows matched by rules of level info'),
  source_files: texts.describe('files that hold it'),
  schema: z.literal(SESSION_SCHEMA),
  tool_version: z.string(),
});

export type Session = z.infer<typeof SessionSchema>;
