import type { Draft } from '../../rows/draft.js';

/** The rows of a reader with further columns; what the reader returns goes on to the caller. */
export function* withColumns<T>(rows: Generator<Draft, T>, columns: Partial<Draft>): Generator<Draft, T> {
  for (let next = rows.next(); ; next = rows.next()) {
    if (next.done) return next.value;
    yield { ...next.value, ...columns };
  }
}
