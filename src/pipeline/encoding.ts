import type { Row } from '../rows/row.js';
import { csvEncoder, csvHeader, duplicatePlaceCsv } from '../write/csv.js';
import { duplicatePlace, jsonLine } from '../write/jsonl.js';
import type { Manifest } from './manifest.js';
import type { Format } from './options.js';

/** What decides how a row is written; plain data, so that every worker can make the same encoding. */
export interface EncodingOptions {
  readonly format: Format;
  readonly csv: { readonly raw: boolean; readonly bom: boolean };
}

/** Encoding of one format. */
export interface Encoding {
  readonly header: string;
  readonly line: (row: Row) => string;
  readonly duplicatePlace: (line: Buffer) => number;
  /** Cells changed so far; null for formats that change none. */
  csvCounts(): Manifest['csv'];
}

export function encodingOf(options: EncodingOptions): Encoding {
  if (options.format === 'jsonl') return { header: '', line: jsonLine, duplicatePlace, csvCounts: () => null };
  const { line, counts } = csvEncoder(options.csv);
  return {
    header: csvHeader(options.csv),
    line,
    duplicatePlace: duplicatePlaceCsv,
    csvCounts: () => ({ cells_guarded: counts.guarded, cells_escaped: counts.escaped, cells_cut: counts.cut }),
  };
}
