/** Which rows match, how many for each value of each facet, and how they lie in time: one pass over the columns. */
import type { Facet } from './facets.js';
import type { Numbers } from './hot-block.js';

export const BINS = 200;

export interface Filters {
  /** By facet key: places of the chosen values. Only facets with a choice. */
  readonly chosen: ReadonlyMap<string, ReadonlySet<number>>;
  /** Rows allowed by search, finding or session; each list on its own. */
  readonly lists: readonly ArrayLike<number>[];
  readonly from: number | null;
  readonly to: number | null;
}

export interface Result {
  readonly rows: Uint32Array;
  readonly undated: number;
  /** By facet key: matching rows by value, as if nothing were chosen in this facet. */
  readonly counts: ReadonlyMap<string, Uint32Array>;
}

/** Standing of a row: it is out, it matches, or it fails in one facet only (this plus the place of the facet). */
const OUT = 0;
const MATCHES = 1;
const FAILS = 2;

export function filterRows(time: Numbers, facets: readonly Facet[], filters: Filters): Result {
  const standing = passing(time, filters);
  facets.forEach(({ key, of, values }, place) => {
    const chosen = filters.chosen.get(key);
    if (chosen !== undefined)
      noteFails(
        of,
        Uint8Array.from(values, (_, value) => (chosen.has(value) ? 1 : 0)),
        FAILS + place,
        standing,
      );
  });
  const counts = new Map(facets.map((facet, place) => [facet.key, countsOf(facet, FAILS + place, standing)]));
  const rows = new Uint32Array(time.length);
  let matching = 0;
  let undated = 0;
  for (let row = 0; row < standing.length; row++) {
    if (standing[row] !== MATCHES) continue;
    rows[matching++] = row;
    if (Number.isNaN(time[row])) undated += 1;
  }
  return { rows: rows.slice(0, matching), undated, counts };
}

/** MATCHES for rows that every list and the time span let pass. A row without a time is in no span. */
function passing(time: Numbers, { lists, from, to }: Filters): Uint8Array {
  const standing = new Uint8Array(time.length);
  if (lists.length === 0 && from === null && to === null) return standing.fill(MATCHES);
  const votes = new Uint8Array(time.length);
  for (const [place, list] of lists.entries()) {
    for (let i = 0; i < list.length; i++) {
      const row = list[i] ?? 0;
      if (votes[row] === place) votes[row] = place + 1;
    }
  }
  const least = from ?? Number.NEGATIVE_INFINITY;
  const most = to ?? Number.POSITIVE_INFINITY;
  const spanned = from !== null || to !== null;
  for (let row = 0; row < standing.length; row++) {
    if (votes[row] !== lists.length) continue;
    const at = time[row] ?? Number.NaN;
    if (!spanned || (at >= least && at < most)) standing[row] = MATCHES;
  }
  return standing;
}

function noteFails(of: Numbers, allowed: Uint8Array, fails: number, standing: Uint8Array): void {
  for (let row = 0; row < of.length; row++) {
    if (allowed[of[row] ?? 0] === 1) continue;
    const known = standing[row];
    standing[row] = known === MATCHES ? fails : OUT;
  }
}

function countsOf({ of, values }: Facet, fails: number, standing: Uint8Array): Uint32Array {
  const counts = new Uint32Array(values.length);
  for (let row = 0; row < standing.length; row++) {
    const known = standing[row];
    if (known !== MATCHES && known !== fails) continue;
    const value = of[row] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Earliest and latest time of any row; null when none has one. */
export function spanOf(time: Numbers): Span | null {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < time.length; row++) {
    const at = time[row] ?? Number.NaN;
    if (at < from) from = at;
    if (at > to) to = at;
  }
  return from <= to ? { from, to: to + 1 } : null;
}

/** Rows by bin and group, one array of counts a group. Undated rows are in no bin. */
export function binsOf(rows: Uint32Array, time: Numbers, group: Uint8Array, groups: number, span: Span): number[][] {
  const bins = Array.from({ length: BINS }, () => new Array<number>(groups).fill(0));
  const scale = BINS / Math.max(1, span.to - span.from);
  for (const row of rows) {
    const at = time[row] ?? Number.NaN;
    if (!(at >= span.from && at < span.to)) continue;
    const bin = bins[Math.min(BINS - 1, Math.floor((at - span.from) * scale))];
    const into = group[row] ?? 0;
    if (bin !== undefined) bin[into] = (bin[into] ?? 0) + 1;
  }
  return bins;
}
