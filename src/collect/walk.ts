import { type Dirent, readdirSync } from 'node:fs';
import { sep } from 'node:path';
import { faultText } from '../evidence/fault.js';
import { escapeUnsafe, showBytes } from '../rows/problem.js';

export interface Entry {
  /** Name as text; bytes that are not UTF-8 are U+FFFD. */
  readonly name: string;
  readonly shown: string;
  readonly path: string | Buffer;
  readonly kind: 'file' | 'folder' | 'link' | 'fifo' | 'socket' | 'device' | 'unknown';
}

/** Entries of a folder by name, or what kept it from being read. */
export function list(folder: string | Buffer): Entry[] | { readonly fault: string } {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    // U+FFFD stands for bytes that are no text: only the bytes themselves can open such a file.
    const raw = Buffer.isBuffer(folder) || entries.some((entry) => entry.name.includes('\ufffd'));
    const found = raw
      ? readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }).map((entry) => rawEntry(folder, entry))
      : entries.map((entry) => textEntry(String(folder), entry));
    return found.sort((a, b) => (a.shown < b.shown ? -1 : 1));
  } catch (error) {
    return { fault: faultText(error) };
  }
}

function textEntry(folder: string, entry: Dirent): Entry {
  const path = folder.endsWith(sep) ? folder + entry.name : folder + sep + entry.name;
  return { name: entry.name, shown: escapeUnsafe(entry.name), path, kind: kindOf(entry) };
}

function rawEntry(folder: string | Buffer, entry: Dirent<Buffer>): Entry {
  const path = Buffer.concat([Buffer.from(folder), Buffer.from(sep), entry.name]);
  return { name: entry.name.toString(), shown: escapeUnsafe(showBytes(entry.name)), path, kind: kindOf(entry) };
}

function kindOf(entry: Dirent | Dirent<Buffer>): Entry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFIFO()) return 'fifo';
  if (entry.isSocket()) return 'socket';
  return entry.isBlockDevice() || entry.isCharacterDevice() ? 'device' : 'unknown';
}
