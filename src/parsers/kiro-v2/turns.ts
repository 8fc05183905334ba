import type { Draft } from '../../rows/draft.js';
import { excerpt } from '../../rows/problem.js';
import { type SessionColumns, sessionIdentity } from './context.js';
import { type OpenCall, turnDecision } from './decisions.js';
import type { Turn } from './turn.js';

const NAMED = 100;

/** Follows turns and calls along the journal: what a turn's end says of its calls, and calls that never got a result. */
export interface TurnWatch {
  /** A message begins; `starts` when it can only belong to a new turn. */
  enter(turn: Turn | undefined, starts: boolean): Generator<Draft>;
  /** Looks at a row just made. */
  see(row: Draft): void;
  /** The journal is at its end. */
  finish(): Generator<Draft>;
}

export function watchTurns(session: SessionColumns): TurnWatch {
  const open = new Map<
    string,
    OpenCall & { readonly place: Pick<Draft, 'source_line' | 'source_offset' | 'source_pointer' | 'message_id'> }
  >();
  let turn: Turn | undefined;
  let calls: OpenCall[] = [];
  let interrupted = false;

  function* close(): Generator<Draft> {
    // A result that was cancelled has said the same already.
    if (turn !== undefined && !(turn.endReason === 'Cancelled' && interrupted)) {
      const unanswered = calls.filter(({ id }) => open.has(id));
      yield* turnDecision(turn, unanswered, session);
      if (turn.endReason === 'ToolUseRejected' || turn.endReason === 'Cancelled') open.delete(unanswered.at(-1)?.id ?? '');
    }
    turn = undefined;
    calls = [];
    interrupted = false;
  }

  return {
    *enter(next, starts) {
      if (starts ? next === undefined || next !== turn : next !== undefined && next !== turn) yield* close();
      turn = next ?? turn;
    },
    see(row) {
      const {
        tool_use_id: id = '',
        tool_name: tool = '',
        source_line = 0,
        source_offset = null,
        source_pointer = '',
        message_id = '',
      } = row;
      if (id === '' || row.recovered) return;
      if (row.row_type === 'tool_use') {
        calls.push({ id, tool });
        open.set(id, { id, tool, place: { source_line, source_offset, source_pointer, message_id } });
      } else if (row.row_type === 'tool_result') {
        open.delete(id);
        interrupted ||= row.status === 'canceled';
      }
    },
    *finish() {
      yield* close();
      for (const { id, tool, place } of open.values()) {
        yield {
          row_type: 'gap',
          text: `gap: no result of tool call recorded tool=${tool} id=${id} source=journal`,
          ...session,
          ...place,
          tool_name: tool,
          tool_use_id: id,
          identity: sessionIdentity(session.session_id, 'gap', id, 0),
          problem: 'whether the call was approved, and whether it ran, is not recorded',
        };
      }
    },
  };
}

/** Messages the session file lists and the journal lacks. */
export function missingMessages(turns: readonly Turn[], seen: ReadonlySet<string>, session: SessionColumns): Draft | undefined {
  const listed = turns.flatMap(({ ids }) => ids);
  const missing = listed.filter((id) => !seen.has(id));
  if (missing.length === 0) return undefined;
  return {
    row_type: 'gap',
    text: `gap: messages listed in the session file are not in the journal missing=${missing.length} listed=${listed.length}`,
    ...session,
    problem: 'lines were removed or damaged, or never written',
    details: {
      missing: missing.slice(0, NAMED).map((id) => excerpt(id)),
      ...(missing.length > NAMED ? { further: missing.length - NAMED } : {}),
    },
  };
}
