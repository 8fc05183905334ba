import { Copies, type RowsPart } from '../enrich/copies.js';
import { IndexedRows } from '../enrich/indexed-rows.js';
import type { TimelineOrderNote } from '../enrich/order-notes.js';
import { LIMITS } from '../enrich/store.js';
import { type Sequence, TimelineRows } from '../enrich/timeline-rows.js';
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
  readonly parts: readonly RowsPart[];
  /** Run files by their numbers; the first is that of this thread. */
  readonly files: readonly RunFile[];
  /** Owner of each unit. */
  readonly owners: readonly string[];
}

/** Finds copies, brings all rows into order, and writes them. */
export async function writeRows(
  options: RunOptions,
  { parts, files, owners }: Rows,
  encoding: Encoding,
  outputs: Outputs,
  guard: Guard,
): Promise<{ readonly timeline: TimelineTotals; readonly written: readonly WrittenFile[] }> {
  const [store] = files;
  if (store === undefined) throw new Error('there is no run file');
  const limits = options.limits ?? LIMITS;
  const rows = new IndexedRows(parts);
  const total: TimelineTotals = { rows: 0, duplicates: 0, dropped: 0, parts: [] };
  const done: WrittenFile[] = [];
  try {
    const primaries = new Copies(rows, parts, limits, store).find();
    const groups = grouped(new TimelineRows(rows, primaries, limits, store), options, owners);
    const targets = outputs.targets([...groups.keys()]);
    for (const [i, sequence] of [...groups.values()].entries()) {
      const target = targets[i];
      if (target === undefined) throw new Error('a group without a file');
      const output = target.open();
      const before = total.rows;
      const {
        rows: written,
        duplicates,
        dropped,
        parts: filled,
        order,
      } = await writeTimeline(sequence, files, output, {
        keepDuplicates: options.keepDuplicates,
        header: encoding.header,
        rowsPerFile: rowsPerFile(options),
        duplicatePlace: encoding.duplicatePlace,
        inspect: guard.inspect,
        breathe(count) {
          options.progress?.({ phase: 'write', file: '', done: before + count, of: rows.length, bytes: 0, ofBytes: 0 });
          options.signal?.throwIfAborted();
          return breathe();
        },
      });
      const holds = target.holds === undefined ? {} : { holds: target.holds };
      // A reader that went away has the rest of nothing: the last part has no count of its own.
      const finished = output.finish();
      const noted = finished.length === 1 ? { order } : {};
      done.push(...finished.map((part, n) => ({ ...part, ...holds, rows: filled[n] ?? written, ...noted })));
      total.rows += written;
      total.duplicates += duplicates;
      total.dropped += dropped;
      total.parts.push(...filled);
    }
  } finally {
    for (const file of files) file.remove();
  }
  return { timeline: total, written: done };
}

/** Standard output cannot be divided, and only a spreadsheet has a last row. */
function rowsPerFile({ format, output, csv }: RunOptions): number {
  return format === 'csv' && output !== STDOUT ? (csv.rowsPerFile ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
}

function grouped(rows: TimelineRows, { split }: RunOptions, owners: readonly string[]): ReadonlyMap<string, Sequence> {
  if (split === undefined) return new Map([['', rows.whole()]]);
  return rows.divided(split === 'user' ? (unit) => owners[unit] ?? '' : (_unit, agent) => agent);
}
