import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { TimelineOrderNote } from '../enrich/order-notes.js';
import { hashFile } from '../evidence/hash-file.js';
import { mergeTimelines } from '../merge/index.js';
import { messageOf } from '../rows/problem.js';
import { VERSION } from '../version.js';
import { jsonLine } from '../write/jsonl.js';
import { fileOutput, type Output, standardOutput } from '../write/output.js';
import { UsageError } from '../write/usage-error.js';
import { timelineAmong } from './analysis.js';
import { rootOf, STDOUT } from './call.js';
import { OrderSchema } from './manifest.js';
import { stamp } from './manifest-build.js';
import type { MergeManifest } from './merge-manifest.js';
import { type LineProblem, TimelineFile } from './timeline-file.js';

export interface MergeOptions {
  /** Paths of timelines in JSONL, each with a label ahead of it if wanted: `host1=case/1.jsonl`. */
  readonly timelines: readonly string[];
  readonly output: string;
  readonly force: boolean;
  readonly argv: readonly string[];
}

export interface MergeResult {
  readonly manifest: MergeManifest;
  readonly problems: readonly (LineProblem & { readonly label: string })[];
}

/** All timelines together are read in blocks of this many bytes, each in at least the least block. */
const BLOCKS = 16 << 20;
const LEAST_BLOCK = 64 << 10;
const PENDING = 1 << 20;

/** Brings timelines of several runs together. Throws `UsageError` for a call that cannot be carried out. */
export async function merge(options: MergeOptions): Promise<MergeResult> {
  const started = new Date();
  const block = Math.max(LEAST_BLOCK, Math.floor(BLOCKS / options.timelines.length));
  const inputs = labelled(options.timelines).map(({ label, path }) => ({ label, path, file: new TimelineFile(path, false, block) }));
  const before = inputs.map(({ path }) => hashOf(path));
  if (options.output !== STDOUT && inputs.some(({ path }) => path === resolve(options.output)))
    throw new UsageError(`output is one of the timelines: ${options.output}`);
  const outputs: Output[] = [];
  try {
    const rows = options.output === STDOUT ? standardOutput() : fileOutput(options.output, options.force);
    outputs.push(rows);
    const beside = options.output === STDOUT ? undefined : fileOutput(`${options.output}.manifest.json`, options.force);
    if (beside !== undefined) outputs.push(beside);
    const lines = new Lines(rows);
    const counts = await mergeTimelines(
      inputs.map(({ label, path, file }, i) => ({ label, rows: () => file.rows(), order: orderOf(path, before[i]?.sha256 ?? '') })),
      (row) => lines.add(jsonLine(row)),
    );
    lines.flush();
    const written = rows.finish();
    const manifest: MergeManifest = {
      schema: 'kirotrail-merge/1',
      tool: 'kirotrail',
      version: VERSION,
      node: process.version,
      platform: process.platform,
      argv: [...options.argv],
      started_utc: stamp(started),
      finished_utc: stamp(new Date()),
      inputs: inputs.map(({ label, path, file }, i) => ({
        label,
        path,
        size: before[i]?.size ?? 0,
        sha256: before[i]?.sha256 ?? '',
        rows: counts.rows[i] ?? 0,
        broken_lines: file.broken,
      })),
      outputs: [
        {
          path: options.output,
          format: 'jsonl',
          rows: counts.rows.reduce((a, b) => a + b, 0),
          ...written,
          order: counts.order,
        },
      ],
      repeats: counts.repeats,
    };
    beside?.write(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    beside?.finish();
    return { manifest, problems: inputs.flatMap(({ label, file }) => file.problems.map((problem) => ({ ...problem, label }))) };
  } catch (error) {
    for (const output of outputs) output.discard();
    throw error;
  }
}

function hashOf(path: string): { readonly sha256: string; readonly size: number } {
  try {
    return hashFile(path);
  } catch (error) {
    throw new UsageError(`cannot read ${path} (${error instanceof Error && 'code' in error ? String(error.code) : messageOf(error)})`);
  }
}

const NotedSchema = z.looseObject({ outputs: z.array(z.looseObject({ sha256: z.string(), order: OrderSchema.optional() })) });

/** What the manifest beside a timeline says of its order, where it speaks of these bytes. */
function orderOf(path: string, sha256: string): TimelineOrderNote | undefined {
  try {
    const noted = NotedSchema.safeParse(JSON.parse(readFileSync(`${path}.manifest.json`, 'utf8')));
    return noted.data?.outputs.find((output) => output.sha256 === sha256)?.order;
  } catch {
    return undefined;
  }
}

/** Timelines in the order of their labels, which is that of the folders they were made of. */
function labelled(timelines: readonly string[]): { readonly label: string; readonly path: string }[] {
  const taken = new Set<string>();
  const inputs = timelines.map((text) => {
    const at = /^[^/=\\]{1,200}=./.test(text) ? text.indexOf('=') : -1;
    const path = rootOf(text.slice(at + 1));
    // One that is empty comes of a machine where nothing was found.
    if (statSync(path).size > 0 && timelineAmong([path]) === undefined)
      throw new UsageError(`${text.slice(at + 1)} is no timeline in JSONL`);
    const label = at < 0 ? nameOf(path) : text.slice(0, at);
    if (taken.has(label)) throw new UsageError(`two timelines are called ${label}: name them (name=path)`);
    taken.add(label);
    return { label, path };
  });
  // As the paths of source files are ordered: `a/x` behind `a-b/x`.
  return inputs.sort((a, b) => (`${a.label}/` < `${b.label}/` ? -1 : 1));
}

/** The name of the file; of a file that is called like all others, the name of its folder. */
function nameOf(path: string): string {
  const name = basename(path).replace(/\.jsonl$/i, '');
  return name === 'timeline' ? basename(dirname(path)) : name;
}

/** Gathers lines to pieces of a size worth writing. */
class Lines {
  private pending: string[] = [];
  private length = 0;

  constructor(private readonly output: Output) {}

  add(line: string): void {
    this.pending.push(line, '\n');
    this.length += line.length;
    if (this.length > PENDING) this.flush();
  }

  flush(): void {
    if (this.pending.length > 0) this.output.write(Buffer.from(this.pending.join('')));
    this.pending = [];
    this.length = 0;
  }
}
