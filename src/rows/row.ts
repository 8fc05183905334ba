import { z } from 'zod';
import { ROW_TYPES, type RowType } from './row-types.js';

/** Raised whenever a column is added; columns are never renamed, moved or removed. */
export const SCHEMA = 'kirotrail/1';

const text = (meaning: string) => z.string().describe(meaning);
const integer = (meaning: string) => z.int().nullable().describe(meaning);
const choice = <const T extends readonly string[]>(values: T, meaning: string) => z.enum(values).describe(meaning);

const ORIGINS = ['', 'typed', 'automatic', 'injected', 'agent', 'unknown'] as const;
const TIME_SOURCES = [
  'message',
  'request_start',
  'stream_end',
  'record',
  'row_created',
  'row_updated',
  'launched_at',
  'completed_at',
  'inherited',
  'file_mtime',
  'none',
] as const;
const STATUSES = ['', 'completed', 'failed', 'canceled', 'blocked', 'running', 'unknown'] as const;
const DECISIONS = ['', 'approved', 'denied', 'abandoned', 'cancelled', 'granted', 'revoked', 'requested', 'unknown'] as const;
const RECOVERED = ['', 'snapshot', 'tangent', 'transcript', 'superseded', 'freelist', 'unallocated', 'wal', 'journal'] as const;
const CONFIDENCE = ['', 'complete', 'probable', 'partial', 'fragment'] as const;

/** One found secret, never its value. The list is empty until a scan has run; `secret_count` is null when none has. */
const SecretSchema = z.strictObject({
  rule: z.string(),
  class: z.enum(['secret', 'identifier', 'sensitive']),
  source: z.enum(['location', 'format', 'keyed']),
  confidence: z.enum(['none', 'low', 'medium', 'high', 'certain']),
  column: z.string(),
  start: z.int(),
  end: z.int(),
  pointer: z.string().optional(),
  key: z.string().optional(),
  fingerprint: z.string(),
  preview: z.string(),
  checksum: z.enum(['valid', 'invalid', 'none']),
  decoded: z.enum(['base64', 'percent']).nullable(),
  truncated: z.boolean(),
  mixed: z.literal(true).optional(),
  aws_account: z.string().optional(),
  jwt: z.looseObject({}).optional(),
});

export type RowSecret = z.infer<typeof SecretSchema>;

/**
 * The row contract. Key order is column order, in JSONL and in CSV.
 * The first fourteen columns are those of a row format analysts already use
 * (seanthegeek/coding-agent-collector, docs/output.md); ours follow.
 */
export const RowSchema = z.strictObject({
  timestamp_utc: text('when it happened, `YYYY-MM-DDTHH:MM:SS.mmmZ`; empty when the store records no time'),
  host: text('from `--host`, else empty'),
  user: text('from `--user`, else the owner of the home the file lies in (`home/alice`, `Users/bob`, `root`), else empty'),
  agent: text('`amazon-q-cli`, `kiro-cli`, `kiro-ide`, `flow-agents` or `ai-dlc`'),
  session_id: text('conversation or session id as stored'),
  project_path: text('working directory or workspace as stored; Windows paths keep their backslashes'),
  git_branch: text('as stored; none of the stores read today records one'),
  turn_type: choice(['user', 'assistant', 'tool_use', 'tool_result', 'system'], 'coarse kind, follows from `row_type`'),
  model: text('model that served this row; empty if unknown'),
  tool_name: text('tool as the model called it'),
  tool_use_id: text('joins call, result and permission'),
  text: text('the whole text; never cut in JSONL'),
  source_file: text('path relative to the evidence root, with `/`; `(stdin)` for standard input'),
  source_line: z.int().describe('1-based line, or SQLite rowid; 0 if neither'),
  row_type: z.enum(Object.keys(ROW_TYPES) as [RowType, ...RowType[]]).describe('what the row is; see the table of row types'),
  origin: choice(
    ORIGINS,
    '`typed` by a person, `automatic` (written by the agent program), `injected` (hook, steering, context file), `agent` (the model or another agent), `unknown`, or empty where it does not apply',
  ),
  timestamp_source: choice(TIME_SOURCES, 'the field the time came from'),
  timestamp_original: text('the time as stored (nine fractional digits, local offset, epoch number)'),
  status: choice(STATUSES, 'tool results and delegates; else empty'),
  outcome: choice(
    ['', 'pass', 'fail', 'ambiguous'],
    '`pass` and `fail` only on positive evidence (recorded exit code, recorded error); else `ambiguous`; empty where it does not apply',
  ),
  exit_code: integer('as recorded for the tool run; never guessed'),
  duration_ms: integer('recorded, or the difference of two recorded times of the same request'),
  command: text('shell command of a tool call, hook or server'),
  file_paths: z.array(z.string()).describe('files a call names, in order, as stored'),
  decision: choice(DECISIONS, 'permission rows; else empty'),
  decided_by: text(
    'who or what decided: `n`, `y`, `t`, `user-text`, `deny-rule`, `interrupt`, `auto-repair`, `hook`, `validation`, `config`, ...',
  ),
  recovered: choice(RECOVERED, 'the copy a recovered row came from; empty for live rows'),
  confidence: choice(CONFIDENCE, 'recovered rows: how sure their content is'),
  duplicate_of: text('`row_id` of the primary row that says the same, or tells of the same event'),
  message_id: text('message id as stored'),
  request_id: text('request id of the service, as stored'),
  parent_session_id: text('session this one was started from'),
  source_table: text('SQLite table'),
  source_pointer: text('RFC 6901 pointer inside the JSON value or line'),
  source_offset: integer('byte offset, for line-oriented and carved data'),
  source_sha256: text('SHA-256 of the file as read'),
  secret_count: integer('number of secrets found in the row; null when no scan ran'),
  secret_rules: z.array(z.string()).describe('rules that hit, sorted, each once'),
  secrets: z
    .array(SecretSchema)
    .describe(
      'each secret found: rule, column, range in the stored text (UTF-16 units), keyed fingerprint (the same for the same value), never the value',
    ),
  row_id: text('16 hex digits of a SHA-256 over agent, source hash, table, rowid, pointer, offset, row type and ordinal; stable over runs'),
  problem: text('why something is incomplete or doubtful'),
  details: z.record(z.string(), z.unknown()).describe('further values of the record, by row type'),
  schema: text(`\`${SCHEMA}\``),
  tool_version: text('version of kirotrail that wrote the row'),
});

export type Row = z.infer<typeof RowSchema>;
export type Column = keyof Row;

export const COLUMNS: readonly Column[] = Object.keys(RowSchema.shape) as Column[];
