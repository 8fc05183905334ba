import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Store } from '../catalog/schema.js';
import { hasArchiveEnding } from '../evidence/archive/ending.js';
import { faultText } from '../evidence/fault.js';
import { escapeUnsafe } from '../rows/problem.js';
import { type FileFacts, foundArtifact, placedArtifact } from './artifact.js';
import type { Collected, Collection, CollectOptions, Sidecar } from './collection.js';
import { asKiroHome, type Folder, plainName, rootFolder, rootNames, rootOfFile, subfolder } from './folder.js';
import { isKiroHome } from './kiro-home.js';
import { Folders } from './listing.js';
import { indexPlaces, type PlaceIndex } from './place.js';
import { isPassedOver, mayHoldExport } from './reach.js';
import { sidecarsIn } from './sidecar.js';
import { DISK, type Tree } from './tree.js';
import { type Entry, list } from './walk.js';

type Found = { -readonly [K in keyof Collection]: Collection[K] extends readonly (infer T)[] ? T[] : Collection[K] };

/** A folder or file of the disk, or the inside of an archive, with the name that its files are told apart by. */
export type Root = { readonly name: string; readonly path: string } | { readonly tree: Tree; readonly folder: Folder };

interface Walk {
  readonly tree: Tree;
  readonly places: PlaceIndex;
  readonly stores: ReadonlyMap<string, Store>;
  readonly options: CollectOptions;
  readonly found: Found;
  readonly counts: { files: number; folders: number };
  /** Names of one inode. */
  readonly shared: Map<string, string[]>;
  /** Names in the folders that stores ask for. */
  readonly listed: Folders;
}

/**
 * Walks homes, mounted roots, projects and single files once, and tells what is to be read. It follows no link, opens
 * nothing but the beginning of files that might be exports, and goes on behind whatever cannot be read.
 */
export function collect(paths: readonly string[], stores: readonly Store[], options: CollectOptions = {}): Collection {
  const names = paths.length > 1 ? rootNames(paths) : [''];
  return collectRoots(
    paths.map((path, i) => ({ path, name: names[i] ?? '' })),
    indexPlaces(stores),
    stores,
    options,
  );
}

/** The same for roots that have their names, some of which lie in archives. */
export function collectRoots(
  roots: readonly Root[],
  places: PlaceIndex,
  stores: readonly Store[],
  options: CollectOptions = {},
): Collection {
  const found: Found = {
    artifacts: [],
    links: [],
    special: [],
    errors: [],
    excluded: [],
    unclaimed: [],
    unrecognised: [],
    orphans: [],
    unopened: [],
    hardLinks: [],
    archives: [],
    walked: { files: 0, folders: 0 },
  };
  const counts = { files: 0, folders: 0 };
  const byId = new Map(stores.map((store) => [store.id, store]));
  const walk: Walk = { tree: DISK, places, stores: byId, options, found, counts, shared: new Map(), listed: new Folders() };
  for (const root of roots) {
    if ('path' in root) collectRoot(walk, root.path, root.name);
    else walkFolders({ ...walk, tree: root.tree }, root.folder);
  }
  found.artifacts = found.artifacts.map((collected) => withListing(walk, collected));
  found.walked = counts;
  found.hardLinks = [...walk.shared.values()].filter((files) => files.length > 1).map((files) => files.sort());
  return inOrder(found);
}

/** Lists of a collection, each by path. */
export function inOrder(found: Collection): Collection {
  const by = <T>(list: readonly T[], key: (item: T) => string) => list.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  const byFile = <T extends { readonly file: string }>(list: readonly T[]) => by(list, (item) => item.file);
  const byName = (list: readonly string[]) => by(list, (item) => item);
  return {
    ...found,
    artifacts: by(found.artifacts, (item) => item.artifact.file),
    links: byFile(found.links),
    special: byFile(found.special),
    errors: byFile(found.errors),
    orphans: byFile(found.orphans),
    excluded: byName(found.excluded),
    unclaimed: byName(found.unclaimed),
    unrecognised: byName(found.unrecognised),
    unopened: byName(found.unopened),
    hardLinks: by(found.hardLinks, (files) => files[0] ?? ''),
    archives: byFile(found.archives),
  };
}

/** A link that is named as a root is what the user asked for; only links met on the way are left alone. */
function collectRoot(walk: Walk, root: string, rootName: string): void {
  const prefix = rootName === '' ? '' : `${rootName}/`;
  try {
    if (statSync(root).isDirectory()) {
      walkFolders(walk, rootFolder(root, prefix));
      return;
    }
    const real = lstatSync(root).isSymbolicLink() ? realpathSync(root) : root;
    const shown = rootName === '' ? escapeUnsafe(basename(root)) : rootName;
    const entry: Entry = { name: basename(root), shown, path: real, kind: statSync(root).isFile() ? 'file' : 'unknown' };
    walk.counts.files += 1;
    if (entry.kind !== 'file') walk.found.special.push({ file: shown, kind: 'unknown' });
    else takeFile(walk, rootOfFile(root, ''), entry, besideFile(real), true);
  } catch (error) {
    walk.found.errors.push({ file: rootName || escapeUnsafe(basename(root)), what: faultText(error) });
  }
}

function besideFile(path: string): readonly Sidecar[] {
  const entries = list(dirname(path));
  return 'fault' in entries ? [] : sidecarsIn(entries, '').of(basename(path));
}

function walkFolders(walk: Walk, root: Folder): void {
  const waiting = [root];
  for (let found = waiting.pop(); found !== undefined; found = waiting.pop()) {
    walk.counts.folders += 1;
    const entries = walk.tree.list(found.path);
    if ('fault' in entries) {
      walk.found.errors.push({ file: found.prefix.slice(0, -1), what: entries.fault });
      continue;
    }
    const folder = !found.shut && isKiroHome(found.lower.at(-1) ?? '', entries, walk.tree) ? asKiroHome(found) : found;
    if (walk.places.isListed(folder.lower)) walk.listed.add(folder.prefix, entries);
    const beside = sidecarsIn(entries, folder.prefix);
    for (const entry of entries) {
      if (entry.kind === 'folder') {
        const next = enter(walk, folder, entry);
        if (next) waiting.push(next);
      } else if (entry.kind === 'file') {
        walk.counts.files += 1;
        if (!beside.files.has(entry.name)) takeFile(walk, folder, entry, beside.of(entry.name), false);
      } else takeOther(walk, folder, entry);
    }
    for (const { main, sidecar } of beside.orphans) {
      const expected = folder.inStore || walk.places.claim([...folder.lower, main.toLowerCase()]) !== undefined;
      if (expected) walk.found.orphans.push(sidecar);
    }
  }
}

function enter(walk: Walk, folder: Folder, entry: Entry): Folder | undefined {
  const next = subfolder(folder, entry);
  if (walk.options.allFiles || !isPassedOver(folder, next, entry.name, walk.places)) return next;
  walk.found.excluded.push(next.prefix.slice(0, -1));
  return undefined;
}

function takeOther(walk: Walk, folder: Folder, entry: Entry): void {
  const file = folder.prefix + entry.shown;
  if (entry.kind === 'link') {
    try {
      walk.found.links.push({ file, target: walk.tree.target(entry.path) });
    } catch (error) {
      walk.found.errors.push({ file, what: faultText(error) });
    }
  } else if (entry.kind !== 'file' && entry.kind !== 'folder') walk.found.special.push({ file, kind: entry.kind });
}

/** `named`: the file itself is a root, and is looked at whatever it is called. */
function takeFile(walk: Walk, folder: Folder, entry: Entry, sidecars: readonly Sidecar[], named: boolean): void {
  const { found } = walk;
  const file = folder.prefix + entry.shown;
  try {
    if (takePlaced(walk, folder, entry, sidecars)) return;
    const sniffed = named || mayHoldExport(folder, entry.name);
    if (sniffed && takeByContent(walk, folder, entry, sidecars)) return;
  } catch (error) {
    found.errors.push({ file, what: faultText(error) });
    return;
  }
  if (named) found.unrecognised.push(file);
  else if (hasArchiveEnding(entry.name)) found.unopened.push(file);
  else if (folder.inStore) found.unclaimed.push(file, ...sidecars.map((sidecar) => sidecar.file));
}

function takePlaced(walk: Walk, folder: Folder, entry: Entry, sidecars: readonly Sidecar[]): boolean {
  const name = plainName(folder, entry.name).toLowerCase();
  if (!walk.places.mayClaim(name)) return false;
  const claim = walk.places.claim([...folder.lower, name]);
  if (claim === undefined) return false;
  const facts = walk.tree.facts(entry.path);
  const artifact = placedArtifact(claim, folder, entry, facts);
  keep(walk, { artifact, path: entry.path, store: claim.store, sidecars, foundBy: 'place' }, facts);
  return true;
}

function takeByContent(walk: Walk, folder: Folder, entry: Entry, sidecars: readonly Sidecar[]): boolean {
  const store = walk.stores.get(walk.tree.sniff(entry.path, walk.options.detectors ?? []) ?? '');
  if (store === undefined) return false;
  const facts = walk.tree.facts(entry.path);
  const artifact = foundArtifact(store, folder, entry, facts);
  keep(walk, { artifact, path: entry.path, store, sidecars, foundBy: 'content' }, facts);
  return true;
}

/** What lies in the folders a store asks for is known when all of them have been seen. */
function withListing({ listed }: Walk, collected: Collected): Collected {
  const { artifact, store, foundBy } = collected;
  if (store.listing.length === 0 || foundBy !== 'place') return collected;
  return { ...collected, artifact: { ...artifact, listing: listed.listingOf(artifact.file, store.listing) } };
}

function keep(walk: Walk, collected: Collected, facts: FileFacts): void {
  walk.found.artifacts.push(walk.tree === DISK ? collected : { ...collected, tree: walk.tree });
  if (facts.shared === undefined) return;
  const names = walk.shared.get(facts.shared) ?? [];
  names.push(collected.artifact.file);
  walk.shared.set(facts.shared, names);
}
