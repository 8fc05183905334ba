import type { Store } from '../catalog/schema.js';
import type { ArchiveFormat } from '../evidence/archive/member.js';
import type { Artifact } from '../evidence/source.js';
import type { Detector } from './sniff.js';
import type { Tree } from './tree.js';

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
  /** Where it lies, unless that is the disk; the path is then a place in it. */
  readonly tree?: Tree;
  /** Why a member of an archive could not be unpacked: there is nothing at the path. */
  readonly fault?: string;
}

/** Something to be said of a place in the evidence, as a row too. */
export interface Trouble {
  readonly file: string;
  readonly what: string;
  /** Absent: it could not be read. `partly`: not to its end. `fully`: read, and doubtful. */
  readonly read?: 'partly' | 'fully';
}

/** An archive that was opened. */
export interface ArchiveReport {
  readonly file: string;
  readonly format: ArchiveFormat;
  readonly size: number;
  readonly sha256: string;
  readonly members: number;
  /** Members that were unpacked into the private folder, and their bytes. */
  readonly unpacked: { readonly files: number; readonly bytes: number };
  /** Members that were not looked into, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Members shown under a name other than their own. */
  readonly renamed: readonly { readonly file: string; readonly stored: string; readonly why: string }[];
}

/** Everything that was met. Paths are relative to the evidence root and safe to print; lists are sorted by them. */
export interface Collection {
  readonly artifacts: readonly Collected[];
  /** Symbolic links, none of them followed. */
  readonly links: readonly { readonly file: string; readonly target: string }[];
  readonly special: readonly { readonly file: string; readonly kind: 'fifo' | 'socket' | 'device' | 'unknown' }[];
  readonly errors: readonly Trouble[];
  /** Folders that were not entered. */
  readonly excluded: readonly string[];
  /** Files in the folders of a known store that no entry of the catalog claims. */
  readonly unclaimed: readonly string[];
  /** Files named on the command line that nothing recognises. */
  readonly unrecognised: readonly string[];
  /** Archives that lie among the files, and were not asked for. */
  readonly unopened: readonly string[];
  /** Logs and journals whose database is not there. */
  readonly orphans: readonly Sidecar[];
  /** Artifacts that are one file under several names; each is read. */
  readonly hardLinks: readonly (readonly string[])[];
  readonly archives: readonly ArchiveReport[];
  readonly walked: { readonly files: number; readonly folders: number };
}
