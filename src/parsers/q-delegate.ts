import { z } from 'zod';
import type { JsonObject } from '../evidence/json.js';
import type { FileSource } from '../evidence/source.js';
import { stripAnsi } from '../evidence/text.js';
import type { Draft } from '../rows/draft.js';
import { fromEpochSeconds, type Instant } from '../rows/time.js';
import { problems, readObject, typed, unknownFields } from './json-store.js';
import type { FileParser } from './parser.js';

// .amazonq/.subagents/<agent>.json of Amazon Q Developer CLI: the last task delegated to an agent in a directory.
// It proves that a second `q chat` was started with a task, when, by which process, and what it printed; for the agent
// `q_cli_default` with all tools trusted. For any other agent a yes/no question is shown, but its answer is ignored.
// It cannot show earlier tasks of the same agent (each overwrites the file), nor what the run did beyond its output. A
// status `running` may be stale. Missing times default to 0 in the program, so that 0 is "not recorded".
// `output` is the terminal picture of the run with its control sequences: secondary evidence of tools it used.
// Versions: from 1.19.0 (experimental); user_notified, summary and cwd from 1.19.4. Evidence: L1,
// aws/amazon-q-developer-cli: crates/chat-cli/src/cli/chat/tools/delegate.rs; one real file seen.

const RecordSchema = z.looseObject({
  agent: z.string().nullish(),
  task: z.string().nullish(),
  status: z.string().nullish(),
  launched_at: z.number().nullish(),
  completed_at: z.number().nullish(),
  pid: z.number().nullish(),
  exit_code: z.int().nullish(),
  output: z.string().nullish(),
  user_notified: z.boolean().nullish(),
  summary: z.string().nullish(),
  cwd: z.string().nullish(),
});
type DelegateRecord = z.output<typeof RecordSchema>;

const TRUSTING_AGENT = 'q_cli_default';
// Written by the program itself when the process was gone, with exit code -1 (delegate.rs, 1.19.7).
const LOST = 'Process terminated unexpectedly (PID not found)';
const IN_END_ROW = ['exit_code', 'output', 'summary'];
const TOOL_LINE = /Using tool: ([^\r\n]{1,200}?) \(trusted\)/g;

export const qDelegate: FileParser = { id: 'q-delegate', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const stored = yield* readObject(source, 'delegate record');
  if (!stored) return;
  const { fields, problem } = typed(RecordSchema, stored);
  const { artifact } = source;
  const cwd = fields.cwd && fields.cwd !== 'Unknown' ? fields.cwd : undefined;
  const place = { project_path: cwd ?? (artifact.inProject ? artifact.base : '') };
  const launched = fromEpochSeconds(fields.launched_at, 'launched_at');
  const ended = hasEnded(fields);
  const launch = launchRow(fields, stored, launched, ended);
  const project_path_source = cwd === undefined ? { project_path_source: 'folder of the record' } : {};
  yield { ...launch, ...place, problem: problems(problem, launch.problem), details: { ...launch.details, ...project_path_source } };
  if (ended) yield { ...endRow(fields, launched), ...place };
}

function hasEnded({ status, completed_at }: DelegateRecord): boolean {
  return status === 'completed' || status === 'failed' || (status !== 'running' && Boolean(completed_at));
}

function launchRow(fields: DelegateRecord, stored: JsonObject, launched: Instant | undefined, ended: boolean): Draft {
  const { agent, pid, task, status, launched_at, completed_at } = fields;
  const trusting = agent === TRUSTING_AGENT;
  const running = status === 'running';
  const inColumns = new Set(['task', ...(ended ? IN_END_ROW : [])].filter((key) => typeof fields[key] === typeof stored[key]));
  const approval = trusting ? {} : { approval: 'the program asks, but ignores the answer' };
  return {
    row_type: 'delegate',
    text: `delegate task launched: agent=${agent ?? ''} pid=${pid ?? 'unknown'}${trusting ? ' trust_all_tools=true' : ''}: ${task ?? ''}`,
    time: launched,
    origin: 'agent',
    status: running ? 'running' : ended ? '' : 'unknown',
    problem: problems(
      !agent && 'no agent name',
      !launched && (launched_at ? 'launched_at is not a time' : 'launched_at is missing or 0: the start time is not recorded'),
      running && (completed_at ? 'status running, but completed_at is set' : 'status running without completed_at: may be stale'),
      !running && !ended && 'no status the program knows',
    ),
    details: { ...Object.fromEntries(unknownFields(stored, inColumns)), ...approval },
  };
}

function endRow(fields: DelegateRecord, launched: Instant | undefined): Draft {
  const { agent, status, exit_code, output, summary } = fields;
  const completed = fromEpochSeconds(fields.completed_at, 'completed_at');
  const known = status === 'completed' || status === 'failed';
  const lost = exit_code === -1 && output === LOST;
  const contrary = (status === 'failed' && exit_code === 0) || (status === 'completed' && typeof exit_code === 'number' && exit_code !== 0);
  const sure = typeof exit_code === 'number' && !lost && !contrary;
  const elapsed = completed && launched ? completed.ms - launched.ms : undefined;
  const head = `delegate task ${status ?? 'unknown'}: agent=${agent ?? ''} exit_code=${exit_code ?? 'unknown'}`;
  return {
    row_type: 'delegate',
    text: [head, summary && `summary: ${summary}`, output && `output: ${output}`].filter(Boolean).join('\n'),
    time: completed,
    status: known ? status : 'unknown',
    outcome: sure ? (exit_code === 0 ? 'pass' : 'fail') : 'ambiguous',
    exit_code: exit_code ?? null,
    duration_ms: elapsed !== undefined && elapsed >= 0 ? elapsed : null,
    problem: problems(
      !completed && 'completed_at is missing or not a time: the end time is not recorded',
      elapsed !== undefined && elapsed < 0 && 'completed_at lies before launched_at',
      lost && 'exit code and output come from the program, which found the process gone',
      contrary && 'status and exit code contradict each other',
      !known && 'no status the program knows',
    ),
    details: { tools_mentioned: toolsMentioned(output ?? '') },
  };
}

function toolsMentioned(output: string): string[] {
  return Array.from(stripAnsi(output).matchAll(TOOL_LINE), (match) => match[1] ?? '');
}
