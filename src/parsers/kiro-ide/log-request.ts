import { compact, isObject, type JsonObject, parseJson } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { tameJson } from '../tame-json.js';
import { contentOf } from './content.js';
import { withoutData } from './data-urls.js';
import { details, listOf, objectOf, textOf } from './fields.js';
import { promptRows } from './message-rows.js';

// Requests and answers of the service as logs hold them. The log row has the whole; these rows make the words findable. They rank
// behind everything that a session file or an execution log says.

export const FROM_LOG = { recovered: 'transcript', confidence: 'probable', rank: 5 } as const;

/** A text that is a JSON object, else undefined. */
export function objectIn(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  const parsed = parseJson(Buffer.from(text, 'utf8'));
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  tameJson(parsed.value);
  withoutData(parsed.value);
  return parsed.value;
}

/** The current message of a request: the prompt, or the results of tools that are sent back. */
export function* requestRows(state: JsonObject, pointer: string, place: Partial<Draft>): Generator<Draft> {
  const message = objectOf(objectOf(state, 'currentMessage'), 'userInputMessage') ?? {};
  const at = `${pointer}/currentMessage/userInputMessage`;
  const columns = {
    ...place,
    ...FROM_LOG,
    session_id: textOf(state, 'conversationId'),
    model: textOf(message, 'modelId'),
    details: details({
      ...place.details,
      continuation: state.agentContinuationId,
      task: state.agentTaskType,
      trigger: state.chatTriggerType,
      origin: message.origin,
    }),
  };
  const text = textOf(message, 'content');
  if (text !== '') yield* promptRows(text, { ...columns, origin: 'unknown', source_pointer: `${at}/content` });
  const context = objectOf(message, 'userInputMessageContext');
  for (const [i, result] of listOf(context, 'toolResults').entries()) {
    const { text: said, others } = contentOf(blocks(isObject(result) ? result.content : undefined));
    const status = textOf(result, 'status');
    yield {
      row_type: 'tool_result',
      text: said || compact(isObject(result) ? result.content : result),
      tool_use_id: textOf(result, 'toolUseId'),
      status: /^success$/i.test(status) ? 'completed' : /^error$/i.test(status) ? 'failed' : 'unknown',
      outcome: /^error$/i.test(status) ? 'fail' : 'ambiguous',
      ...columns,
      source_pointer: step(`${at}/userInputMessageContext/toolResults`, i),
      details: details({ ...columns.details, content: others }),
    };
  }
}

/** `{text}` and `{json}` blocks of the service in the form of message parts. */
function blocks(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((block: unknown) => (isObject(block) && typeof block.text === 'string' ? { type: 'text', text: block.text } : block));
}
