import { join } from 'node:path';
import { createScratch } from '../evidence/scratch.js';
import type { Row } from '../rows/row.js';
import type { FilterOptions } from './filter.js';
import type { Manifest } from './manifest.js';
import type { Progress, SecretOptions } from './options.js';
import { run } from './run.js';
import { TimelineFile } from './timeline-file.js';

/** All as for the command; what is absent has the default of the command. */
export interface ReadOptions {
  readonly host?: string;
  readonly user?: string;
  /** Rows of other kinds are left out; error rows always stay. Times as in `timestamp_utc`. */
  readonly filter?: Partial<FilterOptions>;
  /** False: rows that another row already says are left out. */
  readonly duplicates?: boolean;
  /** False: deleted space of databases is left alone. */
  readonly recover?: boolean;
  readonly secrets?: Partial<SecretOptions>;
  readonly allFiles?: boolean;
  /** Reading threads; absent: by the size of the evidence. */
  readonly workers?: number;
  /** Folder in which the private scratch folder is made. */
  readonly scratch?: string;
  readonly signal?: AbortSignal;
  readonly progress?: (progress: Progress) => void;
}

/** The rows of a timeline, in its order. */
export interface EvidenceRows extends AsyncIterable<Row> {
  /** What was read, left out and could not be read: there as soon as the first row is. */
  readonly manifest: Manifest | undefined;
}

/**
 * The rows of evidence as the command writes them: in order, with duplicates named and secrets masked. Nothing is done before
 * the first row is asked for; then all evidence is read, since any of it can hold the earliest row. The rows wait in a private
 * folder and are taken from there, about a megabyte at a time, as fast as they are asked for. The folder is removed when the loop ends, in
 * whatever way. Throws `UsageError` for a call that cannot be carried out, and the reason of `signal` when it is aborted.
 */
export function readEvidence(paths: string | readonly string[], options: ReadOptions = {}): EvidenceRows {
  let manifest: Manifest | undefined;
  return {
    get manifest() {
      return manifest;
    },
    async *[Symbol.asyncIterator]() {
      options.signal?.throwIfAborted();
      const scratch = createScratch(options.scratch);
      try {
        const output = join(scratch.path, 'timeline.jsonl');
        const result = await run({ ...runOptions(paths, options), output });
        // The file it names is gone when the loop ends.
        manifest = { ...result.manifest, outputs: [] };
        const file = new TimelineFile(output, true);
        for await (const batch of file.rows()) {
          for (const row of batch) {
            options.signal?.throwIfAborted();
            yield row;
          }
        }
        const [problem] = file.problems;
        if (problem !== undefined) throw new Error(`row ${problem.line} of the timeline cannot be given: ${problem.what}`);
      } finally {
        scratch.remove();
      }
    },
  };
}

function runOptions(paths: string | readonly string[], options: ReadOptions): Omit<Parameters<typeof run>[0], 'output'> {
  const { host = '', user = '', filter, duplicates = true, recover = true, secrets, allFiles = false } = options;
  return {
    paths: typeof paths === 'string' ? [paths] : paths,
    format: 'jsonl',
    force: false,
    host,
    user,
    filter: { keepUndated: false, rowTypes: [], sessions: [], projects: [], ...filter },
    keepDuplicates: duplicates,
    csv: { raw: false, bom: false },
    recover,
    secrets: { policy: 'redact', least: 'medium', ...secrets },
    allFiles,
    workers: options.workers,
    scratch: options.scratch,
    argv: [],
    signal: options.signal,
    progress: options.progress,
  };
}
