import type { Progress } from '../pipeline/options.js';
import { escapeUnsafe } from '../rows/problem.js';

/** Before this a rate says nothing. */
const FIRST_RATE_MS = 2000;
const EVERY_MS = 100;

/** One changing line on a terminal; nothing when standard error is not one. */
export function makeProgress(quiet: boolean): { show: ((progress: Progress) => void) | undefined; clear: () => void } {
  const terminal = process.stderr.isTTY && process.env.TERM !== 'dumb' && !quiet;
  if (!terminal) return { show: undefined, clear: () => {} };
  const started = performance.now();
  let last = 0;
  return {
    show(progress) {
      const now = performance.now();
      if (now - last < EVERY_MS) return;
      last = now;
      const line = progressLine(progress, now - started);
      process.stderr.write(`\r\u001b[2K${line.slice(0, Math.max(20, (process.stderr.columns || 80) - 1))}`);
    },
    clear() {
      if (last > 0) process.stderr.write('\r\u001b[2K');
    },
  };
}

/** What is done, how fast, and how long it may still take; `elapsed` in milliseconds. */
export function progressLine({ phase, file, done, of, bytes, ofBytes }: Progress, elapsed: number): string {
  if (phase === 'write') return `writing ${done} of ${of} rows`;
  const rate = bytes / (elapsed / 1000);
  const speed =
    elapsed < FIRST_RATE_MS || bytes <= 0
      ? ''
      : `, ${megabytes(bytes)} of ${megabytes(ofBytes)} MB, ${megabytes(rate)} MB/s, about ${timeOf((ofBytes - bytes) / rate)} left`;
  return `reading ${done} of ${of}${speed}: ${escapeUnsafe(file)}`;
}

function megabytes(bytes: number): string {
  const value = bytes / 1e6;
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}

function timeOf(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
