import type { ByteSource } from '../evidence/source.js';
import { u32 } from './bytes.js';
import type { Image } from './view.js';

/** Page images as they were before the transaction that the journal belongs to (section 3). */
export interface Journal {
  readonly pageSize: number;
  readonly images: ReadonlyMap<number, Image>;
  /** Size of the database before the transaction, in pages; 0 when not known. */
  readonly pageCount: number;
  /** A valid header: SQLite would roll the transaction back. */
  readonly hot: boolean;
  readonly records: number;
  readonly weak: number;
  readonly problems: readonly string[];
}

const MAGIC = Buffer.from('d9d505f920a163d7', 'hex');
const UNKNOWN_COUNT = 0xffffffff;

/** Page size of the journal by its header, 0 when that cannot be read. */
export function journalPageSize(journal: ByteSource | undefined): number {
  const header = journal === undefined ? Buffer.alloc(0) : journal.read(0, 28);
  return header.length === 28 && header.subarray(0, 8).equals(MAGIC) ? u32(header, 24) : 0;
}

interface Reading {
  readonly images: Map<number, Image>;
  records: number;
  weak: number;
}

export function readJournal(journal: ByteSource, pageSize: number): Journal {
  const problems: string[] = [];
  const reading: Reading = { images: new Map(), records: 0, weak: 0 };
  let pageCount = 0;
  let hot = false;
  if (journal.size === 0) problems.push('the journal is empty (0 bytes)');
  for (let at = 0; at + 28 <= journal.size; ) {
    const header = Buffer.from(journal.read(at, 28));
    const magic = header.subarray(0, 8).equals(MAGIC);
    const sector = at === 0 || magic ? sectorOf(u32(header, 20)) : 512;
    if (at === 0) {
      hot = magic;
      pageCount = magic ? u32(header, 16) : 0;
      if (!magic) problems.push('the header of the journal is cleared: its images are those of an earlier transaction');
    }
    if (!magic && at !== 0) {
      at += sector;
      continue;
    }
    if (magic && u32(header, 24) !== pageSize) problems.push('the journal names another page size than the database');
    const count = magic ? u32(header, 8) : UNKNOWN_COUNT;
    const nonce = magic ? u32(header, 12) : nonceOf(journal, at + sector, pageSize);
    const end = readRecords(journal, at + sector, pageSize, count === 0 ? UNKNOWN_COUNT : count, nonce, reading);
    at = Math.ceil(Math.max(end, at + 1) / sector) * sector;
  }
  return { pageSize, images: reading.images, pageCount, hot, records: reading.records, weak: reading.weak, problems };
}

const sectorOf = (stored: number): number => (stored >= 32 && stored <= 65536 && (stored & (stored - 1)) === 0 ? stored : 512);

/** Reads records up to the count, or to the first that is none; returns where the next header may stand. */
function readRecords(journal: ByteSource, from: number, pageSize: number, count: number, nonce: number, reading: Reading): number {
  let at = from;
  for (let i = 0; i < count && at + 8 + pageSize <= journal.size; i++, at += 8 + pageSize) {
    const record = journal.read(at, 8 + pageSize);
    const page = u32(record, 0);
    const sound = (pageSum(record, 4, pageSize) + nonce) >>> 0 === u32(record, 4 + pageSize);
    if (page === 0 || page > 0x7fffffff || (!sound && count === UNKNOWN_COUNT)) break;
    reading.records += 1;
    if (!sound) reading.weak += 1;
    // The first image is the oldest: later ones come from savepoints. One that fails its checksum is not trusted.
    if (sound && !reading.images.has(page)) reading.images.set(page, { file: 'journal', offset: at + 4 });
  }
  return at;
}

/** A record's checksum is the nonce of its header plus every 200th byte, counted from the end. */
function pageSum(record: Buffer, from: number, pageSize: number): number {
  let sum = 0;
  for (let i = pageSize - 200; i > 0; i -= 200) sum += record[from + i] ?? 0;
  return sum;
}

/** A cleared header takes the nonce with it; the first record still implies it. */
function nonceOf(journal: ByteSource, at: number, pageSize: number): number {
  const record = journal.read(at, 8 + pageSize);
  return record.length === 8 + pageSize ? (u32(record, 4 + pageSize) - pageSum(record, 4, pageSize) + 0x1_0000_0000) % 0x1_0000_0000 : 0;
}
