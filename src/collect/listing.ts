import type { Listing } from '../evidence/source.js';
import type { Entry } from './walk.js';

// Some stores are lists of what lies in folders beside them. A parser opens no folder, so it is told the names in those
// that its catalog entry asks for. Names are kept of such folders only, and each name once.

/** Names by folder: its path with a slash behind, in lower case, for a place counts in any case. */
export class Folders {
  private readonly names = new Map<string, readonly string[]>();

  add(prefix: string, entries: readonly Entry[]): void {
    const key = prefix.toLowerCase();
    const names = entries.map(({ shown, kind }) => (kind === 'folder' ? `${shown}/` : shown));
    // Two folders that differ in case only are one to the program.
    this.names.set(key, [...(this.names.get(key) ?? []), ...names].sort());
  }

  /** What a file's parser is told. */
  listingOf(file: string, asked: readonly string[]): Listing {
    const own = file.split('/').slice(0, -1);
    const listing = new Map<string, readonly string[]>();
    for (const folder of asked.flatMap((pattern) => this.expand(own, pattern))) {
      const names = this.of(own, folder);
      if (names !== undefined) listing.set(folder, names);
    }
    return listing;
  }

  /** A `*` stands for the last component only. */
  private expand(own: readonly string[], pattern: string): string[] {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return (this.of(own, parent) ?? []).filter((name) => name.endsWith('/')).map((name) => `${parent}/${name.slice(0, -1)}`);
  }

  private of(own: readonly string[], folder: string): readonly string[] | undefined {
    const parts = inFolder(own, folder);
    return this.names.get(
      parts
        .map((part) => `${part}/`)
        .join('')
        .toLowerCase(),
    );
  }
}

/** Components of a path that is given relative to a folder. */
export function inFolder(own: readonly string[], relative: string): string[] {
  const parts = [...own];
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts;
}
