import type { RowsPart } from '../enrich/copies.js';
import { RunFile } from '../write/run-file.js';
import { addCounts, type EncodingCounts } from './encoding.js';
import type { TaskOutcome } from './pool.js';
import type { EvidenceReader } from './read.js';
import type { SecretHarvest } from './row-secrets.js';
import type { RowSink, SinkCounts } from './sink.js';

export interface Taken {
  /** The one of this thread, and behind it those of the workers. */
  readonly files: readonly RunFile[];
  /** What the workers know of their rows. */
  readonly parts: readonly RowsPart[];
  readonly changed: EncodingCounts;
  readonly harvests: readonly SecretHarvest[];
}

/** Brings what the workers read together with what this thread read, in the order in which the work was given out. */
export function takeOutcomes(outcomes: readonly TaskOutcome[], reader: EvidenceReader, sink: RowSink, own: RunFile, folder: string): Taken {
  const harvests: SecretHarvest[] = [];
  const numbers = new Map<string, number>();
  const files = [own];
  const parts: RowsPart[] = [];
  let changed: EncodingCounts = {};
  for (const outcome of outcomes) {
    if ('failed' in outcome) {
      reader.failed(outcome.tasks, outcome.failed);
      continue;
    }
    const { report, file } = outcome;
    const number = numbers.get(file) ?? files.length;
    const store = files[number] ?? new RunFile(folder, file, true);
    numbers.set(file, number);
    files[number] = store;
    parts.push({ ...report.tables, file: number, store });
    addRows(sink.counts, report.counts);
    if (report.secrets !== undefined) harvests.push(report.secrets);
    for (const unit of report.units) reader.account(unit);
    changed = addCounts(changed, report.changed);
  }
  return { files, parts, changed, harvests };
}

function addRows(into: SinkCounts, from: SinkCounts): void {
  into.rows += from.rows;
  into.undated += from.undated;
  into.recovered += from.recovered;
  for (const [type, n] of from.byType) into.byType.set(type, (into.byType.get(type) ?? 0) + n);
  for (const [filter, n] of from.filtered) into.filtered.set(filter, (into.filtered.get(filter) ?? 0) + n);
  if (from.first !== '' && (into.first === '' || from.first < into.first)) into.first = from.first;
  if (from.last > into.last) into.last = from.last;
}
