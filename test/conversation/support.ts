import type { ByteSource } from '../../src/evidence/source.js';
import { type ConversationPlace, conversationRows } from '../../src/parsers/conversation/conversation.js';
import { loadConversation } from '../../src/parsers/conversation/load.js';
import { valueFromBytes } from '../../src/parsers/conversation/value-indexed.js';
import type { Draft } from '../../src/rows/draft.js';
import { type Row, RowSchema } from '../../src/rows/row.js';
import { stampRow, type UnitStamp } from '../../src/rows/stamp.js';

export const ID = '5b0f2f7e-6c1d-4a83-9f5e-2d4c8b7a1e90';
export const DENY_N = 'I deny this tool request. Ask a follow up question clarifying the expected action';
export const CANCELLED = 'Tool use was cancelled by the user';
export const INTERRUPTED = 'Tool uses were interrupted, waiting for the next user prompt';

// Entry n (from 0) is said at 09:00:00 plus n minutes, its request starts one second later and ends five seconds later.
const START = Date.UTC(2025, 10, 14, 9);
export const at = (entry: number, second = 0): number => START + entry * 60_000 + second * 1000;
export const utc = (entry: number, second = 0): string => new Date(at(entry, second)).toISOString();

export interface Call {
  id: string;
  name: string;
  orig_name?: string;
  args?: unknown;
  orig_args?: unknown;
}
export interface Answer {
  text?: string;
  calls?: readonly Call[];
}
export type Entry = { user: Record<string, unknown>; assistant: unknown; request_metadata: unknown };

export const call = (id: string, name: string, args: unknown = {}): Call => ({ id, name, orig_name: name, args, orig_args: args });

export const prompt = (text: string) => ({ Prompt: { prompt: text } });
export const result = (id: string, text: string, status = 'Success') => ({ tool_use_id: id, content: [{ Text: text }], status });
export const json = (id: string, value: unknown, status = 'Success') => ({ tool_use_id: id, content: [{ Json: value }], status });
export const results = (...tool_use_results: unknown[]) => ({ ToolUseResults: { tool_use_results } });
export const cancelled = (text: string | null, ...ids: string[]) => ({
  CancelledToolUses: { prompt: text, tool_use_results: ids.map((id) => result(id, CANCELLED, 'Error')) },
});

/** Entry number n as 1.19 writes it: dated, with the figures of its request. */
export function entry(n: number, content: unknown, answer: Answer = {}, changes: { user?: object; metadata?: object | null } = {}): Entry {
  const message_id = `m${n}`;
  const calls = answer.calls ?? [];
  return {
    user: {
      additional_context: '',
      env_context: {
        env_state: { operating_system: 'linux', current_working_directory: '/home/mira/shop', environment_variables: [] },
      },
      content,
      timestamp: utc(n),
      images: null,
      ...changes.user,
    },
    assistant:
      calls.length === 0
        ? { Response: { message_id, content: answer.text ?? `answer ${n}` } }
        : { ToolUse: { message_id, content: answer.text ?? '', tool_uses: calls } },
    request_metadata:
      changes.metadata === null
        ? null
        : {
            request_id: `r${n}`,
            message_id,
            request_start_timestamp_ms: at(n, 1),
            stream_end_timestamp_ms: at(n, 5),
            time_to_first_chunk: null,
            time_between_chunks: [],
            user_prompt_length: 10,
            response_size: 20,
            chat_conversation_type: calls.length === 0 ? 'NotToolUse' : 'ToolUse',
            tool_use_ids_and_names: calls.map(({ id, name }) => [id, name]),
            model_id: 'claude-sonnet-4.5',
            message_meta_tags: [],
            ...changes.metadata,
          },
  };
}

/** What the program writes into an entry's answer when the person interrupts: no id, no request. */
export const interruptedEntry = (n: number, content: unknown): Entry => ({
  ...entry(n, content, {}, { metadata: null }),
  assistant: { Response: { message_id: null, content: INTERRUPTED } },
});

/** The transcript element of an answer. */
export const said = (text: string, ...tools: string[]) => `${text}\n[Tool uses: ${tools.join(',') || 'none'}]`;

/** A conversation value with every member of 1.19. */
export function conversation(history: readonly unknown[], transcript: readonly unknown[] = [], members: object = {}) {
  return {
    conversation_id: ID,
    next_message: null,
    history,
    valid_history_range: [0, history.length],
    transcript,
    tools: {},
    context_manager: null,
    context_message_length: null,
    latest_summary: null,
    model_info: { model_name: 'claude-sonnet-4.5', model_id: 'claude-sonnet-4.5', context_window_tokens: 200000 },
    file_line_tracker: {},
    mcp_enabled: true,
    ...members,
  };
}

const PLACE: ConversationPlace = { agent: 'amazon-q-cli', project: '/home/mira/shop', line: 7, rank: 0 };

export function bytesSource(bytes: Uint8Array): ByteSource {
  const held = Buffer.from(bytes);
  return { size: held.length, read: (offset, length) => held.subarray(offset, offset + length) };
}

export const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Drafts of a value as it is read up to 8 MiB. */
export const draftsOf = (bytes: Uint8Array): Draft[] => [...conversationRows(loadConversation(bytesSource(bytes)), PLACE)];
/** Drafts of a value as it is read above that. */
export const draftsPiecewise = (bytes: Uint8Array): Draft[] => [...conversationRows(valueFromBytes(bytesSource(bytes), []), PLACE)];

/** Drafts of a value that is read in shares, one after the other, each with a reading of its own. */
export const draftsInShares = (bytes: Uint8Array, count: number): Draft[] =>
  Array.from({ length: count }, (_, index) => [
    ...conversationRows(valueFromBytes(bytesSource(bytes), []), PLACE, { index, count }),
  ]).flat();

/** Rows as they are written. Every row is checked against the schema on the way. */
export function rowsOf(drafts: readonly Draft[]): Row[] {
  const stamp: UnitStamp = {
    host: '',
    user: 'mira',
    home: '',
    agent: 'amazon-q-cli',
    file: 'data.sqlite3',
    table: 'conversations',
    rowid: 7,
    sha256: 'ab',
    copy: 0,
    toolVersion: 'test',
    used: new Map(),
  };
  return drafts.map((draft) => RowSchema.parse(stampRow(draft, stamp)));
}

/** Rows of a conversation without those about it as a whole (state, tools, settings). */
export function rows(history: readonly unknown[], transcript: readonly unknown[] = [], members: object = {}): Row[] {
  return rowsOf(draftsOf(bytesOf(conversation(history, transcript, members)))).filter(
    (row) => row.row_type !== 'config' && !row.text.startsWith('session: conversation '),
  );
}

/** Row types and texts, for a test that reads like a timeline. */
export const told = (list: readonly Row[]): string[] => list.map((row) => `${row.row_type}: ${row.text}`);

/** The named columns of each row of a type. */
export function pick<K extends keyof Row>(list: readonly Row[], type: Row['row_type'], ...columns: K[]): Row[K][][] {
  return list.filter((row) => row.row_type === type).map((row) => columns.map((column) => row[column]));
}
