import { createHash } from 'node:crypto';
import { LINE_LIMIT, splitLines } from './lines.js';
import { CHANGED, type OpenFile, openRegular, readFully } from './open.js';
import { sha256Of } from './sha256.js';
import { type Artifact, type FileSource, TooLargeError } from './source.js';
import { windowReader } from './window.js';

/** Up to this size a file is read once, and hashed and parsed from the same bytes. */
const WHOLE_LIMIT = 64 << 20;
const HASH_BLOCK = 1 << 20;
const UNHASHED = '';

export type OpenedFile = FileSource & {
  close(): void;
  /** What is to be said of the file after it was used; ask before closing. */
  problems(): string[];
};

export interface OpenOptions {
  /** Largest file that is held whole; for tests. */
  readonly wholeLimit?: number;
  /** Hash of the content, when it was read before. */
  readonly sha256?: string;
}

/** Opens a file of the evidence. Throws what the system says when it cannot be opened or read. */
export function openFileSource(path: string | Buffer, artifact: Artifact, options: OpenOptions = {}): OpenedFile {
  const file = openRegular(path);
  try {
    return file.size <= (options.wholeLimit ?? WHOLE_LIMIT) ? wholeFile(file, artifact) : largeFile(file, artifact, options.sha256);
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * Opens a file beside the one that is parsed, for facts only: it is read when they are asked for, and has no hash, for no row
 * is made of it here. What cannot be read counts as empty; where the file itself is parsed, an error row says so.
 */
export function openBeside(path: string | Buffer, artifact: Artifact): OpenedFile {
  const file = openRegular(path);
  let opened: OpenedFile | undefined;
  const source = () => {
    opened ??= readBeside(file, artifact);
    return opened;
  };
  return {
    artifact,
    sha256: UNHASHED,
    size: file.size,
    read: (offset, length) => source().read(offset, length),
    bytes: () => source().bytes(),
    lines: () => source().lines(),
    ...afterUse(file, artifact),
  };
}

function readBeside(file: OpenFile, artifact: Artifact): OpenedFile {
  try {
    return file.size <= WHOLE_LIMIT ? wholeFile(file, artifact, UNHASHED) : largeFile(file, artifact, UNHASHED);
  } catch {
    return memoryFileSource(Buffer.alloc(0), artifact);
  }
}

/** Bytes that are not in a file of their own: standard input. */
export function memoryFileSource(bytes: Buffer, artifact: Artifact, known?: string): OpenedFile {
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
  return {
    artifact,
    sha256: known ?? sha256Of(bytes),
    size: bytes.length,
    read,
    bytes: () => bytes,
    // The bytes are held already: a long line costs nothing more.
    lines: () => splitLines(read, bytes.length, LINE_LIMIT),
    close() {},
    problems: () => [],
  };
}

function wholeFile(file: OpenFile, artifact: Artifact, known?: string): OpenedFile {
  const bytes = readFully(file.fd, Buffer.allocUnsafeSlow(file.size), 0);
  return { ...memoryFileSource(bytes, artifact, known), ...afterUse(file, artifact) };
}

function largeFile(file: OpenFile, artifact: Artifact, known: string | undefined): OpenedFile {
  const { size, sha256 } = known === undefined ? hashFile(file) : { size: file.size, sha256: known };
  const fresh = (offset: number, length: number) =>
    readFully(file.fd, Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - offset))), offset);
  return {
    artifact,
    sha256,
    ...windowReader((into, position) => readFully(file.fd, into, position), size),
    bytes() {
      throw new TooLargeError(`the file has ${size} bytes, too many to be read as one document`);
    },
    lines: () => splitLines(fresh, size),
    ...afterUse(file, artifact),
  };
}

function hashFile(file: OpenFile): { size: number; sha256: string } {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafeSlow(HASH_BLOCK);
  let size = 0;
  for (let part = readFully(file.fd, block, 0); part.length > 0; part = readFully(file.fd, block, size)) {
    hash.update(part);
    size += part.length;
  }
  return { size, sha256: hash.digest('hex') };
}

function afterUse(file: OpenFile, { problems = [] }: Artifact): Pick<OpenedFile, 'close' | 'problems'> {
  return { close: () => file.close(), problems: () => [...problems, ...(file.changed() ? [CHANGED] : [])] };
}
