import type { Join, Proof, RecoveryInput, Region, Slice, Stop } from './types.js';
import { type Image, sourceOf } from './view.js';

/** One piece of a page in a chain; `proof` joins it to the piece before. */
export interface Segment extends Image {
  readonly length: number;
  readonly page: number;
  readonly proof: Proof | undefined;
  readonly region: Region;
}

/** What the cell of a value says about it. */
export interface ValueHead {
  readonly key: string;
  /** Bytes of the value. */
  readonly size: number;
}

/** Pieces of pages that belong together, in their order. The text itself is read only while it is searched. */
export interface Chain {
  readonly segments: readonly Segment[];
  readonly head: ValueHead | undefined;
  /** All pages of the value are there, as many as its length asks for, and the last one ends the chain. */
  readonly closed: boolean;
  readonly stop: Stop;
  readonly generation: number;
  readonly commit: number;
}

export interface Carved {
  readonly chain: Chain;
  readonly text: Buffer;
  /** Offset of each segment in the text. */
  readonly starts: readonly number[];
  /** Joins in doubt are proved: pages and length agree, and the value parses. */
  readonly whole: boolean;
}

/** Above this a value is not parsed as a whole just to prove its joins. */
const PROOF_LIMIT = 64 << 20;

export function carve(input: RecoveryInput, chain: Chain, limit: number): Carved {
  let total = 0;
  for (const { length } of chain.segments) total += length;
  const wanted = Math.min(total, limit, chain.closed && chain.head !== undefined ? chain.head.size : total);
  const text = Buffer.allocUnsafe(wanted);
  const starts: number[] = [];
  let at = 0;
  for (const { file, offset, length } of chain.segments) {
    if (at >= wanted) break;
    starts.push(at);
    const bytes = sourceOf(input, file)?.read(offset, Math.min(length, wanted - at));
    at += bytes?.copy(text, at) ?? 0;
  }
  const read = text.subarray(0, at);
  // Two states of one log keep their pages at the same places: length and page count prove nothing there.
  const inDoubt = chain.segments.some(({ proof }) => proof !== undefined && !isStrict(proof));
  const oneState = chain.segments.every(({ proof }) => proof !== 'wal-base');
  const fits = chain.closed && at === chain.head?.size && at <= PROOF_LIMIT;
  return { chain, text: read, starts, whole: inDoubt && oneState && fits && parses(read) };
}

function parses(text: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(text.toString('utf8'));
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/** Where the bytes of a part of the text lie; neighbours in the file become one slice. */
export function slicesOf({ chain, starts }: Carved, from: number, to: number): Slice[] {
  const slices: { file: Slice['file']; offset: number; length: number }[] = [];
  for (let i = segmentAt(starts, from); i < starts.length; i++) {
    const segment = chain.segments[i];
    const start = starts[i] ?? 0;
    if (segment === undefined || start >= to) break;
    const first = Math.max(from, start);
    const length = Math.min(to, start + segment.length) - first;
    if (length > 0) slices.push({ file: segment.file, offset: segment.offset + first - start, length });
  }
  return slices;
}

/** Pages and joins of a part of the text. A join at its very edge is not inside it. */
export function joinsOf({ chain, starts, whole }: Carved, from: number, to: number): { readonly pages: number[]; readonly joins: Join[] } {
  const pages: number[] = [];
  const joins: Join[] = [];
  for (let i = segmentAt(starts, from); i < starts.length; i++) {
    const segment = chain.segments[i];
    const start = starts[i] ?? 0;
    if (segment === undefined || start >= to) break;
    pages.push(segment.page);
    if (start <= from || segment.proof === undefined) continue;
    const proof = whole && !isStrict(segment.proof) ? 'whole' : segment.proof;
    joins.push({ proof, at: start - from, from: chain.segments[i - 1]?.page ?? 0, to: segment.page });
  }
  return { pages, joins };
}

const STRICT: ReadonlySet<Proof> = new Set(['whole', 'freelist-order', 'same-commit', 'repeats', 'copy']);

export const isStrict = (proof: Proof): boolean => STRICT.has(proof);

/** Index of the segment that holds a place in the text. */
export function segmentAt(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
