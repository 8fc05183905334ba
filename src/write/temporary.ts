import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { leftBehind, markedName, processMark, removeLeftBehind } from '../process/left-behind.js';

// Whatever is written stands under a name of its own beside its final one until it is whole. The name tells whose it is.

const HALF = markedName('\\..+\\.', '\\.partial');
/** Bytes of a name that leave room for the rest; file systems allow 255 in all. */
const LONGEST = 150;

/** Name beside a path for something this process makes on the way to it. */
export function temporaryName(path: string, ending: 'partial' | 'old'): string {
  const name = basename(path);
  const short = Buffer.byteLength(name) <= LONGEST ? name : createHash('sha256').update(name).digest('hex');
  return join(dirname(path), `.${short}.${processMark()}.${ending}`);
}

/** Folders that were looked through since the last time nothing was being written. */
const cleared = new Set<string>();
let writing = 0;

/** Takes away what processes that were killed left half done in a folder; once for all that is written side by side. */
export function clearFolder(folder: string): void {
  if (writing === 0) cleared.clear();
  if (cleared.has(folder)) return;
  cleared.add(folder);
  removeLeftBehind(folder, HALF, { files: true, folders: true });
}

export function beginWriting(): void {
  writing += 1;
}

export function endWriting(): void {
  writing -= 1;
}

/** What stood under the name of a folder when a process that was replacing it was killed; the last one first. */
export function setAside(folder: string): string[] {
  const name = basename(temporaryName(folder, 'old'));
  const own = name.slice(0, name.lastIndexOf(`.${processMark()}`));
  return leftBehind(dirname(folder), markedName(`${literal(own)}\\.`, '\\.old')).flatMap(({ path, isFolder }) => (isFolder ? [path] : []));
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
