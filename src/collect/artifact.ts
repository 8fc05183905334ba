import { lstatSync } from 'node:fs';
import type { Store } from '../catalog/schema.js';
import { fileTime } from '../evidence/file-time.js';
import type { Artifact } from '../evidence/source.js';
import type { Instant } from '../rows/time.js';
import type { Folder } from './folder.js';
import { baseOf, ownerOf } from './owner.js';
import type { Claim } from './place.js';
import type { Entry } from './walk.js';

export interface FileFacts {
  readonly size: number;
  readonly mtime: Instant | undefined;
  /** Device and inode, when the file has more than one name. */
  readonly shared: string | undefined;
}

export function factsOf(path: string | Buffer): FileFacts {
  const stat = lstatSync(path, { bigint: true });
  const shared = stat.nlink > 1n && stat.ino !== 0n ? `${stat.dev}:${stat.ino}` : undefined;
  return { size: Number(stat.size), mtime: fileTime(stat.mtimeNs), shared };
}

/** An artifact claimed by its place. Base and user come from the path below the root alone. */
export function placedArtifact(claim: Claim, folder: Folder, entry: Entry, facts: FileFacts): Artifact {
  const moved = folder.kiroHome !== undefined && claim.ahead === folder.kiroHome;
  const ahead = folder.parts.slice(0, Math.max(0, claim.ahead - folder.above + (moved ? 1 : 0)));
  const base = baseOf(claim.anchor, ahead);
  return {
    store: claim.store.id,
    file: folder.prefix + entry.shown,
    agent: claim.agent,
    // A moved folder is no home: its user is the one whose home lies around it.
    ...(moved ? ownerOf('project', base) : ownerOf(claim.anchor, base, claim.anchor === 'home' || base.length < ahead.length)),
    root: folder.root,
    base: base.join('/'),
    inProject: claim.anchor === 'project' && !moved,
    ...(moved ? { kiroHome: true } : {}),
    size: facts.size,
    mtime: facts.mtime,
  };
}

/** An artifact known by its content: it may lie anywhere, and says nothing of a project by its place. */
export function foundArtifact(store: Store, folder: Folder, entry: Entry, facts: FileFacts): Artifact {
  return {
    store: store.id,
    file: folder.prefix + entry.shown,
    agent: store.agent,
    ...ownerOf('project', folder.parts),
    root: folder.root,
    base: folder.parts.join('/'),
    inProject: false,
    size: facts.size,
    mtime: facts.mtime,
  };
}

/** Standard input: no place, no time. */
export function stdinArtifact(store: Store, size: number): Artifact {
  const nowhere = { user: '', root: '', home: undefined, base: '', inProject: false };
  return { store: store.id, file: '(stdin)', agent: store.agent, ...nowhere, size, mtime: undefined };
}
