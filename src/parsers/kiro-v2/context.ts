import type { JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import type { RowType } from '../../rows/row-types.js';
import type { Instant } from '../../rows/time.js';
import { promptSecond } from '../conversation/identity.js';
import { problems } from '../json-store.js';

/** What all rows of one session share. */
export interface SessionColumns {
  readonly session_id: string;
  readonly project_path: string;
  readonly parent_session_id: string;
}

/** What all rows of one message share, and where it stands. */
export interface MessageContext {
  readonly session: SessionColumns;
  readonly messageId: string;
  /** RFC 6901 pointer to the message inside its line or document. */
  readonly pointer: string;
  readonly place: Pick<Draft, 'source_line' | 'source_offset'>;
  /** The message's own time. */
  readonly time: Instant | undefined;
  /** Put into the details of each row. */
  readonly marks: JsonObject;
  /** Put into the details of the first row. */
  readonly extras: JsonObject;
  /** Put into the problem of each row. */
  readonly problem: string;
  readonly model: string;
  readonly recovered: Pick<Draft, 'recovered' | 'confidence'> | undefined;
  readonly rank: number;
  /** Did a person type this text at the prompt, as far as the prompt history of the session tells? */
  readonly wasTyped: (text: string) => boolean;
  /** Name of the tool by id of the call, filled while rows are made. */
  readonly toolNames: Map<string, string>;
}

export type MakeRow = (type: RowType, text: string, pointer: string, columns?: Omit<Draft, 'row_type' | 'text'>) => Draft;

/**
 * Makes the rows of one message. Their identity is the same in every copy of the session, also in the older and the newer
 * engine: session, kind, id of the message (of the call, for calls and results; the second, for dated prompts, which the older
 * engine gives no id), and which of its kind it is.
 */
export function rowMaker(context: MessageContext): MakeRow {
  const used = new Map<string, number>();
  let first = true;
  return (row_type, text, pointer, columns = {}) => {
    const second = row_type === 'prompt' && context.time ? promptSecond(context.time) : '';
    const id = second || columns.tool_use_id || context.messageId;
    const key = `${row_type}\u0000${id}`;
    const nth = used.get(key) ?? 0;
    used.set(key, nth + 1);
    const details = first ? { ...context.extras, ...columns.details, ...context.marks } : { ...columns.details, ...context.marks };
    first = false;
    return {
      row_type,
      text,
      time: context.time,
      message_id: context.messageId,
      model: context.model,
      session_id: context.session.session_id,
      project_path: context.session.project_path,
      parent_session_id: context.session.parent_session_id,
      ...context.place,
      ...context.recovered,
      source_pointer: context.pointer + pointer,
      rank: context.rank,
      identity: sessionIdentity(context.session.session_id, row_type, id, nth),
      ...columns,
      details,
      problem: problems(columns.problem, context.problem),
    };
  };
}

/** Absent without session or id: then only the same place in the same bytes is a copy. */
export function sessionIdentity(session: string, row_type: RowType, id: string, nth: number | string): string | undefined {
  return session === '' || id === '' ? undefined : `${session}\u0000${row_type}\u0000${id}\u0000${nth}`;
}
