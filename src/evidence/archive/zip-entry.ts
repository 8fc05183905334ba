import { fileTime } from '../file-time.js';
import type { Member } from './member.js';

/** What reading a member of a ZIP needs, from the list of members or from the member's own header. */
export interface ZipEntry {
  readonly rawName: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc: number | undefined;
  readonly compressed: number;
  readonly size: number | undefined;
  readonly extra: readonly ExtraField[];
  /** Of its own header, from the beginning of the archive. */
  readonly offset: number;
  /** Upper half: the mode of Unix, where the archive was made there. */
  readonly attributes: number;
  readonly madeBy: number;
}

interface ExtraField {
  readonly id: number;
  readonly data: Buffer;
}

const UNIX = 3;
const MACOS = 19;
const METHODS: Readonly<Record<number, string>> = { 9: 'deflate64', 12: 'bzip2', 14: 'lzma', 93: 'zstd', 95: 'xz', 98: 'ppmd', 99: 'AES' };

const host = ({ madeBy }: ZipEntry) => madeBy >> 8;

/** A backslash is part of a name only on Unix. */
export function usesBackslashes(entry: ZipEntry): boolean {
  return host(entry) !== UNIX && host(entry) !== MACOS;
}

export function kindOf(entry: ZipEntry): Member['kind'] {
  if (usesBackslashes(entry)) return 'file';
  switch ((entry.attributes >>> 28) & 0xf) {
    case 0xa:
      return 'link';
    case 0x4:
      return 'folder';
    case 0x1:
      return 'fifo';
    case 0x2:
    case 0x6:
      return 'device';
    case 0xc:
      return 'unknown';
    default:
      return 'file';
  }
}

export function faultOf({ flags, method }: ZipEntry): string | undefined {
  if ((flags & 0x2041) !== 0 || method === 99) return 'encrypted';
  if (method !== 0 && method !== 8)
    return `compression method ${method}${METHODS[method] === undefined ? '' : ` (${METHODS[method]})`} is not read`;
  return undefined;
}

const SECONDS = 1_000_000_000n;
/** Between 1601 and 1970, in steps of 100 ns. */
const FILETIME_EPOCH = 116_444_736_000_000_000n;

/** A time with its zone. The plain time of a ZIP is that of some clock on some wall, and is left out. */
export function mtimeOf({ extra }: ZipEntry): Member['mtime'] {
  const ntfs = extra.find(({ id, data }) => id === 0x000a && data.length >= 16 && data.readUInt16LE(4) === 1)?.data;
  if (ntfs !== undefined) return fileTime((ntfs.readBigUInt64LE(8) - FILETIME_EPOCH) * 100n);
  const unix = extra.find(({ id, data }) => id === 0x5455 && data.length >= 5 && ((data[0] ?? 0) & 1) === 1)?.data;
  return unix === undefined ? undefined : fileTime(BigInt(unix.readInt32LE(1)) * SECONDS);
}

export function extraFieldsOf(raw: Buffer): ExtraField[] {
  const fields: ExtraField[] = [];
  for (let at = 0; at + 4 <= raw.length; ) {
    const length = raw.readUInt16LE(at + 2);
    if (at + 4 + length > raw.length) break;
    fields.push({ id: raw.readUInt16LE(at), data: raw.subarray(at + 4, at + 4 + length) });
    at += 4 + length;
  }
  return fields;
}
