import { closeSync, openSync, readSync } from 'node:fs';
import { SURVEYED_COLUMNS, type SurveyedRow } from '../analyze/index.js';
import { isObject } from '../evidence/json.js';
import { COLUMNS, type Column, type Row, SCHEMA } from '../rows/row.js';
import { ROW_TYPES, type RowType } from '../rows/row-types.js';
import { isUtcText } from '../rows/time.js';

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

/** Reads the rows of a JSONL timeline in batches, as often as asked. A broken line is noted and left out. */
export class TimelineFile {
  readonly problems: LineProblem[] = [];
  /** All broken lines, also those beyond the hundred that are named. */
  broken = 0;

  constructor(
    private readonly path: string,
    /** Written by this run: every line is a row. */
    private readonly own: boolean,
    /** Read at a time. Bytes. */
    private readonly block = BLOCK,
  ) {}

  async *rows(): AsyncGenerator<readonly Row[]> {
    this.problems.length = 0;
    this.broken = 0;
    let number = 0;
    for (const lines of linesOf(this.path, this.block)) {
      const batch: Row[] = [];
      for (const bytes of lines) {
        number += 1;
        const row = bytes === undefined ? this.note(number, 'longer than can be read') : this.rowOf(bytes, number);
        if (row !== undefined) batch.push(row);
      }
      yield batch;
    }
  }

  /** What rows of some types say to others; of lines in the form we write, without their texts. Broken lines are passed over. */
  async *surveyed(types: ReadonlySet<RowType>): AsyncGenerator<readonly SurveyedRow[]> {
    for (const lines of linesOf(this.path, this.block)) {
      const batch: SurveyedRow[] = [];
      for (const bytes of lines) {
        if (bytes === undefined || bytes.length === 0 || !mayBe(bytes, types)) continue;
        const row = surveyedOf(bytes);
        if (row !== undefined) batch.push(row);
      }
      yield batch;
    }
  }

  private rowOf(bytes: Buffer, number: number): Row | undefined {
    if (bytes.length === 0) return undefined;
    const value = parsed(bytes, number === 1 && startsWithBom(bytes) ? 3 : 0);
    const whole = this.own ? isOwn : isRow;
    if (whole(value)) return value;
    if (value === undefined) return this.note(number, 'not JSON');
    const other = isObject(value) && value.schema !== SCHEMA;
    return this.note(number, other ? `schema ${shown(value.schema)}, not ${SCHEMA}` : 'not a row of a timeline');
  }

  private note(line: number, what: string): undefined {
    this.broken += 1;
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ line, what });
  }
}

function parsed(bytes: Buffer, from: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', from));
  } catch {
    return undefined;
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

const TEXT = Buffer.from(',"text":"');
const BEHIND_TEXT = Buffer.from('","source_file":"');

/** The columns ahead of the text and behind it. A line of another form is parsed as a whole. */
function surveyedOf(bytes: Buffer): SurveyedRow | undefined {
  const text = bytes.indexOf(TEXT);
  const behind = text < 0 ? -1 : bytes.indexOf(BEHIND_TEXT, text + TEXT.length - 1);
  const bom = startsWithBom(bytes) ? 3 : 0;
  const whole = behind < 0 ? undefined : partsOf(bytes.toString('utf8', bom, text), bytes.toString('utf8', behind + 1));
  if (isSurveyed(whole)) return whole;
  const value = parsed(bytes, bom);
  return isRow(value) ? value : undefined;
}

function partsOf(ahead: string, behind: string): unknown {
  try {
    return JSON.parse(`${ahead}${behind}`);
  } catch {
    return undefined;
  }
}

const shown = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : 'missing');
const startsWithBom = (bytes: Buffer) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

const NUMBERS: readonly Column[] = ['source_line', 'exit_code', 'duration_ms', 'source_offset', 'secret_count'];
const LISTS: readonly Column[] = ['file_paths', 'secret_rules', 'secrets'];
const OTHERS: ReadonlySet<string> = new Set([...NUMBERS, ...LISTS, 'details']);
const TEXTS = COLUMNS.filter((column) => !OTHERS.has(column));
const SURVEYED_TEXTS = SURVEYED_COLUMNS.filter((column) => !OTHERS.has(column));

/** A row that this run wrote: what its columns hold was checked when it was made. */
const isOwn = (value: unknown): value is Row => isObject(value) && value.schema === SCHEMA;

/**
 * Every column with a value of its kind; ids and times in their one form, since they are compared as they are written. The values
 * of enumerations are taken as they are: a rule asks for them by name.
 */
function isRow(value: unknown): value is Row {
  return holds(value, TEXTS, NUMBERS) && value.source_line !== null && LISTS.every((column) => Array.isArray(value[column]));
}

const isSurveyed = (value: unknown): value is SurveyedRow => holds(value, SURVEYED_TEXTS, ['exit_code']);

function holds(value: unknown, texts: readonly Column[], numbers: readonly Column[]): value is Readonly<Record<string, unknown>> {
  if (!isObject(value) || value.schema !== SCHEMA) return false;
  for (const column of texts) if (typeof value[column] !== 'string') return false;
  for (const column of numbers) if (value[column] !== null && !Number.isInteger(value[column])) return false;
  if (!isObject(value.details) || typeof value.row_type !== 'string' || !Object.hasOwn(ROW_TYPES, value.row_type)) return false;
  return isId(value.row_id) && isTime(value.timestamp_utc);
}

const ID = /^[0-9a-f]{16}$/;
const isId = (value: unknown) => typeof value === 'string' && ID.test(value);
const isTime = (value: unknown) => value === '' || (typeof value === 'string' && isUtcText(value));

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

/** Lines without their line feed, those that end in one block together; undefined for one that is too long. */
function* linesOf(path: string, size: number): Generator<readonly (Buffer | undefined)[]> {
  const file = openSync(path, 'r');
  try {
    let parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      const block = Buffer.allocUnsafe(size);
      const read = readSync(file, block, 0, size, null);
      if (read === 0) break;
      const lines: (Buffer | undefined)[] = [];
      let from = 0;
      for (let end = block.indexOf(LINE_FEED); end >= 0 && end < read; end = block.indexOf(LINE_FEED, from)) {
        const piece = block.subarray(from, end);
        lines.push(length + piece.length > LONGEST ? undefined : parts.length === 0 ? piece : Buffer.concat([...parts, piece]));
        parts = [];
        length = 0;
        from = end + 1;
      }
      length += read - from;
      if (length <= LONGEST) parts.push(block.subarray(from, read));
      else parts = [];
      if (lines.length > 0) yield lines;
    }
    if (length > 0) yield [length > LONGEST ? undefined : Buffer.concat(parts)];
  } finally {
    closeSync(file);
  }
}
