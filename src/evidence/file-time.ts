import type { Instant } from '../rows/time.js';

/** A modification time in nanoseconds. Zero is what archives write when they keep no time; years beyond 9999 cannot be written. */
export function fileTime(ns: bigint): Instant | undefined {
  const ms = Number(ns / 1_000_000n);
  if (ns <= 0n || ms > 253_402_300_799_999) return undefined;
  const original = `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`;
  return { ms, ns: Number(ns % 1_000_000n), source: 'file_mtime', original };
}
