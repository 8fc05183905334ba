import { closeSync, openSync, readSync } from 'node:fs';
import { isObject } from '../evidence/json.js';
import { COLUMNS, type Row, SCHEMA } from '../rows/row.js';
import { ROW_TYPES, type RowType } from '../rows/row-types.js';

/** What was wrong with lines of a timeline file. */
export interface LineProblem {
  readonly line: number;
  readonly what: string;
}

const BLOCK = 1 << 20;
/** A line of more than this is not read: it would not fit into a string. */
const LONGEST = 500_000_000;
const MOST_PROBLEMS = 100;
const LINE_FEED = 0x0a;

/** Reads the rows of a JSONL timeline, one at a time and as often as asked. A broken line is noted and left out. */
export class TimelineFile {
  readonly problems: LineProblem[] = [];
  /** All broken lines, also those beyond the hundred that are named. */
  broken = 0;

  constructor(private readonly path: string) {}

  /** `types`: rows of other types may be left out, without being parsed where the line shows its type. */
  async *rows(types?: ReadonlySet<RowType>): AsyncGenerator<Row> {
    this.problems.length = 0;
    this.broken = 0;
    let number = 0;
    for (const bytes of linesOf(this.path)) {
      number += 1;
      if (bytes === undefined) this.note(number, 'longer than can be read');
      else if (bytes.length > 0 && (types === undefined || mayBe(bytes, types))) {
        const row = this.rowOf(bytes, number);
        if (row !== undefined) yield row;
      }
    }
  }

  private rowOf(bytes: Buffer, number: number): Row | undefined {
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString('utf8', number === 1 && startsWithBom(bytes) ? 3 : 0));
    } catch {
      this.note(number, 'not JSON');
      return undefined;
    }
    if (isRow(value)) return value;
    this.note(
      number,
      isObject(value) && value.schema !== SCHEMA ? `schema ${shown(value.schema)}, not ${SCHEMA}` : 'not a row of a timeline',
    );
    return undefined;
  }

  private note(line: number, what: string): void {
    this.broken += 1;
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ line, what });
  }
}

const TYPE = Buffer.from(',"row_type":"');
const LONGEST_TYPE = 20;

/**
 * Whether a line can hold a row of one of the types. Inside a text a quote is always escaped and the column stands ahead of
 * `details`, so the first place that looks like the column is the column; a line without it has to be parsed.
 */
function mayBe(bytes: Buffer, types: ReadonlySet<string>): boolean {
  const at = bytes.indexOf(TYPE);
  if (at < 0) return true;
  const from = at + TYPE.length;
  const end = bytes.indexOf(0x22, from);
  return end < 0 || end - from > LONGEST_TYPE || types.has(bytes.toString('latin1', from, end));
}

const shown = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : 'missing');
const startsWithBom = (bytes: Buffer) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

const NUMBERS = ['source_line', 'exit_code', 'duration_ms', 'source_offset', 'secret_count'] as const;
const LISTS = ['file_paths', 'secret_rules', 'secrets'] as const;
const OTHERS: ReadonlySet<string> = new Set([...NUMBERS, ...LISTS, 'details']);
const TEXTS = COLUMNS.filter((column) => !OTHERS.has(column));

/** Every column with a value of its kind. The values of enumerations are taken as they are: a rule asks for them by name. */
function isRow(value: unknown): value is Row {
  if (!isObject(value) || value.schema !== SCHEMA) return false;
  for (const column of TEXTS) if (typeof value[column] !== 'string') return false;
  for (const column of NUMBERS) if (value[column] !== null && typeof value[column] !== 'number') return false;
  for (const column of LISTS) if (!Array.isArray(value[column])) return false;
  return isObject(value.details) && typeof value.row_type === 'string' && Object.hasOwn(ROW_TYPES, value.row_type);
}

/** The first bytes of a file, to tell what it is. */
export function headOf(path: string, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(length);
    return head.subarray(0, readSync(file, head, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

/** Lines without their line feed; undefined for one that is too long. */
function* linesOf(path: string): Generator<Buffer | undefined> {
  const file = openSync(path, 'r');
  try {
    let parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      const block = Buffer.allocUnsafe(BLOCK);
      const read = readSync(file, block, 0, BLOCK, null);
      if (read === 0) break;
      let from = 0;
      for (let end = block.indexOf(LINE_FEED); end >= 0 && end < read; end = block.indexOf(LINE_FEED, from)) {
        const piece = block.subarray(from, end);
        yield length + piece.length > LONGEST ? undefined : parts.length === 0 ? piece : Buffer.concat([...parts, piece]);
        parts = [];
        length = 0;
        from = end + 1;
      }
      length += read - from;
      if (length <= LONGEST) parts.push(block.subarray(from, read));
      else parts = [];
    }
    if (length > 0) yield length > LONGEST ? undefined : Buffer.concat(parts);
  } finally {
    closeSync(file);
  }
}
