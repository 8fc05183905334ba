/** A program run to its end, with what it used. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HOOK = new URL('./usage-hook.mjs', import.meta.url).href;
const STDERR_KEPT = 4000;

export interface Exit {
  seconds: number;
  stdout: string;
}

export function runNode(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Exit> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    let stdout = '';
    let stderr = '';
    let seconds = 0;
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    child.stderr.on('data', (data) => {
      stderr = `${stderr}${data}`.slice(-STDERR_KEPT);
    });
    child.on('error', reject);
    child.on('exit', () => {
      seconds = (performance.now() - start) / 1000;
    });
    child.on('close', (code, signal) => {
      if (code === 0) resolve({ seconds, stdout });
      else reject(new Error(`exit ${signal ?? code}\n${stderr.trim()}`));
    });
  });
}

export interface Usage {
  readonly cpuSeconds: number;
  readonly rssMiB: number;
}

/** As `runNode`, with time of the processor and memory at its peak. */
export async function runProgram(args: string[]): Promise<Exit & Usage> {
  const folder = mkdtempSync(join(tmpdir(), 'kirotrail-usage-'));
  const file = join(folder, 'usage.json');
  try {
    const exit = await runNode(['--import', HOOK, ...args], { KIROTRAIL_BENCH_USAGE: file });
    const usage: Usage = JSON.parse(readFileSync(file, 'utf8'));
    return { ...exit, ...usage };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
