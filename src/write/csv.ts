/**
 * CSV for people: the rows of the JSONL in the same order, safe to open. A cell that a spreadsheet would take for a formula
 * is prefixed with an apostrophe, control and bidi characters are written as `\u{..}`, a cell above 32,000 characters is cut.
 * Each such change is named in the last column, `csv_notes`; the JSONL has the exact text.
 *
 * The encoder is our own because the general one takes four times as long on rows this wide; a property test holds the
 * quoting equal to csv-stringify's with `quote_record_delimiter`.
 */
import { COLUMNS, type Row } from '../rows/row.js';

/** Excel keeps 32,767 characters of a cell. */
const CELL_LIMIT = 32_000;

// Evaluated at the start of a cell by Excel, LibreOffice or Sheets: = + - @ and their full-width forms, also behind blanks,
// quotes or separators that an import may strip or split on; and cells that start with TAB, CR, LF or NUL.
const FORMULA = /^(?:[\t\r\n\u0000]|[\s;,|'"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const ALL_UNSAFE = new RegExp(`${CONTROL.source}|${LONE_SURROGATE.source}`, 'g');
// Asked in two steps: one pattern with both takes four times as long on clean text.
const hasUnsafe = (cell: string) => CONTROL.test(cell) || !cell.isWellFormed();
const HALF_ESCAPE = /\\(?:u(?:\{[0-9a-f]{0,4})?)?$/;

// Where the list separator of a system is a semicolon, a spreadsheet that is given the file parts lines at it, whatever quotes
// stand further inside: each semicolon, tab and line break in a text may begin a cell. What follows one is guarded if it is a
// formula that does something: any with `=`; with `+`, `-` and `@`, as begin lists and diffs, those that call or refer elsewhere.
// Each place looks no further than to the next, so that the whole takes one pass.
const INNER_FORMULA = /([;\t\r\n])(?=(?:[^\S\t\r\n]|['"])*(?:[=\uff1d]|[+\-@\uff0b\uff0d\uff20][^;\t\r\n]*?(?:[\w.]\(|[|!])))/g;
const HAS_INNER = new RegExp(INNER_FORMULA.source);
const QUOTED = /[",\r\n]/;

export interface CsvOptions {
  /** Cells as they are, without guard, limit and visible control characters. */
  readonly raw: boolean;
  readonly bom: boolean;
  /** For Excel: a byte order mark, CRLF line ends, and a guard within texts as well. */
  readonly excel?: boolean;
}

export interface CsvCounts {
  guarded: number;
  cut: number;
  escaped: number;
}

export function csvHeader(options: CsvOptions, columns: readonly string[] = COLUMNS): string {
  const excel = options.excel === true;
  return `${options.bom || excel ? '\ufeff' : ''}${columns.join(',')},csv_notes${excel ? '\r' : ''}\n`;
}

/** A cell: text and numbers as they are, nothing for null, lists and objects as JSON text. */
type Cell = string | number | boolean | null | object;

interface CsvEncoder<T> {
  readonly line: (record: T) => string;
  readonly counts: CsvCounts;
}

/** Encodes rows of the timeline, and counts the cells it had to change. */
export function csvEncoder(options: CsvOptions): CsvEncoder<Row> {
  return tableEncoder<Row>(COLUMNS, options);
}

/** Encodes records of any table with the same rules. */
export function tableEncoder<T extends { readonly [K in keyof T]: Cell }>(
  columns: readonly (keyof T & string)[],
  options: CsvOptions,
): CsvEncoder<T> {
  const counts: CsvCounts = { guarded: 0, cut: 0, escaped: 0 };
  const excel = options.excel === true;
  const line = (record: T): string => {
    let out = '';
    let notes = '';
    for (const column of columns) {
      const value = record[column];
      if (value === '' || value === null) {
        out += ',';
        continue;
      }
      if (typeof value === 'number' || typeof value === 'boolean') {
        out += `${value},`;
        continue;
      }
      let cell = typeof value === 'string' ? value : listCell(value, column);
      if (!options.raw && (cell.length > CELL_LIMIT || FORMULA.test(cell) || hasUnsafe(cell) || (excel && HAS_INNER.test(cell)))) {
        const safe = safeCell(cell, counts, excel);
        cell = safe.cell;
        for (const kind of safe.changes) notes += `${notes === '' ? '' : ';'}${kind}:${column}`;
      }
      out += `${QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell},`;
    }
    // The line feed follows.
    return excel ? `${out}${notes}\r` : out + notes;
  };
  return { line, counts };
}

/** The cell as it is written, and what was done to it in the words of `csv_notes`. */
function safeCell(value: string, counts: CsvCounts, excel: boolean): { readonly cell: string; readonly changes: string[] } {
  const changes: string[] = [];
  // Cut first: what lies behind the limit is not worth escaping, and a very long text would outgrow a string that way.
  const head = value.slice(0, limitOf(value));
  const inner = excel ? head.replace(INNER_FORMULA, "$1'") : head;
  let cell = inner.replace(ALL_UNSAFE, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`);
  if (FORMULA.test(value)) {
    counts.guarded += 1;
    changes.push('guarded');
    cell = `'${cell}`;
  }
  if (inner.length > head.length) {
    counts.guarded += 1;
    changes.push('guarded-within');
  }
  const escaped = hasUnsafe(head);
  if (escaped) {
    counts.escaped += 1;
    changes.push('escaped');
  }
  const end = limitOf(cell);
  if (end < cell.length || head.length < value.length) {
    counts.cut += 1;
    changes.push('cut');
    const kept = escaped ? cell.slice(0, end).replace(HALF_ESCAPE, '') : cell.slice(0, end);
    cell = `${kept} \u2026[cut, ${value.length} characters in all, see row_id]`;
  }
  return { cell, changes };
}

/** Where a cell has to end: at the limit, or one before it if that would part a pair of surrogates. */
function limitOf(cell: string): number {
  if (cell.length <= CELL_LIMIT) return cell.length;
  return /[\ud800-\udbff]/.test(cell.charAt(CELL_LIMIT - 1)) ? CELL_LIMIT - 1 : CELL_LIMIT;
}

/** Lists and objects as JSON text; the list of secret rules joined by `;`. */
function listCell(value: object, column: string): string {
  return column === 'secret_rules' && Array.isArray(value) ? value.join(';') : JSON.stringify(value);
}

/** Place in an encoded line where the value of `duplicate_of` goes: behind the comma of the column before it. */
export function duplicatePlaceCsv(line: Buffer): number {
  let quoted = false;
  let column = 0;
  for (let at = 0; at < line.length; at++) {
    const byte = line[at];
    if (byte === 0x22) quoted = !quoted;
    else if (byte === 0x2c && !quoted && ++column === DUPLICATE_COLUMN) return at + 1;
  }
  return line.length;
}

const DUPLICATE_COLUMN = COLUMNS.indexOf('duplicate_of');
