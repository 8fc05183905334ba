/** A call that cannot be carried out as given: shown as one line, exit code 2. */
export class UsageError extends Error {}
