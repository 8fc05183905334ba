import { u32 } from './bytes.js';
import { type PageMap, ROLE } from './roles.js';
import type { PageView } from './view.js';

/** Marks trunks and leaves of the freelist (section 1.5) and keeps the order of the leaves, which proves joins. */
export function markFreelist(view: PageView, map: PageMap): void {
  const { firstTrunk, sound } = view.geometry;
  if (sound && firstTrunk !== 0) walkTrunks(view, map, firstTrunk);
  const complete = sound && map.freelistErrors === 0 && map.freePages === view.geometry.freeCount;
  if (!complete) for (const head of orphanTrunks(view, map)) walkTrunks(view, map, head);
}

function walkTrunks(view: PageView, map: PageMap, first: number): void {
  for (let trunk = first; trunk !== 0; ) {
    if (trunk > view.pageCount || map.roles[trunk] !== ROLE.unowned) {
      map.freelistErrors += 1;
      return;
    }
    const bytes = view.read(trunk);
    const count = u32(bytes, 4);
    if (bytes.length < 8 || count > (bytes.length - 8) / 4) {
      map.freelistErrors += 1;
      return;
    }
    map.roles[trunk] = ROLE.trunk;
    map.trunks += 1;
    map.freePages += 1;
    let previous = 0;
    for (let i = 0; i < count; i++) {
      const leaf = u32(bytes, 8 + i * 4);
      if (leaf < 2 || leaf > view.pageCount || map.roles[leaf] !== ROLE.unowned) {
        map.freelistErrors += 1;
        previous = 0;
        continue;
      }
      map.roles[leaf] = ROLE.freeLeaf;
      map.freePages += 1;
      if (previous !== 0) map.order[previous] = leaf;
      previous = leaf;
    }
    trunk = u32(bytes, 0);
  }
}

/**
 * Trunks found by their shape, for a file whose header does not lead to them: next trunk and all listed pages in range, distinct
 * and without owner. A trunk that another one names is not the beginning of a list.
 */
function orphanTrunks(view: PageView, map: PageMap): number[] {
  const found = new Map<number, number>();
  for (let page = 2; page <= view.pageCount; page++) {
    if (map.roles[page] !== ROLE.unowned) continue;
    const start = view.part(page, 0, 12);
    const count = u32(start, 4);
    if (start.length < 12 || count < 1 || count > view.geometry.usable / 4 - 2 || u32(start, 0) > view.pageCount) continue;
    if (u32(start, 8) < 2 || u32(start, 8) > view.pageCount) continue;
    const bytes = view.read(page);
    const next = u32(bytes, 0);
    const seen = new Set<number>();
    let sound = next !== page && bytes.length >= 8 + count * 4;
    for (let i = 0; sound && i < count; i++) {
      const leaf = u32(bytes, 8 + i * 4);
      sound = leaf >= 2 && leaf <= view.pageCount && leaf !== page && map.roles[leaf] === ROLE.unowned && !seen.has(leaf);
      seen.add(leaf);
    }
    if (sound) found.set(page, next);
  }
  const named = new Set(found.values());
  return [...found.keys()].filter((page) => !named.has(page));
}
