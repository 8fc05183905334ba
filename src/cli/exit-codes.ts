/** Exit codes, stable; listed in the help and the README. */
export const EXIT = {
  ok: 0,
  /** Done, but some evidence could not be read in full. */
  incomplete: 1,
  usage: 2,
  nothing: 3,
  /** With `--fail-on-secrets`: a secret was found. */
  secrets: 5,
  fault: 70,
} as const;
