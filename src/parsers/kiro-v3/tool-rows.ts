import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import type { Row } from '../../rows/row.js';
import { problems } from '../json-store.js';
import { namedPaths } from '../named-paths.js';
import { contentText } from './attachments.js';
import { callPermission } from './permission-rows.js';
import type { RecordRows } from './record-rows.js';
import { kiroMeta, readPayload, textOf } from './schema.js';
import { exitCodeOf, isShell, outcomeOf } from './shell-output.js';

const PATH_KEYS = ['path', 'paths', 'targetFile', 'file_path', 'filePath', 'filePaths', 'file_paths', 'files'];

/** A call; behind it, what its own record says of permission and no other record does. */
export function* callRows(context: RecordRows): Generator<Draft> {
  const { record, row, log } = context;
  const { fields, problem, rest } = readPayload('tool_call', record.payload);
  const tool = fields.toolName ?? '';
  const call = fields.toolCallId ?? '';
  const { args } = fields;
  const named = isObject(args) ? args : {};
  const shell = isShell(tool) || fields.kind === 'execute';
  const permission = callPermission(context, fields);
  yield row('tool_use', args === undefined ? '' : compact(args), '/payload/args', {
    origin: 'agent',
    tool_name: tool,
    tool_use_id: call,
    command: shell && typeof named.command === 'string' ? named.command : '',
    // The path the engine noted itself comes last.
    file_paths: namedPaths(named, PATH_KEYS, named.operations, fields.filePath),
    problem: problems(
      problem,
      hasUnsafeNumber(args) && 'a number beyond 2^53 may be rounded',
      log.parts.runProblem(textOf(kiroMeta(fields._meta), 'agentSubtaskId')),
    ),
    details: {
      payload: rest('type', 'toolCallId', 'toolName', 'args'),
      ...permission.details,
      ...engineHint(tool),
      ...(log.survey.reverted.has(call) ? { changes_reverted: true } : {}),
    },
  });
  if (permission.row) yield permission.row();
}

function hasUnsafeNumber(root: unknown): boolean {
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return true;
    if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) open.push(child);
  }
  return false;
}

// Nothing in a log says whether the IDE or the CLI wrote it; these tools only hint at it.
function engineHint(tool: string): JsonObject {
  if (tool === 'execute_pwsh') return { engine_hint: 'Windows' };
  return tool === 'fetch_cloud_config' ? { engine_hint: 'CLI' } : {};
}

/** A result. Whether the tool ran is in `success`; how a command ended only in the last line of its text. */
export function* resultRows({ record, row, log, synthetic }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('tool_result', record.payload);
  const call = fields.toolCallId ?? '';
  const tool = log.survey.tools.get(call) ?? '';
  const { text, others } = contentText(record.payload.content);
  const ruling = log.survey.approvals.rulingOn(call);
  const blocked = fields.success === false && (ruling?.decision === 'denied' || log.survey.statuses.get(call) === 'denied');
  const failed = fields.success === false && !blocked && !synthetic;
  const exitCode = synthetic ? null : exitCodeOf(tool, text);
  const duration = fields.durationMs;
  const whole = typeof duration === 'number' && Number.isSafeInteger(duration) && duration >= 0;
  const output = outputFile(text, tool);
  yield row('tool_result', text, '/payload/content', {
    tool_name: tool,
    tool_use_id: call,
    status: statusOf(fields.success, blocked, synthetic),
    outcome: synthetic || blocked ? 'ambiguous' : outcomeOf(exitCode, failed),
    exit_code: exitCode,
    duration_ms: whole && !synthetic ? duration : null,
    problem: problems(
      problem,
      synthetic && 'how the call ended is not recorded',
      tool === '' && 'its call is not in this log',
      failed && exitCode === 0 && 'recorded as failed, with exit code 0',
      exitCode === -1 && 'the exit code -1 is also given for commands that went well',
      output !== undefined && 'only a part of the result is in the log: the whole was saved to a file of its own',
      output !== undefined && log.parts.outputProblem(output),
    ),
    details: {
      payload: rest('type', 'toolCallId', 'content', ...(whole && !synthetic ? ['durationMs'] : [])),
      ...(others.length > 0 ? { content: others } : {}),
      ...(exitCode === null ? {} : { exit_code_source: 'text' }),
      ...(output === undefined ? {} : { tool_output: output }),
    },
  });
}

function statusOf(success: boolean | null | undefined, blocked: boolean, synthetic: boolean): Row['status'] {
  if (synthetic || typeof success !== 'boolean') return 'unknown';
  if (blocked) return 'blocked';
  return success ? 'completed' : 'failed';
}

// `<tool>-<8 hex digits>.txt`; the name of the tool keeps a listing of such files from being taken for a pointer.
const OUTPUT = /tool-outputs[\\/]([\w.@-]{1,200}-[0-9a-f]{8}\.txt)/g;

function outputFile(text: string, tool: string): string | undefined {
  if (!text.includes('tool-outputs')) return undefined;
  for (const match of text.matchAll(OUTPUT)) {
    const name = match[1];
    if (name !== undefined && (tool === '' || name.startsWith(`${tool}-`))) return name;
  }
  return undefined;
}
