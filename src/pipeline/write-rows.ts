import { findDuplicates } from '../enrich/duplicates.js';
import { pairEchoes } from '../enrich/echoes.js';
import { groupRuns } from '../enrich/groups.js';
import { pairMigrated } from '../enrich/migrated.js';
import type { TimelineOrderNote } from '../enrich/order-notes.js';
import { makeRuns, type Runs } from '../enrich/runs.js';
import { pairByText } from '../enrich/text-matches.js';
import { escapeUnsafe } from '../rows/problem.js';
import { refuseTarget } from '../write/output.js';
import { openParts, type Parts } from '../write/parts.js';
import type { RunFile } from '../write/run-file.js';
import { splitNames } from '../write/split-name.js';
import { type TimelineTotals, writeTimeline } from '../write/timeline.js';
import { UsageError } from '../write/usage-error.js';
import { STDOUT } from './call.js';
import type { Encoding } from './encoding.js';
import type { Guard } from './guard.js';
import type { RunOptions } from './options.js';
import { breathe } from './signals.js';
import type { RowSink } from './sink.js';

/** A file with rows, as it was written. */
export interface WrittenFile {
  readonly path: string;
  /** Whose rows it holds, of a timeline that is divided. */
  readonly holds?: string;
  readonly rows: number;
  readonly size: number;
  readonly sha256: string;
  /** How its rows stand to their times; of a timeline of one file. */
  readonly order?: TimelineOrderNote;
}

interface Target {
  readonly path: string;
  readonly holds?: string;
  open(): Parts;
}

/** Where a timeline goes: one output, opened before the work; or one a user or agent, whose names are known at its end. */
export class Outputs {
  private readonly single: Parts | undefined;
  private readonly opened: Parts[] = [];

  constructor(private readonly options: RunOptions) {
    const { output, split } = options;
    if (split !== undefined && output === STDOUT) throw new UsageError('--split writes several files: it needs --output');
    // `name-2.csv` may be the second part of one file, or the file of somebody called 2.
    if (split !== undefined && options.csv.rowsPerFile !== undefined)
      throw new UsageError('--split and --csv-split (or --csv-preset excel, which divides at the last row of a sheet) do not go together');
    if (split === undefined) this.single = this.keep(this.parts(output));
  }

  /** Files for these keys, each opened when its turn comes. All names are fit before the first is written. */
  targets(keys: readonly string[]): Target[] {
    const { single } = this;
    const { output: path, force, split } = this.options;
    if (single !== undefined) return [{ path, open: () => single }];
    const names = splitNames(path, keys, `no-${split}`);
    for (const name of names) refuseTarget(name, force);
    return names.map((name, i) => ({
      path: name,
      holds: `${split} ${escapeUnsafe(keys[i] ?? '')}`.trimEnd(),
      open: () => this.keep(this.parts(name)),
    }));
  }

  /** Leaves nothing unfinished behind. */
  discard(): void {
    for (const output of this.opened) output.discard();
  }

  private parts(path: string): Parts {
    return openParts(path, this.options.force, this.options.csv.rowsPerFile !== undefined);
  }

  private keep(output: Parts): Parts {
    this.opened.push(output);
    return output;
  }
}

export interface Rows {
  readonly sink: RowSink;
  readonly files: readonly RunFile[];
  /** Owner of each unit. */
  readonly owners: readonly string[];
}

/** Finds copies, brings all rows into order, and writes them. */
export async function writeRows(
  options: RunOptions,
  { sink, files, owners }: Rows,
  encoding: Encoding,
  outputs: Outputs,
  guard: Guard,
): Promise<{ readonly timeline: TimelineTotals; readonly written: readonly WrittenFile[] }> {
  const { index } = sink;
  const primaries = findDuplicates(index);
  pairByText(sink.texts, index, primaries);
  pairMigrated(sink.events, index, primaries);
  pairEchoes(sink.events.marks, index, primaries);
  const groups = grouped(makeRuns(index), options, sink, owners);
  const total: TimelineTotals = { rows: 0, duplicates: 0, dropped: 0, parts: [] };
  const written: WrittenFile[] = [];
  try {
    const targets = outputs.targets([...groups.keys()]);
    for (const [i, runs] of [...groups.values()].entries()) {
      const target = targets[i];
      if (target === undefined) throw new Error('a group without a file');
      const output = target.open();
      const before = total.rows;
      const { rows, duplicates, dropped, parts, order } = await writeTimeline(index, runs, primaries, files, output, {
        keepDuplicates: options.keepDuplicates,
        header: encoding.header,
        rowsPerFile: rowsPerFile(options),
        duplicatePlace: encoding.duplicatePlace,
        inspect: guard.inspect,
        breathe(done) {
          options.progress?.({ phase: 'write', file: '', done: before + done, of: index.length, bytes: 0, ofBytes: 0 });
          options.signal?.throwIfAborted();
          return breathe();
        },
      });
      const holds = target.holds === undefined ? {} : { holds: target.holds };
      // A reader that went away has the rest of nothing: the last part has no count of its own.
      const finished = output.finish();
      const noted = finished.length === 1 ? { order } : {};
      written.push(...finished.map((part, n) => ({ ...part, ...holds, rows: parts[n] ?? rows, ...noted })));
      total.rows += rows;
      total.duplicates += duplicates;
      total.dropped += dropped;
      total.parts.push(...parts);
    }
  } finally {
    for (const file of files) file.remove();
  }
  return { timeline: total, written };
}

/** Standard output cannot be divided, and only a spreadsheet has a last row. */
function rowsPerFile({ format, output, csv }: RunOptions): number {
  return format === 'csv' && output !== STDOUT ? (csv.rowsPerFile ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
}

function grouped(runs: Runs, { split }: RunOptions, { index }: RowSink, owners: readonly string[]): ReadonlyMap<string, Runs> {
  if (split === undefined) return new Map([['', runs]]);
  return groupRuns(runs, split === 'user' ? (_row, unit) => owners[unit] ?? '' : (row) => index.agent(row));
}
