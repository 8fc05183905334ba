import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { type Conversation, conversationRow, newSequence, type Sequence } from './context.js';
import { entryRows } from './entry.js';
import { answerTimeOf, NO_GAP_FACTS, rawDetails, userTimeOf } from './entry-context.js';
import type { AnswerFacts } from './transcript.js';
import { expectAnswers, expectNothing, gapRows, type Walk } from './transcript-rows.js';
import type { ConversationValue, EntryList, ValueFault } from './value.js';

/** One walk over the entries `from` to `to` (exclusive) of a history. */
export interface HistoryWalk {
  readonly conversation: Conversation;
  readonly value: ConversationValue;
  readonly walk: Walk;
  /** Place of each entry in the transcript, or -1. */
  readonly places: Int32Array;
  readonly answers: readonly (AnswerFacts | undefined)[];
  readonly from: number;
  readonly to: number;
  /** The walk that also takes what stands behind the entries: `to` alone does not tell, shares can be empty. */
  readonly last: boolean;
}

/** Rows of the entries, with what the transcript holds between them. The last share also takes what stands behind them. */
export function* historyRows(part: HistoryWalk): Generator<Draft> {
  const { conversation, value, walk, places, from, to } = part;
  const { history } = value;
  const sequence = newSequence();
  let { next, contiguous } = from === 0 ? { next: 0, contiguous: false } : resume(part, sequence);
  for (let i = from; i < to; i++) {
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
        details: rawDetails(result.raw),
      });
    }
    const entry = result.ok ? result.entry : undefined;
    let facts = NO_GAP_FACTS;
    if (place >= 0) {
      const behind = entry === undefined ? undefined : { entry, time: userTimeOf(entry), complete: contiguous };
      facts = yield* gapRows(walk, next, place, behind);
      next = place + 1;
    }
    contiguous = place >= 0;
    if (entry === undefined) {
      // Its calls may be readable all the same: results are joined by their ids.
      rememberCalls(conversation, part.answers[i]);
      expectNothing(walk);
    } else {
      yield* entryRows(conversation, sequence, entry, i, pointer, facts);
      if (contiguous) expectAnswers(walk, entry, answerTimeOf(entry));
      else expectNothing(walk);
    }
    // An entry may have been read before its turn: its faults go by its pointer.
    for (const fault of value.faults) if (fault.pointer === pointer) yield faultRow(conversation, fault);
  }
  if (!part.last) return;
  yield* gapRows(walk, next, walk.tokens.length, undefined);
  yield* modelOfEmptyHistory(conversation, sequence);
}

function rememberCalls({ toolNames }: Conversation, answer: AnswerFacts | undefined): void {
  for (const [id, name] of answer?.calls ?? []) toolNames.set(id, name);
}

/** Brings the walk to where it stands behind entry `from - 1`, without giving rows. */
function resume(
  { conversation, value, walk, places, answers, from }: HistoryWalk,
  sequence: Sequence,
): { next: number; contiguous: boolean } {
  const { history } = value;
  let next = 0;
  for (let i = 0; i < from; i++) {
    rememberCalls(conversation, answers[i]);
    next = Math.max(next, (places[i] ?? -1) + 1);
  }
  for (let i = settledBefore(conversation, history, from); i < from; i++) {
    const result = history.entry(i);
    if (!result.ok) continue;
    for (const _ of entryRows(conversation, sequence, result.entry, i, `${history.pointer}/${i}`, NO_GAP_FACTS)) {
      // Only what the rows leave behind in the sequence is wanted.
    }
  }
  const before = history.entry(from - 1);
  const contiguous = (places[from - 1] ?? -1) >= 0;
  if (before.ok && contiguous) expectAnswers(walk, before.entry, answerTimeOf(before.entry));
  return { next, contiguous };
}

/** The last entry that names model, directory and system itself: what came before it no longer matters. */
function settledBefore(conversation: Conversation, history: EntryList, from: number): number {
  for (let i = from - 1; i > 0; i--) {
    const result = history.entry(i);
    if (!result.ok) continue;
    const state = result.entry.user.env_context?.env_state;
    const model = result.entry.metadata?.model_id || conversation.fallbackModel?.id;
    if (model && state?.current_working_directory && state.operating_system) return i;
  }
  return 0;
}

/** A conversation without entries still names its model. */
function* modelOfEmptyHistory(conversation: Conversation, sequence: Sequence): Generator<Draft> {
  const { fallbackModel } = conversation;
  if (sequence.model !== '' || fallbackModel === undefined) return;
  yield conversationRow(conversation, 'model', `model: ${fallbackModel.id} source=${fallbackModel.source}`, `/${fallbackModel.source}`, {
    model: fallbackModel.id,
  });
}

/** An error row for a part of the value that could not be read. */
export function faultRow({ agent, id, project, line }: Conversation, fault: ValueFault): Draft {
  return errorDraft(fault.what, fault.excerpt, {
    agent,
    session_id: id,
    project_path: project,
    source_line: line,
    source_pointer: fault.pointer,
    source_offset: fault.offset,
  });
}
