import { isDeepStrictEqual } from 'node:util';
import { parse } from 'csv-parse/sync';
import { type EncodingOptions, encodingOf } from '../../src/pipeline/encoding.js';
import { COLUMNS, type Row } from '../../src/rows/row.js';

/** One way of writing rows, and what is wrong with a file that was written so. */
export interface FuzzedEncoder {
  readonly id: string;
  readonly options: EncodingOptions;
  fault(written: string, rows: readonly Row[]): string | undefined;
}

const CSV = { raw: false, bom: false };

/** A further format is one line here. */
export const ENCODERS: readonly FuzzedEncoder[] = [
  { id: 'jsonl', options: { format: 'jsonl', csv: CSV, collected: 0 }, fault: (written, rows) => jsonFault(written, rows, (row) => row) },
  { id: 'csv', options: { format: 'csv', csv: CSV, collected: 0 }, fault: (written, rows) => csvFault(written, rows, true) },
  {
    id: 'csv-raw',
    options: { format: 'csv', csv: { raw: true, bom: true }, collected: 0 },
    fault: (written, rows) => csvFault(written, rows, false),
  },
  {
    id: 'timesketch',
    options: { format: 'timesketch', csv: CSV, collected: 0 },
    fault: (written, rows) => eventFault(written, rows, ['message', 'datetime', 'timestamp_desc'], 'datetime'),
  },
  {
    id: 'ecs',
    options: { format: 'ecs', csv: CSV, collected: 0 },
    fault: (written, rows) => eventFault(written, rows, ['@timestamp'], '@timestamp'),
  },
];

export function encoderFault({ id, options, fault }: FuzzedEncoder, rows: readonly Row[]): string | undefined {
  const { header, line } = encodingOf(options);
  // What a file keeps of a text: UTF-8 has no lone surrogates.
  const written = Buffer.from(header + rows.map((row) => `${line(row, undefined)}\n`).join('')).toString('utf8');
  const found = fault(written, rows);
  return found === undefined ? undefined : `${id}: ${found}`;
}

/** One line a row, each JSON, equal to what `expected` makes of the row. */
function jsonFault(written: string, rows: readonly Row[], expected: (row: Row) => unknown): string | undefined {
  const lines = written === '' ? [] : written.slice(0, -1).split(/[\n\r\u2028\u2029]/);
  if (lines.length !== rows.length) return `${lines.length} lines for ${rows.length} rows`;
  for (const [i, row] of rows.entries()) {
    const read: unknown = JSON.parse(lines[i] ?? '');
    // Compared as JSON: -0 is 0 there, and `__proto__` a name like any other.
    if (!isDeepStrictEqual(read, JSON.parse(JSON.stringify(expected(row))))) return `row ${i} is not what was written`;
  }
  return undefined;
}

/** One line a row, each an object with these texts, the time among them one that can be read. */
function eventFault(written: string, rows: readonly Row[], texts: readonly string[], time: string): string | undefined {
  const lines = written === '' ? [] : written.slice(0, -1).split(/[\n\r\u2028\u2029]/);
  if (lines.length !== rows.length) return `${lines.length} lines for ${rows.length} rows`;
  for (const [i, line] of lines.entries()) {
    const read: Record<string, unknown> = JSON.parse(line);
    const missing = texts.find((name) => typeof read[name] !== 'string' || read[name] === '');
    if (missing !== undefined) return `line ${i} has no ${missing}`;
    if (Number.isNaN(Date.parse(String(read[time])))) return `line ${i}: ${time} is no time`;
  }
  return undefined;
}

// What a spreadsheet would run, and what a terminal would act on.
const LIVE = /^[=+\-@\t\r\n\u0000\uff1d\uff0b\uff0d\uff20]/;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** As many records and cells as there are rows and columns; a cell that no note names is the value itself. */
function csvFault(written: string, rows: readonly Row[], guarded: boolean): string | undefined {
  const [, ...records]: string[][] = parse(written, { bom: true, record_delimiter: '\n', max_record_size: 0 });
  if (records.length !== rows.length) return `${records.length} records for ${rows.length} rows`;
  for (const [i, row] of rows.entries()) {
    const cells = records[i] ?? [];
    if (cells.length !== COLUMNS.length + 1) return `record ${i} has ${cells.length} cells`;
    const changed = new Set((cells.at(-1) ?? '').split(';').map((note) => note.replace(/^\w+:/, '')));
    for (const [at, column] of COLUMNS.entries()) {
      const cell = cells[at] ?? '';
      if (!changed.has(column) && cell !== Buffer.from(cellOf(row, column)).toString('utf8'))
        return `record ${i}, ${column}: another value`;
      if (guarded && typeof row[column] !== 'number' && LIVE.test(cell)) return `record ${i}, ${column}: a formula`;
      if (guarded && CONTROL.test(cell)) return `record ${i}, ${column}: a control character`;
    }
  }
  return undefined;
}

function cellOf(row: Row, column: keyof Row): string {
  const value = row[column];
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  return column === 'secret_rules' ? row.secret_rules.join(';') : JSON.stringify(value);
}
