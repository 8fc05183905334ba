import { Worker } from 'node:worker_threads';
import { messageOf } from '../rows/problem.js';
import type { TaskReport, UnitTask, WorkerSettings } from './task.js';

/** Outcome of a task: its report with the run file that holds its rows, or why there is none. */
export type TaskOutcome =
  | { readonly tasks: readonly UnitTask[]; readonly file: string; readonly report: TaskReport }
  | { readonly tasks: readonly UnitTask[]; readonly failed: string };

interface Waiting {
  readonly id: number;
  readonly bytes: number;
  readonly tasks: readonly UnitTask[];
}

interface Hand {
  readonly worker: Worker;
  readonly file: string;
  current: Waiting | undefined;
}

/**
 * Young generation of a worker. A larger one saves some time (7 % at 64) but holds more dead buffers: two workers on values of
 * 3 MB then need 400 MiB instead of 290.
 */
const YOUNG_GENERATION_MB = 6;

/** Units that may wait for a worker: as many as can be of some size, and few enough to take no room. */
const MOST_WAITING = 500;

/** So many threads are started anew before the rest is given up. */
const MOST_REPLACED = 100;

/** Worker threads that take tasks in turn. A worker that dies costs its current task only. */
export class Pool {
  private readonly hands: Hand[] = [];
  private readonly queue: Waiting[] = [];
  private readonly outcomes: TaskOutcome[] = [];
  private submitted = 0;
  private finished = 0;
  /** Bytes of evidence that are handed out and not yet read. */
  pendingBytes = 0;
  /** Told whenever a task is done. */
  onSettled: () => void = () => {};
  private started = 0;
  private lastFault = '';
  private idle: (() => void) | undefined;
  private waiting = 0;
  private freed: (() => void) | undefined;

  constructor(
    private readonly size: number,
    private readonly settings: Omit<WorkerSettings, 'runFile'>,
    private readonly folder: string,
  ) {
    for (let i = 0; i < size; i++) this.start();
  }

  submit(tasks: readonly UnitTask[], bytes: number): void {
    this.pendingBytes += bytes;
    this.waiting += tasks.length;
    this.queue.push({ id: this.submitted++, tasks, bytes });
    this.dispatch();
  }

  /** To be awaited, if not undefined, before more is handed out: what waits is memory. */
  room(): Promise<void> | undefined {
    return this.waiting < MOST_WAITING ? undefined : new Promise((resolve) => (this.freed = resolve));
  }

  /** Waits for all tasks; outcomes in the order in which they were submitted. */
  async drain(): Promise<readonly TaskOutcome[]> {
    if (this.finished < this.submitted) await new Promise<void>((resolve) => (this.idle = resolve));
    return this.outcomes;
  }

  async close(): Promise<void> {
    await Promise.all(this.hands.map(({ worker }) => worker.terminate()));
  }

  private start(): void {
    const name = `rows-${this.started++}`;
    const settings: WorkerSettings = { ...this.settings, runFile: { folder: this.folder, name } };
    const worker = new Worker(new URL('../pipeline/worker.js', import.meta.url), {
      workerData: settings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const hand: Hand = { worker, file: name, current: undefined };
    this.hands.push(hand);
    worker.on('message', ({ report, failed }: { readonly report?: TaskReport; readonly failed?: string }) => {
      this.release(hand, (tasks) => (report === undefined ? { tasks, failed: failed ?? 'no report' } : { tasks, file: hand.file, report }));
    });
    worker.on('error', (error) => this.bury(hand, messageOf(error)));
  }

  private dispatch(): void {
    this.refill();
    for (const hand of this.hands) {
      if (hand.current !== undefined) continue;
      const next = this.next();
      if (next === undefined) break;
      hand.current = next;
      hand.worker.postMessage({ id: next.id, tasks: next.tasks });
    }
    // No thread is left and none can be had: nobody would ever take what waits.
    if (this.hands.length === 0)
      for (let left = this.next(); left !== undefined; left = this.next()) this.settle(left, { tasks: left.tasks, failed: this.lastFault });
    if (this.waiting < MOST_WAITING) this.freed?.();
  }

  private next(): Waiting | undefined {
    const next = this.queue.shift();
    this.waiting -= next?.tasks.length ?? 0;
    return next;
  }

  /** Replaces threads that ended (out of memory on one value, say; too few open files to start). */
  private refill(): void {
    while (this.hands.length < this.size && this.queue.length > 0 && this.started < this.size + MOST_REPLACED) this.start();
  }

  private release(hand: Hand, outcome: (tasks: readonly UnitTask[]) => TaskOutcome): void {
    const { current } = hand;
    if (current === undefined) return;
    hand.current = undefined;
    this.settle(current, outcome(current.tasks));
    this.dispatch();
  }

  private settle({ id, bytes }: Waiting, outcome: TaskOutcome): void {
    this.outcomes[id] = outcome;
    this.finished += 1;
    this.pendingBytes -= bytes;
    this.onSettled();
    if (this.finished === this.submitted) this.idle?.();
  }

  private bury(hand: Hand, why: string): void {
    this.hands.splice(this.hands.indexOf(hand), 1);
    this.lastFault = `the reading thread ended: ${why}`;
    this.release(hand, (tasks) => ({ tasks, failed: this.lastFault }));
  }
}
