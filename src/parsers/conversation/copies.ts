/**
 * Copies of history inside the value: checkpoint snapshots and the main conversation held aside in tangent mode. An entry
 * that history (or an earlier copy) holds is not repeated.
 * Source: aws/amazon-q-developer-cli, crates/chat-cli/src/cli/chat/{checkpoint,conversation}.rs.
 */
import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import type { Row } from '../../rows/row.js';
import { fromOrdinalArray, fromRfc3339, type Instant } from '../../rows/time.js';
import { type Conversation, conversationRow, newSequence } from './context.js';
import { entryRows } from './entry.js';
import { NO_GAP_FACTS, rawDetails } from './entry-context.js';
import { entryKey } from './identity.js';
import { heldKey } from './transcript-rows.js';
import type { ConversationValue, Copy, EntryList } from './value.js';

/** One copy and the places of its entries that nothing before it holds. */
interface Plan {
  readonly copy: Copy;
  readonly kind: Extract<Row['recovered'], 'snapshot' | 'tangent'>;
  readonly missing: readonly number[];
}

export interface CopyPlan {
  readonly plans: readonly Plan[];
  /** Texts the copies will give, by key and count, for the walk over the transcript. */
  readonly held: Map<string, number>;
}

/** Finds out which copy gives which entries. Reads keys only where there are copies at all. */
export function planCopies(value: ConversationValue): CopyPlan {
  const held = new Map<string, number>();
  const copies: (readonly [Copy, Plan['kind']])[] = value.checkpoints.map((copy) => [copy, 'snapshot'] as const);
  if (value.tangent !== undefined) copies.unshift([value.tangent, 'tangent']);
  if (copies.every(([copy]) => copy.entries.length === 0))
    return { plans: copies.map(([copy, kind]) => ({ copy, kind, missing: [] })), held };
  const known = new Set<string>();
  for (let i = 0; i < value.history.length; i++) known.add(keyAt(value.history, i));
  const plans = copies.map(([copy, kind]) => {
    const missing: number[] = [];
    for (let i = 0; i < copy.entries.length; i++) {
      const key = keyAt(copy.entries, i);
      if (known.has(key)) continue;
      known.add(key);
      missing.push(i);
      announce(held, copy.entries, i);
    }
    return { copy, kind, missing };
  });
  return { plans, held };
}

function keyAt(list: EntryList, index: number): string {
  const answer = list.answer(index);
  if (answer?.messageId) return `m:${answer.messageId}`;
  const result = list.entry(index);
  return result.ok ? entryKey(result.entry, index) : `bad:${list.pointer}/${index}`;
}

function announce(held: Map<string, number>, list: EntryList, index: number): void {
  const result = list.entry(index);
  if (!result.ok) return;
  const add = (kind: 'assistant' | 'user', text: string) => held.set(heldKey(kind, text), (held.get(heldKey(kind, text)) ?? 0) + 1);
  add('assistant', result.entry.assistant.content);
  const { content } = result.entry;
  if (content.kind === 'prompt') add('user', content.prompt);
}

export function* copyRows(conversation: Conversation, value: ConversationValue, { plans }: CopyPlan): Generator<Draft> {
  const stats = checkpointStats(value);
  for (const { copy, kind, missing } of plans) {
    yield kind === 'tangent' ? tangentRow(conversation, copy) : checkpointRow(conversation, copy, stats);
    if (missing.length === 0) continue;
    yield noticeRow(conversation, copy, kind, missing.length);
    const sequence = newSequence(kind);
    for (const index of missing) {
      const pointer = `${copy.entries.pointer}/${index}`;
      const result = copy.entries.entry(index);
      if (result.ok) yield* entryRows(conversation, sequence, result.entry, index, pointer, NO_GAP_FACTS);
      else
        yield errorDraft(`history entry could not be read (${result.problem})`, '', {
          ...entryPlace(conversation, pointer, kind),
          details: rawDetails(result.raw),
        });
    }
  }
}

function entryPlace({ agent, id, project, line }: Conversation, pointer: string, recovered: Row['recovered']) {
  return { agent, session_id: id, project_path: project, source_line: line, source_pointer: pointer, recovered };
}

const startOf = (copy: Copy): Instant | undefined => fromOrdinalArray(copy.meta.tangent_start_time, 'record');
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const stampOf = (copy: Copy): Instant | undefined => fromRfc3339(textOf(copy.meta.timestamp), 'record');

function noticeRow(conversation: Conversation, copy: Copy, kind: Plan['kind'], count: number): Draft {
  const tool = textOf(copy.meta.tool_name);
  const description = textOf(copy.meta.description);
  const text =
    kind === 'tangent'
      ? `tangent mode: main conversation held aside, recovered=${count} entries`
      : `checkpoint snapshot: tag=${textOf(copy.meta.tag)}${tool === '' ? '' : ` tool=${tool}`} recovered=${count} entries${description === '' ? '' : `: ${description}`}`;
  const time = kind === 'tangent' ? startOf(copy) : stampOf(copy);
  return conversationRow(conversation, 'recovered', text, copy.entries.pointer, {
    time,
    newRun: true,
    leads: true,
    recovered: kind,
    confidence: 'complete',
  });
}

/** Every checkpoint is an event of its own: the agent's work at that time, whether or not its copy adds entries. */
function checkpointRow(conversation: Conversation, copy: Copy, stats: ReadonlyMap<string, JsonObject>): Draft {
  const { tag, timestamp, description, tool_name, is_turn, ...extra } = copy.meta;
  const time = stampOf(copy);
  const changed = stats.get(textOf(tag));
  const files =
    changed === undefined
      ? ''
      : Object.entries(changed)
          .map(([key, n]) => ` ${key}=${compact(n)}`)
          .join('');
  const tool = textOf(tool_name);
  const text = `session: checkpoint tag=${textOf(tag)}${is_turn === true ? ' turn=true' : ''}${tool === '' ? '' : ` tool=${tool}`}${files}: ${textOf(description)}`;
  const unread = time === undefined && timestamp ? { unreadable_timestamp: timestamp } : {};
  return conversationRow(conversation, 'session', text, copy.pointer, {
    time,
    newRun: true,
    tool_name: tool,
    details: { entries: copy.entries.length, ...unread, ...extra },
  });
}

function tangentRow(conversation: Conversation, copy: Copy): Draft {
  const { tangent_start_time, main_transcript, main_latest_summary, main_next_message, ...extra } = copy.meta;
  const time = startOf(copy);
  const lines = Array.isArray(main_transcript) ? main_transcript.length : 0;
  const details: JsonObject = { ...extra };
  if (time === undefined && tangent_start_time != null) details.unreadable_start = tangent_start_time;
  return conversationRow(
    conversation,
    'session',
    `session: tangent mode entered entries=${copy.entries.length} transcript=${lines}`,
    copy.pointer,
    {
      time,
      newRun: true,
      details,
      problem: 'the state can still be stored after tangent mode was left: leaving does not write',
    },
  );
}

function checkpointStats(value: ConversationValue): ReadonlyMap<string, JsonObject> {
  const manager = value.members.checkpoint_manager;
  const cache = isObject(manager) && isObject(manager.file_stats_cache) ? manager.file_stats_cache : {};
  return new Map(Object.entries(cache).flatMap(([tag, stats]) => (isObject(stats) ? [[tag, stats] as const] : [])));
}
