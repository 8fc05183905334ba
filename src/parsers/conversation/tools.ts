/**
 * Typed columns of Amazon Q tool calls and results.
 * Source: aws/amazon-q-developer-cli, crates/chat-cli/src/cli/chat/tools/ (argument and result shapes per tool).
 */
import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Row } from '../../rows/row.js';
import type { StoredResult, StoredToolUse } from './schema.js';

/** Tools whose `command` argument is a shell command; `shell` is the later name of the same tool. */
const SHELLS = new Set(['execute_bash', 'execute_cmd', 'shell']);
const PATH_KEYS = ['path', 'paths', 'file_path', 'filePath', 'file_paths', 'image_paths', 'source_path'];

/** The name the model used: `dummy` and similar rewrites are made later, when a tool list changes. */
export function calledName(call: StoredToolUse): string {
  return call.orig_name || call.name || '';
}

export interface CallColumns {
  readonly text: string;
  readonly command: string;
  readonly filePaths: string[];
  readonly details: JsonObject;
  readonly problem: string;
}

/** Columns of a call: arguments as the model gave them; what the program stored instead goes to `details`. */
export function callColumns(call: StoredToolUse): CallColumns {
  const name = calledName(call);
  const args = call.orig_args ?? call.args;
  const text = args === undefined ? '' : compact(args);
  const details: JsonObject = {};
  if (call.name && call.name !== name) details.stored_name = call.name;
  if (call.orig_args !== undefined && call.args !== undefined) {
    const stored = compact(call.args);
    if (stored !== text) details.stored_args = call.args;
  }
  const object = isObject(args) ? args : {};
  const command = SHELLS.has(name) && typeof object.command === 'string' ? object.command : '';
  const rounded = /\d{16}/.test(text) && hasUnsafeNumber(args);
  return { text, command, filePaths: pathsOf(object), details, problem: rounded ? 'a number beyond 2^53 may be rounded' : '' };
}

/** Paths a call names: the flat form (1.10 to 1.12) and `operations` (since 1.13.0). */
function pathsOf(args: JsonObject): string[] {
  const paths: string[] = [];
  const collect = (holder: JsonObject) => {
    for (const key of PATH_KEYS) {
      const value = holder[key];
      if (typeof value === 'string' && value !== '') paths.push(value);
      else if (Array.isArray(value)) for (const item of value) if (typeof item === 'string' && item !== '') paths.push(item);
    }
  };
  collect(args);
  if (Array.isArray(args.operations)) for (const operation of args.operations) if (isObject(operation)) collect(operation);
  return paths;
}

function hasUnsafeNumber(value: unknown): boolean {
  const queue: unknown[] = [value];
  while (queue.length > 0) {
    const item = queue.pop();
    if (typeof item === 'number' && Number.isInteger(item) && !Number.isSafeInteger(item)) return true;
    if (typeof item === 'object' && item !== null) for (const child of Object.values(item)) queue.push(child);
  }
  return false;
}

export interface ResultColumns {
  readonly text: string;
  readonly exitCode: number | null;
  readonly status: Row['status'];
  readonly outcome: Row['outcome'];
  readonly details: JsonObject;
  readonly problem: string;
}

/** Only the last 1024 lines of each stream are kept, without a mark (tools/execute/unix.rs, windows.rs). */
const KEPT_LINES = 1024;
const TRUNCATED = ' ... truncated';
/** A bare number; later builds write it as Rust shows an exit status (on Windows `exit code: 1`). */
const EXIT_CODE = /^(?:exit (?:status|code): )?(-?\d{1,10})$/;

/**
 * Columns of a result. `status` says whether the tool ran (`Success` also when the command failed); `outcome` is set from
 * the recorded exit code, a recorded error or an MCP `isError`. An exit code 0 can also mean "ended by a signal":
 * the program stores 0 when there is no code (tools/execute/mod.rs).
 */
export function resultColumns(result: StoredResult): ResultColumns {
  const parts: string[] = [];
  const problems: string[] = [];
  const details: JsonObject = {};
  let exitCode: number | null = null;
  let mcpError = false;
  for (const block of result.content ?? []) {
    const { text, json } = blockOf(block);
    if (json === undefined) {
      parts.push(text);
      continue;
    }
    const output = commandOutput(json);
    if (output === undefined) {
      parts.push(compact(json));
      if (isObject(json) && json.isError === true) mcpError = true;
      continue;
    }
    parts.push(output.text);
    exitCode ??= output.exitCode;
    if (output.extra !== undefined) details.result = output.extra;
    if (String(output.exitCode) !== compact(output.status)) details.exit_status = output.status;
    problems.push(...output.problems);
  }
  const failed = result.status === 'Error' || mcpError;
  if (mcpError && result.status === 'Success') details.stored_status = result.status;
  const status = failed ? 'failed' : result.status === 'Success' ? 'completed' : 'unknown';
  if (status === 'unknown' && result.status) details.stored_status = result.status;
  const outcome = exitCode !== null ? (exitCode === 0 ? 'pass' : 'fail') : failed ? 'fail' : 'ambiguous';
  // Where the form tells an exit from a signal, 0 is no other.
  if (exitCode === 0 && details.exit_status === undefined) details.exit_code_note = 'also stored when a signal ended the command';
  return { text: parts.join('\n'), exitCode, status, outcome, details, problem: problems.join('; ') };
}

function blockOf(block: unknown): { text: string; json?: unknown } {
  if (isObject(block)) {
    if (typeof block.Text === 'string') return { text: block.Text };
    if ('Json' in block) return { text: '', json: block.Json ?? null };
  }
  return { text: compact(block) };
}

interface CommandOutput {
  readonly text: string;
  readonly exitCode: number | null;
  readonly status: unknown;
  readonly problems: string[];
  /** Members besides the three known ones. */
  readonly extra: JsonObject | undefined;
}

/** `{exit_status, stdout, stderr}`, in any order; all strings in every version seen. */
function commandOutput(json: unknown): CommandOutput | undefined {
  if (!isObject(json) || typeof json.stdout !== 'string' || !('exit_status' in json)) return undefined;
  const { exit_status: status, stdout, stderr: storedStderr, ...rest } = json;
  const stderr = typeof storedStderr === 'string' ? storedStderr : '';
  if (storedStderr != null && stderr !== storedStderr) rest.stderr = storedStderr;
  const problems: string[] = [];
  for (const [name, stream] of [
    ['stdout', stdout],
    ['stderr', stderr],
  ] as const) {
    if (stream.endsWith(TRUNCATED)) problems.push(`${name} was cut by the program`);
    else if (lineCount(stream) === KEPT_LINES) problems.push(`${name} holds exactly ${KEPT_LINES} lines: earlier lines may be missing`);
  }
  const code = EXIT_CODE.exec(compact(status))?.[1];
  const exitCode = code === undefined ? null : Number(code);
  const separator = stdout === '' || stdout.endsWith('\n') ? '' : '\n';
  return {
    text: stderr === '' ? stdout : `${stdout}${separator}stderr:\n${stderr}`,
    exitCode,
    status,
    problems,
    extra: Object.keys(rest).length > 0 ? rest : undefined,
  };
}

function lineCount(stream: string): number {
  let count = stream === '' || stream.endsWith('\n') ? 0 : 1;
  for (let at = stream.indexOf('\n'); at >= 0; at = stream.indexOf('\n', at + 1)) count += 1;
  return count;
}
