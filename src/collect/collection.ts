import type { Store } from '../catalog/schema.js';
import type { Artifact } from '../evidence/source.js';

/** Recognises a store by the beginning of a file, whatever its name: up to 64 KiB, not necessarily whole lines. */
export interface Detector {
  readonly store: string;
  detect(head: Buffer): boolean;
}

export interface CollectOptions {
  readonly detectors?: readonly Detector[];
  /** Enter the folders that are passed over otherwise. */
  readonly allFiles?: boolean;
}

export interface Sidecar {
  readonly file: string;
  readonly path: string | Buffer;
  readonly suffix: '-wal' | '-journal' | '-shm';
}

/** One piece of evidence to be read. `path` opens it; it never reaches the output. */
export interface Collected {
  readonly artifact: Artifact;
  readonly path: string | Buffer;
  readonly store: Store;
  readonly sidecars: readonly Sidecar[];
  readonly foundBy: 'place' | 'content';
}

/** Everything that was met. Paths are relative to the evidence root and safe to print; lists are sorted by them. */
export interface Collection {
  readonly artifacts: readonly Collected[];
  /** Symbolic links, none of them followed. */
  readonly links: readonly { readonly file: string; readonly target: string }[];
  readonly special: readonly { readonly file: string; readonly kind: 'fifo' | 'socket' | 'device' | 'unknown' }[];
  readonly errors: readonly { readonly file: string; readonly what: string }[];
  /** Folders that were not entered. */
  readonly excluded: readonly string[];
  /** Files in the folders of a known store that no entry of the catalog claims. */
  readonly unclaimed: readonly string[];
  /** Files named on the command line that nothing recognises. */
  readonly unrecognised: readonly string[];
  /** Logs and journals whose database is not there. */
  readonly orphans: readonly Sidecar[];
  /** Artifacts that are one file under several names; each is read. */
  readonly hardLinks: readonly (readonly string[])[];
  readonly walked: { readonly files: number; readonly folders: number };
}
