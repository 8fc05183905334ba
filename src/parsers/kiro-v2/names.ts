import type { Artifact } from '../../evidence/source.js';

// Files of one session lie side by side and share the session's UUID as their name.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const ENDING = /\.(?:jsonl|json\.tmp|json|history|lock)$/i;

/** Name of a file without its folder. */
export function fileName(artifact: Artifact): string {
  return artifact.file.slice(artifact.file.lastIndexOf('/') + 1);
}

/** What the names of a session's files have in common. A hand copy may have any ending, or none. */
export function stemOf(name: string): string {
  if (ENDING.test(name)) return name.replace(ENDING, '');
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** The session id a file name begins with, or empty. */
export function sessionIdOf(name: string): string {
  return UUID.exec(name)?.[0] ?? '';
}
