import type { RowIndex } from './row-index.js';

/** A sequence of rows that keeps its order in the timeline: places `start` to `end` (exclusive) of `Runs.rows`. */
export interface Run {
  readonly unit: number;
  readonly start: number;
  end: number;
}

export interface Runs {
  /** Row numbers, unit by unit, in the order in which each unit gave them. */
  readonly rows: Uint32Array;
  /** Time of each place in `rows` for ordering: NaN where the run has no time at all. */
  readonly ms: Float64Array;
  readonly ns: Uint32Array;
  readonly runs: readonly Run[];
}

/**
 * Brings the rows of all units into runs, each in order by itself. A row's place in time is its own time, but never ahead of
 * the row before it; an undated row stands directly behind that row, and rows ahead of the first dated one of their run stand
 * directly before it. Units may have been read in any order, and one unit in several parts.
 */
export function makeRuns(index: RowIndex): Runs {
  const rows = rowsByUnit(index);
  const ms = new Float64Array(rows.length);
  const ns = new Uint32Array(rows.length);
  const runs: Run[] = [];
  let run: Run | undefined;
  // First of the notices that wait for the row they announce: they stand directly ahead of it, so they take its time.
  let notices = -1;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    const unit = index.unit[row] ?? 0;
    if (run === undefined || run.unit !== unit || index.startsRun(row)) {
      run = { unit, start: at, end: at };
      runs.push(run);
      notices = -1;
    }
    run.end = at + 1;
    place(ms, ns, at, run.start, index.leads(row) ? Number.NaN : (index.ms[row] ?? Number.NaN), index.ns[row] ?? 0);
    if (index.leads(row)) {
      if (notices < 0) notices = at;
    } else if (notices >= 0) {
      ms.fill(ms[at] ?? Number.NaN, notices, at);
      ns.fill(ns[at] ?? 0, notices, at);
      notices = -1;
    }
  }
  return { rows, ms, ns, runs };
}

function place(ms: Float64Array, ns: Uint32Array, at: number, start: number, own: number, ownNs: number): void {
  const lastMs = at > start ? (ms[at - 1] ?? Number.NaN) : Number.NaN;
  const lastNs = at > start ? (ns[at - 1] ?? 0) : 0;
  if (Number.isNaN(own) || own < lastMs || (own === lastMs && ownNs < lastNs)) {
    ms[at] = lastMs;
    ns[at] = lastNs;
    return;
  }
  ms[at] = own;
  ns[at] = ownNs;
  for (let k = at - 1; k >= start && Number.isNaN(ms[k] ?? 0); k--) {
    ms[k] = own;
    ns[k] = ownNs;
  }
}

/** Row numbers ordered by unit, rows of a unit in the order they were added: a counting sort. */
function rowsByUnit(index: RowIndex): Uint32Array {
  let units = 0;
  for (let i = 0; i < index.length; i++) units = Math.max(units, (index.unit[i] ?? 0) + 1);
  const next = new Uint32Array(units + 1);
  for (let i = 0; i < index.length; i++) next[(index.unit[i] ?? 0) + 1] = (next[(index.unit[i] ?? 0) + 1] ?? 0) + 1;
  for (let unit = 0; unit < units; unit++) next[unit + 1] = (next[unit + 1] ?? 0) + (next[unit] ?? 0);
  const rows = new Uint32Array(index.length);
  for (let i = 0; i < index.length; i++) {
    const unit = index.unit[i] ?? 0;
    const at = next[unit] ?? 0;
    rows[at] = i;
    next[unit] = at + 1;
  }
  return rows;
}
