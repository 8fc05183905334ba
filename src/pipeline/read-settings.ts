import type { Collected } from '../collect/collection.js';
import type { Scratch } from '../evidence/scratch.js';
import type { Pool } from './pool.js';
import type { RowSink } from './sink.js';

/** What reading needs besides the artifacts. */
export interface ReadSettings {
  readonly scratch: Scratch;
  readonly sink: RowSink;
  /** Absent: everything is read by this thread. */
  readonly pool: Pool | undefined;
  readonly host: string;
  readonly user: string;
  readonly toolVersion: string;
  /** Look through deleted space of databases. */
  readonly recover: boolean;
  /** All artifacts, by path: files that belong together are found through it. */
  readonly byFile: ReadonlyMap<string, Collected>;
  /** How many artifacts have a size. */
  readonly sizes: ReadonlyMap<number, number>;
  /** Content handed over on standard input. */
  readonly stdin: Buffer | undefined;
}
