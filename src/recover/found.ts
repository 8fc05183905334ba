import type { RecoveredKind, Surroundings } from './types.js';

/** An object found in carved text; `value` is its parsed JSON, or the text of a fragment. */
export interface Found {
  readonly kind: RecoveredKind;
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  readonly around: Surroundings;
}
