/**
 * Who wrote a message that the store files under "user" or "assistant".
 * Source: aws/amazon-q-developer-cli, crates/chat-cli/src/cli/chat/mod.rs, conversation.rs, message.rs and
 * tools/delegate.rs (texts the program writes itself).
 */
import type { Row } from '../../rows/row.js';
import type { Entry } from './schema.js';

const AUTOMATIC = new Map([
  ['In a few words, summarize our conversation so far.', 'automatic prompt of a resumed session'],
  ['You took too long to respond - try to split up the work into smaller steps.', 'automatic retry after a timeout'],
  ['Empty prompt', 'written for empty input'],
  ['The conversation history has overflowed, clearing state', 'written when the history overflowed'],
]);
const AUTOMATIC_PREFIXES: readonly (readonly [string, string])[] = [
  ['[SYSTEM NOTE: This is an automated', 'automatic prompt of /todos resume'],
  ['Summarize what happened in this task execution in 2-3 sentences.', 'summary request of a delegated task'],
];
const AUTOMATIC_ANSWERS = new Set([
  'Tool uses were interrupted, waiting for the next user prompt',
  'Response timed out - message took too long to generate',
]);

export interface Authorship {
  readonly origin: Row['origin'];
  /** Tool output that the program turned into a prompt is a result, not a prompt. */
  readonly toolOutput: boolean;
  readonly note: string;
}

export interface EntryPlace {
  readonly index: number;
  /** Tag of the assistant message of the entry before; empty for the first entry. */
  readonly previousTag: string;
  /** Some message of the conversation carries a timestamp (1.13.3 and later). */
  readonly timesKept: boolean;
  /** The transcript holds the prompt as a typed line. */
  readonly inTranscript: boolean;
}

/**
 * Author of a `Prompt`. `typed` only where the transcript proves it: a prompt can also come from an argument, an editor,
 * standard input, an MCP server, or the program itself.
 */
export function authorOf(prompt: string, entry: Entry, place: EntryPlace): Authorship {
  const known = AUTOMATIC.get(prompt) ?? AUTOMATIC_PREFIXES.find(([prefix]) => prompt.startsWith(prefix))?.[1];
  if (known !== undefined) return { origin: 'automatic', toolOutput: false, note: known };
  if (place.inTranscript) return { origin: 'typed', toolOutput: false, note: '' };
  if (place.timesKept && !entry.user.timestamp) {
    if (entry.metadata === undefined && entry.assistant.messageId === '') {
      return { origin: 'injected', toolOutput: false, note: 'example pair of an MCP or file prompt' };
    }
    // message.rs replace_content_with_tool_use_results: results whose call is no longer in the history.
    if (entry.content.kind === 'prompt' && (place.index === 0 || place.previousTag === 'Response')) {
      return {
        origin: '',
        toolOutput: true,
        note: 'tool output that the program turned into a prompt; its call is no longer in the history',
      };
    }
  }
  return { origin: 'unknown', toolOutput: false, note: '' };
}

/** Author of an assistant message. Messages the program made up have no id and no request behind them. */
export function answerAuthor(entry: Entry, timesKept: boolean): Row['origin'] {
  if (AUTOMATIC_ANSWERS.has(entry.assistant.content)) return 'automatic';
  if (entry.assistant.messageId === '' && entry.metadata === undefined && timesKept) return entry.user.timestamp ? 'automatic' : 'injected';
  return 'agent';
}

// Characters the program removes from stored prompts (tags, zero-width, bidi controls): invisible to the person who pasted them.
const INVISIBLE =
  /[\u{ad}\u{61c}\u{180e}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu;

/** Text without invisible characters, for comparing what was typed with what was stored. */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** Number of invisible characters in a text. */
export function invisibleCount(text: string): number {
  return text.match(INVISIBLE)?.length ?? 0;
}
