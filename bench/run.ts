/**
 * `npm run bench`: whole runs of the program over generated evidence, next to the least that any reader must do.
 *
 *   tsx bench/run.ts [--rounds 3] [--only database,export,home] [--formats csv,jsonl] [--dir DIR] [--seed 1] [--json FILE] [--check]
 *                    [--cli dist/cli.js] [--cli-arg=--workers=0 ...] [--node-arg=--max-semi-space-size=32 ...]
 *
 * A round is floor, CSV, JSONL, so that other load on the machine falls on all three. Prints one Markdown table.
 * Exit code 1: a run failed, or with --check a target was missed.
 */
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Floor } from './floor.js';
import { type Dataset, DEFAULT_DIR, DEFAULT_SETS, ensureDataset, evidenceFile, parseSets } from './generate.js';
import { runNode, runProgram } from './program.js';
import { FORMATS, type Format, lines, type Measurement, type Sample, table } from './report.js';

const FLOOR = fileURLToPath(new URL('./floor.ts', import.meta.url));
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

async function measureFloor(dataset: Dataset): Promise<Sample> {
  const path = evidenceFile(dataset) ?? dataset.evidence;
  const { stdout } = await runNode(['--import', 'tsx', FLOOR, dataset.kind, path]);
  const floor = JSON.parse(stdout) as Floor;
  if (!floor.parsed && dataset.kind !== 'home')
    console.error(`note: ${dataset.kind}:${dataset.size} is too large to be parsed by the floor`);
  return { ...floor, outputBytes: 0, writeSeconds: 0 };
}

/** How long this disk takes for the bytes of the output alone. */
function writeOnly(path: string, bytes: number): number {
  const block = Buffer.alloc(1 << 20, 'x');
  const start = performance.now();
  const file = openSync(path, 'w');
  for (let left = bytes; left > 0; left -= block.length) writeSync(file, block, 0, Math.min(left, block.length));
  closeSync(file);
  return (performance.now() - start) / 1000;
}

interface Program {
  cli: string;
  cliArgs: string[];
  nodeArgs: string[];
}

async function measureRun(program: Program, dataset: Dataset, format: Format, scratch: string): Promise<Sample> {
  const folder = mkdtempSync(join(scratch, 'out-'));
  const output = join(folder, `timeline.${format}`);
  try {
    const command = [program.cli, dataset.evidence, '-f', format, '-o', output, '--force', '--quiet', ...program.cliArgs];
    const { seconds, cpuSeconds, rssMiB } = await runProgram([...program.nodeArgs, ...command]);
    const outputBytes = statSync(output).size;
    return { seconds, cpuSeconds, rssMiB, outputBytes, writeSeconds: writeOnly(join(folder, 'write-only'), outputBytes) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  program: Program,
  dataset: Dataset,
  rounds: number,
  scratch: string,
  formats: readonly Format[],
): Promise<Measurement> {
  const { kind, size, bytes, files } = dataset;
  const result: Measurement = { spec: { kind, size }, inputBytes: bytes, files, floor: [], runs: { csv: [], jsonl: [] } };
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`${kind}:${size} round ${round} of ${rounds}`);
    result.floor.push(await measureFloor(dataset));
    for (const format of formats) result.runs[format].push(await measureRun(program, dataset, format, scratch));
  }
  return result;
}

function machine(): string {
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return `${availableParallelism()} cores, ${memory} GiB memory, Node ${process.version}, ${process.platform} ${process.arch}`;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '3' },
      only: { type: 'string', default: DEFAULT_SETS },
      dir: { type: 'string', default: DEFAULT_DIR },
      seed: { type: 'string', default: '1' },
      json: { type: 'string' },
      check: { type: 'boolean', default: false },
      formats: { type: 'string', default: FORMATS.join(',') },
      cli: { type: 'string', default: CLI },
      'cli-arg': { type: 'string', multiple: true, default: [] },
      'node-arg': { type: 'string', multiple: true, default: [] },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1');
  const formats = FORMATS.filter((format) => values.formats.split(',').includes(format));
  const program: Program = { cli: values.cli, cliArgs: values['cli-arg'], nodeArgs: values['node-arg'] };
  mkdirSync(values.dir, { recursive: true });

  const measured: Measurement[] = [];
  const failures: string[] = [];
  for (const spec of parseSets(values.only)) {
    const dataset = ensureDataset(values.dir, spec, Number(values.seed));
    try {
      measured.push(await measure(program, dataset, rounds, values.dir, formats));
    } catch (error) {
      failures.push(`${spec.kind}:${spec.size}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  const all = measured.flatMap(lines);
  console.log(`${machine()}; rounds: ${rounds}; wall and CPU are minima, RSS is the maximum.\n`);
  if (all.length > 0) console.log(table(all));
  if (values.json !== undefined) {
    const samples = measured.map(({ spec, floor, runs }) => ({ ...spec, floor, ...runs }));
    writeFileSync(values.json, `${JSON.stringify({ machine: machine(), rounds, lines: all, samples }, null, 2)}\n`);
  }
  const missed = all.flatMap((line) => line.missed);
  for (const text of [...failures.map((failure) => `failed: ${failure}`), ...missed.map((miss) => `missed: ${miss}`)]) console.error(text);
  return failures.length > 0 || (values.check && missed.length > 0) ? 1 : 0;
}

process.exitCode = await main();
