import { escapeUnsafe } from '../rows/problem.js';

/** One changing line on a terminal; nothing when standard error is not one. */
export function makeProgress(quiet: boolean): { show: ((file: string, done: number, of: number) => void) | undefined; clear: () => void } {
  const terminal = process.stderr.isTTY && process.env.TERM !== 'dumb' && !quiet;
  if (!terminal) return { show: undefined, clear: () => {} };
  let last = 0;
  return {
    show(file, done, of) {
      const now = performance.now();
      if (now - last < 100) return;
      last = now;
      const line = `reading ${done + 1} of ${of}: ${escapeUnsafe(file)}`;
      process.stderr.write(`\r\u001b[2K${line.slice(0, Math.max(20, (process.stderr.columns ?? 80) - 1))}`);
    },
    clear() {
      if (last > 0) process.stderr.write('\r\u001b[2K');
    },
  };
}
