/** Exit codes, stable; listed in the help and the README. */
export const EXIT = {
  ok: 0,
  /** Done, but some evidence could not be read in full. */
  incomplete: 1,
  usage: 2,
  nothing: 3,
  fault: 70,
} as const;
