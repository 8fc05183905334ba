import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorCode, faultText } from './fault.js';
import { CHANGED, type OpenFile, openRegular, readFully } from './open.js';
import type { Scratch } from './scratch.js';
import type { SidecarCopy, SnapshotProblem } from './snapshot.js';

const BLOCK = 1 << 20;

export interface DatabaseCopy {
  /** Folder that holds this database and nothing else. */
  readonly folder: string;
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly sidecars: readonly SidecarCopy[];
  readonly wal: boolean;
  readonly journal: boolean;
  readonly problems: readonly SnapshotProblem[];
}

interface Part {
  readonly suffix: '' | '-wal' | '-journal';
  readonly name: string;
  readonly file: OpenFile;
}

let copies = 0;

/**
 * Copies a database with its log and its journal into the scratch folder, and hashes each on the way. The `-shm` file
 * stays behind: it is an index of the log that SQLite makes anew. Throws when the main file cannot be read or space is short.
 * `shown` is the name of the database, safe to print: the path may be another than the one in the evidence.
 */
export function copyDatabase(path: string | Buffer, scratch: Scratch, shown: string): DatabaseCopy {
  const problems: SnapshotProblem[] = [];
  const parts = openParts(path, shown, problems);
  copies += 1;
  const folder = join(scratch.path, String(copies));
  try {
    requireSpace(
      scratch.path,
      parts.reduce((sum, part) => sum + part.file.size, 0),
    );
    mkdirSync(folder, { mode: 0o700 });
    const target = join(folder, copyName(path));
    const copied = parts.map((part) => ({ ...part, ...copyFile(part.file, target + part.suffix) }));
    for (const part of parts) {
      if (part.file.changed()) problems.push({ what: `${part.suffix || 'file'} ${CHANGED}`, fatal: false });
    }
    const [main, ...rest] = copied;
    if (main === undefined) throw new Error('no file to copy');
    return {
      folder,
      path: target,
      size: main.size,
      sha256: main.sha256,
      sidecars: rest.map(({ name, size, sha256 }) => ({ name, size, sha256 })),
      wal: rest.some((part) => part.suffix === '-wal'),
      journal: rest.some((part) => part.suffix === '-journal'),
      problems,
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    for (const part of parts) part.file.close();
  }
}

/** All parts are opened before the first is copied, to keep the time between them short where a program still writes. */
function openParts(path: string | Buffer, shown: string, problems: SnapshotProblem[]): Part[] {
  const parts: Part[] = [{ suffix: '', name: '', file: openRegular(path) }];
  for (const suffix of ['-wal', '-journal'] as const) {
    // The second spelling is that of a copy whose names were turned to upper case.
    for (const spelling of [suffix, suffix.toUpperCase()]) {
      try {
        const place = typeof path === 'string' ? path + spelling : Buffer.concat([path, Buffer.from(spelling)]);
        parts.push({ suffix, name: shown + spelling, file: openRegular(place) });
        break;
      } catch (error) {
        if (errorCode(error) !== 'ENOENT')
          problems.push({ what: `the ${suffix} file could not be read: ${faultText(error)}`, fatal: false });
      }
    }
  }
  return parts;
}

/** The same base name as the evidence where it is a plain one; journal and log only have to match the copy. */
function copyName(path: string | Buffer): string {
  const name = typeof path === 'string' ? basename(path) : '';
  return /^[\w.+ -]{1,100}$/.test(name) && !/^\.+$/.test(name) ? name : 'database';
}

function requireSpace(folder: string, needed: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free < needed) throw new Error(`not enough space in the scratch folder: ${needed} bytes needed, ${free} free`);
}

function copyFile(from: OpenFile, target: string): { readonly size: number; readonly sha256: string } {
  const out = openSync(target, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    const block = Buffer.allocUnsafeSlow(BLOCK);
    let size = 0;
    for (let part = readFully(from.fd, block, 0); part.length > 0; part = readFully(from.fd, block, size)) {
      hash.update(part);
      // A write that meets the end of the space returns short without an error; only the next one fails.
      for (let written = 0; written < part.length; ) written += writeSync(out, part, written);
      size += part.length;
    }
    return { size, sha256: hash.digest('hex') };
  } finally {
    closeSync(out);
  }
}
