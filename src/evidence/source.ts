import type { Instant } from '../rows/time.js';

/** What is known of a piece of evidence before it is parsed. Nothing in it depends on where the evidence root lies. */
export interface Artifact {
  /** Id of the catalog entry. */
  readonly store: string;
  /** Path relative to the evidence root, `/` separators, safe to print. */
  readonly file: string;
  /** Agent the store belongs to, as far as the place tells. */
  readonly agent: string;
  /** Owner of the home the file lies in, or empty. */
  readonly user: string;
  /** Name of its root as it stands ahead of `file`, with its slash; empty for a single root. */
  readonly root: string;
  /** Folder of the home the file lies in, relative to the root; undefined where its place does not tell. */
  readonly home: string | undefined;
  /** Folder the store was found in, relative to the root: the home, or the project for project-local files; empty for the root itself. */
  readonly base: string;
  /** True when the file belongs to a project folder rather than to a home. */
  readonly inProject: boolean;
  /** The file lies in a folder that stands for the `.kiro` of a user under another name. */
  readonly kiroHome?: boolean;
  readonly size: number;
  /** Modification time; absent for standard input. */
  readonly mtime: Instant | undefined;
  /** What is doubtful about its bytes, known before they are read: of a member of an archive. */
  readonly problems?: readonly string[];
  /** What lies in the folders its catalog entry names; absent for a file that was handed over without them. */
  readonly listing?: Listing | undefined;
}

/**
 * Names in a folder, sorted, those of folders with a slash behind; by the folder's path relative to that of the file. A folder
 * that is not among the evidence is not in it.
 */
export type Listing = ReadonlyMap<string, readonly string[]>;

/** One line of a file, without its line feed (a carriage return before it is kept). */
export interface Line {
  readonly bytes: Buffer;
  /** 1-based. */
  readonly number: number;
  /** Byte offset in the file. */
  readonly offset: number;
  /** False for a last line that has no line feed. */
  readonly ended: boolean;
  /** Present when the line is too long to be held: its whole length; `bytes` are then the first 64 KiB of it. */
  readonly tooLong?: number;
}

/** Random access to bytes: a file, a Buffer, a value of a database, carved slices. */
export interface ByteSource {
  readonly size: number;
  /** Exactly `length` bytes unless the source ends before; the result must not be kept over the next call. */
  read(offset: number, length: number): Buffer;
}

/** A file opened for parsing. Its bytes are the bytes that were hashed. */
export interface FileSource extends ByteSource {
  readonly artifact: Artifact;
  readonly sha256: string;
  /** The whole content; throws `TooLargeError` above the limit for small stores (64 MiB). */
  bytes(): Buffer;
  lines(): Generator<Line>;
}

export class TooLargeError extends Error {}
