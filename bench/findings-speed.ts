import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseCommand } from '../src/commands/index.js';
import { builtIn, viewsOf } from '../test/analyze/rules-support.js';
import { DEFAULT_DIR, ensureDataset, parseSets } from './generate.js';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const HOOK = new URL('./usage-hook.mjs', import.meta.url).href;
const LEAST_COMMANDS = 20_000;
const CONTEXT = { projectPath: '/home/mira/shop', tool: 'execute_bash' };

/** Commands a second: taking apart with facts, and with all rules asked. The better of two rounds. */
export function commandSpeed(commands: readonly string[]): { readonly parse: number; readonly all: number } {
  const many = Array.from({ length: Math.ceil(LEAST_COMMANDS / Math.max(commands.length, 1)) }, () => commands).flat();
  const parse = rate(many.length, () => {
    for (const command of many) parseCommand(command, CONTEXT);
  });
  // Views hold what was taken apart once it was asked for, so each round makes its own, outside of the time.
  const rounds = [0, 1].map(() => {
    const views = many.flatMap((command) => viewsOf(command));
    return rateOnce(many.length, () => {
      for (const view of views) for (const rule of builtIn.candidates(view)) rule.condition.matches(view);
    });
  });
  return { parse, all: Math.max(...rounds) };
}

const rate = (count: number, work: () => void) => Math.max(rateOnce(count, work), rateOnce(count, work));

function rateOnce(count: number, work: () => void): number {
  const start = performance.now();
  work();
  return (count / (performance.now() - start)) * 1000;
}

interface Times {
  readonly wall: number;
  /** All threads together: says more than the wall where other programs share the cores. */
  readonly cpu: number;
}

export interface RunTimes {
  readonly evidence: string;
  readonly timelineMB: number;
  readonly run: Times;
  /** What the analysis adds. */
  readonly analysis: Times;
}

/** Times of a run that writes a timeline, and of one that writes it and analyses it: the better of two rounds each, in turn. */
export function runTimes(sets: string, seed: number): RunTimes[] {
  return parseSets(sets).map((spec) => {
    const dataset = ensureDataset(DEFAULT_DIR, spec, seed);
    const folder = mkdtempSync(join(tmpdir(), 'kirotrail-findings-'));
    try {
      const usage = join(folder, 'usage.json');
      const timeline = join(folder, 'timeline.jsonl');
      const rounds = [0, 1].map(() => ({
        run: times([dataset.evidence, '-f', 'jsonl', '-o', timeline, '--quiet', '--force'], usage),
        both: times(['analyze', dataset.evidence, '-o', join(folder, 'case'), '--quiet', '--force'], usage),
      }));
      const best = (kind: 'run' | 'both'): Times => ({
        wall: Math.min(...rounds.map((round) => round[kind].wall)),
        cpu: Math.min(...rounds.map((round) => round[kind].cpu)),
      });
      const [run, both] = [best('run'), best('both')];
      const analysis = { wall: both.wall - run.wall, cpu: both.cpu - run.cpu };
      return { evidence: `${spec.kind}:${spec.size}`, timelineMB: statSync(timeline).size / 1e6, run, analysis };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

function times(args: readonly string[], usage: string): Times {
  const start = performance.now();
  const env = { ...process.env, KIROTRAIL_BENCH_USAGE: usage };
  const { status, stderr } = spawnSync(process.execPath, ['--import', HOOK, CLI, ...args], { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`kirotrail ${args.join(' ')}: exit ${status}\n${stderr.slice(-2000)}`);
  const wall = (performance.now() - start) / 1000;
  const { cpuSeconds }: { cpuSeconds: number } = JSON.parse(readFileSync(usage, 'utf8'));
  return { wall, cpu: cpuSeconds };
}
