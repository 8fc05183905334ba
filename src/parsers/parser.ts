import type { Artifact, FileSource } from '../evidence/source.js';
import type { Snapshot } from '../evidence/sqlite.js';
import type { RecoveryInput } from '../recover/index.js';
import type { Draft } from '../rows/draft.js';

/**
 * Reads one store format. A parser yields rows and nothing else: it opens no file, prints nothing,
 * knows no output, reads no clock. A bad record is an error row; the next record still comes out.
 */
export interface FileParser {
  /** Equals the id of the catalog entry. */
  readonly id: string;
  readonly container: 'file';
  /** For stores found by content: does the head of a file (up to 64 KiB, not necessarily whole lines) belong to this format? */
  readonly detect?: (head: Buffer) => boolean;
  /**
   * Names of files in the same folder that say more about this one (a session's metadata beside its journal). They are
   * opened for reading facts only; their own rows come from their own catalog entry.
   */
  readonly companions?: (name: string) => readonly string[];
  /**
   * Why its rows may tell of events that another store holds: `retold`, again, without an id that joins them; `migrated`, its
   * sessions may have been taken over into the other; `marker`, it says which were.
   */
  readonly echo?: 'retold' | 'migrated' | 'marker';
  /** The file can be read in shares, which together give the rows of the whole in order. */
  readonly divisible?: boolean;
  /** `companions` holds those of the named files that exist and could be opened; `share` is given to divisible parsers only. */
  parse(source: FileSource, companions: Companions, share?: Share): Iterable<Draft>;
}

/** Part `index` of `count` of a large file. */
export interface Share {
  readonly index: number;
  readonly count: number;
}

export type Companions = ReadonlyMap<string, FileSource>;

/** One value of a database that is parsed on its own, in any order and by any worker. */
export interface DatabaseUnit {
  readonly table: string;
  /** Rowid of the value, or null for a unit that covers the table (or the file) as a whole. */
  readonly rowid: number | null;
  /** Bytes, for sharing out work. */
  readonly size: number;
}

export interface DatabaseParser {
  readonly id: string;
  readonly container: 'sqlite';
  readonly detect?: (head: Buffer) => boolean;
  /** Units in the order of the store. */
  units(database: Snapshot, artifact: Artifact): DatabaseUnit[];
  parse(database: Snapshot, unit: DatabaseUnit, artifact: Artifact): Iterable<Draft>;
  /** Rows from what the files hold besides the live rows. They are read as found, without SQLite. */
  readonly recover?: (files: RecoveryInput, artifact: Artifact) => Iterable<Draft>;
}

export type Parser = FileParser | DatabaseParser;
