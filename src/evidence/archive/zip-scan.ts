import type { BlockReader } from './block-reader.js';
import { extraFieldsOf, type ZipEntry } from './zip-entry.js';

const LOCAL = Buffer.from('504b0304', 'hex');
const CENTRAL = Buffer.from('504b0102', 'hex');
const DESCRIPTOR = 0x08074b50;
const HEADER = 30;
const WIDE = 0xffffffff;
const KNOWN_METHODS = new Set([0, 8, 9, 12, 14, 93, 95, 98, 99]);

/** Members by their own headers, for an archive whose list of members is missing or damaged. Each byte is searched once. */
export function* scanEntries(reader: BlockReader): Generator<ZipEntry> {
  for (let at = find(reader, 0); at >= 0; ) {
    const header = headerAt(reader, at);
    if (header === undefined) {
      at = find(reader, at + LOCAL.length);
      continue;
    }
    const { entry, dataStart } = header;
    if ((entry.flags & 8) === 0 && follows(reader, dataStart + entry.compressed)) {
      yield entry;
      at = find(reader, dataStart + entry.compressed);
      continue;
    }
    // Its length stands behind the content, or is wrong: the content reaches to the next header.
    const next = nextHeader(reader, dataStart);
    yield { ...entry, ...lengthsOf(reader, dataStart, next) };
    at = find(reader, next);
  }
}

function headerAt(reader: BlockReader, at: number): { readonly entry: ZipEntry; readonly dataStart: number } | undefined {
  const fixed = Buffer.from(reader.bytes(at, HEADER));
  if (fixed.length < HEADER || !fixed.subarray(0, 4).equals(LOCAL)) return undefined;
  const method = fixed.readUInt16LE(8);
  const nameLength = fixed.readUInt16LE(26);
  const extraLength = fixed.readUInt16LE(28);
  if (!KNOWN_METHODS.has(method) || nameLength === 0) return undefined;
  const names = Buffer.from(reader.bytes(at + HEADER, nameLength + extraLength));
  if (names.length < nameLength + extraLength) return undefined;
  const extra = extraFieldsOf(names.subarray(nameLength));
  const wide = extra.find(({ id, data }) => id === 1 && data.length >= 16)?.data;
  const size = fixed.readUInt32LE(22);
  const compressed = fixed.readUInt32LE(18);
  const entry: ZipEntry = {
    rawName: names.subarray(0, nameLength),
    flags: fixed.readUInt16LE(6),
    method,
    crc: fixed.readUInt32LE(14),
    size: size === WIDE && wide !== undefined ? Number(wide.readBigUInt64LE(0)) : size,
    compressed: compressed === WIDE && wide !== undefined ? Number(wide.readBigUInt64LE(8)) : compressed,
    extra,
    offset: at,
    attributes: 0,
    madeBy: 0,
  };
  return { entry, dataStart: at + HEADER + nameLength + extraLength };
}

/** True where a record of a ZIP begins, or the file ends. */
function follows(reader: BlockReader, at: number): boolean {
  const bytes = reader.bytes(at, 2);
  return at === reader.size || (bytes[0] === 0x50 && bytes[1] === 0x4b);
}

function nextHeader(reader: BlockReader, from: number): number {
  for (let at = from; ; ) {
    const mark = find(reader, at, true);
    if (mark < 0) return reader.size;
    if (headerAt(reader, mark) !== undefined || reader.bytes(mark, 4).equals(CENTRAL)) return mark;
    at = mark + LOCAL.length;
  }
}

/** Checksum and lengths from the record behind the content, where there is one. */
function lengthsOf(reader: BlockReader, dataStart: number, next: number): Pick<ZipEntry, 'crc' | 'compressed' | 'size'> {
  for (const [length, wide] of [
    [16, false],
    [24, true],
  ] as const) {
    const at = next - length;
    const record = at < dataStart ? Buffer.alloc(0) : reader.bytes(at, length);
    if (record.length < length || record.readUInt32LE(0) !== DESCRIPTOR) continue;
    const compressed = wide ? Number(record.readBigUInt64LE(8)) : record.readUInt32LE(8);
    if (compressed !== at - dataStart) continue;
    return { crc: record.readUInt32LE(4), compressed, size: wide ? Number(record.readBigUInt64LE(16)) : record.readUInt32LE(12) };
  }
  return { crc: undefined, compressed: next - dataStart, size: undefined };
}

/** First place of a local header at or behind a place (`either`: or of an entry of the list of members), or -1. */
function find(reader: BlockReader, from: number, either = false): number {
  for (let at = from; at < reader.size; ) {
    const window = reader.window(at);
    const local = window.indexOf(LOCAL);
    const central = either ? window.subarray(0, local < 0 ? undefined : local).indexOf(CENTRAL) : -1;
    if (central >= 0) return at + central;
    if (local >= 0) return at + local;
    // Three bytes again, so that no mark falls between two windows.
    at = Math.max(at + window.length - 3, at + 1);
  }
  return -1;
}
