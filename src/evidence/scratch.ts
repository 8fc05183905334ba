import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markedName, processMark, removeLeftBehind } from '../process/left-behind.js';

/** A private folder for copies of evidence, and for nothing else. */
export interface Scratch {
  readonly path: string;
  /** Removes the folder and everything in it. May be called more than once. */
  remove(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const PREFIX = 'kirotrail-';
/** The six characters are those of `mkdtemp`. */
const FORM = markedName(PREFIX, '-[A-Za-z0-9]{6}');
const open = new Set<string>();

/**
 * Makes a folder that only its owner can enter (mode 0700). It is removed at the latest when the process ends, also by a signal;
 * after a kill that no process can answer, by the next run that uses the same folder for its scratch.
 */
export function createScratch(dir: string = tmpdir()): Scratch {
  removeLeftBehind(dir, FORM, { files: false, folders: true });
  const path = mkdtempSync(join(dir, `${PREFIX}${processMark()}-`));
  if (open.size === 0) watch();
  open.add(path);
  return {
    path,
    remove() {
      if (!open.has(path)) return;
      removeTree(path);
      open.delete(path);
      if (open.size === 0) unwatch();
    },
  };
}

function removeTree(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

function removeAll(): void {
  for (const path of open) {
    try {
      removeTree(path);
    } catch {
      // One folder that cannot be removed must not keep the others; the process is ending and has nobody to tell.
    }
  }
  open.clear();
}

function onSignal(signal: NodeJS.Signals): void {
  removeAll();
  unwatch();
  // Whoever else listens decides what the signal means; without a listener it has to end the process as if we had never caught it.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function watch(): void {
  process.on('exit', removeAll);
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function unwatch(): void {
  process.off('exit', removeAll);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}
