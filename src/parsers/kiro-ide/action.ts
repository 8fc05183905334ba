import type { JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import type { Earlier } from './earlier.js';

/** What all rows of one log share. */
export interface Execution {
  readonly id: string;
  readonly columns: { readonly session_id: string; readonly project_path: string; readonly model: string };
  readonly autonomy: unknown;
  readonly earlier: Earlier;
}

/** One action with what its rows share. */
export interface Action {
  readonly record: JsonObject;
  readonly type: string;
  readonly id: string;
  readonly state: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly columns: Omit<Draft, 'row_type' | 'text'>;
  readonly details: JsonObject;
  readonly execution: Execution;
}
