import { u32 } from './bytes.js';
import { isStrict } from './carved.js';
import { gradeEntry } from './checks.js';
import type { Candidate, Collector } from './collect.js';
import { sliceBytes } from './result.js';
import { ROLE } from './roles.js';
import type { State } from './states.js';
import type { RecoveryInput } from './types.js';

/** Bytes that are compared on each side of a join, and how many of them have to be there. */
const REACH = 48;
const LEAST = 24;
/**
 * Of the pages only every 16th place is looked at, and eight bytes there. A copy of a join holds one such place whatever its
 * offset, as the eight bytes at all 16 places around the join are looked for.
 */
const STRIDE = 16;
const GRAM = 8;
const FIRST = -(STRIDE / 2 + GRAM / 2);
/** A hostile file may ask for any number of comparisons. */
const MOST_WANTED = 50_000;
const MOST_TRIES = 512;
const MOST_ALIKE = 64;

interface Wanted {
  readonly window: Buffer;
  /** Place of the join in the window. */
  readonly at: number;
  tries: number;
  found: boolean;
}

interface Doubted {
  readonly candidate: Candidate;
  /** By the offset of the join. */
  readonly wanted: ReadonlyMap<number, Wanted>;
}

/**
 * Older states of a conversation were cut into pages at other places. Where the bytes on both sides of a join that only a
 * pointer vouches for lie together inside some other page, the join is proved: they were written as one text.
 */
export function proveByCopies(input: RecoveryInput, collector: Collector, { view, map }: State): void {
  const doubted: Doubted[] = [];
  const all: Wanted[] = [];
  for (const copies of collector.kept.values()) {
    for (const candidate of copies) {
      const wanted = inDoubt(candidate) && all.length < MOST_WANTED ? wantedOf(input, candidate) : undefined;
      if (wanted === undefined) continue;
      all.push(...wanted.values());
      doubted.push({ candidate, wanted });
    }
  }
  if (all.length === 0) return;
  const table = tableOf(all);
  const pages = map();
  for (let page = 1; page <= view.pageCount; page++) {
    const role = pages.roles[page];
    // What live rows hold is read already, and an entry that one of them holds is not recovered.
    if (role !== ROLE.overflow && role !== ROLE.lockByte && role !== ROLE.pointerMap) search(view.read(page), table);
  }
  for (const { candidate, wanted } of doubted) {
    candidate.joins = candidate.joins.map((join) => (wanted.get(join.at)?.found ? { ...join, proof: 'copy' } : join));
    candidate.confidence = gradeEntry(candidate.joins, { hard: [], weak: [] });
  }
}

/** Held back by its joins alone: no field of it contradicts another. */
const inDoubt = ({ kind, confidence, joins, doubts }: Candidate): boolean =>
  kind === 'entry' && confidence !== 'complete' && doubts === 0 && joins.some(({ proof }) => !isStrict(proof));

/** Windows around the joins in doubt of an entry; undefined where one of them lies too close to its edge. */
function wantedOf(input: RecoveryInput, { slices, joins }: Candidate): ReadonlyMap<number, Wanted> | undefined {
  const bytes = sliceBytes(input, slices);
  const wanted = new Map<number, Wanted>();
  for (const { proof, at } of joins) {
    if (isStrict(proof)) continue;
    if (at < LEAST || at + LEAST > bytes.length) return undefined;
    const from = Math.max(0, at - REACH);
    wanted.set(at, { window: Buffer.from(bytes.subarray(from, at + REACH)), at: at - from, tries: 0, found: false });
  }
  return wanted;
}

/** All windows by the sums of their eight-byte pieces: a bucket leads to its latest piece, a piece to the one before. */
interface Table {
  readonly all: readonly Wanted[];
  readonly buckets: Int32Array;
  readonly before: Int32Array;
}

function tableOf(all: readonly Wanted[]): Table {
  const size = 1 << Math.max(16, Math.ceil(Math.log2(all.length * STRIDE * 4)));
  const table: Table = { all, buckets: new Int32Array(size).fill(-1), before: new Int32Array(all.length * STRIDE) };
  for (const [i, { window, at }] of all.entries()) {
    for (let shift = 0; shift < STRIDE; shift++) {
      const piece = i * STRIDE + shift;
      const bucket = sumOf(window, at + FIRST + shift) & (size - 1);
      table.before[piece] = table.buckets[bucket] ?? -1;
      table.buckets[bucket] = piece;
    }
  }
  return table;
}

function sumOf(bytes: Buffer, at: number): number {
  const sum = Math.imul(u32(bytes, at), 0x9e3779b1) ^ Math.imul(u32(bytes, at + 4), 0x85ebca6b);
  return (sum ^ (sum >>> 15)) >>> 0;
}

function search(bytes: Buffer, { all, buckets, before }: Table): void {
  for (let at = 0; at + GRAM <= bytes.length; at += STRIDE) {
    let left = MOST_ALIKE;
    for (let piece = buckets[sumOf(bytes, at) & (buckets.length - 1)] ?? -1; piece >= 0 && left > 0; piece = before[piece] ?? -1) {
      left -= 1;
      const wanted = all[Math.floor(piece / STRIDE)];
      if (wanted !== undefined) compare(bytes, at - FIRST - (piece % STRIDE), wanted);
    }
  }
}

/** Whether enough on both sides of a place is what stands on both sides of the join. */
function compare(bytes: Buffer, place: number, wanted: Wanted): void {
  if (wanted.found || wanted.tries >= MOST_TRIES) return;
  wanted.tries += 1;
  const { window, at } = wanted;
  let before = 0;
  while (before < at && window[at - 1 - before] === bytes[place - 1 - before]) before += 1;
  let behind = 0;
  while (at + behind < window.length && window[at + behind] === bytes[place + behind]) behind += 1;
  wanted.found = before >= LEAST && behind >= LEAST;
}
