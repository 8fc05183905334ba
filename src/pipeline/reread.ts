import type { Collected } from '../collect/collection.js';
import { stateOf } from '../evidence/open.js';
import type { StampFacts } from './task.js';

interface Watched {
  readonly input: number;
  readonly stamp: StampFacts;
  readonly paths: readonly (string | Buffer)[];
  readonly state: string;
}

/**
 * Files that are read a second time after they were hashed or copied: shares of a large file, deleted space of a database. One that
 * is written to in between would give rows that do not belong to its hash.
 */
export class Reread {
  private readonly watched: Watched[] = [];

  /** To be called before a file is opened first; what it gives back, once it is known that the file is read again. */
  before({ path, sidecars }: Collected): (input: number, stamp: StampFacts) => void {
    // The index of a log is made anew by whoever opens the database, and not read here.
    const paths = [path, ...sidecars.filter(({ suffix }) => suffix !== '-shm').map((sidecar) => sidecar.path)];
    const state = statesOf(paths);
    return (input, stamp) => void this.watched.push({ input, stamp: { ...stamp, scope: '\u0000changed' }, paths, state });
  }

  changed(): Watched[] {
    return this.watched.filter(({ paths, state }) => statesOf(paths) !== state);
  }
}

const statesOf = (paths: Watched['paths']) => paths.map(stateOf).join('\n');
