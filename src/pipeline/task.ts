/** Work that can be done by any thread: plain data in, plain data out. */

import type { Artifact } from '../evidence/source.js';
import type { SnapshotDescription } from '../evidence/sqlite.js';
import type { DatabaseUnit, Share } from '../parsers/parser.js';
import type { UnitStamp } from '../rows/stamp.js';
import type { EncodingCounts, EncodingOptions } from './encoding.js';
import type { FilterOptions } from './filter.js';
import type { SecretHarvest } from './row-secrets.js';
import type { SecretSettings } from './secret-settings.js';
import type { RowTables, SinkCounts } from './sink.js';

/** Provenance of a unit, without the counters that are kept while it is read. */
export type StampFacts = Omit<UnitStamp, 'used'>;

/** One unit, or one share of it. */
export interface UnitTask {
  /** Number of the input in the manifest. */
  readonly input: number;
  /** Number of the unit in the order of the evidence. */
  readonly unit: number;
  readonly parser: string;
  readonly stamp: StampFacts;
  readonly what:
    | { readonly kind: 'database'; readonly snapshot: SnapshotDescription; readonly unit: DatabaseUnit }
    | { readonly kind: 'recovery'; readonly artifact: Artifact; readonly files: RecoveryFiles }
    | {
        readonly kind: 'file';
        readonly path: string | Uint8Array;
        readonly artifact: Artifact;
        readonly share: Share;
        readonly companions: readonly CompanionFile[];
      };
}

/** Paths of a database and its logs, as found. */
export interface RecoveryFiles {
  readonly main: string | Uint8Array;
  readonly wal: string | Uint8Array | undefined;
  readonly journal: string | Uint8Array | undefined;
}

/** A file beside another one that its parser asks for. */
export interface CompanionFile {
  readonly name: string;
  readonly path: string | Uint8Array;
  readonly artifact: Artifact;
}

export interface UnitReport {
  readonly input: number;
  readonly rows: number;
  readonly problems: readonly string[];
  /** Of a file that was opened here first: its hash and size, or nothing when it could not be opened. */
  readonly opened?: { readonly sha256: string; readonly size: number } | undefined;
  readonly unread?: boolean;
}

/** What a worker sends when a task is done. The rows and their tables lie in its run file. */
export interface TaskReport {
  readonly units: readonly UnitReport[];
  readonly tables: RowTables;
  readonly counts: SinkCounts;
  /** What the encoder had to change in this task. */
  readonly changed: EncodingCounts;
  readonly secrets: SecretHarvest | undefined;
}

/** What a worker needs once. */
export interface WorkerSettings {
  readonly runFile: { readonly folder: string; readonly name: string };
  readonly encoding: EncodingOptions;
  readonly filter: FilterOptions;
  /** Absent: no scan. */
  readonly secrets: SecretSettings | undefined;
  /** Events are to be remembered. */
  readonly echoes: boolean;
}
