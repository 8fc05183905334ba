import { compact, isBare, isObject, type JsonObject, without } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { callColumns } from '../conversation/tools.js';
import { problems, typed } from '../json-store.js';
import { type MakeRow, type MessageContext, rowMaker } from './context.js';
import { filled, named } from './fields.js';
import { imageInfo } from './images.js';
import { promptOrigin } from './origin.js';
import { resultColumns } from './results.js';
import { ThinkingSchema, ToolUseSchema } from './schema.js';

export type MessageKind = 'prompt' | 'assistant' | 'results';

/** What a message says, as stored. */
export interface Message {
  readonly kind: MessageKind;
  readonly content: unknown;
  /** Results by id of the call; messages with results only. */
  readonly results: unknown;
}

/** The writer's own note for arguments it could not keep (kirodotdev/Kiro#6110). */
const LOST = 'SYSTEM NOTE: the actual tool use arguments were too complicated';

interface Block {
  readonly kind: unknown;
  readonly data: unknown;
  readonly raw: unknown;
  readonly pointer: string;
}

/** Rows of one message in the order of its blocks; a message without any gives an empty row, so that it is seen. */
export function* messageRows(context: MessageContext, message: Message): Generator<Draft> {
  const blocks = blocksOf(message.content);
  const texts = blocks.filter((block) => block.kind === 'text' && typeof block.data === 'string');
  const images = blocks.filter((block) => block.kind === 'image').map((block) => imageInfo(block.data));
  const thinking = blocks.flatMap(({ kind, data }) =>
    kind === 'thinking' && isObject(data) && typeof data.modelId === 'string' ? [data.modelId] : [],
  );
  const model = thinking[0] || context.model;
  const marks = thinking[0] ? { ...context.marks, model_source: 'thinking block' } : context.marks;
  const attached = images.length === 0 ? {} : { [message.kind === 'results' ? 'message_images' : 'images']: images };
  const make = rowMaker({ ...context, model, marks, extras: { ...context.extras, ...attached } });
  const stored = isObject(message.results) ? message.results : {};
  const answered = new Set<string>();
  let rows = 0;
  for (const row of inOrder(context, message, make, blocks, texts, stored, answered)) {
    rows += 1;
    yield row;
  }
  for (const [id, result] of Object.entries(stored)) {
    if (answered.has(id)) continue;
    rows += 1;
    yield* resultRows(context, make, id, undefined, result, '/results');
  }
  if (rows === 0) yield emptyRow(context, message, make, texts.length > 0 || images.length > 0);
}

function* inOrder(
  context: MessageContext,
  message: Message,
  make: MakeRow,
  blocks: readonly Block[],
  texts: readonly Block[],
  stored: JsonObject,
  answered: Set<string>,
): Generator<Draft> {
  if (message.kind !== 'assistant' && texts.some((block) => block.data !== '')) yield promptRow(context, make, texts);
  for (const block of blocks) {
    const { kind, data, pointer } = block;
    if (kind === 'image') continue;
    if (kind === 'text' && typeof data === 'string') {
      if (message.kind === 'assistant' && data !== '') yield make('assistant', data, pointer, { origin: 'agent' });
    } else if (kind === 'thinking') yield thinkingRow(make, data, pointer);
    else if (kind === 'toolUse' && isObject(data)) yield callRow(context, make, data, pointer);
    else if (kind === 'toolResult' && isObject(data)) {
      const id = typeof data.toolUseId === 'string' ? data.toolUseId : '';
      const known = answered.has(id) || !Object.hasOwn(stored, id) ? undefined : stored[id];
      answered.add(id);
      yield* resultRows(context, make, id, data, known, pointer);
    } else yield unknownBlock(make, block);
  }
}

const BLOCK = ['kind', 'data'];
const CALL = ['toolUseId', 'name', 'input'];
const PURPOSE = ['__tool_use_purpose'];

function blocksOf(content: unknown): Block[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ kind: 'text', data: content, raw: content, pointer: '/content' }];
  if (!Array.isArray(content)) return [{ kind: undefined, data: undefined, raw: content, pointer: '/content' }];
  return content.map((raw: unknown, i) => {
    const pointer = step('/content', i);
    if (!isObject(raw)) return { kind: undefined, data: undefined, raw, pointer };
    const { kind, data } = raw;
    // A block with more than its two fields is of a form not known: it is kept whole.
    const plain = isBare(filled(without(raw, BLOCK)));
    return { kind: plain ? kind : undefined, data, raw, pointer };
  });
}

function promptRow(context: MessageContext, make: MakeRow, texts: readonly Block[]): Draft {
  const parts = texts.map(({ data }) => compact(data));
  const text = parts.join('\n');
  const typedText = [text, ...parts].find((part) => part !== '' && context.wasTyped(part));
  const { origin, note } = promptOrigin(text, typedText !== undefined);
  return make('prompt', text, texts[0]?.pointer ?? '/content', {
    origin,
    textKey: typedText ?? text,
    details: { ...(parts.length > 1 ? { text_blocks: parts.length } : {}), ...(note === '' ? {} : { note }) },
  });
}

function thinkingRow(make: MakeRow, data: unknown, pointer: string): Draft {
  if (!isObject(data)) return make('thinking', compact(data), pointer, { origin: 'agent' });
  const { fields, problem } = typed(ThinkingSchema, data);
  const { text, signature, redactedContent, modelId, ...rest } = data;
  const redacted = fields.redactedContent?.length ?? 0;
  return make('thinking', fields.text ?? '', pointer, {
    origin: 'agent',
    ...(fields.modelId ? { model: fields.modelId } : {}),
    problem: problems(problem, redacted > 0 && 'part of the reasoning is stored encrypted'),
    details: {
      ...named('thinking', rest),
      ...(redacted > 0 ? { redacted_blocks: redacted } : {}),
      ...(typeof text === 'string' ? {} : filled({ stored_text: text })),
      ...(typeof modelId === 'string' ? {} : filled({ stored_model: modelId })),
      ...(Array.isArray(redactedContent) ? {} : filled({ stored_redacted: redactedContent })),
      ...(typeof signature === 'string' ? {} : filled({ stored_signature: signature })),
    },
  });
}

function callRow(context: MessageContext, make: MakeRow, data: JsonObject, pointer: string): Draft {
  const { fields, problem } = typed(ToolUseSchema, data);
  const { toolUseId, name: storedName, input } = data;
  const name = fields.name ?? '';
  const id = fields.toolUseId ?? '';
  const purpose = isObject(input) ? input.__tool_use_purpose : undefined;
  const columns = callColumns({ id, name, args: isObject(input) ? without(input, PURPOSE) : input, orig_args: undefined });
  // Version 1.27 wrote `ops` for what is `operations` before and after it.
  const ops =
    isObject(input) && Array.isArray(input.ops)
      ? callColumns({ id, name, args: { operations: input.ops }, orig_args: undefined }).filePaths
      : [];
  if (id !== '') context.toolNames.set(id, name);
  const lost = isObject(input) && Object.values(input).some((value) => typeof value === 'string' && value.startsWith(LOST));
  return make('tool_use', columns.text, pointer, {
    origin: 'agent',
    tool_name: name,
    tool_use_id: id,
    command: columns.command,
    file_paths: [...columns.filePaths, ...ops],
    problem: problems(problem, columns.problem, lost && 'the program did not keep the arguments of the call'),
    details: {
      ...filled({ purpose }),
      ...named('call', without(data, CALL)),
      ...columns.details,
      ...(typeof toolUseId === 'string' ? {} : filled({ stored_id: toolUseId })),
      ...(typeof storedName === 'string' ? {} : filled({ stored_name: storedName })),
    },
  });
}

function* resultRows(
  context: MessageContext,
  make: MakeRow,
  id: string,
  block: JsonObject | undefined,
  stored: unknown,
  at: string,
): Generator<Draft> {
  const { toolName, cancelled, text, ...columns } = resultColumns(block, stored);
  const tool = context.toolNames.get(id) || toolName;
  const pointer = block === undefined ? step(at, id) : at;
  yield make('tool_result', text, pointer, { ...columns, tool_name: tool, tool_use_id: id });
  if (!cancelled) return;
  yield make('permission', 'permission decision: cancelled by=interrupt', pointer, {
    tool_name: tool,
    tool_use_id: id,
    decision: 'cancelled',
    decided_by: 'interrupt',
    details: { execution: 'unknown' },
  });
}

function unknownBlock(make: MakeRow, { kind, raw, pointer }: Block): Draft {
  const what = typeof kind === 'string' ? `unknown kind of content block: ${kind.slice(0, 100)}` : 'content block of unknown form';
  return make('error', `parser: ${what}`, pointer, { problem: what, details: { raw } });
}

function emptyRow(context: MessageContext, { kind }: Message, make: MakeRow, sound: boolean): Draft {
  const problem = sound ? '' : 'the message has no content';
  if (kind === 'prompt') return make('prompt', '', '/content', { origin: 'unknown', problem });
  if (kind === 'assistant') return make('assistant', '', '/content', { origin: 'agent', problem });
  return make('tool_result', '', '/content', { status: 'unknown', outcome: 'ambiguous', problem: context.problem === '' ? problem : '' });
}
