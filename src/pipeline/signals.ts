const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const LONGEST_MS = 50;

/**
 * Calls back when the process is told to end, and then lets it end. Returns what takes the listener away again. Set before
 * the scratch folder is made: its own listener comes last and ends the process.
 */
export function whenKilled(clean: () => void): () => void {
  const stop = () => {
    for (const signal of SIGNALS) process.off(signal, handler);
  };
  const handler = (signal: NodeJS.Signals) => {
    stop();
    clean();
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, handler);
  return stop;
}

let last = performance.now();

/** Lets the event loop turn if it has not for a while: signals are delivered only between its turns. To be awaited if not undefined. */
export function breathe(): Promise<void> | undefined {
  if (performance.now() - last < LONGEST_MS) return undefined;
  return new Promise((resolve) => {
    setImmediate(() => {
      last = performance.now();
      resolve();
    });
  });
}

/** What a promise gives, or the reason of an abort that comes first. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
