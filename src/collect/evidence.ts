import { realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Store } from '../catalog/schema.js';
import { hasArchiveEnding, withoutArchiveEnding } from '../evidence/archive/ending.js';
import { ARCHIVE_LIMITS, type Archive, ArchiveFault, type ArchiveLimits } from '../evidence/archive/member.js';
import { openArchive } from '../evidence/archive/open.js';
import { Unpacker } from '../evidence/archive/unpack.js';
import { faultText } from '../evidence/fault.js';
import { escapeUnsafe } from '../rows/problem.js';
import { type Listed, listArchive } from './archive/list.js';
import { MemberTree } from './archive/member-tree.js';
import { fetchMissing, missingIn, settled } from './archive/settle.js';
import { collectRoots, inOrder, type Root } from './collect.js';
import type { ArchiveReport, Collected, Collection, CollectOptions, Trouble } from './collection.js';
import { rootNames } from './folder.js';
import { indexPlaces, type PlaceIndex } from './place.js';

export interface EvidenceOptions extends CollectOptions {
  /** Private folder for what is unpacked. */
  readonly scratch: string;
  readonly limits?: Partial<ArchiveLimits> | undefined;
  /** Ends collecting when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Told what is being unpacked. */
  readonly progress?: ((file: string) => void) | undefined;
}

/** Collects from folders, files and archives alike. Members of archives that are evidence lie in the scratch folder afterwards. */
export async function collectEvidence(paths: readonly string[], stores: readonly Store[], options: EvidenceOptions): Promise<Collection> {
  const names = paths.length > 1 ? rootNames(paths) : [''];
  const places = indexPlaces(stores);
  const archives = new Archives(paths, places, options);
  const roots: Root[] = [];
  for (const [i, path] of paths.entries()) {
    const name = names[i] ?? '';
    if (await archives.take(path, name)) continue;
    roots.push({ path, name });
  }
  const found = collectRoots([...roots, ...archives.roots()], places, stores, options);
  return archives.settle(found);
}

interface Opened {
  readonly path: string;
  readonly file: string;
  /** Size and time when it was listed. */
  readonly state: string;
  readonly tree: MemberTree;
}

class Archives {
  private readonly opened: Opened[] = [];
  private readonly reports: ArchiveReport[] = [];
  private readonly troubles: Trouble[] = [];
  private readonly limits: ArchiveLimits;
  private unpacker: Unpacker | undefined;

  constructor(
    paths: readonly string[],
    private readonly places: PlaceIndex,
    private readonly options: EvidenceOptions,
  ) {
    // Twenty gigabytes, or four times what there is.
    const most = Math.max(ARCHIVE_LIMITS.total, 4 * paths.reduce((sum, path) => sum + sizeOf(path), 0));
    this.limits = { ...ARCHIVE_LIMITS, total: most, member: most, ...options.limits };
  }

  /** Lists and unpacks the archive at a path; false where there is none. */
  async take(path: string, rootName: string): Promise<boolean> {
    const file = rootName || escapeUnsafe(basename(path));
    try {
      if (!statSync(path).isFile()) return false;
      const archive = openArchive(realpathSync(path), this.limits);
      if (archive === undefined) return false;
      await this.list(archive, realpathSync(path), file, withoutArchiveEnding(basename(path)), 1);
      return true;
    } catch (error) {
      this.options.signal?.throwIfAborted();
      // What cannot be opened at all is said where files are.
      if (!(error instanceof ArchiveFault)) return false;
      this.troubles.push({ file, what: error.message });
      return true;
    }
  }

  roots(): Root[] {
    return this.opened.flatMap(({ tree }) => tree.roots.map((folder) => ({ tree, folder })));
  }

  /** Fetches what is still missing, and gives every artifact a path that can be opened. */
  async settle(found: Collection): Promise<Collection> {
    for (const { path, file, state, tree } of this.opened) {
      const missing = missingIn(tree, found.artifacts);
      if (missing.size === 0) continue;
      const archive = stateOf(path) === state ? openArchive(path, this.limits) : undefined;
      if (archive === undefined) {
        // Its members may be others by now.
        this.troubles.push({ file, what: 'changed while being read', read: 'partly' });
        for (const node of missing.values()) node.fault = 'the archive changed while it was read';
        continue;
      }
      await fetchMissing(archive, missing, this.unpack());
      archive.close();
    }
    const artifacts: Collected[] = found.artifacts.map((artifact) => settled(artifact, this.troubles));
    return inOrder({ ...found, artifacts, errors: [...found.errors, ...this.troubles], archives: this.reports });
  }

  private unpack(): Unpacker {
    this.unpacker ??= new Unpacker(this.options.scratch, this.limits);
    return this.unpacker;
  }

  private async list(archive: Archive, path: string, file: string, folderName: string, depth: number): Promise<void> {
    const { places, limits, options } = this;
    options.progress?.(file);
    const unpacker = this.unpack();
    const before = { files: unpacker.files, bytes: unpacker.bytes };
    const tree = new MemberTree(`${file}!/`, folderName, places, options.allFiles === true);
    const state = stateOf(path);
    let listed: Listed;
    try {
      listed = await listArchive(archive, file, tree, {
        places,
        detectors: options.detectors ?? [],
        limits,
        unpacker,
        depth,
        signal: options.signal,
      });
      const { members, leftOut, renamed } = listed;
      const unpacked = { files: unpacker.files - before.files, bytes: unpacker.bytes - before.bytes };
      const { format, size } = archive;
      this.reports.push({ file, format, size, sha256: await archive.sha256(), members, unpacked, leftOut, renamed });
      if (archive.changed()) this.troubles.push({ file, what: 'changed while being read', read: 'partly' });
    } catch (error) {
      options.signal?.throwIfAborted();
      this.troubles.push({ file, what: faultText(error) });
      return;
    } finally {
      archive.close();
    }
    this.opened.push({ path, file, state, tree });
    this.troubles.push(...listed.troubles);
    for (const inner of listed.inner) await this.takeInner(inner, depth + 1);
  }

  private async takeInner(inner: Listed['inner'][number], depth: number): Promise<void> {
    const { file, parts, path } = inner;
    try {
      const archive = openArchive(path, this.limits);
      const folderName = withoutArchiveEnding(parts.at(-1) ?? '');
      if (archive !== undefined) await this.list(archive, path, file, folderName, depth);
      else if (hasArchiveEnding(file)) this.troubles.push({ file, what: 'it is called an archive and is none' });
    } catch (error) {
      this.options.signal?.throwIfAborted();
      this.troubles.push({ file, what: error instanceof ArchiveFault ? error.message : faultText(error) });
    }
  }
}

function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? stat.size : 0;
}

function stateOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.size} ${stat.mtimeNs} ${stat.ino}`;
}
