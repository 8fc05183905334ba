/**
 * Where the places of the catalog lie on each system, for engines that collect by absolute path. A place is relative to its
 * anchor; here it becomes patterns below a home (`home` true) or below the root. `*` stands for one name, `**` for any number of
 * folders.
 */
import type { Store } from '../schema.js';

export type System = 'linux' | 'darwin' | 'windows';
export const SYSTEMS: readonly System[] = ['linux', 'darwin', 'windows'];

export interface CollectedPlace {
  readonly store: Store;
  readonly system: System;
  readonly home: boolean;
  readonly path: string;
}

/** What stands beside a database and belongs to it: without its log a copy is an earlier state, or none. */
export const SIDECARS: readonly string[] = ['-wal', '-shm', '-journal'];

interface Anchored {
  readonly home: boolean;
  readonly path: string;
}

/** All patterns for a system, each once. Stores that are known by content alone have none. */
export function placesOn(stores: readonly Store[], system: System): CollectedPlace[] {
  const seen = new Set<string>();
  const places: CollectedPlace[] = [];
  for (const store of stores) {
    for (const { home, path } of store.places.flatMap((place) => anchored(place, system)).flatMap((place) => withSidecars(place, store))) {
      const key = `${home} ${path}`;
      if (seen.has(key)) continue;
      seen.add(key);
      places.push({ store, system, home, path });
    }
  }
  return places;
}

function withSidecars({ home, path }: Anchored, { sidecars }: Store): Anchored[] {
  const database = sidecars.length > 0 || /\.(?:sqlite3?|vscdb)(?:\.backup)?$/.test(path);
  return [{ home, path }, ...(database ? SIDECARS.map((suffix) => ({ home, path: path + suffix })) : [])];
}

function anchored({ anchor, path }: Store['places'][number], system: System): Anchored[] {
  const simple = withoutChoices(path);
  if (anchor === 'home') return [{ home: true, path: simple }];
  if (anchor === 'data') return dataFolders(simple, system).map((folder) => ({ home: true, path: folder + simple }));
  // A project lies anywhere in a home, or is the home; work elsewhere has to be named by hand.
  if (anchor === 'project') return ['', '**/'].map((folders) => ({ home: true, path: folders + simple }));
  return temporaryFolders(system).map(({ home, path: folder }) => ({ home, path: folder + simple }));
}

/** Engines know `*` and `**` only: what the catalog leaves out (`!(cli)`) is collected, and told apart by the parser. */
const withoutChoices = (path: string) => path.replace(/!\([^)]*\)/g, '*');

const APPLICATION = 'Library/Application Support/';

/** Folders that may hold a path whose anchor is the data folder of its program. */
function dataFolders(path: string, system: System): string[] {
  const [first = ''] = path.split('/');
  // A moved home of Kiro may lie anywhere.
  if (first === 'sessions') return ['**/'];
  const editor = { linux: '.config/Kiro/', darwin: `${APPLICATION}Kiro/`, windows: 'AppData/Roaming/Kiro/' }[system];
  const remote = system === 'windows' ? [] : ['.kiro-server/data/'];
  if (first === 'Kiro') return [editor.slice(0, -'Kiro/'.length)];
  if (first === 'kiro.kiroagent') return [editor, ...remote].map((folder) => `${folder}User/globalStorage/`);
  if (first === 'exthost') return [`${editor}logs/*/*/`, ...remote.map((folder) => `${folder}logs/*/`)];
  return { linux: ['.local/share/'], darwin: [APPLICATION], windows: ['AppData/Local/', 'AppData/Roaming/'] }[system];
}

function temporaryFolders(system: System): Anchored[] {
  if (system === 'windows') return [{ home: true, path: 'AppData/Local/Temp/' }];
  const shared = { home: false, path: system === 'darwin' ? 'private/var/folders/*/*/T/' : 'run/user/*/' };
  return [shared, { home: false, path: system === 'darwin' ? 'private/tmp/' : 'tmp/' }];
}
