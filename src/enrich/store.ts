/** Bytes set aside and read back: a scratch file of the run. */
export interface Store {
  /** Where they lie. */
  append(bytes: Uint8Array): number;
  /** In the place of as many that were appended before. */
  rewrite(offset: number, bytes: Uint8Array): void;
  /** Fills `bytes`. */
  readInto(offset: number, bytes: Uint8Array): void;
}

/** What is worked on at a time, so that memory does not grow with the evidence. */
export interface Limits {
  /** Rows in memory. */
  readonly rowsAtOnce: number;
}

/** Of about 12 MiB where most is held: while rows are sorted. */
export const LIMITS: Limits = { rowsAtOnce: 1 << 17 };
