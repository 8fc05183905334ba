/**
 * Rows for what only the transcript holds: approvals, refusals, slash commands, shell commands, unanswered prompts, request
 * errors, and assistant text that history no longer has.
 * Source: aws/amazon-q-developer-cli, crates/chat-cli/src/cli/chat/mod.rs (the approval prompt accepts y, Y, t, T, n, N).
 */
import type { Draft } from '../../rows/draft.js';
import type { Instant } from '../../rows/time.js';
import { commandRows } from './commands.js';
import { type Conversation, conversationRow } from './context.js';
import { isDenialByN } from './decisions.js';
import { type GapFacts, windowOf } from './entry-context.js';
import { visibleText } from './origin.js';
import type { Entry } from './schema.js';
import { calledName } from './tools.js';
import type { Token } from './transcript.js';

/** Tools that never ask (crates/chat-cli/src/cli/chat/tools/, eval_perm). */
const NEVER_ASK = new Set(['introspect', 'report_issue', 'gh_issue', 'thinking', 'todo_list', 'delegate']);

interface Call {
  readonly id: string;
  readonly name: string;
}

/** State of the walk over the transcript. */
export interface Walk {
  readonly conversation: Conversation;
  readonly tokens: readonly Token[];
  /** Texts that snapshots and the tangent copy give as rows of their own: they are not repeated from here. */
  readonly held: Map<string, number>;
  /** Calls of the last assistant message seen, waiting for answers. */
  pending: { readonly names: readonly string[]; readonly calls: readonly Call[] | undefined; readonly after: Instant | undefined };
}

/** Key of a text under which copies announce what they hold. */
export const heldKey = (kind: 'assistant' | 'user', text: string) => `${kind}\u0000${text}`;

/** Remembers the calls of a live entry as those the following answers are about. */
export function expectAnswers(walk: Walk, entry: Entry, after: Instant | undefined): void {
  const calls = entry.assistant.toolUses.map((call) => ({ id: call.id, name: calledName(call) }));
  walk.pending = { names: calls.map((call) => call.name), calls, after };
}

/** Forgets the calls: an entry without a transcript element stands between, answers can no longer be told apart. */
export function expectNothing(walk: Walk): void {
  walk.pending = { names: [], calls: undefined, after: undefined };
}

/**
 * Rows for the elements `from` to `to` (exclusive), which lie between two answers. `next` is the entry behind them, if any;
 * `next.complete` tells that both neighbours are known, so that a missing answer means that none was given.
 */
export function* gapRows(
  walk: Walk,
  from: number,
  to: number,
  next: { readonly entry: Entry; readonly time: Instant | undefined; readonly complete: boolean } | undefined,
): Generator<Draft, GapFacts> {
  const promptAt = next === undefined ? -1 : findPrompt(walk.tokens, from, to, next.entry);
  let facts: GapFacts | undefined;
  for (let start = from; ; ) {
    const end = segmentEnd(walk.tokens, start, to);
    const answers = assignAnswers(walk, start, end, promptAt, next?.entry);
    // Only what follows the previous entry directly speaks about its calls.
    facts ??= factsOf(walk, answers, promptAt, next, end === to);
    const answered = end < to ? lastPrompt(walk.tokens, start, end, answers) : -1;
    yield* segmentRows(walk, start, end, { promptAt, answered, answers }, next?.time);
    if (end >= to) return facts;
    yield* leftoverAnswer(walk, end);
    start = end + 1;
  }
}

function segmentEnd(tokens: readonly Token[], start: number, to: number): number {
  let end = start;
  while (end < to && tokens[end]?.kind !== 'assistant') end += 1;
  return end;
}

/** The line that is the entry's own prompt or refusal: the last one in the gap with the same visible text. */
function findPrompt(tokens: readonly Token[], from: number, to: number, entry: Entry): number {
  const { content } = entry;
  const prompt = content.kind === 'prompt' || content.kind === 'cancelled' ? content.prompt : null;
  if (prompt === null) return -1;
  const denial = content.kind === 'cancelled' && isDenialByN(prompt);
  const wanted = visibleText(prompt);
  for (let i = to - 1; i >= from; i--) {
    const token = tokens[i];
    if (token?.kind !== 'user') continue;
    if (token.text === prompt || (denial ? /^[nN]$/.test(token.text) : visibleText(token.text) === wanted)) return i;
  }
  return -1;
}

interface Answers {
  /** Call by transcript index, undefined where it cannot be told. */
  readonly callAt: ReadonlyMap<number, Call | undefined>;
  readonly deniedId: string | undefined;
}

/**
 * Which call each answer is about. Answers come in the order of the calls; a call that needs none has none. The assignment
 * is made only where it is certain: as many answers as calls, or as many as calls that can ask at all.
 */
function assignAnswers(walk: Walk, start: number, end: number, promptAt: number, next: Entry | undefined): Answers {
  const callAt = new Map<number, Call | undefined>();
  const { calls, names } = walk.pending;
  if (names.length === 0) return { callAt, deniedId: undefined };
  const places: number[] = [];
  for (let i = start; i < end; i++) {
    const token = walk.tokens[i];
    if (token?.kind === 'user' && /^[yYtT]$/.test(token.text) && i !== promptAt) places.push(i);
  }
  const denial = promptAt >= start && promptAt < end && next?.content.kind === 'cancelled' && isDenialByN(next.content.prompt ?? '');
  const decisions = denial ? [...places, promptAt] : places;
  const all = calls ?? names.map((name) => ({ id: '', name }));
  const asking = all.filter((call) => !NEVER_ASK.has(call.name));
  const certain = decisions.length === all.length ? all : decisions.length === asking.length ? asking : undefined;
  for (const [n, place] of decisions.entries()) callAt.set(place, certain?.[n]);
  const deniedId = denial && certain !== undefined ? callAt.get(promptAt)?.id : undefined;
  return { callAt, deniedId: deniedId || undefined };
}

function factsOf(
  walk: Walk,
  answers: Answers,
  promptAt: number,
  next: { readonly complete: boolean } | undefined,
  whole: boolean,
): GapFacts {
  const answered = new Set<string>();
  let open = 0;
  for (const [place, call] of answers.callAt) {
    if (place === promptAt) continue;
    if (call !== undefined && call.id !== '') answered.add(call.id);
    else open += 1;
  }
  const token = promptAt >= 0 ? walk.tokens[promptAt] : undefined;
  return {
    promptLine: token?.text,
    answered,
    notAsked: next?.complete === true && whole && open === 0 && answered.size === 0 && walk.pending.names.length > 0,
    deniedId: answers.deniedId,
  };
}

/** The typed prompt that the assistant message behind the segment answers. */
function lastPrompt(tokens: readonly Token[], start: number, end: number, answers: Answers): number {
  for (let i = end - 1; i >= start; i--) {
    const token = tokens[i];
    if (token?.kind === 'user' && !answers.callAt.has(i) && !/^[/!]/.test(token.text)) return i;
  }
  return -1;
}

interface Roles {
  /** The line that is the prompt of the next entry: it has its row there. */
  readonly promptAt: number;
  /** The line that a leftover assistant message answers. */
  readonly answered: number;
  readonly answers: Answers;
}

function* segmentRows(walk: Walk, start: number, end: number, roles: Roles, before: Instant | undefined): Generator<Draft> {
  const { promptAt, answered, answers } = roles;
  for (let i = start; i < end; i++) {
    const token = walk.tokens[i];
    if (token === undefined || i === promptAt) continue;
    if (token.kind === 'program') {
      if (takeHeld(walk, 'assistant', token.text)) continue;
      yield transcriptRow(walk, 'assistant', token.text, i, { origin: 'automatic' });
    } else if (answers.callAt.has(i)) yield answerRow(walk, token, i, answers.callAt.get(i), before);
    else if (walk.pending.names.length > 0 && /^[nN]$/.test(token.text)) yield answerRow(walk, token, i, undefined, before);
    else if (!takeHeld(walk, 'user', token.text)) {
      yield* commandRows(token.text, i === answered, (type, text, columns) => transcriptRow(walk, type, text, i, columns));
    }
  }
}

function takeHeld(walk: Walk, kind: 'assistant' | 'user', text: string): boolean {
  const key = heldKey(kind, text);
  const count = walk.held.get(key) ?? 0;
  if (count > 0) walk.held.set(key, count - 1);
  return count > 0;
}

function transcriptRow(walk: Walk, type: Draft['row_type'], text: string, place: number, columns: Omit<Draft, 'row_type' | 'text'>): Draft {
  return conversationRow(walk.conversation, type, text, `/transcript/${place}`, {
    recovered: 'transcript',
    confidence: 'complete',
    ...columns,
  });
}

function answerRow(walk: Walk, token: Token, place: number, call: Call | undefined, before: Instant | undefined): Draft {
  const letter = token.text.toLowerCase();
  const { names, calls, after } = walk.pending;
  const tools = call?.name || names.join(',');
  const approved = letter !== 'n';
  const trust = letter === 't' ? { trust: 'for the rest of the session' } : {};
  const several = calls !== undefined && call === undefined && names.length > 1;
  return transcriptRow(
    walk,
    'permission',
    `permission decision: ${approved ? 'approved' : 'denied'} by=${letter} tools=${tools} source=transcript`,
    place,
    {
      decision: approved ? 'approved' : 'denied',
      decided_by: letter,
      tool_name: call?.name || (new Set(names).size === 1 ? (names[0] ?? '') : ''),
      tool_use_id: call?.id ?? '',
      details: { ...windowOf(after, before), ...trust },
      problem: several ? `which of ${names.length} calls this answered is not recorded` : '',
    },
  );
}

/** An assistant message that history does not hold, with the calls it made: their arguments are gone. */
function* leftoverAnswer(walk: Walk, place: number): Generator<Draft> {
  const token = walk.tokens[place];
  if (token === undefined) return;
  walk.pending = { names: token.tools, calls: undefined, after: undefined };
  if (takeHeld(walk, 'assistant', token.text)) return;
  if (token.text !== '' || token.tools.length === 0) yield transcriptRow(walk, 'assistant', token.text, place, { origin: 'agent' });
  for (const name of token.tools) {
    yield transcriptRow(walk, 'tool_use', '', place, {
      origin: 'agent',
      tool_name: name,
      confidence: 'partial',
      problem: 'the transcript names the tool only; arguments and result are not there',
    });
  }
}
