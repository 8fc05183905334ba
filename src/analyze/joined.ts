import type { Row } from '../rows/row.js';

/** Values of other rows of the same call, and of the file: what a rule may ask of a row besides its own columns. */
export interface Joined {
  readonly decision: Row['decision'];
  readonly decided_by: string;
  readonly status: Row['status'];
  readonly exit_code: number | null;
  /** The store says that the call did not run. */
  readonly not_run: boolean;
  /** The store writes approvals, and no gap lies in this session: a call without a decision was not asked about. */
  readonly approvals_recorded: boolean;
}

/** Paths by what is done to them, normalised. */
export interface Touches {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly delete: readonly string[];
}
