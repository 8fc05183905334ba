import { hasArchiveEnding } from '../../evidence/archive/ending.js';
import { hasBinaryEnding } from '../exclude.js';
import { plainName } from '../folder.js';
import { settingsOf } from '../kiro-home.js';
import { ownerOf } from '../owner.js';
import type { PlaceIndex } from '../place.js';
import { mayHoldExport } from '../reach.js';
import { type Detector, FIRST, isSniffedSize, isWorthALook, SNIFFED } from '../sniff.js';
import type { FolderNode } from './member-tree.js';

/** What a member is good for, as far as its name says. */
export type Interest = 'unpack' | 'archive' | 'settings' | 'sniff' | 'none';

/** A log whose database has a place of its own is taken with it; others are fetched when their database has been found. */
const LOG = /(?<=.)-(?:wal|journal)$/is;

export function interestIn(folder: FolderNode, name: string, size: number, places: PlaceIndex): Interest {
  const { place } = folder;
  const plain = plainName(place, name).toLowerCase();
  const isPlaced = (file: string) => places.mayClaim(file) && places.claim([...place.lower, file]) !== undefined;
  if (isPlaced(plain) || (LOG.test(plain) && isPlaced(plain.replace(LOG, '')))) return 'unpack';
  // What lies in somebody's home is theirs, and not part of the collection.
  if (hasArchiveEnding(plain) && !place.shut && ownerOf('project', place.parts).user === '') return 'archive';
  if (place.lower.at(-1) === 'settings' && settingsOf(plain) !== undefined) return 'settings';
  return mayHoldExport(place, name) && isSniffedSize(size) ? 'sniff' : 'none';
}

/** True for a file whose name proves nothing, in a folder of which nobody asks for the names. */
export function isForgettable({ place }: FolderNode, name: string, places: PlaceIndex): boolean {
  return hasBinaryEnding(name) && !hasArchiveEnding(name) && !place.inStore && !places.isListed(place.lower);
}

/** The beginning of a content that is read on later. */
export class Head {
  readonly chunks: Buffer[] = [];
  private length = 0;

  constructor(private readonly content: AsyncIterator<Buffer>) {}

  async upTo(length: number): Promise<Buffer> {
    while (this.length < length) {
      const next = await this.content.next();
      if (next.done === true) break;
      this.chunks.push(next.value);
      this.length += next.value.length;
    }
    return Buffer.concat(this.chunks).subarray(0, length);
  }
}

/** Id of the store whose detector knows the beginning. */
export async function sniffHead(head: Head, detectors: readonly Detector[]): Promise<string | undefined> {
  if (detectors.length === 0 || !isWorthALook(await head.upTo(FIRST))) return undefined;
  const start = await head.upTo(SNIFFED);
  return detectors.find((detector) => detector.detect(start))?.store;
}
