import { constants, gunzipSync } from 'node:zlib';
import { Decompress } from 'fzstd';
import { type OpenFile, openRegular, readFully } from '../open.js';
import type { Compression } from './decompress.js';
import { type Archive, ArchiveFault, type ArchiveLimits } from './member.js';
import { isTarHeader, openTar } from './tar.js';
import { openZip } from './zip.js';
import { ZstdFrames } from './zstd-frames.js';

const HEAD = 256 << 10;
const RECORD = 512;
const STEP = 1024;

const OTHERS: readonly (readonly [magic: RegExp, name: string])[] = [
  [/^377abcaf271c/, '7z'],
  [/^526172211a07/, 'RAR'],
  [/^fd377a585a00/, 'xz'],
  [/^425a683[1-9]314159/, 'bzip2'],
];

/** The archive in a file, told by its content; undefined for a file that is none. Throws `ArchiveFault` for one that is not read. */
export function openArchive(path: string | Buffer, limits: ArchiveLimits): Archive | undefined {
  const file = openRegular(path);
  let archive: Archive | undefined;
  try {
    archive = archiveIn(file, /\.zip$/i.test(path.toString()), limits);
    return archive;
  } finally {
    if (archive === undefined) file.close();
  }
}

function archiveIn(file: OpenFile, named: boolean, limits: ArchiveLimits): Archive | undefined {
  const head = readFully(file.fd, Buffer.allocUnsafe(Math.min(HEAD, file.size)), 0);
  const magic = head.toString('hex', 0, 8);
  // A ZIP may have anything ahead of it: then its name tells.
  if (/^504b(?:0304|0506|0708|3030)/.test(magic) || (named && head.length > 0)) return openZip(file, limits);
  if (isTarHeader(head.subarray(0, RECORD))) return openTar(file, 'none', limits);
  const compression: Compression | undefined = magic.startsWith('1f8b') ? 'gzip' : magic.startsWith('28b52ffd') ? 'zstd' : undefined;
  if (compression !== undefined) {
    if (isTarHeader(compression === 'gzip' ? firstOfGzip(head) : firstOfZstd(head))) return openTar(file, compression, limits);
    throw new ArchiveFault(`compressed with ${compression}, and no tar inside that could be read: decompress it first`);
  }
  const other = OTHERS.find(([start]) => start.test(magic));
  if (other !== undefined) throw new ArchiveFault(`${other[1]} is not read: unpack it first`);
  return undefined;
}

function firstOfGzip(head: Buffer): Buffer {
  try {
    // A head is not the whole: what is there is taken.
    return gunzipSync(head.subarray(0, 64 << 10), { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, RECORD);
  } catch {
    return Buffer.alloc(0);
  }
}

function firstOfZstd(head: Buffer): Buffer {
  let first: Buffer = Buffer.alloc(0);
  const frames = new ZstdFrames();
  const stream = new Decompress((chunk) => {
    if (first.length < RECORD) first = Buffer.concat([first, chunk.subarray(0, RECORD)]);
  });
  try {
    for (let at = 0; at < head.length && first.length < RECORD; at += STEP) {
      frames.push(head.subarray(at, at + STEP), false);
      stream.push(head.subarray(at, at + STEP), false);
    }
  } catch (error) {
    // A window that is too large is worth saying; anything else is no tar that could be read.
    if (error instanceof ArchiveFault) throw error;
  }
  return first;
}
