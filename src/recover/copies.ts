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
/** Half of what is searched for, and the number that a window's sum of powers is counted in. */
const HALF = 8;
const BASE = 0x01000193;
const FILTER_BITS = 20;
/** A hostile file may ask for any number of comparisons. */
const MOST_WANTED = 100_000;
const MOST_ALIKE = 8;
const MOST_TRIES = 64;

interface Wanted {
  readonly window: Buffer;
  /** Place of the join in the window. */
  readonly at: number;
  tries: number;
  found: boolean;
}

/**
 * Older states of a conversation were cut into pages at other places. Where the bytes on both sides of a join that only a
 * pointer vouches for lie together inside some other page, the join is proved: they were written as one text.
 */
export function proveByCopies(input: RecoveryInput, collector: Collector, { view, map }: State): void {
  const doubted: { readonly candidate: Candidate; readonly wanted: ReadonlyMap<number, Wanted> }[] = [];
  const table = new Map<number, Wanted[]>();
  let count = 0;
  for (const copies of collector.kept.values()) {
    for (const candidate of copies) {
      if (!inDoubt(candidate) || count >= MOST_WANTED) continue;
      const wanted = wantedOf(input, candidate);
      if (wanted === undefined) continue;
      for (const one of wanted.values()) count += enter(table, one);
      doubted.push({ candidate, wanted });
    }
  }
  if (table.size === 0) return;
  const pages = map();
  const filter = filterOf(table);
  for (let page = 1; page <= view.pageCount; page++) {
    const role = pages.roles[page];
    if (role !== ROLE.lockByte && role !== ROLE.pointerMap) search(view.read(page), table, filter);
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

function enter(table: Map<number, Wanted[]>, wanted: Wanted): number {
  const sum = sumOf(wanted.window, wanted.at - HALF);
  const alike = table.get(sum);
  if (alike === undefined) table.set(sum, [wanted]);
  else if (alike.length < MOST_ALIKE) alike.push(wanted);
  return 1;
}

function sumOf(bytes: Buffer, from: number): number {
  let sum = 0;
  for (let i = from; i < from + 2 * HALF; i++) sum = (Math.imul(sum, BASE) + (bytes[i] ?? 0)) | 0;
  return sum;
}

const bitOf = (sum: number): number => Math.imul(sum, 0x9e3779b1) >>> (32 - FILTER_BITS);

function filterOf(table: ReadonlyMap<number, unknown>): Uint8Array {
  const filter = new Uint8Array(1 << FILTER_BITS);
  for (const sum of table.keys()) filter[bitOf(sum)] = 1;
  return filter;
}

/** One pass over a page, the sum of the last bytes carried along. */
function search(bytes: Buffer, table: ReadonlyMap<number, Wanted[]>, filter: Uint8Array): void {
  const size = 2 * HALF;
  let power = 1;
  for (let i = 0; i < size; i++) power = Math.imul(power, BASE);
  let sum = sumOf(bytes, 0);
  for (let end = size; end <= bytes.length; end++) {
    if (filter[bitOf(sum)] === 1) for (const wanted of table.get(sum) ?? []) compare(bytes, end - HALF, wanted);
    sum = (Math.imul(sum, BASE) + (bytes[end] ?? 0) - Math.imul(bytes[end - size] ?? 0, power)) | 0;
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
