import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { problems } from '../json-store.js';
import { rest, textOf } from './fields.js';
import { splitPrompt } from './prompt-text.js';

type Columns = Omit<Draft, 'row_type' | 'text'>;

/** What a person said, and ahead of and behind it, as rows of their own, what the program put around it. */
export function* promptRows(text: string, columns: Columns): Generator<Draft> {
  const { before, said, after, problem } = splitPrompt(text);
  const injected = (part: string): Draft => ({
    row_type: 'context',
    text: part,
    ...columns,
    origin: 'injected',
    identity: columns.identity === undefined ? undefined : `${columns.identity}\u0000injected`,
    details: { ...columns.details, note: 'put around the prompt by the program' },
  });
  for (const part of before) yield injected(part);
  const alone = before.length === 0 && after.length === 0;
  if (said !== '' || alone) {
    yield {
      row_type: 'prompt',
      text: said,
      ...columns,
      ...(said === '' || columns.recovered ? {} : { textKey: said }),
      problem: problems(columns.problem, problem, said === '' && 'a prompt without text'),
    };
  }
  for (const part of after) yield injected(part);
}

const NAMES = ['path', 'file', 'filePath', 'relativePath', 'uri', 'name', 'fileName'];

/** Something that was attached to a prompt: mostly a file with its content. */
export function contextItemRow(item: unknown, pointer: string): Draft {
  const base = { row_type: 'context', origin: 'injected', source_pointer: pointer } as const;
  if (!isObject(item)) return { ...base, text: compact(item) };
  const path = NAMES.map((key) => textOf(item, key)).find((name) => name !== '') ?? '';
  const { content } = item;
  if (typeof content !== 'string' || content === '') return { ...base, text: compact(item), file_paths: path === '' ? [] : [path] };
  return { ...base, text: content, file_paths: path === '' ? [] : [path], details: { item: rest(item, 'content') } };
}

/** Calls that stand in a message by their name; what came of them is in the execution log. */
export function* uncalledRows(calls: readonly JsonObject[], columns: Columns): Generator<Draft> {
  for (const call of calls) {
    const input = call.input ?? call.args;
    yield {
      row_type: 'tool_use',
      text: input === undefined ? '' : compact(input),
      origin: 'agent',
      tool_name: textOf(call, 'name'),
      tool_use_id: textOf(call, 'id'),
      rank: 1,
      identity: undefined,
      ...columns,
      details: { ...columns.details, part: rest(call, 'type', 'name', 'id', 'input', 'args') },
    };
  }
}
