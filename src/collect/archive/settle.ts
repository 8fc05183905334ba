import { existsSync, renameSync } from 'node:fs';
import { type Archive, ArchiveFault } from '../../evidence/archive/member.js';
import type { Unpacker } from '../../evidence/archive/unpack.js';
import { faultText } from '../../evidence/fault.js';
import type { Collected, Sidecar, Trouble } from '../collection.js';
import { unpackInto } from './list.js';
import { Head } from './look.js';
import { type FileNode, MemberTree } from './member-tree.js';

const isRead = ({ suffix }: Sidecar) => suffix !== '-shm';

/** Files of a tree that are wanted and lie in the archive still: what only its neighbours gave away, and logs of databases found by content. */
export function missingIn(tree: MemberTree, artifacts: readonly Collected[]): Map<number, FileNode> {
  const missing = new Map<number, FileNode>();
  for (const { path, sidecars, tree: own } of artifacts) {
    if (own !== tree) continue;
    for (const place of [path, ...sidecars.filter(isRead).map((sidecar) => sidecar.path)]) {
      const node = tree.file(place);
      if (node.unpacked === undefined && node.fault === undefined) missing.set(node.index, node);
    }
  }
  return missing;
}

/** A second pass over an archive, for files that the first one left. */
export async function fetchMissing(archive: Archive, missing: ReadonlyMap<number, FileNode>, unpacker: Unpacker): Promise<void> {
  let index = 0;
  let left = missing.size;
  try {
    for await (const member of archive.members()) {
      const node = missing.get(index);
      index += 1;
      if (node === undefined) continue;
      left -= 1;
      const content = member.content();
      await unpackInto(node, new Head(content), content, member, unpacker);
      node.doubts.push(...member.doubts.filter((doubt) => !node.doubts.includes(doubt)));
      await content.return(undefined);
      if (left === 0) return;
    }
  } catch (error) {
    for (const node of missing.values()) if (node.unpacked === undefined) node.fault ??= textOf(error);
  }
}

const textOf = (error: unknown) => (error instanceof ArchiveFault ? error.message : faultText(error));

/** An artifact of an archive as a file that can be opened, with its log beside it. */
export function settled(found: Collected, troubles: Trouble[]): Collected {
  const { tree, ...collected } = found;
  if (!(tree instanceof MemberTree)) return collected;
  const node = tree.file(found.path);
  const { unpacked, doubts } = node;
  if (unpacked === undefined) return { ...collected, path: '', sidecars: [], fault: node.fault ?? 'it could not be unpacked' };
  const sidecars = found.sidecars.flatMap((sidecar) => beside(sidecar, tree, unpacked.path, troubles));
  const artifact = { ...found.artifact, size: unpacked.size, ...(doubts.length > 0 ? { problems: doubts } : {}) };
  return { ...collected, artifact, path: unpacked.path, sidecars };
}

/** A log has to lie beside its database. */
function beside(sidecar: Sidecar, tree: MemberTree, main: string, troubles: Trouble[]): Sidecar[] {
  if (!isRead(sidecar)) return [sidecar];
  const node = tree.file(sidecar.path);
  for (const what of node.doubts) troubles.push({ file: sidecar.file, what, read: 'fully' });
  if (node.unpacked === undefined) {
    troubles.push({ file: sidecar.file, what: node.fault ?? 'it could not be unpacked' });
    return [];
  }
  const path = main + (sidecar.file.includes(sidecar.suffix.toUpperCase()) ? sidecar.suffix.toUpperCase() : sidecar.suffix);
  if (!existsSync(path)) {
    renameSync(node.unpacked.path, path);
    node.unpacked = { ...node.unpacked, path };
  }
  return [{ ...sidecar, path: node.unpacked.path }];
}
