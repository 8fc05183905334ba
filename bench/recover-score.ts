import { createHash } from 'node:crypto';
import { liveIndexOf, recover } from '../src/recover/index.js';
import type { LiveIndex, RecoveryInput, RecoverySummary } from '../src/recover/types.js';
import { recoverDump } from './recover-baseline.js';
import type { Store } from './recover-store.js';

export interface Score {
  dead: number;
  present: number;
  complete: number;
  probable: number;
  wrongComplete: number;
  wrongProbable: number;
  wrongPartial: number;
  livePretended: number;
  deadPrompts: number;
  prompts: number;
  /** Dead entries that the `.recover` command gives; NaN where the shell cannot run it. */
  baseline: number;
  bytes: number;
  seconds: number;
}

export const emptyScore = (): Score => ({
  dead: 0,
  present: 0,
  complete: 0,
  probable: 0,
  wrongComplete: 0,
  wrongProbable: 0,
  wrongPartial: 0,
  livePretended: 0,
  deadPrompts: 0,
  prompts: 0,
  baseline: 0,
  bytes: 0,
  seconds: 0,
});

export function sourceOf(bytes: Buffer): { size: number; read(offset: number, length: number): Buffer } {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

export interface Files {
  readonly main: Buffer;
  readonly wal?: Buffer;
  readonly journal?: Buffer;
}

/** Adds one snapshot to the score. `alive` are the hashes of the entries that live rows hold. */
export function score(into: Score, store: Store, files: Files, alive: ReadonlySet<string>, countLive = false): RecoverySummary {
  const input: RecoveryInput = {
    main: sourceOf(files.main),
    wal: files.wal && sourceOf(files.wal),
    journal: files.journal && sourceOf(files.journal),
  };
  const started = performance.now();
  const live: LiveIndex = liveIndexOf(input);
  const result = recover(input, live);
  const found = { complete: new Set<string>(), probable: new Set<string>() };
  const prompts = new Set<string>();
  const { truth } = store;
  // After a crash the rollback brings rows back: they count as found, and the interrupted state has to be recovered.
  if (countLive) for (const hash of live.entries.values()) found.complete.add(hash);
  for (const entry of result.entries()) {
    const raw = entry.raw;
    if (entry.kind === 'entry') {
      const known = truth.entries.get(entry.sha256);
      if (entry.confidence === 'complete' || entry.confidence === 'probable') {
        found[entry.confidence].add(entry.sha256);
        if (known === undefined) into[entry.confidence === 'complete' ? 'wrongComplete' : 'wrongProbable'] += 1;
        else if (known.prompt !== '') prompts.add(known.prompt);
        if (alive.has(entry.sha256)) into.livePretended += 1;
      }
    } else if (entry.confidence === 'partial' && typeof raw === 'string') {
      if (entry.kind === 'prompt' || (entry.kind === 'transcript' && raw.startsWith('> ') && !/\n\[Tool uses: [^\]\n]*\]$/.test(raw))) {
        const text = entry.kind === 'prompt' ? raw : raw.slice(2).replaceAll('> \n', '\n');
        if (truth.prompts.has(text)) prompts.add(text);
        else into.wrongPartial += 1;
      }
    }
  }
  into.seconds += (performance.now() - started) / 1000;
  const raw = [files.main, files.wal, files.journal].filter((file) => file !== undefined);
  into.bytes += raw.reduce((sum, file) => sum + file.length, 0);
  const cover = coverage(raw);
  const dump = recoverDump(files);
  if (dump === undefined) into.baseline = Number.NaN;
  // A prompt that a live transcript still shows is not dead.
  const alivePrompts = new Set([...alive].map((hash) => truth.entries.get(hash)?.prompt ?? ''));
  for (const { transcript } of store.open.values()) for (const line of transcript) alivePrompts.add(line.slice(2).replaceAll('> \n', '\n'));
  for (const [hash, { bytes, prompt }] of truth.entries) {
    if (alive.has(hash) && !countLive) continue;
    into.dead += 1;
    if (dump?.includes(bytes.toString('utf8'))) into.baseline += 1;
    if (found.complete.has(hash)) into.complete += 1;
    else if (found.probable.has(hash)) into.probable += 1;
    if (found.complete.has(hash) || cover(bytes)) into.present += 1;
    if (prompt === '' || (alivePrompts.has(prompt) && !countLive)) continue;
    into.deadPrompts += 1;
    if (prompts.has(prompt) || (countLive && found.complete.has(hash))) into.prompts += 1;
  }
  return result.summary;
}

const PIECE = 20;
const MOST_PIECES = 60;

/** Whether bytes can be covered, front to end, by at most 60 pieces of the files, each at least 20 bytes long (longest first). */
function coverage(files: readonly Buffer[]): (bytes: Buffer) => boolean {
  const longest = (bytes: Buffer, at: number): number => {
    let low = 0;
    let high = bytes.length - at;
    // Doubling, then halving: the longest prefix that some file holds.
    const holds = (length: number) => files.some((file) => file.includes(bytes.subarray(at, at + length)));
    let step = Math.min(high, 4096);
    while (low < high) {
      const probe = Math.min(high, low + step);
      if (holds(probe)) low = probe;
      else {
        high = probe - 1;
        step = Math.max(1, Math.ceil((high - low) / 2));
      }
    }
    return low;
  };
  return (bytes) => {
    let at = 0;
    for (let pieces = 0; at < bytes.length && pieces < MOST_PIECES; pieces++) {
      const length = longest(bytes, at);
      if (length < Math.min(PIECE, bytes.length - at)) return false;
      at += length;
    }
    return at >= bytes.length;
  };
}

export const hashOf = (entry: string): string => createHash('sha256').update(entry).digest('hex');
