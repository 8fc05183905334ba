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

export function filterRows(time: Numbers, facets: readonly Facet[], filters: Filters): Result {
  const total = time.length;
  const passed = passing(time, filters);
  const fails = new Uint8Array(total);
  const failedAt = new Uint8Array(total);
  facets.forEach(({ key, of, values }, place) => {
    const chosen = filters.chosen.get(key);
    if (chosen !== undefined)
      noteFails(
        of,
        Uint8Array.from(values, (_, value) => (chosen.has(value) ? 1 : 0)),
        place,
        fails,
        failedAt,
      );
  });
  const counts = new Map(facets.map((facet, place) => [facet.key, countsOf(facet, place, passed, fails, failedAt)]));
  const rows = new Uint32Array(total);
  let matching = 0;
  let undated = 0;
  for (let row = 0; row < total; row++) {
    if (passed[row] === 0 || fails[row] !== 0) continue;
    rows[matching++] = row;
    if (Number.isNaN(time[row])) undated += 1;
  }
  return { rows: rows.slice(0, matching), undated, counts };
}

/** 1 for rows that every list and the time span let pass. A row without a time is in no span. */
function passing(time: Numbers, { lists, from, to }: Filters): Uint8Array {
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
  const passed = new Uint8Array(time.length);
  for (let row = 0; row < passed.length; row++) {
    if (votes[row] !== lists.length) continue;
    const at = time[row] ?? Number.NaN;
    if (!spanned || (at >= least && at < most)) passed[row] = 1;
  }
  return passed;
}

function noteFails(of: Numbers, allowed: Uint8Array, place: number, fails: Uint8Array, failedAt: Uint8Array): void {
  for (let row = 0; row < of.length; row++) {
    if (allowed[of[row] ?? 0] === 1) continue;
    fails[row] = (fails[row] ?? 0) + 1;
    failedAt[row] = place;
  }
}

function countsOf({ of, values }: Facet, place: number, passed: Uint8Array, fails: Uint8Array, failedAt: Uint8Array): Uint32Array {
  const counts = new Uint32Array(values.length);
  for (let row = 0; row < of.length; row++) {
    if (passed[row] === 0) continue;
    const failed = fails[row];
    if (failed !== 0 && !(failed === 1 && failedAt[row] === place)) continue;
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
