/**
 * A whole conversation value as rows. The same value lies in the database (one per working directory) and in `/save`
 * exports, and can be carved from free pages.
 *
 * What it proves: each prompt, answer, call and result with the times of the requests; refusals; approvals as typed lines.
 * What it cannot show: results of the last calls before the program ended, prompts that were never answered (unless in the
 * transcript), grants given on the command line.
 */
import { compact } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import type { Share } from '../parser.js';
import { type Conversation, conversationRow } from './context.js';
import { type CopyPlan, copyRows, planCopies } from './copies.js';
import { faultRow, historyRows } from './history.js';
import { fileRows, settingRows, summaryRow } from './members.js';
import { modelInfo } from './model.js';
import { pendingMessageRows, tangentRest } from './pending.js';
import { calledName } from './tools.js';
import { type AnswerFacts, align, readToken, type Token } from './transcript.js';
import { heldKey, type Walk } from './transcript-rows.js';
import type { ConversationValue, EntryList } from './value.js';

/** Where the value was found. */
export interface ConversationPlace {
  readonly agent: string;
  /** Working directory the value is filed under; empty for an export, whose entries name theirs. */
  readonly project: string;
  readonly line: number;
  readonly rank: number;
}

/** Shares together give the rows of the whole, in order. */
const WHOLE: Share = { index: 0, count: 1 };

export function* conversationRows(value: ConversationValue, place: ConversationPlace, share: Share = WHOLE): Generator<Draft> {
  const conversation = describe(value, place);
  const tokens = value.transcript.map((element) => readToken(typeof element === 'string' ? element : compact(element)));
  const plan = planCopies(value);
  const answers = answersOf(value.history);
  const places = align(tokens, answers);
  const walk: Walk = { conversation, tokens, held: plan.held, pending: { names: [], calls: undefined, after: undefined } };
  const { from, to } = rangeOf(value, share);
  if (from === 0 && share.index === 0) {
    yield* settingRows(conversation, value);
    yield* shortenedRows(conversation, tokens, places, plan);
  }
  const last = share.index === share.count - 1;
  yield* historyRows({ conversation, value, walk, places, answers, from, to, last });
  if (!last) return;
  yield* pendingMessageRows(conversation, value.members.next_message, '/next_message');
  yield* fileRows(conversation, value.members.file_line_tracker);
  const summary = summaryRow(conversation, value.members.latest_summary, '/latest_summary');
  if (summary !== undefined) yield summary;
  yield* copyRows(conversation, value, plan);
  yield* tangentRest(conversation, value, tokens);
  yield* faultRows(conversation, value);
}

/**
 * Entries of a share. A value with copies is not divided: what a copy holds is known only after the whole history, and the
 * walk over the transcript uses it up in order.
 */
function rangeOf({ history, checkpoints, tangent }: ConversationValue, { index, count }: Share): { from: number; to: number } {
  const last = index === count - 1;
  if (checkpoints.length > 0 || tangent !== undefined) return last ? { from: 0, to: history.length } : { from: 0, to: 0 };
  return { from: history.placeAt(index / count), to: last ? history.length : history.placeAt((index + 1) / count) };
}

function describe(value: ConversationValue, place: ConversationPlace): Conversation {
  const { history } = value;
  let timesKept = false;
  let models = false;
  for (let i = 0; i < history.length && !(timesKept && models); i++) {
    timesKept ||= history.hasTime(i);
    models ||= history.model(i) !== '';
  }
  for (const { entries } of value.tangent === undefined ? value.checkpoints : [value.tangent, ...value.checkpoints]) {
    for (let i = 0; i < entries.length && !timesKept; i++) timesKept = entries.hasTime(i);
  }
  const id = value.members.conversation_id;
  const first = history.length > 0 ? history.entry(0) : undefined;
  const directory = first?.ok ? (first.entry.user.env_context?.env_state?.current_working_directory ?? '') : '';
  return {
    agent: place.agent,
    id: typeof id === 'string' ? id : '',
    project: place.project || directory,
    line: place.line,
    rank: place.rank,
    timesKept,
    fallbackModel: models ? undefined : modelInfo(value.members),
    toolNames: new Map(),
  };
}

function answersOf(history: EntryList): (AnswerFacts | undefined)[] {
  return Array.from({ length: history.length }, (_, i) => {
    const answer = history.answer(i);
    if (answer === undefined) return undefined;
    return {
      content: answer.content,
      calls: answer.toolUses.map((call) => [call.id, calledName(call)] as const),
      names: answer.toolUses.map(calledName),
      storedNames: answer.toolUses.map((call) => call.name ?? calledName(call)),
    };
  });
}

/** Says that the transcript shows answers that history (and its copies) no longer holds, ahead of the rows made from them. */
function* shortenedRows(conversation: Conversation, tokens: readonly Token[], places: Int32Array, { held }: CopyPlan): Generator<Draft> {
  const aligned = new Set(places);
  const left = new Map(held);
  let missing = 0;
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== 'assistant' || aligned.has(i)) continue;
    const key = heldKey('assistant', token.text);
    const copies = left.get(key) ?? 0;
    if (copies > 0) left.set(key, copies - 1);
    else missing += 1;
  }
  if (missing === 0) return;
  const notice = `transcript: recovered=${missing} assistant messages that history does not hold`;
  yield conversationRow(conversation, 'recovered', notice, '/transcript', { recovered: 'transcript', confidence: 'complete' });
  yield conversationRow(
    conversation,
    'gap',
    `gap: history is shorter than the transcript missing=${missing} assistant messages`,
    '/history',
    {
      problem: 'calls and results of the missing messages are not in this value; they were cleared, compacted, trimmed or replaced',
    },
  );
}

/** Faults of the value as a whole. Those of an entry are told with it. */
function* faultRows(conversation: Conversation, value: ConversationValue): Generator<Draft> {
  for (const fault of value.faults) if (!/^\/history\/\d+$/.test(fault.pointer)) yield faultRow(conversation, fault);
  if (conversation.id !== '') return;
  yield faultRow(conversation, { what: 'conversation without conversation_id', pointer: '/conversation_id', offset: null, excerpt: '' });
}
