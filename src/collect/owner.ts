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

/** Name of the user, only where the path says so: `home/alice`, `Users/bob`, `root`. */
export function userOf(anchor: Claim['anchor'], base: readonly string[]): string {
  const name = base.at(-1);
  if (name !== undefined && isHomes(base.at(-2))) return name;
  if (name === 'root' && anchor !== 'project') return name;
  if (anchor === 'home') return '';
  // A project, a temporary folder or a data folder in an unusual place belongs to the home around it.
  const home = base.findLastIndex((_part, i) => i > 0 && isHomes(base[i - 1]));
  return base[home] ?? (base[0] === 'root' ? 'root' : '');
}
