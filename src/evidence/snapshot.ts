import type { Artifact } from './source.js';

/** A `-wal` or `-journal` file that was copied with its database. */
export interface SidecarCopy {
  /** Base name, safe to print. */
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export interface SnapshotProblem {
  readonly what: string;
  /** True when no table can be read. */
  readonly fatal: boolean;
}

export interface TableInfo {
  /** Name as stored; not made safe to print. */
  readonly name: string;
  /** Stored columns. Generated columns are left out: reading one would run an expression from the file. */
  readonly columns: readonly string[];
  /** Number of rows; null when it cannot be counted. */
  readonly rows: number | null;
  /** A virtual table is listed so that it can be named. It has no columns here and is never read. */
  readonly virtual: boolean;
  /** No rowid can be addressed: the number of a row is its 1-based place in primary key order. */
  readonly withoutRowid: boolean;
}

export interface SnapshotRow {
  readonly fault?: undefined;
  readonly rowid: number;
  /** In the order of the columns asked for: null, number, bigint (beyond 2^53), string, Buffer. */
  readonly values: readonly unknown[];
}

/** Something that could not be read. Rows behind it follow as far as they can be reached. */
export interface SnapshotFault {
  readonly fault: string;
  /** Row that could not be read, or null when not even its number is known. */
  readonly rowid: number | null;
}

export type SnapshotItem = SnapshotRow | SnapshotFault;

/** All that a worker thread needs to open the same copy again; survives structured clone. */
export interface SnapshotDescription {
  readonly artifact: Artifact;
  readonly sha256: string;
  readonly size: number;
  readonly sidecars: readonly SidecarCopy[];
  readonly problems: readonly SnapshotProblem[];
  readonly copyPath: string;
  /** `plain`; `recovery`, where damage is overlooked as far as SQLite can; `none`, where there is nothing to open. */
  readonly mode: 'plain' | 'recovery' | 'none';
}

/** A database, read from a private copy. Nothing stored in the file is ever run. */
export interface Snapshot {
  readonly artifact: Artifact;
  /** Of the main file as read. */
  readonly sha256: string;
  /** Of the main file as read, in bytes. */
  readonly size: number;
  readonly sidecars: readonly SidecarCopy[];
  readonly problems: readonly SnapshotProblem[];
  /** The private copy of the main file. After a rollback of a hot journal it differs from the evidence. */
  readonly copyPath: string;
  readonly description: SnapshotDescription;
  tables(): readonly TableInfo[];
  /** The table of that name, without regard to case, as SQLite compares names. */
  table(name: string): TableInfo | undefined;
  /** Rows in rowid order. A table that does not exist has no rows; a column that does not exist is null. */
  iterate(table: string, columns: readonly string[]): Generator<SnapshotItem>;
  /** Bytes of a value as stored, without loading it; 0 for null and for a row that does not exist. */
  sizeOf(table: string, rowid: number, column: string): number;
  /** The bytes of a value, so that text that is not UTF-8 is seen as it is. Throws `TooLargeError` above 512 MiB, and on damage. */
  blob(table: string, rowid: number, column: string): Buffer;
  close(): void;
}
