import type { Draft } from '../../rows/draft.js';
import { type SessionColumns, sessionIdentity } from './context.js';
import type { Turn } from './turn.js';

// No approval and no refusal reaches the journal; the end reason of a turn is the only trace of a refused call.

/** A call that has no result yet. */
export interface OpenCall {
  readonly id: string;
  readonly tool: string;
}

type Decision = Pick<Draft, 'decision' | 'decided_by'> & { readonly head: string; readonly what: string };

const DECISIONS = new Map<string, Decision>([
  ['ToolUseRejected', { head: 'denied by=user', decision: 'denied', decided_by: 'user', what: 'denied' }],
  ['Cancelled', { head: 'cancelled by=interrupt', decision: 'cancelled', decided_by: 'interrupt', what: 'interrupted' }],
]);

export const tellsDecision = (turn: Turn) => DECISIONS.has(turn.endReason);

/** What the end of a turn says about a decision, joined to its last call without a result, if there is one. */
export function* turnDecision(turn: Turn, open: readonly OpenCall[], session: SessionColumns): Generator<Draft> {
  const found = DECISIONS.get(turn.endReason);
  if (found === undefined) return;
  const { head, what, ...columns } = found;
  const call = open.at(-1);
  yield {
    row_type: 'permission',
    text: `permission decision: ${head} source=turn_metadata`,
    time: turn.end,
    ...session,
    ...columns,
    tool_name: call?.tool ?? '',
    tool_use_id: call?.id ?? '',
    model: turn.model,
    identity: sessionIdentity(session.session_id, 'permission', turn.ids.at(-1) ?? '', 'turn'),
    problem: problemOf(what, open.length),
    details: { end_reason: turn.endReason, turn: turn.index },
  };
}

function problemOf(what: string, open: number): string {
  if (open === 1) return '';
  return open === 0
    ? `which call was ${what} is not recorded`
    : `${open} calls of the turn have no result; which was ${what} is not recorded: the last of them is named`;
}
