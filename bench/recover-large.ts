/** Speed and memory on one large file: `tsx bench/recover-large.ts [megabytes]`. Half of its conversations were replaced. */
import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ByteSource } from '../src/evidence/source.js';
import { liveIndexOf, recover } from '../src/recover/index.js';
import { createRandom } from './random.js';
import { createStore, grow, newTalk, replace, save } from './recover-store.js';

/** A conversation of the generator takes about this much of the file. */
const EACH = 350_000;

function build(path: string, megabytes: number): void {
  const shape = { size: [300_000, 0.5, 100_000, 1_500_000], resultMax: 14_000, clearChance: 0 } as const;
  const store = createStore(path, createRandom(7, 1), Math.ceil((megabytes * 1e6) / EACH), shape);
  for (const directory of store.directories) {
    const talk = newTalk(store, directory);
    while (talk.size < talk.target || talk.pending.length > 0) grow(store, talk);
    save(store, talk);
  }
  for (const [i, directory] of store.directories.entries()) if (i % 2 === 0) replace(store, directory);
  store.database.close();
}

/** Reads what is asked for and no more: chains lead all over the file. */
function sourceOf(fd: number): ByteSource {
  const { size } = fstatSync(fd);
  let memory = Buffer.allocUnsafeSlow(1 << 16);
  return {
    size,
    read(offset, length) {
      const wanted = Math.max(0, Math.min(length, size - offset));
      if (memory.length < wanted) memory = Buffer.allocUnsafeSlow(wanted);
      return memory.subarray(0, readSync(fd, memory, 0, wanted, offset));
    },
  };
}

function measure(path: string): void {
  const fd = openSync(path, 'r');
  const main = sourceOf(fd);
  const before = process.memoryUsage().rss;
  const started = performance.now();
  const live = liveIndexOf({ main });
  const indexed = performance.now();
  const { summary, entries } = recover({ main }, live);
  const scanned = performance.now();
  let count = 0;
  for (const { kind } of entries()) if (kind === 'entry') count += 1;
  const ended = performance.now();
  closeSync(fd);
  const rate = (bytes: number, from: number, to: number) => `${(bytes / 1e3 / (to - from)).toFixed(0)} MB/s`;
  console.log(
    `${(main.size / 1e6).toFixed(0)} MB, ${summary.freePages} of ${summary.pages} pages free, ${count} entries: whole ${rate(main.size, started, ended)},` +
      ` live rows ${((indexed - started) / 1000).toFixed(1)} s, free pages ${rate(summary.bytesScanned, indexed, scanned)},` +
      ` read again ${((ended - scanned) / 1000).toFixed(1)} s, peak ${(process.resourceUsage().maxRSS / 1000).toFixed(0)} MB (${(before / 1e6).toFixed(0)} MB before it began)`,
  );
}

const [first = '400', path] = process.argv.slice(2);
if (first === 'measure' && path !== undefined) measure(path);
else {
  const folder = mkdtempSync(join(tmpdir(), 'kirotrail-large-'));
  try {
    const file = join(folder, 'data.sqlite3');
    build(file, Number(first));
    // A process of its own: the memory of the generator would hide what recovery takes.
    spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), 'measure', file], { stdio: 'inherit' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
