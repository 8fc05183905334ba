import type { Claim } from './place.js';

const DATA_FOLDERS = [
  ['.local', 'share'],
  ['library', 'application support'],
  ['appdata', 'local'],
];

const isHomes = (part: string | undefined) => /^(?:home|users)$/i.test(part ?? '');

/** The home or project folder: what stands ahead of the place, without the platform's data folder. */
export function baseOf(anchor: Claim['anchor'], ahead: readonly string[]): readonly string[] {
  if (anchor !== 'data') return ahead;
  const data = DATA_FOLDERS.find((folder) => folder.every((part, i) => ahead[ahead.length - folder.length + i]?.toLowerCase() === part));
  return data ? ahead.slice(0, -data.length) : ahead;
}

export interface Owner {
  /** Only where the path says so: `home/alice`, `Users/bob`, `root`. */
  readonly user: string;
  /** Folder of the home; undefined where nothing tells. */
  readonly home: string | undefined;
}

/** `isHome`: the place shows that the base is a home, whatever it is called. */
export function ownerOf(anchor: Claim['anchor'], base: readonly string[], isHome = anchor === 'home'): Owner {
  const named = depthOfUser(anchor, base);
  const depth = named || (isHome ? base.length : undefined);
  return { user: base[named - 1] ?? '', home: depth === undefined ? undefined : base.slice(0, depth).join('/') };
}

/** Number of components up to the name of the user; 0 where none says who it is. */
function depthOfUser(anchor: Claim['anchor'], base: readonly string[]): number {
  const name = base.at(-1);
  if (name !== undefined && isHomes(base.at(-2))) return base.length;
  if (name === 'root' && anchor !== 'project') return base.length;
  if (anchor === 'home') return 0;
  // A project, a temporary folder or a data folder in an unusual place belongs to the home around it.
  const home = base.findLastIndex((_part, i) => i > 0 && isHomes(base[i - 1]));
  return home < 0 ? (base[0] === 'root' ? 1 : 0) : home + 1;
}
