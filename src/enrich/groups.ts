import type { Run, Runs } from './runs.js';

/**
 * The runs of a timeline by a key of their rows, keys in order. Each group keeps the order of the whole: it is the timeline
 * with the rows of the others left out.
 */
export function groupRuns(runs: Runs, keyOf: (row: number, unit: number) => string): Map<string, Runs> {
  const groups = new Map<string, Run[]>();
  for (const { unit, start, end } of runs.runs) {
    let from = start;
    let key = keyOf(runs.rows[start] ?? 0, unit);
    const close = (to: number) => {
      const own = groups.get(key);
      if (own === undefined) groups.set(key, [{ unit, start: from, end: to }]);
      else own.push({ unit, start: from, end: to });
    };
    for (let at = start + 1; at < end; at++) {
      const next = keyOf(runs.rows[at] ?? 0, unit);
      if (next === key) continue;
      close(at);
      key = next;
      from = at;
    }
    if (end > start) close(end);
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, own]) => [key, { ...runs, runs: own }]));
}
