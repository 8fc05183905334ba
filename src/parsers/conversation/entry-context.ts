import { compact, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { excerpt } from '../../rows/problem.js';
import { fromEpochMs, fromRfc3339, type Instant, toUtcText } from '../../rows/time.js';
import { type Conversation, conversationRow, recoveredAs, type Sequence } from './context.js';
import { entryKey, rowKey } from './identity.js';
import type { Entry } from './schema.js';

/** What the transcript says about the gap between the previous answer and this entry. */
export interface GapFacts {
  /** Raw text of the transcript line that is this entry's prompt; undefined when none matches. */
  readonly promptLine: string | undefined;
  /** Ids of the calls before this entry that an answer let run. */
  readonly answered: ReadonlySet<string>;
  /** The gap is known in full and holds no answer: the calls ran without being asked for. */
  readonly notAsked: boolean;
  /** Of several cancelled calls, the one that was denied; undefined when not known. */
  readonly deniedId: string | undefined;
}

export const NO_GAP_FACTS: GapFacts = { promptLine: undefined, answered: new Set(), notAsked: false, deniedId: undefined };

/** Everything the parts of one entry need to make their rows. */
export interface EntryRows {
  readonly conversation: Conversation;
  readonly sequence: Sequence;
  readonly entry: Entry;
  readonly index: number;
  readonly pointer: string;
  readonly gap: GapFacts;
  readonly model: string;
  /** Time of the user side, and of the answer. */
  readonly userTime: Instant | undefined;
  readonly answerTime: Instant | undefined;
  row(row_type: Draft['row_type'], text: string, pointer: string, columns?: Omit<Draft, 'row_type' | 'text'>): Draft;
}

export function entryContext(
  conversation: Conversation,
  sequence: Sequence,
  entry: Entry,
  index: number,
  pointer: string,
  gap: GapFacts,
): EntryRows {
  const key = entryKey(entry, index);
  const counts = new Map<string, number>();
  const recovered = recoveredAs(sequence);
  const requested = entry.metadata?.model_id ?? '';
  const said = saidAt(entry);
  return {
    conversation,
    sequence,
    entry,
    index,
    pointer,
    gap,
    model: requested || sequence.model || conversation.fallbackModel?.id || '',
    userTime: userTimeOf(entry),
    answerTime: answerTimeOf(entry),
    row(row_type, text, at, columns) {
      const name = rowKey(row_type, columns?.tool_use_id ?? '', entry.assistant.messageId, said, key);
      const n = counts.get(`${row_type}\u0000${name}`) ?? 0;
      counts.set(`${row_type}\u0000${name}`, n + 1);
      return conversationRow(conversation, row_type, text, at, { ...recovered, ...columns }, `${name}\u0000${n}`);
    },
  };
}

/** Time of the user side: its own, else the start of the request that delivered it. */
export function userTimeOf(entry: Entry): Instant | undefined {
  return saidAt(entry) ?? fromEpochMs(entry.metadata?.request_start_timestamp_ms, 'request_start');
}

/** Time of the answer: the end of its stream, else the start of its request, else the time of the message it answers. */
export function answerTimeOf(entry: Entry): Instant | undefined {
  return (
    fromEpochMs(entry.metadata?.stream_end_timestamp_ms, 'stream_end') ??
    fromEpochMs(entry.metadata?.request_start_timestamp_ms, 'request_start') ??
    saidAt(entry)
  );
}

function saidAt(entry: Entry): Instant | undefined {
  return entry.user.timestamp ? fromRfc3339(entry.user.timestamp, 'message') : undefined;
}

/** Working directory and system of a message, where they differ from the message before; `timestamp` when it cannot be read. */
export function surroundings({ entry, sequence, conversation }: EntryRows): JsonObject {
  const details: JsonObject = {};
  const state = entry.user.env_context?.env_state;
  const directory = state?.current_working_directory ?? '';
  if (directory !== '' && directory !== sequence.directory) {
    sequence.directory = directory;
    if (directory !== conversation.project) details.working_directory = directory;
  }
  const system = state?.operating_system ?? '';
  if (system !== '' && system !== sequence.system) {
    sequence.system = system;
    details.operating_system = system;
  }
  const stamp = entry.user.timestamp;
  if (stamp && fromRfc3339(stamp, 'message') === undefined) details.unreadable_timestamp = stamp;
  return details;
}

const RAW_LIMIT = 1 << 20;

/** A record that could not be read, whole unless it is very large (images). */
export function rawDetails(raw: unknown): JsonObject {
  if (raw === undefined) return {};
  const text = compact(raw);
  return text.length <= RAW_LIMIT ? { raw } : { raw_excerpt: excerpt(text) };
}

/** Times between which something happened that has no time of its own. */
export function windowOf(after: Instant | undefined, before: Instant | undefined): JsonObject {
  const window: JsonObject = {};
  if (after !== undefined) window.after = toUtcText(after.ms);
  if (before !== undefined) window.before = toUtcText(before.ms);
  return Object.keys(window).length > 0 ? { window } : {};
}
