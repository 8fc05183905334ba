import { isObject, type JsonObject } from '../../evidence/json.js';
import { textOf } from './fields.js';

/** A message as a text and what else it holds. */
export interface Content {
  readonly text: string;
  /** Parts that are no text: mentions, pictures, references. */
  readonly others: unknown[];
  /** Executions that a part stands for (`executionLog`). */
  readonly executions: string[];
  /** Calls that are written into a message. */
  readonly calls: JsonObject[];
}

/** Text of a content: a string, or a list of parts. */
export function contentOf(content: unknown): Content {
  if (typeof content === 'string') return { text: content, others: [], executions: [], calls: [] };
  const parts: unknown[] = Array.isArray(content) ? content : content === undefined || content === null ? [] : [content];
  const texts: string[] = [];
  const others: unknown[] = [];
  const executions: string[] = [];
  const calls: JsonObject[] = [];
  for (const part of parts) {
    const type = textOf(part, 'type');
    if (typeof part === 'string') texts.push(part);
    else if (isObject(part) && type === 'executionLog' && typeof part.text === 'string') executions.push(part.text);
    else if (isObject(part) && type === 'tool_use') calls.push(part);
    else if (isObject(part) && type === 'text' && typeof part.text === 'string') {
      texts.push(part.text);
      if (Object.keys(part).length > 2) others.push(part);
    } else others.push(part);
  }
  return { text: texts.join('\n'), others, executions, calls };
}
