import { pipeline } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { messageOf, showBytes } from '../../rows/problem.js';
import { type OpenFile, readFully } from '../open.js';
import { fileBlocks, fileStream } from './archive-file.js';
import { ArchiveFault, type ArchiveLimits, checkRatio } from './member.js';
import type { ZipEntry } from './zip-entry.js';

const HEADER = 30;
/** Each member is read once in a pass: what asks for more than this many times the whole archive has members lying over each other. */
const OVERLAP = 2;
const LOCAL = 0x04034b50;
/** Up to these sizes a member is inflated in one step. */
const SMALL_COMPRESSED = 1 << 20;
const SMALL = 4 << 20;

/** A ZIP in a file, which may have bytes ahead of it. */
export interface ZipBytes {
  readonly file: OpenFile;
  readonly start: number;
  /** End of the archive, in the file. */
  readonly end: number;
  /** Compressed bytes that were asked for in this pass. */
  readonly used: { bytes: number };
}

/** The content of a member. Checksum and size are compared at the end: what differs is a doubt, not a loss. */
export async function* zipContent(zip: ZipBytes, entry: ZipEntry, doubts: string[], limits: ArchiveLimits): AsyncGenerator<Buffer> {
  const from = dataStart(zip, entry, doubts);
  const available = Math.max(0, Math.min(entry.compressed, zip.end - from));
  zip.used.bytes += available;
  if (zip.used.bytes > OVERLAP * (zip.end - zip.start))
    throw new ArchiveFault('members share their bytes, far more than the archive has: not read');
  const chunks = entry.method === 0 ? fileBlocks(zip.file, from, available) : inflated(zip, from, available, limits);
  let size = 0;
  let crc = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (available < entry.compressed)
    throw new ArchiveFault(`the archive ends after ${available} of its ${entry.compressed} compressed bytes`);
  if (entry.size !== undefined && size !== entry.size) doubts.push(`it has ${size} bytes, the archive says ${entry.size}`);
  if (entry.crc !== undefined && crc !== entry.crc)
    doubts.push('its checksum (CRC-32) is not the one in the archive: the content was changed or damaged');
}

/** Behind the member's own header, which must agree with the list of members. */
function dataStart({ file, start, end }: ZipBytes, entry: ZipEntry, doubts: string[]): number {
  const at = start + entry.offset;
  const header = readFully(file.fd, Buffer.alloc(Math.max(0, Math.min(HEADER, end - at))), at);
  if (header.length < HEADER || header.readUInt32LE(0) !== LOCAL)
    throw new ArchiveFault('there is no member at the place that the list of members names');
  const nameLength = header.readUInt16LE(26);
  const name = readFully(file.fd, Buffer.alloc(nameLength), at + HEADER);
  if (!name.equals(entry.rawName)) doubts.push(`its own header calls it ${showBytes(name.subarray(0, 200))}`);
  if (header.readUInt16LE(8) !== entry.method) doubts.push('its own header names another compression method');
  return at + HEADER + nameLength + header.readUInt16LE(28);
}

async function* inflated({ file }: ZipBytes, from: number, length: number, limits: ArchiveLimits): AsyncGenerator<Buffer> {
  const whole = length <= SMALL_COMPRESSED ? inflateSmall(readFully(file.fd, Buffer.allocUnsafeSlow(length), from)) : undefined;
  if (whole !== undefined) {
    yield whole;
    return;
  }
  if (length === 0) return;
  const inflate = createInflateRaw({ chunkSize: 256 << 10 });
  // Errors come out of the loop below.
  pipeline(fileStream(file, from, length), inflate, () => {});
  let size = 0;
  try {
    for await (const chunk of inflate) {
      if (!Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      checkRatio(size, inflate.bytesWritten, limits);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof ArchiveFault ? error : new ArchiveFault(`cannot be inflated any further: ${messageOf(error)}`);
  }
}

/** Undefined where the streaming way has to tell what is wrong, or the content is large. */
function inflateSmall(bytes: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(bytes, { maxOutputLength: SMALL });
  } catch {
    return undefined;
  }
}
