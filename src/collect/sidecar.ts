import type { Sidecar } from './collection.js';
import type { Entry } from './walk.js';

const ENDING = /(?<=.)-(?:wal|journal|shm)$/is;

export interface Sidecars {
  /** Names of the files of a folder that belong to a database beside them, or did. */
  readonly files: ReadonlySet<string>;
  of(main: string): readonly Sidecar[];
  /** Those whose database is not there. */
  readonly orphans: readonly { readonly main: string; readonly sidecar: Sidecar }[];
}

const NONE: Sidecars = { files: new Set(), of: () => [], orphans: [] };

/** Pairs logs and journals with their databases by name; case counts only where two databases differ in nothing else. */
export function sidecarsIn(entries: readonly Entry[], prefix: string): Sidecars {
  if (!entries.some((entry) => ENDING.test(entry.name))) return NONE;
  const names = new Map<string, string>();
  for (const { name, kind } of entries) if (kind === 'file') names.set(name.toLowerCase(), name).set(name, name);
  const files = new Set<string>();
  const byMain = new Map<string, Sidecar[]>();
  const orphans: { readonly main: string; readonly sidecar: Sidecar }[] = [];
  for (const { name, shown, path, kind } of entries) {
    const suffix = suffixOf(name);
    if (kind !== 'file' || suffix === undefined) continue;
    const sidecar = { file: prefix + shown, path, suffix };
    const expected = name.slice(0, -suffix.length);
    const main = names.get(expected) ?? names.get(expected.toLowerCase());
    files.add(name);
    if (main === undefined) orphans.push({ main: expected, sidecar });
    else byMain.set(main, [...(byMain.get(main) ?? []), sidecar]);
  }
  return { files, of: (main) => byMain.get(main) ?? [], orphans };
}

function suffixOf(name: string): Sidecar['suffix'] | undefined {
  const suffix = ENDING.exec(name)?.[0].toLowerCase();
  return suffix === '-wal' || suffix === '-journal' || suffix === '-shm' ? suffix : undefined;
}
