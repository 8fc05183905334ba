import type { ByteSource } from '../evidence/source.js';
import { u16, u32 } from './bytes.js';

/** What has to be known of a file before any page can be read (section 1.3). */
export interface Geometry {
  readonly pageSize: number;
  /** Page size without the reserved bytes at the end of each page. */
  readonly usable: number;
  /** First freelist trunk, 0 when there is none or the header cannot be trusted. */
  readonly firstTrunk: number;
  readonly freeCount: number;
  readonly autoVacuum: boolean;
  readonly utf8: boolean;
  /** False when the header is missing or damaged; the sizes are then found from the pages. */
  readonly sound: boolean;
}

const MAGIC = Buffer.from('SQLite format 3\u0000');
const PROBE = 1 << 20;

const isPageSize = (size: number) => size >= 512 && size <= 65536 && (size & (size - 1)) === 0;

/** Page size as stored in two bytes, where 1 stands for 65536. */
export const storedPageSize = (value: number): number => (value === 1 ? 65536 : value);

export function readGeometry(main: ByteSource | undefined, hints: readonly number[]): Geometry {
  const header = main === undefined ? Buffer.alloc(0) : Buffer.from(main.read(0, 100));
  const stored = storedPageSize(u16(header, 16));
  const magic = header.subarray(0, 16).equals(MAGIC);
  if (magic && header.length === 100 && isPageSize(stored)) {
    const reserved = header[20] ?? 0;
    return {
      pageSize: stored,
      usable: stored - reserved >= 480 ? stored - reserved : stored,
      firstTrunk: u32(header, 32),
      freeCount: u32(header, 36),
      autoVacuum: u32(header, 52) !== 0,
      utf8: u32(header, 56) <= 1,
      sound: true,
    };
  }
  const pageSize = hints.find(isPageSize) ?? (main === undefined ? 4096 : guessPageSize(main));
  return { pageSize, usable: pageSize, firstTrunk: 0, freeCount: 0, autoVacuum: false, utf8: true, sound: false };
}

/** The size for which the largest share of page starts are plausible b-tree pages; 4096, the default, wins ties. */
function guessPageSize(main: ByteSource): number {
  const bytes = main.read(0, PROBE);
  let best = 4096;
  let most = 0;
  for (const size of [4096, 1024, 2048, 8192, 16384, 32768, 65536, 512]) {
    let hits = 0;
    for (let at = size; at + 12 <= bytes.length; at += size) if (looksLikeBtree(bytes, at, size)) hits += 1;
    // Page 1 has its b-tree header behind the file header.
    if (looksLikeBtree(bytes, 0, size, 100)) hits += 1;
    // Half the size sees the same pages and as many misses; only more hits are an argument.
    if (hits > most) {
      best = size;
      most = hits;
    }
  }
  return best;
}

/** A b-tree page header whose fields fit together (section 1.6). */
export function looksLikeBtree(bytes: Uint8Array, at: number, size: number, header = 0): boolean {
  const base = at + header;
  const type = bytes[base] ?? 0;
  if (type !== 0x0d && type !== 0x05 && type !== 0x0a && type !== 0x02) return false;
  const first = u16(bytes, base + 1);
  const cells = u16(bytes, base + 3);
  const content = u16(bytes, base + 5) || 65536;
  const array = header + (type === 0x05 || type === 0x02 ? 12 : 8) + cells * 2;
  return first < size && content <= size && array <= content && (bytes[base + 7] ?? 0) <= 60;
}
