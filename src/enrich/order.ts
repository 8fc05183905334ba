import type { Run, Runs } from './runs.js';

/**
 * The order of the timeline, as blocks of places in `Runs.rows`. Runs are in order by themselves, so this is a merge: by
 * time, then by unit (path, table, row), then by position. Rows without any time come last, by unit.
 */
export function* timelineOrder(runs: Runs): Generator<{ readonly from: number; readonly to: number }> {
  const heap = runs.runs.filter((run) => run.end > run.start).map((run) => ({ run, at: run.start }));
  const before = (a: Head, b: Head) => compare(runs, a, b) < 0;
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) sink(heap, i, before);
  while (heap.length > 0) {
    const head = heap[0];
    if (head === undefined) return;
    const from = head.at;
    const second = runnerUp(heap, before);
    do head.at += 1;
    while (head.at < head.run.end && (second === undefined || before(head, second)));
    yield { from, to: head.at };
    if (head.at === head.run.end) {
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) heap[0] = last;
    }
    sink(heap, 0, before);
  }
}

interface Head {
  readonly run: Run;
  at: number;
}

function compare({ ms, ns }: Runs, a: Head, b: Head): number {
  const x = ms[a.at] ?? Number.NaN;
  const y = ms[b.at] ?? Number.NaN;
  const undatedX = Number.isNaN(x);
  const undatedY = Number.isNaN(y);
  if (undatedX !== undatedY) return undatedX ? 1 : -1;
  if (!undatedX) {
    if (x !== y) return x - y;
    const fraction = (ns[a.at] ?? 0) - (ns[b.at] ?? 0);
    if (fraction !== 0) return fraction;
  }
  return a.run.unit - b.run.unit || a.run.start - b.run.start;
}

type Before = (a: Head, b: Head) => boolean;

function runnerUp(heap: readonly Head[], before: Before): Head | undefined {
  const [, left, right] = heap;
  return left !== undefined && right !== undefined && before(right, left) ? right : left;
}

function sink(heap: Head[], from: number, before: Before): void {
  for (let i = from; ; ) {
    const item = heap[i];
    let child = 2 * i + 1;
    let lower = heap[child];
    if (item === undefined || lower === undefined) return;
    const right = heap[child + 1];
    if (right !== undefined && before(right, lower)) {
      lower = right;
      child += 1;
    }
    if (!before(lower, item)) return;
    heap[i] = lower;
    heap[child] = item;
    i = child;
  }
}
