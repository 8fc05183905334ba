import { openRegular, readFully } from '../evidence/open.js';

/** Recognises a store by the beginning of a file, whatever its name: up to 64 KiB, not necessarily whole lines. */
export interface Detector {
  readonly store: string;
  detect(head: Buffer): boolean;
}

const LEAST = 20;
const MOST = 8e9;
export const FIRST = 512;
export const SNIFFED = 64 << 10;
const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');

const first = Buffer.alloc(FIRST);

/**
 * Id of the store whose detector knows the beginning of the file. Most files are told apart by their first bytes; only
 * what begins like a JSON object or a database is read further.
 */
export function sniff(path: string | Buffer, detectors: readonly Detector[]): string | undefined {
  if (detectors.length === 0) return undefined;
  const file = openRegular(path);
  try {
    if (!isSniffedSize(file.size) || !isWorthALook(readFully(file.fd, first, 0))) return undefined;
    const head = readFully(file.fd, Buffer.allocUnsafe(SNIFFED), 0);
    return detectors.find((detector) => detector.detect(head))?.store;
  } finally {
    file.close();
  }
}

export function isSniffedSize(size: number): boolean {
  return size >= LEAST && size <= MOST;
}

/** `start`: the first bytes of a file, up to 512. */
export function isWorthALook(start: Buffer): boolean {
  return beginsLikeObject(start) || start.subarray(0, MAGIC.length).equals(MAGIC);
}

export function beginsLikeObject(bytes: Buffer): boolean {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  // Nothing but white space so far: an object may still follow.
  return bytes[at] === 0x7b || (at > 0 && at === bytes.length);
}
