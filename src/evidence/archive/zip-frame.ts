import type { BlockReader } from './block-reader.js';

/** Where a ZIP lies in a file that holds more than it. */
export interface ZipFrame {
  /** Bytes ahead of what the archive takes for its beginning. */
  readonly start: number;
  readonly end: number;
  /** Bytes of the list of members. */
  readonly listSize: number;
  /** How many members it says it has. */
  readonly stated: number;
}

const END = Buffer.from('504b0506', 'hex');
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const END_SIZE = 22;
const LOCATOR_SIZE = 20;
const END_64_SIZE = 56;
/** Longest comment, and as much junk behind the archive. */
const SEARCHED = 1 << 20;

/** Finds the end record of a ZIP, searching backwards; bytes ahead of the archive show in where its list of members really lies. */
export function findFrame(reader: BlockReader): ZipFrame | undefined {
  const from = Math.max(0, reader.size - SEARCHED);
  const tail = Buffer.from(reader.bytes(from, SEARCHED));
  for (let at = tail.lastIndexOf(END); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(END, at - 1)) {
    if (at + END_SIZE > tail.length) continue;
    const comment = tail.readUInt16LE(at + 20);
    const end = from + at + END_SIZE + comment;
    if (end > reader.size) continue;
    const wide = wideFrame(reader, from + at, end);
    if (wide !== undefined) return wide;
    const listSize = tail.readUInt32LE(at + 12);
    const start = from + at - listSize - tail.readUInt32LE(at + 16);
    if (start >= 0) return { start, end, listSize, stated: tail.readUInt16LE(at + 10) };
  }
  return undefined;
}

/** The record of archives that are too large for the plain one. */
function wideFrame(reader: BlockReader, endRecord: number, end: number): ZipFrame | undefined {
  const locatorAt = endRecord - LOCATOR_SIZE;
  const locator = locatorAt < 0 ? Buffer.alloc(0) : Buffer.from(reader.bytes(locatorAt, LOCATOR_SIZE));
  if (locator.length < LOCATOR_SIZE || locator.readUInt32LE(0) !== LOCATOR_64) return undefined;
  const stated = Number(locator.readBigUInt64LE(8));
  // Directly ahead of the locator, unless it carries extra data: then the place that is stated has to be right.
  for (const at of [locatorAt - END_64_SIZE, stated]) {
    const record = at < 0 || at >= endRecord ? Buffer.alloc(0) : reader.bytes(at, END_64_SIZE);
    if (record.length < END_64_SIZE || record.readUInt32LE(0) !== END_64) continue;
    return {
      start: Math.max(0, at - stated),
      end,
      listSize: Number(record.readBigUInt64LE(40)),
      stated: Number(record.readBigUInt64LE(32)),
    };
  }
  return undefined;
}
