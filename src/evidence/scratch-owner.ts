import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * Whose folder it is: number and start time of the process, and the machine both belong to, since a folder for scratch may be
 * shared between machines or containers, in which a number means another process.
 */
export function processMark(): string {
  return `${process.pid}-${startOf(process.pid) ?? UNKNOWN}-${machine()}`;
}

/** What `mkdtemp` puts behind the mark. */
const ENDING = '-[A-Za-z0-9]{6}$';
const UNKNOWN = '0';

/** Removes the folders that processes of this user on this machine left behind when they were killed. Never fails: it is a courtesy. */
export function removeAbandoned(dir: string, prefix: string): void {
  const form = new RegExp(`^${prefix}(\\d{1,10})-(\\d{1,20})-([0-9a-f]{8})${ENDING}`);
  for (const name of namesIn(dir)) {
    const [, pid = '', start = '', where] = form.exec(name) ?? [];
    if (where !== machine() || isAlive(Number(pid), start)) continue;
    const path = join(dir, name);
    try {
      const found = lstatSync(path);
      if (found.isDirectory() && found.uid === process.getuid?.()) rmSync(path, { recursive: true, force: true });
    } catch {
      // Gone meanwhile, or not ours to remove after all.
    }
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return []; // Making the folder there will say what is wrong.
  }
}

/** A number that is in use again since does not keep the folder: the start times differ. */
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
  mark ??= createHash('sha256').update(`${hostname()}\u0000${namespace()}`).digest('hex').slice(0, 8);
  return mark;
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
