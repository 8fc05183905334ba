import { availableParallelism } from 'node:os';
import { loadCatalog } from '../catalog/load.js';
import type { Collection } from '../collect/collection.js';
import { collectEvidence } from '../collect/evidence.js';
import type { Scratch } from '../evidence/scratch.js';
import type { Artifact } from '../evidence/source.js';
import { PARSERS } from '../parsers/index.js';
import { fingerprinter } from '../secrets/index.js';
import { VERSION } from '../version.js';
import { writeText } from '../write/output.js';
import { RunFile } from '../write/run-file.js';
import type { TimelineTotals } from '../write/timeline.js';
import { openBesideRows, openScratch, refuseOutputInEvidence, rootOf, stdinAlone } from './call.js';
import { addCounts, type Encoding, type EncodingCounts, type EncodingOptions, encodingOf } from './encoding.js';
import { makeFilter } from './filter.js';
import { type Guard, makeGuard } from './guard.js';
import type { Manifest, ManifestInput } from './manifest.js';
import { buildManifest, stamp } from './manifest-build.js';
import type { RunOptions } from './options.js';
import { Pool } from './pool.js';
import { EvidenceReader } from './read.js';
import { RowSecrets, type SecretHarvest } from './row-secrets.js';
import { joinHarvests, secretReport, writeSarif } from './secret-report.js';
import { type ReadySecrets, readySecrets, type SecretSettings } from './secret-settings.js';
import { unlessAborted, whenKilled } from './signals.js';
import { RowSink, type SinkCounts } from './sink.js';
import { STDIN, stdinCollection } from './stdin.js';
import { takeOutcomes } from './take.js';
import { joinsEvents } from './unit.js';
import { Outputs, type Rows, writeRows } from './write-rows.js';

export interface RunResult {
  readonly collection: Collection;
  readonly inputs: readonly ManifestInput[];
  readonly counts: SinkCounts;
  readonly timeline: TimelineTotals;
  readonly manifest: Manifest;
  /** True when some evidence could not be read in full. */
  readonly incomplete: boolean;
  /** True when there was nothing to read. */
  readonly nothing: boolean;
  /** Masks in a message what is masked in the rows. */
  readonly clean: (text: string) => string;
}

/** Below this much evidence, threads cost more than they give. */
const WORKERS_FROM_BYTES = 30 << 20;
const MOST_WORKERS = 4;

/** The main job: collect, read, order, write. Throws `UsageError` for a call that cannot be carried out. */
export async function run(options: RunOptions): Promise<RunResult> {
  const started = new Date();
  const stdin = options.paths.includes(STDIN) ? stdinAlone(options.paths) : undefined;
  const roots = stdin === undefined ? options.paths.map(rootOf) : [];
  refuseOutputInEvidence(options, roots);
  const outputs = new Outputs(options);
  const beside = openBesideRows(options, outputs);
  const discard = () => {
    outputs.discard();
    beside.discard();
  };
  const release = whenKilled(discard);
  let scratch: Scratch | undefined;
  try {
    scratch = openScratch(options.scratch);
    const collection = await gather(options, roots, stdin, scratch.path);
    const { format, csv } = options;
    const encodingOptions = { format, csv, collected: Date.parse(stamp(started)) };
    const encoding = encodingOf(encodingOptions);
    const ready = readySecrets(options.secrets, collection.artifacts, stdin);
    const read = await readAll(options, collection, stdin, scratch, encoding, encodingOptions, ready);
    const guard = makeGuard(read.secrets.hits, fingerprinter(Buffer.from(ready.settings.key)), encoding.mask);
    const { timeline, written } = await writeRows(options, read, encoding, outputs, guard);
    const { inputs, counts, changed, scanned } = read;
    const secrets = secretReport(ready, read.secrets, guard);
    const manifest = buildManifest({
      options,
      started,
      roots,
      collection,
      inputs,
      counts,
      timeline,
      written,
      changed,
      secrets,
      scanned,
    });
    if (beside.manifest !== undefined) writeText(beside.manifest, guard.document(manifest));
    beside.manifest?.finish();
    if (beside.sarif !== undefined) writeSarif(beside.sarif, ready, read.secrets, guard);
    const unread = collection.errors.length > 0;
    const incomplete = unread || inputs.some((input) => input.problems.length > 0) || collection.unrecognised.length > 0;
    return {
      collection,
      inputs,
      counts,
      timeline,
      manifest,
      incomplete,
      nothing: inputs.length === 0 && !unread,
      clean: guard.clean,
    };
  } catch (error) {
    discard();
    throw error;
  } finally {
    scratch?.remove();
    release();
  }
}

async function gather(options: RunOptions, roots: readonly string[], stdin: Buffer | undefined, scratch: string): Promise<Collection> {
  const stores = loadCatalog();
  const detectors = PARSERS.flatMap(({ id, detect }) => (detect === undefined ? [] : [{ store: id, detect }]));
  if (stdin !== undefined) return stdinCollection(stdin, stores, detectors);
  const progress =
    options.progress && ((file: string) => options.progress?.({ phase: 'read', file, done: 0, of: 1, bytes: 0, ofBytes: 0 }));
  return collectEvidence(roots, stores, {
    detectors,
    allFiles: options.allFiles,
    scratch,
    limits: options.archiveLimits,
    signal: options.signal,
    progress,
  });
}

/** All rows, encoded, with their index and the run files that hold them. */
interface ReadResult extends Rows {
  readonly inputs: ManifestInput[];
  readonly counts: SinkCounts;
  /** Databases whose deleted space was looked through. */
  readonly scanned: readonly string[];
  readonly changed: EncodingCounts;
  readonly secrets: SecretHarvest;
}

async function readAll(
  options: RunOptions,
  collection: Collection,
  stdin: Buffer | undefined,
  scratch: Scratch,
  encoding: Encoding,
  encodingOptions: EncodingOptions,
  ready: ReadySecrets,
): Promise<ReadResult> {
  const scan = ready.settings.policy === 'off' ? undefined : ready.settings;
  const echoes = collection.artifacts.some(({ store }) => joinsEvents(store.id));
  const pool = openPool(options, collection, scratch, { scan, echoes, encoding: encodingOptions });
  const { signal } = options;
  const runFile = new RunFile(scratch.path, 'rows');
  const sink = new RowSink(encoding.line, runFile, makeFilter(options.filter), scan && new RowSecrets(scan), echoes, signal);
  const reader = new EvidenceReader({
    scratch,
    sink,
    pool,
    stdin,
    byFile: new Map(collection.artifacts.map((found) => [found.artifact.file, found])),
    sizes: countBy(collection.artifacts.map(({ artifact }) => artifact.size)),
    recover: options.recover ?? true,
    host: options.host,
    user: options.user,
    toolVersion: VERSION,
  });
  try {
    const tell = progressOf(options, collection, pool);
    if (pool !== undefined) pool.onSettled = () => tell(undefined);
    for (const found of collection.artifacts) {
      signal?.throwIfAborted();
      tell(found.artifact);
      await reader.read(found);
    }
    reader.flush();
    for (const trouble of collection.errors) reader.unreadable(trouble);
    const taken = takeOutcomes(pool === undefined ? [] : await unlessAborted(pool.drain(), signal), reader, sink, runFile, scratch.path);
    reader.finish();
    const changed = addCounts(encoding.counts(), taken.changed);
    const harvest = sink.secrets?.harvest();
    const secrets = joinHarvests(harvest === undefined ? taken.harvests : [harvest, ...taken.harvests]);
    return {
      counts: sink.counts,
      parts: [{ ...sink.finish(), file: 0, store: runFile }, ...taken.parts],
      files: taken.files,
      owners: reader.owners,
      inputs: reader.inputs,
      scanned: reader.scanned,
      changed,
      secrets,
    };
  } catch (error) {
    runFile.remove();
    reader.finish();
    throw error;
  } finally {
    await pool?.close();
  }
}

/** Tells what is read, and how much of the evidence is: what came before, without what threads still have before them. */
function progressOf({ progress }: RunOptions, { artifacts }: Collection, pool: Pool | undefined): (next: Artifact | undefined) => void {
  const ofBytes = artifacts.reduce((sum, { artifact }) => sum + artifact.size, 0);
  let [file, done, begun, before] = ['', 0, 0, 0];
  return (next) => {
    if (next !== undefined) {
      file = next.file;
      done += 1;
      before += begun;
      begun = next.size;
    }
    progress?.({ phase: 'read', file, done, of: artifacts.length, bytes: Math.max(0, before - (pool?.pendingBytes ?? 0)), ofBytes });
  };
}

function countBy(sizes: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const size of sizes) counts.set(size, (counts.get(size) ?? 0) + 1);
  return counts;
}

interface Known {
  readonly scan: SecretSettings | undefined;
  readonly echoes: boolean;
  readonly encoding: EncodingOptions;
}

function openPool(options: RunOptions, collection: Collection, scratch: Scratch, { scan, echoes, encoding }: Known): Pool | undefined {
  const bytes = collection.artifacts.reduce((sum, { artifact, store }) => sum + (store.read ? artifact.size : 0), 0);
  const workers = options.workers ?? (bytes < WORKERS_FROM_BYTES ? 0 : Math.min(availableParallelism(), MOST_WORKERS));
  const { filter } = options;
  return workers > 0 ? new Pool(workers, { encoding, filter, secrets: scan, echoes }, scratch.path) : undefined;
}
