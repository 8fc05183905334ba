import type { SimpleCommand } from '../commands/types.js';
import type { Row } from '../rows/row.js';

/** Values of other rows of the same call, and of the file: what a rule may ask of a row besides its own columns. */
export interface Joined {
  readonly decision: Row['decision'];
  readonly decided_by: string;
  readonly status: Row['status'];
  readonly exit_code: number | null;
  /** The store writes approvals, and no gap lies in this session: a call without a decision was not asked about. */
  readonly approvals_recorded: boolean;
}

/** One row as rules see it. */
export interface RowView {
  readonly row: Row;
  readonly joined: Joined;
  /** `row.details` with `first_in_session` and `hidden_removed` of prompts. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The simple commands of `row.command`; taken apart when first asked for. */
  readonly commands: readonly SimpleCommand[];
  /** Paths the row touches through a file tool or a command, normalised. */
  readonly touches: Touches;
  /** Time of the last change of the row's file, or ''. RFC 3339. */
  readonly file_mtime: string;
  /** Time of collection, or ''. */
  readonly collected_at: string;
}

export interface Touches {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly delete: readonly string[];
}
