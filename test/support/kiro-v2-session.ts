import { kiroV2Journal } from '../../src/parsers/kiro-v2/journal.js';
import type { Draft } from '../../src/rows/draft.js';
import { draftsOf } from './memory-source.js';

export const SESSION = '11111111-2222-4333-8444-555555555555';
export const FOLDER = 'home/alice/.kiro/sessions/cli';
/** 2026-07-02T07:15:00Z. */
export const START = Date.UTC(2026, 6, 2, 7, 15) / 1000;

const line = (kind: string, data?: unknown) => JSON.stringify({ version: 'v1', kind, ...(data === undefined ? {} : { data }) });
export const text = (data: string) => ({ kind: 'text', data });
export const call = (toolUseId: string, name: string, input: unknown) => ({ kind: 'toolUse', data: { toolUseId, name, input } });
export const result = (toolUseId: string, content: unknown[], status = 'success') => ({
  kind: 'toolResult',
  data: { toolUseId, content, status },
});

/** Lines of a journal. */
export const record = {
  prompt: (id: string, words: string, second = 0) =>
    line('Prompt', { message_id: id, content: [text(words)], meta: { timestamp: START + second } }),
  answer: (id: string, ...content: unknown[]) => line('AssistantMessage', { message_id: id, content }),
  results: (id: string, content: unknown[], results?: unknown) =>
    line('ToolResults', { message_id: id, content, ...(results ? { results } : {}) }),
  other: line,
};

/** A session file with the given turns. */
export function sessionFile(turns: readonly unknown[], more: object = {}, state: object = {}): string {
  return JSON.stringify({
    session_id: SESSION,
    cwd: '/srv/shop',
    created_at: '2026-07-02T07:14:01.091312031Z',
    updated_at: '2026-07-02T07:16:00.5Z',
    title: 'count the orders',
    parent_session_id: null,
    session_created_reason: 'subagent',
    session_state: { version: 'v1', conversation_metadata: { user_turn_metadatas: turns }, ...state },
    ...more,
  });
}

/** Rows of a journal of this session with the given files beside it, by ending. */
export function journalRows(content: string | Uint8Array | readonly string[], beside: Readonly<Record<string, string>> = {}): Draft[] {
  const bytes = typeof content === 'string' || content instanceof Uint8Array ? content : content.map((one) => `${one}\n`).join('');
  // A session file that says nothing, unless the test has one of its own.
  const all = 'json' in beside || 'json.tmp' in beside ? beside : { json: '{}', ...beside };
  const files = Object.fromEntries(Object.entries(all).map(([ending, value]) => [`${SESSION}.${ending}`, value]));
  return draftsOf(kiroV2Journal, bytes, { file: `${FOLDER}/${SESSION}.jsonl`, agent: 'kiro-cli' }, files);
}

export const shown = (rows: readonly Draft[]) => rows.map((row) => `${row.row_type}|${row.text}`);
