/**
 * The same for the copies of one message: session files, execution logs and `.chat` files name the execution a message belongs
 * to. Without one the place in the file is the identity: the same words are often typed twice in a session.
 */
export function promptIdentity(execution: string): string | undefined {
  return execution === '' ? undefined : `kiro-ide\u0000prompt\u0000${execution}`;
}

export function answerIdentity(execution: string): string | undefined {
  return execution === '' ? undefined : `kiro-ide\u0000assistant\u0000${execution}`;
}

/** Parts of the earlier conversation that each execution log repeats; they are joined among themselves by their text. */
export function repeatedIdentity(session: string | undefined, kind: string): string {
  return `kiro-ide\u0000repeated\u0000${kind}\u0000${session ?? ''}`;
}

/** A call or its result, by the id the service gave it. */
export function callIdentity(kind: 'tool_use' | 'tool_result', id: string): string | undefined {
  return id.startsWith('tooluse_') ? `kiro-ide\u0000${kind}\u0000${id}` : undefined;
}

/** Of a row about an execution as a whole; logs are copied into several folders, and the copies differ in length. */
export function executionIdentity(execution: string, part = ''): string | undefined {
  return execution === '' ? undefined : `kiro-ide\u0000execution\u0000${execution}\u0000${part}`;
}
