import { headerAt, INDEX_INTERIOR, INDEX_LEAF, INTERIOR, LEAF } from './btree.js';
import { isZero, u32 } from './bytes.js';
import { type PageMap, ROLE } from './roles.js';
import { deadRanges, type Start, startsIn } from './slack.js';
import { eachRun, SHORTEST_RUN, textEnd } from './text-run.js';
import type { PageView } from './view.js';

/** What free and unowned pages still hold, without their text: 9 bytes a page. */
export interface StalePages {
  /** Pointer of a page that was part of an overflow chain. */
  readonly next: Uint32Array;
  /** Where its text ends in the page; 0 for a page that is none. The text begins at 4. */
  readonly ends: Uint32Array;
  /** How many pages and heads point to the page, up to 255. */
  readonly claims: Uint8Array;
  /** Text in leaf slack, in old trunks, behind the end of another value. */
  readonly starts: Start[];
  zeroed: number;
  unowned: number;
  bytes: number;
}

/** Start pieces kept for one file; a hostile file cannot ask for more. */
const START_LIMIT = 2_000_000;

export function scanStale(view: PageView, map: PageMap): StalePages {
  const size = view.pageCount + 1;
  const stale: StalePages = {
    next: new Uint32Array(size),
    ends: new Uint32Array(size),
    claims: new Uint8Array(size),
    starts: [],
    zeroed: 0,
    unowned: 0,
    bytes: 0,
  };
  const trunks: number[] = [];
  for (let page = 1; page <= view.pageCount; page++) {
    const role = map.roles[page];
    if (role === ROLE.overflow || role === ROLE.pointerMap || role === ROLE.lockByte || stale.starts.length > START_LIMIT) continue;
    const bytes = view.read(page);
    stale.bytes += bytes.length;
    if (role === ROLE.leaf || role === ROLE.interior || role === ROLE.indexPage) {
      addRanges(stale, view, bytes, page, deadRanges(bytes, page, view.geometry.usable));
    } else if (role === ROLE.trunk) trunks.push(page);
    else scanFree(stale, view, bytes, page, role === ROLE.unowned);
  }
  for (const { pointer } of stale.starts) claim(stale, pointer);
  for (let page = 2; page < size; page++) if ((stale.ends[page] ?? 0) > 0) claim(stale, stale.next[page] ?? 0);
  for (const page of trunks) addTrunk(stale, view, page);
  return stale;
}

function claim({ claims }: StalePages, page: number): void {
  const count = claims[page] ?? 255;
  if (page !== 0 && count < 255) claims[page] = count + 1;
}

function addRanges(stale: StalePages, view: PageView, bytes: Buffer, page: number, ranges: readonly [number, number][]): void {
  for (const [from, to] of ranges) {
    if (to - from < SHORTEST_RUN) continue;
    for (const start of startsIn(bytes, page, from, to, view.geometry.usable, view.pageCount)) stale.starts.push(start);
  }
}

function scanFree(stale: StalePages, view: PageView, bytes: Buffer, page: number, unowned: boolean): void {
  if (unowned) stale.unowned += 1;
  const first = bytes[headerAt(page)] ?? 0;
  if (first === 0 && isZero(bytes)) {
    stale.zeroed += 1;
    return;
  }
  if (first === LEAF || first === INTERIOR || first === INDEX_LEAF || first === INDEX_INTERIOR) {
    addRanges(stale, view, bytes, page, [[headerAt(page), bytes.length]]);
    return;
  }
  // The first byte of an overflow page is that of a page number: zero in any file below 64 GB.
  const end = first === 0 ? textEnd(bytes, 4, bytes.length) : 0;
  if (end > 4) {
    stale.next[page] = u32(bytes, 0);
    stale.ends[page] = end;
  }
  if (end < bytes.length) addRanges(stale, view, bytes, page, [[Math.max(end, 4), bytes.length]]);
}

/**
 * A trunk has lost its beginning to the list, and with it the pointer; text may stand behind the longest list it ever held.
 * The pages of a chain are freed in turn: where one became a trunk, the next one is the first of its list, unless that place
 * was filled anew since. Nothing confirms that, so it only counts where no page points there.
 */
function addTrunk({ starts, claims, ends }: StalePages, view: PageView, page: number): void {
  const bytes = view.read(page);
  const first = u32(bytes, 4) > 0 ? u32(bytes, 8) : 0;
  const follows = claims[first] === 0 && (ends[first] ?? 0) > 0 ? first : 0;
  let last = bytes.length;
  while (last > 0 && (bytes[last - 1] ?? 0) >= 0x20) last -= 1;
  eachRun(bytes, last, bytes.length, (from, to) =>
    starts.push({
      page,
      from,
      to,
      pointer: to === bytes.length ? follows : 0,
      head: undefined,
      overflowPages: 0,
      clipped: false,
      proof: 'trunk',
    }),
  );
}
