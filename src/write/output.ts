import { createHash } from 'node:crypto';
import { closeSync, lstatSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { beginWriting, clearFolder, endWriting, temporaryName } from './temporary.js';
import { UsageError } from './usage-error.js';

/** Where rows go. `write` returns false once the reader is gone (closed pipe). */
export interface Output {
  write(bytes: Uint8Array): boolean;
  /** Puts the file under its final name. */
  finish(): { readonly sha256: string; readonly size: number };
  /** Leaves nothing unfinished behind; may be called at any time. */
  discard(): void;
}

const TOGETHER = 1 << 16;

/** Writes a text that comes in small pieces. */
export function writeText(output: Output, pieces: Iterable<string>): void {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < TOGETHER) continue;
    output.write(Buffer.from(text));
    text = '';
  }
  output.write(Buffer.from(text));
}

/** A file, written under a temporary name beside it (mode 0600) and renamed at the end: no half file under the final name. */
export function fileOutput(path: string, force: boolean): Output {
  refuseTarget(path, force);
  const temporary = temporaryName(path, 'partial');
  clearFolder(dirname(path));
  const descriptor = openForWriting(temporary, path);
  const hash = createHash('sha256');
  let size = 0;
  let state: 'open' | 'closed' | 'done' = 'open';
  beginWriting();
  const settle = () => {
    state = 'done';
    endWriting();
  };
  return {
    write(bytes) {
      for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done);
      hash.update(bytes);
      size += bytes.length;
      return true;
    },
    finish() {
      closeSync(descriptor);
      state = 'closed';
      renameSync(temporary, path);
      settle();
      return { sha256: hash.digest('hex'), size };
    },
    discard() {
      if (state === 'open') closeSync(descriptor);
      if (state === 'done') return;
      rmSync(temporary, { force: true });
      settle();
    },
  };
}

/** Replacing is for regular files: a device or a folder under that name is somebody's mistake. */
export function refuseTarget(path: string, force: boolean): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined) return;
  const target = there.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : there;
  if (target !== undefined && !target.isFile()) throw new UsageError(`output is not a regular file: ${path}`);
  if (!force) throw new UsageError(`output exists: ${path} (use --force to replace it)`);
}

function openForWriting(temporary: string, path: string): number {
  try {
    return openSync(temporary, 'wx', 0o600);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EEXIST') {
      // Left behind by a process of the same number that was killed, where the system does not tell when one began.
      rmSync(temporary, { force: true });
      return openSync(temporary, 'wx', 0o600);
    }
    throw new UsageError(`cannot write ${path} (${code || 'error'})`);
  }
}

const STDOUT = 1;

/** Standard output. A reader that went away is not an error: the rest is not wanted. */
export function standardOutput(): Output {
  const hash = createHash('sha256');
  let size = 0;
  let open = true;
  return {
    write(bytes) {
      for (let done = 0; open && done < bytes.length; ) {
        const count = writeOnce(bytes, done);
        if (count < 0) open = false;
        else done += count;
      }
      if (open) {
        hash.update(bytes);
        size += bytes.length;
      }
      return open;
    },
    finish: () => ({ sha256: hash.digest('hex'), size }),
    discard() {},
  };
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Bytes written, or -1 when nobody reads any more. A pipe that is full for the moment is waited for. */
function writeOnce(bytes: Uint8Array, from: number): number {
  for (;;) {
    try {
      return writeSync(STDOUT, bytes, from, Math.min(bytes.length - from, 1 << 20));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code === 'EPIPE') return -1;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}
