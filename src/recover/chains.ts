import type { Chain, Segment } from './carved.js';
import { type PageMap, ROLE } from './roles.js';
import type { Start } from './slack.js';
import type { StalePages } from './stale.js';
import type { Proof, Region, Stop } from './types.js';
import type { PageView } from './view.js';

/** Claimants that are followed into one page, and how far the later ones go on where an earlier one has been: enough for one object. */
const CLAIMANTS = 4;
const SHARED_PAGES = 64;

interface Walk {
  readonly view: PageView;
  readonly map: PageMap;
  readonly stale: StalePages;
  readonly limit: number;
  /** Pages that are in some chain; number of the latest chain they are in. */
  readonly seen: Uint8Array;
  readonly chainOf: Uint32Array;
  /** Pages that a neighbour in the freelist leads to: that proof wins over any other pointer. */
  readonly ordered: Uint8Array;
  chains: number;
}

/**
 * Chains of stale pages: from the heads in leaf slack, then from pages that nothing points to, then what is left (cycles).
 * A page is in one chain, or in at most four where its claimants cannot be told apart, so that the work is linear.
 */
export function* staleChains(view: PageView, map: PageMap, stale: StalePages, limit: number): Generator<Chain> {
  const size = view.pageCount + 1;
  const walk: Walk = {
    view,
    map,
    stale,
    limit,
    seen: new Uint8Array(size),
    chainOf: new Uint32Array(size),
    ordered: new Uint8Array(size),
    chains: 0,
  };
  for (let page = 2; page < size; page++) {
    const behind = map.order[page] ?? 0;
    if (behind !== 0 && (stale.ends[page] ?? 0) > 0 && stale.next[page] === behind) walk.ordered[behind] = 1;
  }
  for (const start of stale.starts) {
    const chain = follow(walk, startSegment(walk, start), start.pointer, start);
    if (chain !== undefined) yield chain;
  }
  for (let round = 0; round < 2; round++) {
    for (let page = 2; page < size; page++) {
      if ((stale.ends[page] ?? 0) === 0 || walk.seen[page] === 1 || (round === 0 && stale.claims[page] !== 0)) continue;
      const chain = follow(walk, [], page, undefined);
      if (chain !== undefined) yield chain;
    }
  }
}

function startSegment({ view, map }: Walk, { page, from, to }: Start): Segment[] {
  const image = view.locate(page);
  if (image === undefined) return [];
  return [{ file: image.file, offset: image.offset + from, length: to - from, page, proof: undefined, region: regionOf(map, page, true) }];
}

function follow(walk: Walk, segments: Segment[], first: number, start: Start | undefined): Chain | undefined {
  const { stale, view, map } = walk;
  walk.chains += 1;
  if (start !== undefined && first === 0) {
    const stop = start.clipped ? 'clipped' : start.head !== undefined ? 'end' : 'no-pointer';
    return describe(segments, stop, start);
  }
  let stop: Stop = 'limit';
  let shared = 0;
  for (let page = first, from = start?.page ?? 0, bytes = 0; bytes <= walk.limit; ) {
    const end = stale.ends[page] ?? 0;
    const proof = segments.length === 0 ? undefined : proofOf(walk, from, page, segments.length === 1 ? start : undefined);
    const barred = proof === undefined ? undefined : barrier(walk, page, end, proof);
    if (walk.seen[page] === 1) shared += 1;
    const image = view.locate(page);
    if (barred !== undefined || shared > SHARED_PAGES || image === undefined) {
      stop = barred ?? (image === undefined ? 'missing-page' : 'contested');
      break;
    }
    const region = regionOf(map, page, false);
    segments.push({ file: image.file, offset: image.offset + 4, length: end - 4, page, proof, region });
    walk.seen[page] = 1;
    walk.chainOf[page] = walk.chains;
    bytes += end - 4;
    const next = stale.next[page] ?? 0;
    if (next === 0 || end < view.geometry.usable) {
      stop = next === 0 ? 'end' : 'short-page';
      break;
    }
    from = page;
    page = next;
  }
  return describe(segments, stop, start);
}

function proofOf({ map, stale }: Walk, from: number, page: number, start: Start | undefined): Proof {
  if (start === undefined && map.order[from] === page) return 'freelist-order';
  if ((stale.claims[page] ?? 0) > 1) return 'contested';
  return start === undefined ? 'pointer' : (start.proof ?? 'head');
}

/** Why a pointer is not followed. */
function barrier(walk: Walk, page: number, end: number, proof: Proof | undefined): Stop | undefined {
  const { view, map, stale } = walk;
  if (page === 0) return 'end';
  if (page < 2 || page > view.pageCount) return 'out-of-range';
  const role = map.roles[page];
  if (role === ROLE.trunk) return 'trunk';
  if (role !== ROLE.freeLeaf && role !== ROLE.unowned) return 'reused';
  if (end === 0) return 'reused';
  if (walk.chainOf[page] === walk.chains) return 'cycle';
  if (proof !== 'freelist-order' && walk.ordered[page] === 1) return 'claimed';
  return proof === 'contested' && (stale.claims[page] ?? 0) > CLAIMANTS ? 'contested' : undefined;
}

function describe(segments: readonly Segment[], stop: Stop, start: Start | undefined): Chain | undefined {
  if (segments.length === 0) return undefined;
  const overflow = segments.length - (start === undefined ? 0 : 1);
  const closed = start?.head !== undefined && !start.clipped && overflow === start.overflowPages && stop === 'end';
  return { segments, head: start?.head, closed, stop, generation: 0, commit: 0 };
}

function regionOf(map: PageMap, page: number, slack: boolean): Region {
  const role = map.roles[page];
  if (role === ROLE.trunk) return 'freelist-trunk';
  if (role === ROLE.freeLeaf) return slack ? 'free-btree' : 'freelist-leaf';
  if (role === ROLE.unowned) return slack ? 'unowned' : 'overflow-stale';
  return 'unallocated';
}
