import { compact, isObject, type JsonObject, without } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { problems, typed } from '../json-store.js';
import { filled, named } from './fields.js';
import { imageInfo } from './images.js';
import { ResultSchema, ToolResultSchema } from './schema.js';

// A result is stored twice: as a content block for the model, and in `results` for the program, which alone names the MCP
// server and tells an interrupted call from a failed one. Shapes: aws/amazon-q-developer-cli: crates/agent (ancestor of the
// engine); Dicklesworthstone/cross_agent_session_resumer: src/providers/kiro.rs.

export type ResultColumns = Pick<Draft, 'text' | 'status' | 'outcome' | 'exit_code' | 'problem'> & {
  readonly details: JsonObject;
  readonly toolName: string;
  readonly cancelled: boolean;
};

interface Rendered {
  readonly text: string;
  readonly exitCode: number | null;
  readonly mcpError: boolean;
  readonly details: JsonObject;
}

type State = 'success' | 'error' | 'cancelled' | 'unknown';

/** Columns of one result. `block` is the content block, `stored` the member of `results`; one of them may be missing. */
export function resultColumns(block: JsonObject | undefined, stored: unknown): ResultColumns {
  const shown = block === undefined ? undefined : readBlock(block);
  const known = stored === undefined ? undefined : readStored(stored);
  const state = known === undefined || known.state === 'unknown' ? (shown?.state ?? 'unknown') : known.state;
  const conflict = shown && known && known.state !== 'unknown' && known.state !== 'cancelled' && shown.state !== known.state;
  const main = known !== undefined && (known.text !== '' || shown === undefined) ? known : shown;
  const other = main === known ? shown : undefined;
  const differs = other !== undefined && other.text !== main?.text;
  const exitCode = known?.exitCode ?? shown?.exitCode ?? null;
  const failed = state === 'error' || (state !== 'cancelled' && Boolean(known?.mcpError || shown?.mcpError));
  const text = main?.text ?? '';
  return {
    text: state === 'cancelled' ? `cancelled ${text}` : text,
    status: state === 'cancelled' ? 'canceled' : failed ? 'failed' : state === 'success' ? 'completed' : 'unknown',
    outcome: state === 'cancelled' ? 'ambiguous' : exitCode !== null ? (exitCode === 0 ? 'pass' : 'fail') : failed ? 'fail' : 'ambiguous',
    exit_code: exitCode,
    cancelled: state === 'cancelled',
    toolName: known?.toolName ?? '',
    problem: problems(
      shown?.problem,
      known?.problem,
      conflict && `the content block says ${shown.state}, the stored result ${known.state}`,
      differs && 'the text given to the model and the stored result differ: the former is in the details',
    ),
    details: { ...merged(shown?.details, known?.details), ...(differs ? { content_text: other.text } : {}) },
  };
}

/** What both say the same stands once; where they differ, the value of the content block has a key of its own. */
function merged(shown: JsonObject = {}, known: JsonObject = {}): JsonObject {
  const differing = Object.entries(shown).filter(([key, value]) => known[key] !== undefined && compact(known[key]) !== compact(value));
  return { ...shown, ...known, ...Object.fromEntries(differing.map(([key, value]) => [`content_${key}`, value])) };
}

function readBlock(block: JsonObject): Rendered & { state: State; problem: string } {
  const { fields, problem } = typed(ToolResultSchema, block);
  const { toolUseId, content, status, ...rest } = block;
  // From the record itself: a schema drops the key `__proto__`.
  const items: unknown[] = fields.content && Array.isArray(content) ? content : [];
  const rendered = render(items.map((item) => itemOf(item)));
  const state = status === 'success' || status === 'error' ? status : 'unknown';
  const details = {
    ...named('block', rest),
    ...(state === 'unknown' ? filled({ stored_status: status }) : {}),
    ...(items !== content ? filled({ stored_content: content }) : {}),
    ...(typeof toolUseId === 'string' ? {} : filled({ stored_id: toolUseId })),
    ...rendered.details,
  };
  return { ...rendered, state, problem, details };
}

const STORED = ['tool', 'result'];
const TOOL = ['tool_use_purpose', 'kind'];
const MCP = ['serverName', 'toolName'];
const RESULT = ['Success', 'Error', 'Cancelled'];
const OUTPUT = ['exit_status', 'stdout', 'stderr'];

function readStored(stored: unknown): Rendered & { state: State; problem: string; toolName: string } {
  const record: JsonObject = isObject(stored) ? stored : { result: stored };
  const { problem } = typed(ResultSchema, record);
  const { tool, result } = record;
  const rest = without(record, STORED);
  const facts = toolFacts(tool);
  const { state, items, more } = outcomeOf(result);
  const rendered = render(items);
  const details = { ...named('stored_fields', rest), ...facts.details, ...more, ...rendered.details };
  return { ...rendered, state, problem, toolName: facts.name, details };
}

/** `{tool_use_purpose, kind: {BuiltIn: {<Name>: params}} | {Mcp: {serverName, toolName, params}}}`. */
function toolFacts(tool: unknown): { readonly name: string; readonly details: JsonObject } {
  if (!isObject(tool)) return { name: '', details: filled({ tool }) };
  const { tool_use_purpose: purpose, kind } = tool;
  const rest = without(tool, TOOL);
  const details = { ...named('tool', rest), ...filled({ purpose }) };
  const mcp = isObject(kind) ? kind.Mcp : undefined;
  if (!isObject(mcp)) return { name: '', details: { ...details, ...filled({ kind }) } };
  const { serverName, toolName } = mcp;
  const params = without(mcp, MCP);
  const name = typeof toolName === 'string' ? toolName : '';
  const others = isObject(kind) ? Object.entries(kind).filter(([key]) => key !== 'Mcp') : [];
  const found = { server: serverName, ...(name === '' ? { tool_name: toolName } : {}) };
  return { name, details: { ...details, ...filled(found), ...named('mcp', params), ...named('kind', Object.fromEntries(others)) } };
}

function outcomeOf(result: unknown): { state: State; items: Item[]; more: JsonObject } {
  if (result === 'Cancelled') return { state: 'cancelled', items: [], more: {} };
  if (!isObject(result)) return { state: 'unknown', items: [], more: filled({ stored_result: result }) };
  const { Success, Error: failure, Cancelled } = result;
  const more = without(result, RESULT);
  const state = Cancelled !== undefined ? 'cancelled' : failure !== undefined ? 'error' : Success !== undefined ? 'success' : 'unknown';
  const parts = [Success, failure, Cancelled].filter((part) => part !== undefined && part !== null);
  return { state, items: parts.flatMap(partItems), more: named('stored_result', more) };
}

function partItems(part: unknown): Item[] {
  if (!isObject(part)) return [{ text: compact(part) }];
  const { items, Custom, ...rest } = part;
  const list = Array.isArray(items) ? items.map((item) => itemOf(item)) : items === undefined ? [] : [{ text: compact(items) }];
  if (Custom !== undefined) list.push({ text: compact(Custom) });
  if (Object.keys(rest).length > 0) list.push({ json: rest });
  return list;
}

type Item = { readonly text: string } | { readonly json: unknown } | { readonly image: unknown };

/** `{kind: "text"|"json"|"image", data}` in content, `{Text}`, `{Json}`, `{Image}` in results; anything else is shown raw. */
function itemOf(item: unknown): Item {
  if (!isObject(item)) return { text: compact(item) };
  const pairs = Object.entries(item);
  const byKind = 'kind' in item && pairs.every(([name]) => name === 'kind' || name === 'data');
  const [key, value] = byKind ? [item.kind, item.data] : pairs.length === 1 ? (pairs[0] ?? []) : [];
  if ((key === 'text' || key === 'Text') && typeof value === 'string') return { text: value };
  if (key === 'json' || key === 'Json') return { json: value ?? null };
  if (key === 'image' || key === 'Image') return { image: value };
  return { text: compact(item) };
}

function render(items: readonly Item[]): Rendered {
  const parts: string[] = [];
  const images: JsonObject[] = [];
  const outputs: JsonObject[] = [];
  let exitCode: number | null = null;
  let mcpError = false;
  for (const item of items) {
    if ('text' in item) parts.push(item.text);
    else if ('image' in item) images.push(imageInfo(item.image));
    else {
      const output = commandOutput(item.json);
      parts.push(output?.text ?? compact(item.json));
      exitCode ??= output?.exitCode ?? null;
      if (output !== undefined) outputs.push(output.details);
      mcpError ||= isObject(item.json) && item.json.isError === true;
    }
  }
  const [first, ...more] = outputs;
  const details = { ...first, ...(more.length > 0 ? { further_outputs: more } : {}), ...(images.length > 0 ? { images } : {}) };
  return { text: parts.join('\n'), exitCode, mcpError, details };
}

/** `{exit_status, stdout, stderr}` of the shell tool. */
function commandOutput(json: unknown): { text: string; exitCode: number | null; details: JsonObject } | undefined {
  if (!isObject(json) || typeof json.stdout !== 'string' || !('exit_status' in json)) return undefined;
  const { exit_status: status, stdout, stderr } = json;
  if (stderr !== undefined && stderr !== null && typeof stderr !== 'string') return undefined;
  const separator = stdout === '' || stdout.endsWith('\n') ? '' : '\n';
  return {
    text: stderr ? `${stdout}${separator}stderr:\n${stderr}` : stdout,
    exitCode: exitCodeOf(status),
    details: { exit_status: status, ...named('output', without(json, OUTPUT)) },
  };
}

/** Rust writes `exit status: 0` on Unix, `exit code: 0` (large ones in hexadecimal) on Windows, `signal: 9 (SIGKILL)` for a kill. */
function exitCodeOf(status: unknown): number | null {
  const code = /^(?:exit (?:status|code): )?(-?\d{1,10}|0x[0-9a-f]{1,8})$/.exec(compact(status))?.[1];
  return code === undefined ? null : Number(code);
}
