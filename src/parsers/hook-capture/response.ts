import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { filled } from '../kiro-v2/fields.js';
import type { Payload } from './payload.js';
import { readProse } from './prose.js';
import type { ToolName } from './tool-names.js';
import { verdictOf } from './verdict.js';

// Results: a sentence (Kiro IDE), `{success, result: [..]}` (Amazon Q CLI, Kiro CLI 2.18), `{items: [{Text} | {Json}]}` (Kiro CLI
// 2.6), `{exitCode, stdout, stderr}` (other hosts). Everything that is not in the text goes to the details.

export type ResultColumns = Pick<Draft, 'text' | 'status' | 'outcome' | 'exit_code' | 'problem'> & {
  readonly path: string;
  readonly details: JsonObject;
};

export interface Facts {
  text: string;
  exitCode: number | null;
  success: boolean | undefined;
  failure: string;
  canceled: boolean;
  blocked: boolean;
  rest: JsonObject;
}

const CODE_KEYS = ['exitCode', 'exit_code', 'exit_status', 'returnCode'] as const;
const FAILED_KEYS = ['is_error', 'isError', 'failed'] as const;
// Rust writes an exit status as `exit status: 0`, on Windows `exit code: 0`.
const CODE = /^(?:exit (?:status|code): )?(-?\d{1,10})$/;

export function resultColumns(payload: Payload, name: ToolName, command: string): ResultColumns {
  const { response, tool } = payload;
  const facts = isObject(response) ? structured(response, name) : { ...NOTHING, text: typeof response === 'string' ? response : '' };
  const prose = readProse(name, tool, facts.text);
  if (payload.success !== undefined) facts.success = payload.success;
  if (/failure$/i.test(payload.event)) facts.failure ||= 'event';
  const exitCode = facts.exitCode ?? prose.exitCode;
  const verdict = verdictOf(facts, exitCode, isObject(response) ? 'unknown' : prose.verdict, command);
  return {
    text: verdict.status === 'canceled' ? `cancelled ${facts.text}` : facts.text,
    status: verdict.status,
    outcome: verdict.outcome,
    exit_code: exitCode,
    problem: verdict.problem,
    path: prose.path,
    details: {
      outcome_source: verdict.source,
      ...(facts.exitCode === null && prose.exitCode !== null ? { exit_code_source: 'result text' } : {}),
      ...(payload.success === undefined ? {} : { success: payload.success }),
      ...(prose.delegate === '' ? {} : { delegate: prose.delegate, delegate_source: 'result text, written by the delegate' }),
      ...(name.delegate === '' ? {} : { delegate: name.delegate, delegate_source: 'tool name' }),
      ...filled({ stages: prose.stages }),
      ...(Object.keys(facts.rest).length > 0 ? { response: facts.rest } : {}),
    },
  };
}

const NOTHING: Facts = { text: '', exitCode: null, success: undefined, failure: '', canceled: false, blocked: false, rest: {} };

function structured(response: JsonObject, name: ToolName): Facts {
  const list = Array.isArray(response.items) ? 'items' : Array.isArray(response.result) ? 'result' : undefined;
  const facts: Facts = { ...NOTHING, ...flagsOf(response), rest: {} };
  if (list === undefined) {
    const output = outputOf(response);
    facts.exitCode = codeIn(response, name.role === 'shell');
    facts.text = output?.text ?? compact(response);
    facts.rest = output?.rest ?? {};
    return facts;
  }
  const { [list]: stored, ...rest } = response;
  const parts: string[] = [];
  const outputs: JsonObject[] = [];
  for (const item of Array.isArray(stored) ? stored : []) {
    const block = blockOf(item);
    const output = isObject(block) ? outputOf(block) : undefined;
    parts.push(output?.text ?? compact(block));
    if (!isObject(block)) continue;
    facts.exitCode ??= codeIn(block, name.role === 'shell');
    if (output && Object.keys(output.rest).length > 0) outputs.push(output.rest);
    if (block.isError === true) facts.failure ||= 'isError';
  }
  facts.text = parts.join('\n');
  facts.rest = { ...rest, ...(outputs.length > 0 ? { outputs } : {}) };
  return facts;
}

/** `{Text}` and `{Json}` are how Rust writes its two kinds of block; anything else is taken as it is. */
function blockOf(item: unknown): unknown {
  if (!isObject(item)) return item;
  const entries = Object.entries(item);
  const [key, value] = entries.length === 1 ? (entries[0] ?? []) : [];
  return key === 'Text' || key === 'Json' ? value : item;
}

/** Standard output, then standard error under a line of its own. */
function outputOf(block: JsonObject): { readonly text: string; readonly rest: JsonObject } | undefined {
  const { stdout, stderr, ...rest } = block;
  if (typeof stdout !== 'string' || (stderr !== undefined && stderr !== null && typeof stderr !== 'string')) return undefined;
  const separator = stdout === '' || stdout.endsWith('\n') ? '' : '\n';
  return { text: stderr ? `${stdout}${separator}stderr:\n${stderr}` : stdout, rest };
}

/** An exit code that is recorded as one. `code` and `status` mean it for a command only. */
function codeIn(block: JsonObject, shell: boolean): number | null {
  for (const key of [...CODE_KEYS, ...(shell ? ['code', 'status'] : [])]) {
    const value = Object.hasOwn(block, key) ? block[key] : undefined;
    const code = typeof value === 'number' || typeof value === 'string' ? CODE.exec(String(value))?.[1] : undefined;
    if (code !== undefined) return Number(code);
  }
  return null;
}

function flagsOf(response: JsonObject): Pick<Facts, 'success' | 'failure' | 'canceled' | 'blocked'> {
  const flagged = (keys: readonly string[]) => keys.find((key) => response[key] === true) ?? '';
  const error = typeof response.error === 'string' && response.error !== '' ? 'error' : '';
  return {
    success: typeof response.success === 'boolean' ? response.success : undefined,
    failure: flagged(FAILED_KEYS) || error,
    canceled: flagged(['canceled', 'cancelled', 'interrupted']) !== '',
    blocked: flagged(['blocked', 'denied']) !== '',
  };
}
