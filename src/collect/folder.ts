import { dirname, resolve } from 'node:path';
import { escapeUnsafe } from '../rows/problem.js';
import { isBuildFolder, isShut, isStoreFolder } from './exclude.js';
import type { Entry } from './walk.js';

/** A folder on the way. Paths are kept in three forms: to open, to show, to compare. */
export interface Folder {
  readonly path: string | Buffer;
  /** Put ahead of the name of a file, with its slash; empty for a single root. */
  readonly prefix: string;
  /** What the prefix of its root was. */
  readonly root: string;
  /** Components below the root, as shown. */
  readonly parts: readonly string[];
  /** Components in lower case, with the last few of the root's own path ahead. */
  readonly lower: readonly string[];
  /** Number of components in `lower` that are not below the root. */
  readonly above: number;
  readonly inBuild: boolean;
  readonly inStore: boolean;
  /** Place in `lower` of a folder that stands for `.kiro` under another name: this one, or one around it. */
  readonly kiroHome: number | undefined;
  /** A collector wrote the names below with percent signs (`C%3A`). */
  readonly encoded: boolean;
  /** A store reads a file at the top of it; the rest is left alone. */
  readonly shut: boolean;
}

/** The longest place has seven components; the root may lie inside one, so its own last components count for matching. */
const ABOVE = 6;

export function rootFolder(path: string, prefix: string): Folder {
  const above = resolve(path)
    .split(/[\\/]/)
    .filter((part) => part !== '')
    .slice(-ABOVE)
    .map((part) => part.toLowerCase());
  return make({ path, prefix, root: prefix, parts: [], lower: above, above: above.length }, undefined);
}

/** The folder of a single file, which is then the only one in it. */
export function rootOfFile(path: string, prefix: string): Folder {
  return rootFolder(dirname(resolve(path)), prefix);
}

export function subfolder(parent: Folder, entry: Entry): Folder {
  const { prefix, root, above } = parent;
  const name = plainName(parent, entry.name);
  const parts = [...parent.parts, name === entry.name ? entry.shown : escapeUnsafe(name)];
  const lower = [...parent.lower, name.toLowerCase()];
  return make({ path: entry.path, prefix: `${prefix}${entry.shown}/`, root, parts, lower, above }, { parent, name: entry.name });
}

/** The inside of an archive: `name` stands for the folder that was packed. */
export function archiveFolder(path: string, prefix: string, name: string): Folder {
  return make({ path, prefix, root: prefix, parts: [], lower: [name.toLowerCase()], above: 1 }, undefined);
}

/** Ways of access under which Velociraptor keeps what it took. */
const ACCESSORS = /^(?:auto|file|fs|(?:lazy_|raw_)?ntfs(?:_vss)?|mft|raw_file|vss)$/;

/** A name as it was on the machine, where a collector wrote it otherwise. */
export function plainName(folder: Folder, name: string): string {
  if (!folder.encoded || !name.includes('%')) return name;
  try {
    const plain = decodeURIComponent(name);
    return /[\/\\\0]/.test(plain) || plain === '.' || plain === '..' ? name : plain;
  } catch {
    return name;
  }
}

/** The same folder, compared as if it were called `.kiro`. */
export function asKiroHome(folder: Folder): Folder {
  return { ...folder, lower: [...folder.lower.slice(0, -1), '.kiro'], kiroHome: folder.lower.length - 1 };
}

type Place = Pick<Folder, 'path' | 'prefix' | 'root' | 'parts' | 'lower' | 'above'>;

function make(place: Place, below: { readonly parent: Folder; readonly name: string } | undefined): Folder {
  return {
    ...place,
    inBuild: below !== undefined && (below.parent.inBuild || isBuildFolder(below.name)),
    inStore: (below?.parent.inStore ?? false) || isStoreFolder(place.lower) || (below === undefined && liesInStore(place.lower)),
    kiroHome: below?.parent.kiroHome,
    encoded: (below?.parent.encoded ?? false) || (place.lower.at(-2) === 'uploads' && ACCESSORS.test(place.lower.at(-1) ?? '')),
    shut: isShut(place.lower),
  };
}

/** A root may itself be a folder deep in a store. */
function liesInStore(lower: readonly string[]): boolean {
  return lower.some((_, i) => isStoreFolder(lower.slice(0, i + 1)));
}

/** Names for several roots: the base name of each, and `#2` and so on where two are alike. */
export function rootNames(paths: readonly string[]): string[] {
  const taken = new Set<string>();
  return paths.map((path) => {
    const own = escapeUnsafe(resolve(path).split(/[\\/]/).at(-1) || 'root');
    let name = own;
    for (let n = 2; taken.has(name); n++) name = `${own}#${n}`;
    taken.add(name);
    return name;
  });
}
