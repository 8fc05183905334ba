/**
 * Recovery of what the rows of a Q or Kiro database no longer hold: freed pages, gaps in live pages, the log, the journal.
 * Pure functions over bytes, without SQLite. Section numbers in the comments are those of https://www.sqlite.org/fileformat2.html.
 */
export { lazyLiveIndex, liveIndexOf } from './live.js';
export { recover } from './recover.js';
export type * from './types.js';
