import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { loadCatalog } from '../catalog/load.js';
import { collect } from '../collect/collect.js';
import type { Collected, Collection } from '../collect/collection.js';
import { findDuplicates } from '../enrich/duplicates.js';
import { makeRuns } from '../enrich/runs.js';
import { pairByText } from '../enrich/text-matches.js';
import { createScratch, type Scratch } from '../evidence/scratch.js';
import { TooLargeError } from '../evidence/source.js';
import { readStdin } from '../evidence/stdin.js';
import { PARSERS } from '../parsers/index.js';
import { errorDraft } from '../rows/problem.js';
import type { Row } from '../rows/row.js';
import { VERSION } from '../version.js';
import { csvEncoder, csvHeader, duplicatePlaceCsv } from '../write/csv.js';
import { duplicatePlace, jsonLine } from '../write/jsonl.js';
import { fileOutput, type Output, standardOutput } from '../write/output.js';
import { RunFile } from '../write/run-file.js';
import { type TimelineCounts, writeTimeline } from '../write/timeline.js';
import { UsageError } from '../write/usage-error.js';
import { makeFilter } from './filter.js';
import type { Manifest, ManifestInput } from './manifest.js';
import { buildManifest } from './manifest-build.js';
import type { RunOptions } from './options.js';
import { type Reading, readArtifact } from './read.js';
import { breathe, whenKilled } from './signals.js';
import { RowSink, type SinkCounts } from './sink.js';
import { STDIN, stdinCollection } from './stdin.js';

export interface RunResult {
  readonly collection: Collection;
  readonly inputs: readonly ManifestInput[];
  readonly counts: SinkCounts;
  readonly timeline: TimelineCounts;
  readonly manifest: Manifest;
  /** True when some evidence could not be read in full. */
  readonly incomplete: boolean;
  /** True when there was nothing to read. */
  readonly nothing: boolean;
}

const STDOUT = '-';

/** Encoding of one format. */
interface Encoding {
  readonly header: string;
  readonly line: (row: Row) => string;
  readonly duplicatePlace: (line: Buffer) => number;
  readonly csvCounts: Manifest['csv'] | undefined;
}

/** The main job: collect, read, order, write. Throws `UsageError` for a call that cannot be carried out. */
export async function run(options: RunOptions): Promise<RunResult> {
  const started = new Date();
  const stores = loadCatalog();
  const stdin = options.paths.includes(STDIN) ? stdinAlone(options.paths) : undefined;
  const roots = stdin === undefined ? options.paths.map(rootOf) : [];
  refuseOutputInEvidence(options, roots);
  const output = options.output === STDOUT ? standardOutput() : fileOutput(options.output, options.force);
  const manifestOutput = openManifest(options, output);
  const discard = () => {
    output.discard();
    manifestOutput?.discard();
  };
  const release = whenKilled(discard);
  let scratch: Scratch | undefined;
  try {
    scratch = openScratch(options.scratch);
    const detectors = PARSERS.flatMap(({ id, detect }) => (detect === undefined ? [] : [{ store: id, detect }]));
    const collection =
      stdin === undefined ? collect(roots, stores, { detectors, allFiles: options.allFiles }) : stdinCollection(stdin, stores, detectors);
    const encoding = encodingOf(options);
    const runFile = new RunFile(scratch.path, 'rows');
    const sink = new RowSink(encoding.line, runFile, makeFilter(options.filter));
    const reading: Reading = {
      parsers: new Map(PARSERS.map((parser) => [parser.id, parser])),
      scratch,
      sink,
      stdin,
      byFile: new Map(collection.artifacts.map((found) => [found.artifact.file, found])),
      host: options.host,
      user: options.user,
      toolVersion: VERSION,
      copies: new Map(),
    };
    const inputs = await readAll(collection.artifacts, reading, options);
    unreadRows(collection, reading);
    const primaries = findDuplicates(sink.index);
    pairByText(sink.texts, primaries);
    output.write(Buffer.from(encoding.header));
    const timeline = await writeTimeline(sink.index, makeRuns(sink.index), primaries, [runFile], output, {
      keepDuplicates: options.keepDuplicates,
      duplicatePlace: encoding.duplicatePlace,
      breathe,
    });
    runFile.remove();
    const written = output.finish();
    const csv = encoding.csvCounts ?? null;
    const manifest = buildManifest({ options, started, roots, collection, inputs, counts: sink.counts, timeline, written, csv });
    manifestOutput?.write(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    manifestOutput?.finish();
    const unread = collection.errors.length > 0;
    const incomplete = unread || inputs.some((input) => input.problems.length > 0) || collection.unrecognised.length > 0;
    return { collection, inputs, counts: sink.counts, timeline, manifest, incomplete, nothing: inputs.length === 0 && !unread };
  } catch (error) {
    discard();
    throw error;
  } finally {
    scratch?.remove();
    release();
  }
}

function stdinAlone(paths: readonly string[]): Buffer {
  try {
    return readStdin(paths);
  } catch (error) {
    throw error instanceof TooLargeError ? new UsageError(error.message) : error;
  }
}

function openScratch(folder: string | undefined): Scratch {
  try {
    return createScratch(folder);
  } catch (error) {
    throw new UsageError(`cannot use the scratch folder${folder === undefined ? '' : ` ${folder}`} (${codeOf(error)})`);
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'error');

function rootOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new UsageError(`cannot open ${path} (${codeOf(error)})`);
  }
}

/** The evidence stays untouched: nothing may be written into it, also not through a link. */
function refuseOutputInEvidence(options: RunOptions, roots: readonly string[]): void {
  const targets = [options.output, options.manifest ?? ''].filter((path) => path !== '' && path !== '-');
  for (const target of targets) {
    const folder = realFolder(dirname(resolve(target)));
    const file = resolve(folder, basename(target));
    for (const root of roots) {
      const inside = relative(root, file);
      if (
        inside === '' ||
        (!inside.startsWith(`..${sep}`) && inside !== '..' && !inside.startsWith(sep) && resolve(root, inside) === file)
      ) {
        throw new UsageError(`output lies inside the evidence: ${target}`);
      }
    }
  }
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new UsageError(`no such folder: ${path}`);
  }
}

function openManifest(options: RunOptions, output: Output): Output | undefined {
  const path = options.manifest ?? (options.output === STDOUT ? undefined : `${options.output}.manifest.json`);
  if (path === undefined) return undefined;
  try {
    return fileOutput(path, options.force);
  } catch (error) {
    output.discard();
    throw error;
  }
}

function encodingOf(options: RunOptions): Encoding {
  if (options.format === 'jsonl') return { header: '', line: jsonLine, duplicatePlace, csvCounts: undefined };
  const { line, counts } = csvEncoder(options.csv);
  return {
    header: csvHeader(options.csv),
    line,
    duplicatePlace: duplicatePlaceCsv,
    get csvCounts() {
      return { cells_guarded: counts.guarded, cells_escaped: counts.escaped, cells_cut: counts.cut };
    },
  };
}

async function readAll(artifacts: readonly Collected[], reading: Reading, options: RunOptions): Promise<ManifestInput[]> {
  const inputs: ManifestInput[] = [];
  for (const [i, found] of artifacts.entries()) {
    options.progress?.(found.artifact.file, i, artifacts.length);
    inputs.push(await readArtifact(found, reading));
  }
  return inputs;
}

/** Folders and files that could not be opened at all are rows too: their absence must show in the timeline. */
function unreadRows(collection: Collection, reading: Reading): void {
  for (const { file, what } of collection.errors) {
    reading.sink.beginUnit();
    reading.sink.add(errorDraft(`${file}: could not be read: ${what}`), {
      host: reading.host,
      user: reading.user,
      agent: '',
      file,
      table: '',
      rowid: 0,
      sha256: '',
      copy: 0,
      toolVersion: reading.toolVersion,
      used: new Map(),
    });
  }
}
