import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { errorCode } from './fault.js';

/** A file of the evidence, opened for reading. */
export interface OpenFile {
  readonly fd: number;
  readonly size: number;
  /** True when size or modification time are no longer those found on opening. */
  changed(): boolean;
  close(): void;
}

// Windows knows none of the three flags; there Node leaves the constants undefined.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const NOATIME = constants.O_NOATIME ?? 0;

/**
 * Opens a regular file read-only: a link as last part of the path is refused, a FIFO cannot block. A path whose
 * name is not UTF-8 is given as bytes.
 */
export function openRegular(path: string | Buffer): OpenFile {
  const fd = openQuietly(path);
  try {
    const found = fstatSync(fd, { bigint: true });
    if (!found.isFile()) throw new Error('not a regular file');
    return {
      fd,
      size: Number(found.size),
      changed() {
        const now = fstatSync(fd, { bigint: true });
        return now.size !== found.size || now.mtimeNs !== found.mtimeNs;
      },
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Leaves the access time alone where the system permits it, which it does for the owner of the file only. */
function openQuietly(path: string | Buffer): number {
  if (NOATIME !== 0) {
    try {
      return openSync(path, FLAGS | NOATIME);
    } catch (error) {
      if (errorCode(error) !== 'EPERM') throw error;
    }
  }
  return openSync(path, FLAGS);
}

/** Fills the buffer from a position in the file, over as many reads as it takes; the result is shorter only where the file ends. */
export function readFully(fd: number, into: Buffer, position: number): Buffer {
  let filled = 0;
  while (filled < into.length) {
    const got = readSync(fd, into, filled, into.length - filled, position + filled);
    if (got === 0) break;
    filled += got;
  }
  return filled === into.length ? into : into.subarray(0, filled);
}

/** The problem of a file that was written to while it was read: what was hashed and what was parsed may not be the same bytes. */
export const CHANGED = 'changed while being read';

/** What tells one state of a file from another; a file that is not there, or cannot be asked any more, has none. */
export function stateOf(path: string | Buffer): string {
  try {
    const { ino, size, mtimeNs } = lstatSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    return '';
  }
}
