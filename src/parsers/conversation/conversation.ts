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
import { errorDraft } from '../../rows/problem.js';
import { type Conversation, conversationRow, newSequence, type Sequence } from './context.js';
import { type CopyPlan, copyRows, planCopies } from './copies.js';
import { entryRows } from './entry.js';
import { answerTimeOf, NO_GAP_FACTS, userTimeOf } from './entry-context.js';
import { fileRows, settingRows, summaryRow } from './members.js';
import { modelInfo } from './model.js';
import { readEntry } from './schema.js';
import { calledName } from './tools.js';
import { type AnswerFacts, align, readToken, type Token } from './transcript.js';
import { expectAnswers, expectNothing, gapRows, heldKey, type Walk } from './transcript-rows.js';
import type { ConversationValue, EntryList } from './value.js';

/** Where the value was found. */
export interface ConversationPlace {
  readonly agent: string;
  /** Working directory the value is filed under; empty for an export, whose entries name theirs. */
  readonly project: string;
  readonly line: number;
  readonly rank: number;
}

export function* conversationRows(value: ConversationValue, place: ConversationPlace): Generator<Draft> {
  const conversation = describe(value, place);
  const tokens = value.transcript.map((element) => readToken(typeof element === 'string' ? element : compact(element)));
  const plan = planCopies(value);
  const places = align(tokens, answersOf(value.history));
  yield* settingRows(conversation, value);
  yield* shortenedRows(conversation, tokens, places, plan);
  yield* historyRows(
    conversation,
    value,
    { conversation, tokens, held: plan.held, pending: { names: [], calls: undefined, after: undefined } },
    places,
  );
  yield* pendingMessageRows(conversation, value.members.next_message, '/next_message');
  yield* fileRows(conversation, value.members.file_line_tracker);
  const summary = summaryRow(conversation, value.members.latest_summary, '/latest_summary');
  if (summary !== undefined) yield summary;
  yield* copyRows(conversation, value, plan);
  yield* tangentRest(conversation, value, tokens);
  yield* faultRows(conversation, value);
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

function* historyRows(conversation: Conversation, value: ConversationValue, walk: Walk, places: Int32Array): Generator<Draft> {
  const sequence = newSequence();
  const { history } = value;
  let next = 0;
  let contiguous = false;
  for (let i = 0; i < history.length; i++) {
    const pointer = `${history.pointer}/${i}`;
    const result = history.entry(i);
    const place = places[i] ?? -1;
    if (!result.ok) {
      yield errorDraft(`history entry could not be read (${result.problem})`, '', {
        agent: conversation.agent,
        session_id: conversation.id,
        project_path: conversation.project,
        source_line: conversation.line,
        source_pointer: pointer,
      });
    }
    const entry = result.ok ? result.entry : undefined;
    let facts = NO_GAP_FACTS;
    if (place >= 0) {
      const known = entry === undefined ? undefined : { entry, time: userTimeOf(entry), complete: contiguous };
      facts = yield* gapRows(walk, next, place, known);
      next = place + 1;
    }
    contiguous = place >= 0;
    if (entry === undefined) {
      expectNothing(walk);
      continue;
    }
    yield* entryRows(conversation, sequence, entry, i, pointer, facts);
    if (contiguous) expectAnswers(walk, entry, answerTimeOf(entry));
    else expectNothing(walk);
  }
  yield* gapRows(walk, next, walk.tokens.length, undefined);
  yield* modelOfEmptyHistory(conversation, sequence);
}

/** A conversation without entries still names its model. */
function* modelOfEmptyHistory(conversation: Conversation, sequence: Sequence): Generator<Draft> {
  const { fallbackModel } = conversation;
  if (sequence.model !== '' || fallbackModel === undefined) return;
  yield conversationRow(conversation, 'model', `model: ${fallbackModel.id} source=${fallbackModel.source}`, `/${fallbackModel.source}`, {
    model: fallbackModel.id,
  });
}

/** A message whose answer never came. Released versions never store one in the database. */
function* pendingMessageRows(conversation: Conversation, stored: unknown, pointer: string): Generator<Draft> {
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
function* tangentRest(conversation: Conversation, value: ConversationValue, tokens: readonly Token[]): Generator<Draft> {
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

function* faultRows(conversation: Conversation, value: ConversationValue): Generator<Draft> {
  const { agent, id, project, line } = conversation;
  for (const fault of value.faults) {
    yield errorDraft(fault.what, fault.excerpt, {
      agent,
      session_id: id,
      project_path: project,
      source_line: line,
      source_pointer: fault.pointer,
      source_offset: fault.offset,
    });
  }
  if (id === '')
    yield errorDraft('conversation without conversation_id', '', {
      agent,
      project_path: project,
      source_line: line,
      source_pointer: '/conversation_id',
    });
}
