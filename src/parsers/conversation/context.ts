import type { Draft } from '../../rows/draft.js';
import type { Row } from '../../rows/row.js';
import type { RowType } from '../../rows/row-types.js';

/** What all rows of one conversation share. */
export interface Conversation {
  readonly agent: string;
  readonly id: string;
  readonly project: string;
  /** Rowid of the value in its table, 0 for an export. */
  readonly line: number;
  /** Provenance: 0 for the live value, more for exports; recovered rows add to it. */
  readonly rank: number;
  /** Some message carries a timestamp (written since 1.13.3). */
  readonly timesKept: boolean;
  /** Model of the conversation as a whole, used only when no request names one. */
  readonly fallbackModel: { readonly id: string; readonly source: string } | undefined;
  /** Tool name by call id, filled while rows are made; results are joined by id. */
  readonly toolNames: Map<string, string>;
}

/** What changes from entry to entry; each copy (history, snapshot, tangent) has a sequence of its own. */
export interface Sequence {
  model: string;
  additionalContext: string;
  directory: string;
  system: string;
  previousTag: string;
  readonly recovered: Row['recovered'];
}

export function newSequence(recovered: Row['recovered'] = ''): Sequence {
  return { model: '', additionalContext: '', directory: '', system: '', previousTag: '', recovered };
}

type Columns = Omit<Draft, 'row_type' | 'text'>;

/**
 * A row of a conversation. `identity` is what names the record in every store that holds the conversation; without one
 * the place inside the value serves.
 */
export function conversationRow(
  conversation: Conversation,
  row_type: RowType,
  text: string,
  pointer: string,
  columns: Columns = {},
  identity = pointer,
): Draft {
  const { agent, id, project, line, rank } = conversation;
  return {
    row_type,
    text,
    agent,
    session_id: id,
    project_path: project,
    source_line: line,
    source_pointer: pointer,
    rank: columns.recovered ? rank + 10 : rank,
    identity: id === '' ? undefined : `${id}\u0000${row_type}\u0000${identity}`,
    ...columns,
  };
}

/** Recovered rows carry their copy and how sure their content is. */
export function recoveredAs(sequence: Sequence): Pick<Draft, 'recovered' | 'confidence'> {
  return sequence.recovered === '' ? {} : { recovered: sequence.recovered, confidence: 'complete' };
}
