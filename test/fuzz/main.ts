/**
 * The long run: `npm run fuzz -- [--inputs N] [--seed N] [--only STORE] [--save DIR]`. A child reads the inputs and is
 * watched from here: one that hangs or dies costs its store, and the input at work is kept.
 */
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PARSERS } from '../../src/parsers/index.js';
import { COMMANDS, PACKED, type StoreResult, WRITERS } from './engine.js';
import { table } from './table.js';

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '105000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    save: { type: 'string', default: 'fuzz-failures' },
  },
});

/** Nothing was finished for so long: the input at work has no end. Generous, because a loaded machine is slow. */
const HANG_MS = 60_000;

const stores = values.only ?? [WRITERS, COMMANDS, PACKED, ...PARSERS.map(({ id }) => id).sort()];
const each = Math.ceil(Number(values.inputs) / stores.length);
const folder = mkdtempSync(join(tmpdir(), 'kirotrail-fuzz-main-'));
const current = join(folder, 'current');
const results: StoreResult[] = [];
const started = performance.now();

try {
  for (let left = stores; left.length > 0; left = stores.slice(results.length)) {
    const end = await watch(left);
    const store = stores[results.length];
    if (store === undefined) break;
    const failure = { store, seed: Number(values.seed), file: '', what: end, bytes: readFileSync(current) };
    take({ store, inputs: 0, structured: 0, slowestMs: 0, failures: [failure] });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(table(results, (performance.now() - started) / 1000));
process.exitCode = results.some(({ failures }) => failures.length > 0) ? 1 : 0;

/** Keeps each failing input, as small as it could be made, in a file. */
function take(result: StoreResult): void {
  results.push(result);
  console.error(`${results.length}/${stores.length} ${result.store}: ${result.inputs} inputs, ${result.failures.length} failures`);
  for (const { store, seed, file, what, bytes } of result.failures) {
    mkdirSync(values.save, { recursive: true });
    const path = join(values.save, `${store}-${seed}`);
    writeFileSync(path, bytes);
    console.error(
      `  ${what}\n  ${file}, ${bytes.length} bytes in ${path}; again: npm run fuzz -- --only ${store} --inputs 100 --seed ${seed}`,
    );
  }
}

/** Resolves when the child ends: with how it ended. */
function watch(left: readonly string[]): Promise<string> {
  writeFileSync(current, '');
  const child = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), [current, values.seed, String(each), ...left], {
    serialization: 'advanced',
    env: { ...process.env, TMPDIR: folder },
  });
  let hung = false;
  const timer = setInterval(() => {
    if (Date.now() - statSync(current).mtimeMs < HANG_MS) return;
    hung = true;
    child.kill('SIGKILL');
  }, 1000);
  return new Promise((resolve) => {
    child.on('message', (result: StoreResult) => {
      take(result);
    });
    child.on('exit', (code, signal) => {
      clearInterval(timer);
      resolve(hung ? `no end after ${HANG_MS} ms` : `the process ended with ${signal ?? code}`);
    });
  });
}
