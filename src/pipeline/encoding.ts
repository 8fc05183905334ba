import type { Row } from '../rows/row.js';
import { type CsvOptions, csvEncoder, csvHeader, duplicatePlaceCsv } from '../write/csv.js';
import { ecsEncoder } from '../write/ecs.js';
import { jsonText, type MaskText, maskValues } from '../write/json-text.js';
import { duplicatePlace, jsonLine } from '../write/jsonl.js';
import { maskTimesketch, timesketchEncoder } from '../write/timesketch.js';
import type { Manifest } from './manifest.js';
import type { Format } from './options.js';

/** What decides how a row is written; plain data, so that every worker can make the same encoding. */
export interface EncodingOptions {
  readonly format: Format;
  readonly csv: CsvOptions;
  /** When the evidence was read, in milliseconds: what stands in where a format must have a time and not even a file has one. */
  readonly collected: number;
}

/** Values that a format could not take as they are, by what was done; empty for formats that take all. */
export type EncodingCounts = Readonly<Record<string, number>>;

/** Encoding of one format. */
export interface Encoding {
  readonly header: string;
  /** `fileTime`: modification time of the file, in milliseconds. */
  readonly line: (row: Row, fileTime: number | undefined) => string;
  readonly duplicatePlace: (line: Buffer) => number;
  /** An encoded line, without its line feed, with its strings masked. */
  readonly mask: (line: string, mask: MaskText) => string;
  /** Values changed so far. */
  counts(): EncodingCounts;
}

export function encodingOf(options: EncodingOptions): Encoding {
  if (options.format === 'csv') return csvEncoding(options);
  if (options.format === 'timesketch') return timesketchEncoding(options);
  if (options.format === 'ecs') return ecsEncoding(options);
  return { header: '', line: jsonLine, duplicatePlace, mask: maskJson, counts: () => ({}) };
}

const maskJson = (line: string, mask: MaskText) => jsonText(maskValues(JSON.parse(line), mask));

function csvEncoding({ csv }: EncodingOptions): Encoding {
  const { line, counts } = csvEncoder(csv);
  return {
    header: csvHeader(csv),
    line,
    duplicatePlace: duplicatePlaceCsv,
    mask: (text, mask) => mask(text),
    counts: () => ({ cells_guarded: counts.guarded, cells_escaped: counts.escaped, cells_cut: counts.cut }),
  };
}

function timesketchEncoding({ collected }: EncodingOptions): Encoding {
  const { line, counts } = timesketchEncoder(collected);
  return {
    header: '',
    line,
    duplicatePlace,
    mask: maskTimesketch,
    counts: () => ({ stand_in_times: counts.standIns, times_out_of_range: counts.outOfRange }),
  };
}

function ecsEncoding({ collected }: EncodingOptions): Encoding {
  const { line, counts } = ecsEncoder(collected);
  return { header: '', line, duplicatePlace, mask: maskJson, counts: () => ({ stand_in_times: counts.standIns }) };
}

/** What several threads counted, together. */
export function addCounts(one: EncodingCounts, other: EncodingCounts): EncodingCounts {
  return Object.fromEntries(Object.keys({ ...one, ...other }).map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}

/** Counts as the manifest tells them: each format has a member of its own. */
export function manifestCounts(format: Format, counts: EncodingCounts): Pick<Manifest, 'csv' | 'timesketch' | 'ecs'> {
  const of = (name: string) => counts[name] ?? 0;
  return {
    csv: format === 'csv' ? { cells_guarded: of('cells_guarded'), cells_escaped: of('cells_escaped'), cells_cut: of('cells_cut') } : null,
    timesketch: format === 'timesketch' ? { stand_in_times: of('stand_in_times'), times_out_of_range: of('times_out_of_range') } : null,
    ecs: format === 'ecs' ? { stand_in_times: of('stand_in_times') } : null,
  };
}
