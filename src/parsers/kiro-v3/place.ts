/** What the path of a file in a session folder tells: `sessions/<bucket>/<id>/...`. */
export interface SessionPlace {
  /** Folder of the workspace hash, or empty when the path does not show it. */
  readonly bucket: string;
  /** Name of the session's folder, which is its id. */
  readonly session: string;
  /** The part of the path below the session's folder. */
  readonly below: readonly string[];
  /** File name without its ending, for a run of a sub-agent; else empty. */
  readonly subSession: string;
}

const SESSION = /^(?:sess|cli)_|^[0-9a-f]{8}-[0-9a-f]{4}-/i;
const SUBFOLDERS = new Set(['sub-executions', 'tool-outputs', 'snapshots']);

/** A folder of sessions also holds other folders. */
export function isSessionName(name: string): boolean {
  return SESSION.test(name);
}

/** Looks for `sessions/<bucket>/<id>`, else for a folder named like a session (a copy or an export of one). */
export function sessionPlace(file: string): SessionPlace {
  const parts = file.split('/');
  const at = sessionFolder(parts);
  const below = parts.slice(at + 1);
  const run = below.length === 2 && below[0] === 'sub-executions' ? (below[1] ?? '') : '';
  const inBucket = at >= 2 && parts[at - 2]?.toLowerCase() === 'sessions';
  return {
    bucket: inBucket ? (parts[at - 1] ?? '') : '',
    session: at < 0 ? '' : (parts[at] ?? ''),
    below,
    subSession: run.replace(/\.jsonl$/i, ''),
  };
}

function sessionFolder(parts: readonly string[]): number {
  const found = parts.flatMap((_, i) => (i < parts.length - 3 && isSessions(parts, i) ? [i + 2] : []));
  // A snapshot is a copy of a project's file, which may itself be one of a session: the session that made the copy counts.
  const folder = found.find((i) => parts[i + 1] === 'snapshots') ?? found.at(-1);
  if (folder !== undefined) return folder;
  const last = parts.length - 2;
  const alone = SUBFOLDERS.has(parts[last] ?? '') ? last - 1 : last;
  return SESSION.test(parts[alone] ?? '') ? alone : -1;
}

function isSessions(parts: readonly string[], i: number): boolean {
  return parts[i]?.toLowerCase() === 'sessions' && (parts[i - 1]?.toLowerCase() === '.kiro' || SESSION.test(parts[i + 2] ?? ''));
}

/** `cli_<v2 id>_<8 characters>`: a session converted from the older engine. Its id there, or undefined. */
export function convertedFrom(session: string): string | undefined {
  return /^cli_(.+)_.{8}$/.exec(session)?.[1];
}
