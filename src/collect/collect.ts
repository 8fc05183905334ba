import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Store } from '../catalog/schema.js';
import { faultText } from '../evidence/fault.js';
import { escapeUnsafe, showBytes } from '../rows/problem.js';
import { type FileFacts, factsOf, foundArtifact, placedArtifact } from './artifact.js';
import type { Collected, Collection, CollectOptions, Sidecar } from './collection.js';
import { hasBinaryEnding, isExcludedName } from './exclude.js';
import { asKiroHome, type Folder, rootFolder, rootNames, rootOfFile, subfolder } from './folder.js';
import { isKiroHome } from './kiro-home.js';
import { Folders } from './listing.js';
import { indexPlaces, type PlaceIndex } from './place.js';
import { sidecarsIn } from './sidecar.js';
import { sniff } from './sniff.js';
import { type Entry, list } from './walk.js';

type Found = { -readonly [K in keyof Collection]: Collection[K] extends readonly (infer T)[] ? T[] : Collection[K] };

interface Walk {
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
  const found: Found = {
    artifacts: [],
    links: [],
    special: [],
    errors: [],
    excluded: [],
    unclaimed: [],
    unrecognised: [],
    orphans: [],
    hardLinks: [],
    walked: { files: 0, folders: 0 },
  };
  const counts = { files: 0, folders: 0 };
  const byId = new Map(stores.map((store) => [store.id, store]));
  const walk: Walk = { places: indexPlaces(stores), stores: byId, options, found, counts, shared: new Map(), listed: new Folders() };
  const names = paths.length > 1 ? rootNames(paths) : [''];
  paths.forEach((path, i) => {
    collectRoot(walk, path, names[i] ?? '');
  });
  found.artifacts = found.artifacts.map((collected) => withListing(walk, collected));
  found.walked = counts;
  found.hardLinks = [...walk.shared.values()].filter((files) => files.length > 1).map((files) => files.sort());
  return inOrder(found);
}

function inOrder(found: Found): Collection {
  const by = <T>(list: T[], key: (item: T) => string) => list.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  by(found.artifacts, (item) => item.artifact.file);
  for (const items of [found.links, found.special, found.errors, found.orphans]) by<{ readonly file: string }>(items, (item) => item.file);
  for (const items of [found.excluded, found.unclaimed, found.unrecognised]) by<string>(items, (item) => item);
  by(found.hardLinks, (files) => files[0] ?? '');
  return found;
}

/** A link that is named as a root is what the user asked for; only links met on the way are left alone. */
function collectRoot(walk: Walk, root: string, rootName: string): void {
  const prefix = rootName === '' ? '' : `${rootName}/`;
  try {
    if (statSync(root).isDirectory()) {
      walkFolders(walk, rootFolder(root, prefix), rootName);
      return;
    }
    const real = lstatSync(root).isSymbolicLink() ? realpathSync(root) : root;
    const shown = rootName === '' ? escapeUnsafe(basename(root)) : rootName;
    const entry: Entry = { name: basename(root), shown, path: real, kind: statSync(root).isFile() ? 'file' : 'unknown' };
    walk.counts.files += 1;
    if (entry.kind !== 'file') walk.found.special.push({ file: shown, kind: 'unknown' });
    else takeFile(walk, rootOfFile(root, ''), entry, besideFile(real), '', true);
  } catch (error) {
    walk.found.errors.push({ file: rootName || escapeUnsafe(basename(root)), what: faultText(error) });
  }
}

function besideFile(path: string): readonly Sidecar[] {
  const entries = list(dirname(path));
  return 'fault' in entries ? [] : sidecarsIn(entries, '').of(basename(path));
}

function walkFolders(walk: Walk, root: Folder, rootName: string): void {
  const waiting = [root];
  for (let found = waiting.pop(); found !== undefined; found = waiting.pop()) {
    walk.counts.folders += 1;
    const entries = list(found.path);
    if ('fault' in entries) {
      walk.found.errors.push({ file: found.prefix.slice(0, -1), what: entries.fault });
      continue;
    }
    const folder = !found.shut && isKiroHome(found.lower.at(-1) ?? '', entries) ? asKiroHome(found) : found;
    if (walk.places.isListed(folder.lower)) walk.listed.add(folder.prefix, entries);
    const beside = sidecarsIn(entries, folder.prefix);
    for (const entry of entries) {
      if (entry.kind === 'folder') {
        const next = enter(walk, folder, entry);
        if (next) waiting.push(next);
      } else if (entry.kind === 'file') {
        walk.counts.files += 1;
        if (!beside.files.has(entry.name)) takeFile(walk, folder, entry, beside.of(entry.name), rootName, false);
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
  if (walk.options.allFiles) return next;
  if (folder.shut || (isExcludedName(entry.name, folder.parts.length === 0) && !walk.places.leadsThrough(next.lower))) {
    walk.found.excluded.push(next.prefix.slice(0, -1));
    return undefined;
  }
  return next;
}

function takeOther(walk: Walk, folder: Folder, entry: Entry): void {
  const file = folder.prefix + entry.shown;
  if (entry.kind === 'link') {
    try {
      walk.found.links.push({ file, target: escapeUnsafe(showBytes(readlinkSync(entry.path, { encoding: 'buffer' }))) });
    } catch (error) {
      walk.found.errors.push({ file, what: faultText(error) });
    }
  } else if (entry.kind !== 'file' && entry.kind !== 'folder') walk.found.special.push({ file, kind: entry.kind });
}

/** `named`: the file itself is a root, and is looked at whatever it is called. */
function takeFile(walk: Walk, folder: Folder, entry: Entry, sidecars: readonly Sidecar[], rootName: string, named: boolean): void {
  const { found } = walk;
  const file = folder.prefix + entry.shown;
  try {
    if (takePlaced(walk, folder, entry, sidecars, rootName)) return;
    const sniffed = named || (!folder.inBuild && !folder.shut && !hasBinaryEnding(entry.name));
    if (sniffed && takeByContent(walk, folder, entry, sidecars, rootName)) return;
  } catch (error) {
    found.errors.push({ file, what: faultText(error) });
    return;
  }
  if (named) found.unrecognised.push(file);
  else if (folder.inStore) found.unclaimed.push(file, ...sidecars.map((sidecar) => sidecar.file));
}

function takePlaced(walk: Walk, folder: Folder, entry: Entry, sidecars: readonly Sidecar[], rootName: string): boolean {
  const name = entry.name.toLowerCase();
  if (!walk.places.mayClaim(name)) return false;
  const claim = walk.places.claim([...folder.lower, name]);
  if (claim === undefined) return false;
  const facts = factsOf(entry.path);
  const artifact = placedArtifact(claim, folder, entry, facts, rootName);
  keep(walk, { artifact, path: entry.path, store: claim.store, sidecars, foundBy: 'place' }, facts);
  return true;
}

function takeByContent(walk: Walk, folder: Folder, entry: Entry, sidecars: readonly Sidecar[], rootName: string): boolean {
  const store = walk.stores.get(sniff(entry.path, walk.options.detectors ?? []) ?? '');
  if (store === undefined) return false;
  const facts = factsOf(entry.path);
  const artifact = foundArtifact(store, folder, entry, facts, rootName);
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
  walk.found.artifacts.push(collected);
  if (facts.shared === undefined) return;
  const names = walk.shared.get(facts.shared) ?? [];
  names.push(collected.artifact.file);
  walk.shared.set(facts.shared, names);
}
