import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, type Stats } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

// What a process makes for itself bears a mark of it in its name. When it is killed, a later one takes that away.

/**
 * Whose it is: number and start time of the process, and the machine both belong to, since a folder may be
 * shared between machines or containers, in which a number means another process.
 */
export function processMark(): string {
  return `${process.pid}-${startOf(process.pid) ?? UNKNOWN}-${machine()}`;
}

const UNKNOWN = '0';
const MARK = '(\\d{1,10})-(\\d{1,20})-([0-9a-f]{8})';

/** Form of the names that begin and end so around a mark; both are patterns. */
export const markedName = (before: string, after: string): RegExp => new RegExp(`^${before}${MARK}${after}$`, 's');

/** Files and folders of that form that processes of this user on this machine left behind when they were killed. Never fails. */
export function leftBehind(dir: string, form: RegExp): { readonly path: string; readonly isFolder: boolean }[] {
  return namesIn(dir).flatMap((name) => {
    const [, pid = '', start = '', where] = form.exec(name) ?? [];
    if (where !== machine() || isAlive(Number(pid), start)) return [];
    const path = join(dir, name);
    const found = statusOf(path);
    const ours = found !== undefined && found.uid === process.getuid?.() && (found.isDirectory() || found.isFile());
    return ours ? [{ path, isFolder: found.isDirectory() }] : [];
  });
}

/** Takes away what was left behind. Never fails: it is a courtesy, and what cannot be removed is in nobody's way. */
export function removeLeftBehind(dir: string, form: RegExp, kinds: { readonly files: boolean; readonly folders: boolean }): void {
  for (const { path, isFolder } of leftBehind(dir, form)) {
    if (!(isFolder ? kinds.folders : kinds.files)) continue;
    try {
      rmSync(path, { recursive: isFolder, force: true });
    } catch {
      // Not ours to remove after all.
    }
  }
}

function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined; // Gone meanwhile.
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return []; // Writing there will say what is wrong.
  }
}

/** A number that is in use again since does not keep it: the start times differ. */
function isAlive(pid: number, start: string): boolean {
  const now = startOf(pid);
  if (now !== undefined) return start === UNKNOWN || now === start;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Start of a process in the system's own count, where the system tells. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in brackets and may hold anything; the start is the 22nd field.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

let mark: string | undefined;

function machine(): string {
  mark ??= createHash('sha256').update([hostname(), namespace(), machineId()].join('\u0000')).digest('hex').slice(0, 8);
  return mark;
}

/** Two machines that share a folder may have one name; and all have a first namespace of the same number. */
function machineId(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    return '';
  }
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
