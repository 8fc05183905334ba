import { isObject } from '../../evidence/json.js';
import type { Row } from '../../rows/row.js';
import { kiroMeta, readPayload, type StoredRecord, textOf } from './schema.js';

// What was asked and answered, found ahead of the rows: a question is joined with its answer, or with the end of its turn.

export interface Question {
  readonly id: string;
  /** An approval, a question of the agent to the person, or not said. */
  readonly type: 'tool_approval' | 'user_input' | '';
  /** Kinds of the options (`allow_once`, ...) by option id. */
  readonly kinds: ReadonlyMap<string, string>;
  /** Calls it decides on: an approval of edits has an id of its own and names them. */
  readonly calls: readonly string[];
  answered: boolean;
  abandoned: boolean;
}

export interface Ruling {
  readonly decision: Row['decision'];
  readonly by: string;
  /** A rule for all further calls was asked for with it. */
  readonly always: boolean;
}

export interface Approvals {
  /** The question asked by a record, by its number in the file. */
  askedAt(index: number): Question | undefined;
  /** The question a record answers. */
  answeredAt(index: number): Question | undefined;
  /** Questions left without an answer by the end of their turn. */
  abandonedAt(index: number): readonly Question[];
  wasAsked(call: string): boolean;
  /** Some question does not say on which calls it decides: which ones were never asked for cannot be told then. */
  isVague(): boolean;
  rulingOn(call: string): Ruling | undefined;
}

// Approvals of all edits of a turn have an id of their own.
const OF_A_TURN = /^turn_approval_/;

export class ApprovalSurvey implements Approvals {
  private readonly asked = new Map<number, Question>();
  private readonly answers = new Map<number, Question>();
  private readonly left = new Map<number, Question[]>();
  private readonly latest = new Map<string, Question>();
  private readonly calls = new Set<string>();
  private readonly rulings = new Map<string, Ruling>();
  private vague = false;
  private readonly openTurns = new Set<string>();
  /** Questions without an answer, by the turn they belong to; under '' where that is not sure. */
  private readonly waiting = new Map<string, Question[]>();

  add(record: StoredRecord, index: number): void {
    if (record.type === 'pending_interaction') this.ask(record, index);
    else if (record.type === 'interaction_resolved') this.answer(record, index);
    else if (record.type === 'turn_start') this.openTurns.add(textOf(record.payload, 'executionId'));
    else if (record.type === 'turn_end') this.endTurn(textOf(record.payload, 'executionId'), index);
  }

  askedAt = (index: number) => this.asked.get(index);
  answeredAt = (index: number) => this.answers.get(index);
  abandonedAt = (index: number) => this.left.get(index) ?? [];
  wasAsked = (call: string) => this.calls.has(call);
  isVague = () => this.vague;
  rulingOn = (call: string) => this.rulings.get(call);

  private ask({ payload }: StoredRecord, index: number): void {
    const question = questionOf(payload);
    this.asked.set(index, question);
    this.latest.set(question.id, question);
    for (const call of question.calls) this.calls.add(call);
    this.vague ||= OF_A_TURN.test(question.calls[0] ?? '');
    // Two engines may write one log; which of two open turns asked cannot be told then.
    const turn = this.openTurns.size === 1 ? ([...this.openTurns][0] ?? '') : '';
    const waiting = this.waiting.get(turn);
    if (waiting) waiting.push(question);
    else this.waiting.set(turn, [question]);
  }

  private answer({ payload }: StoredRecord, index: number): void {
    const { toolCallId } = readPayload('interaction_resolved', payload).fields;
    const question = this.latest.get(toolCallId ?? '');
    if (question) {
      question.answered = true;
      this.answers.set(index, question);
    }
    if (question?.type === 'user_input') return;
    const ruling = rulingOf(payload, question);
    for (const call of question?.calls ?? [toolCallId ?? '']) this.rulings.set(call, ruling);
  }

  private endTurn(turn: string, index: number): void {
    this.openTurns.delete(turn);
    const left = [...this.take(turn), ...(turn !== '' && this.openTurns.size === 0 ? this.take('') : [])];
    for (const question of left) question.abandoned = true;
    if (left.length > 0) this.left.set(index, left);
  }

  private take(turn: string): Question[] {
    const waiting = this.waiting.get(turn) ?? [];
    this.waiting.delete(turn);
    return waiting.filter((question) => !question.answered);
  }
}

function questionOf(payload: StoredRecord['payload']): Question {
  const { toolCallId, interactionType, options, _meta } = readPayload('pending_interaction', payload).fields;
  const id = toolCallId ?? '';
  const { files } = kiroMeta(_meta);
  const named = Array.isArray(files) ? files.map((file) => textOf(file, 'toolCallId')).filter(Boolean) : [];
  const kinds = new Map((options ?? []).filter(isObject).map((option) => [textOf(option, 'optionId'), textOf(option, 'kind')]));
  const type = interactionType === 'tool_approval' || interactionType === 'user_input' ? interactionType : '';
  return { id, type, kinds, calls: named.length > 0 ? [...new Set(named)] : [id], answered: false, abandoned: false };
}

const APPROVING = new Set(['accept', 'always-accept', 'allow_once', 'allow_always']);
const DENYING = new Set(['reject', 'always-reject', 'reject_once', 'reject_always']);

/** The kind of the chosen option decides; its id only where the kinds are not recorded. */
export function rulingOf(payload: StoredRecord['payload'], question: Question | undefined): Ruling {
  const { outcome, selectedOption } = readPayload('interaction_resolved', payload).fields;
  if (outcome === 'cancelled') return { decision: 'cancelled', by: 'interrupt', always: false };
  const option = typeof selectedOption === 'string' ? selectedOption : textOf(selectedOption, 'optionId');
  const kind = question?.kinds.get(option) || option;
  const decision =
    kind.startsWith('allow_') || APPROVING.has(kind) ? 'approved' : kind.startsWith('reject_') || DENYING.has(kind) ? 'denied' : 'unknown';
  return { decision, by: option || 'unknown', always: /always/.test(kind) };
}
