import { compact } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { type Conversation, conversationRow, newSequence } from './context.js';
import { entryRows } from './entry.js';
import { NO_GAP_FACTS } from './entry-context.js';
import { summaryRow } from './members.js';
import { readEntry } from './schema.js';
import { readToken, type Token } from './transcript.js';
import type { ConversationValue } from './value.js';

/** A message whose answer never came. Released versions never store one in the database. */
export function* pendingMessageRows(conversation: Conversation, stored: unknown, pointer: string): Generator<Draft> {
  if (stored === null || stored === undefined) return;
  const result = readEntry({ user: stored, assistant: { Response: { content: '' } } });
  if (!result.ok) {
    yield errorDraft(`pending message could not be read (${result.problem})`, JSON.stringify(stored), {
      agent: conversation.agent,
      session_id: conversation.id,
      project_path: conversation.project,
      source_line: conversation.line,
      source_pointer: pointer,
    });
    return;
  }
  for (const row of entryRows(conversation, newSequence(), result.entry, 0, pointer, NO_GAP_FACTS)) {
    if (row.row_type === 'assistant' || row.row_type === 'model') continue;
    yield {
      ...row,
      source_pointer: (row.source_pointer ?? '').replace(`${pointer}/user`, pointer),
      problem: row.problem || 'not answered',
    };
  }
}

/** What the tangent copy holds besides entries: summary, pending message, transcript lines that the main transcript lacks. */
export function* tangentRest(conversation: Conversation, value: ConversationValue, tokens: readonly Token[]): Generator<Draft> {
  if (value.tangent === undefined) return;
  const { main_latest_summary, main_next_message, main_transcript } = value.tangent.meta;
  const same = compact(main_latest_summary) === compact(value.members.latest_summary ?? null);
  const summary = same
    ? undefined
    : summaryRow(conversation, main_latest_summary, '/tangent_state/main_latest_summary', { recovered: 'tangent', confidence: 'complete' });
  if (summary !== undefined) yield summary;
  yield* pendingMessageRows(conversation, main_next_message, '/tangent_state/main_next_message');
  if (!Array.isArray(main_transcript)) return;
  // The copy was taken when tangent mode began: normally a beginning of the main transcript.
  const seen = new Map<string, number>();
  for (const token of tokens) seen.set(`${token.kind}${token.text}`, (seen.get(`${token.kind}${token.text}`) ?? 0) + 1);
  let first = true;
  for (const [i, element] of main_transcript.entries()) {
    const token = readToken(typeof element === 'string' ? element : compact(element));
    const key = `${token.kind}${token.text}`;
    const count = seen.get(key) ?? 0;
    seen.set(key, count - 1);
    if (count > 0) continue;
    const user = token.kind === 'user';
    yield conversationRow(conversation, user ? 'prompt' : 'assistant', token.text, `/tangent_state/main_transcript/${i}`, {
      recovered: 'tangent',
      confidence: 'complete',
      newRun: first,
      origin: user ? 'typed' : token.kind === 'program' ? 'automatic' : 'agent',
      ...(user ? { textKey: token.text } : {}),
    });
    first = false;
  }
}
