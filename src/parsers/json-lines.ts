import { isUtf8 } from 'node:buffer';
import { isObject, type JsonObject, parseJson } from '../evidence/json.js';
import type { FileSource, Line } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import { errorDraft, showBytes } from '../rows/problem.js';
import { isWild } from './tame-json.js';

// Stores of one JSON object per line. A line that is no such object is an error row that keeps it; the next line is read.
// A record behind a torn one on the same line (an append after a crash) is found by how every record of the store begins.

/** The vendor reads with serde_json, which refuses a deeper nesting. */
const MAX_DEPTH = 128;
/** More of an unparseable line is not kept in its row; the text column and the place name the rest. */
const KEPT = 8 << 20;
const MOST_PIECES = 16;

export interface JsonRecord {
  readonly value: JsonObject;
  readonly place: { readonly source_line: number; readonly source_offset: number };
  /** Bytes it takes in the file, from the offset on. */
  readonly length: number;
  /** Why the record is doubtful, or empty. */
  readonly problem: string;
  /** Set for a record taken out of a damaged line. */
  readonly damaged: Pick<Draft, 'recovered' | 'confidence'> | undefined;
}

export type LineContent = { readonly record: JsonRecord } | { readonly error: Draft };

interface Options {
  /** How a record begins, for telling records apart that stand on one line. */
  readonly begin: string;
  /** Text of an unparseable line as it may be shown; default: as it is. */
  readonly show?: (text: string) => string;
}

export function* jsonLines(source: FileSource, options: Options): Generator<LineContent> {
  for (const line of source.lines()) yield* contentOf(line, options);
}

/** What one line holds: mostly one record. */
export function* contentOf(line: Line, options: Options): Generator<LineContent> {
  const place = { source_line: line.number, source_offset: line.offset };
  if (line.tooLong !== undefined) {
    yield { error: unparseable(`${line.tooLong} bytes, too long to be read`, line.bytes, place, options) };
    return;
  }
  const bytes = line.bytes.at(-1) === 0x0d ? line.bytes.subarray(0, -1) : line.bytes;
  if (isBlank(bytes)) return;
  const parsed = parseJson(bytes);
  if (!parsed.ok) {
    yield* piecesOf(line, bytes, parsed.problem, options);
    return;
  }
  if (!isObject(parsed.value)) yield { error: unparseable('not a JSON object', bytes, place, options) };
  else if (!settle(parsed.value)) yield { error: unparseable(`nested deeper than ${MAX_DEPTH} levels`, bytes, place, options) };
  else if (parsed.validUtf8) yield { record: { value: parsed.value, place, length: bytes.length, problem: '', damaged: undefined } };
  else {
    yield { error: unparseable('not valid UTF-8', bytes, place, options) };
    const problem = 'from a line that is not valid UTF-8: each damaged byte is read as U+FFFD';
    yield {
      record: { value: parsed.value, place, length: bytes.length, problem, damaged: { recovered: 'journal', confidence: 'partial' } },
    };
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d) || (bytes.length === 3 && bytes.toString() === '\ufeff');
}

/** A line that is not one JSON value: whole records in it are read, the rest is an error row. */
function* piecesOf(line: Line, bytes: Buffer, fault: string, options: Options): Generator<LineContent> {
  const pieces = split(bytes, options.begin);
  const found: { readonly from: number; readonly to: number; readonly value: JsonObject | undefined }[] = [];
  for (let i = 0; i < pieces.length; ) {
    const whole = wholeRecord(bytes, pieces, i);
    const from = pieces[i] ?? 0;
    const to = pieces[whole?.next ?? i + 1] ?? bytes.length;
    const last = found.at(-1);
    if (whole === undefined && last !== undefined && last.value === undefined) found.splice(-1, 1, { ...last, to });
    else found.push({ from, to, value: whole?.value });
    i = whole?.next ?? i + 1;
  }
  const torn = found.some((piece) => piece.value === undefined);
  const note = torn ? 'behind a damaged record on the same line' : 'further records stand on the same line: a line feed is missing';
  for (const { from, to, value } of found) {
    const place = { source_line: line.number, source_offset: line.offset + from };
    const part = bytes.subarray(from, to);
    if (value === undefined) yield { error: unparseable(reason(part, fault, line, to === bytes.length), part, place, options) };
    else
      yield {
        record: {
          value,
          place,
          length: to - from,
          problem: note,
          damaged: torn ? { recovered: 'journal', confidence: 'probable' } : undefined,
        },
      };
  }
}

/** Where records may begin on a line: its start, and each place that looks like the start of one. */
function split(bytes: Buffer, begin: string): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(begin, 1); at > 0 && starts.length < MOST_PIECES; at = bytes.indexOf(begin, at + 1)) starts.push(at);
  return starts;
}

/** The shortest run of pieces that is a JSON object: a record may hold what looks like the start of another. */
function wholeRecord(bytes: Buffer, pieces: readonly number[], from: number): { value: JsonObject; next: number } | undefined {
  for (let next = from + 1; next <= pieces.length; next++) {
    const parsed = parseJson(bytes.subarray(pieces[from] ?? 0, pieces[next] ?? bytes.length));
    if (parsed.ok && parsed.validUtf8 && isObject(parsed.value) && settle(parsed.value)) return { value: parsed.value, next };
  }
  return undefined;
}

function reason(part: Buffer, fault: string, line: Line, atEnd: boolean): string {
  if (part.every((byte) => byte === 0)) return `a block of ${part.length} NUL bytes`;
  const what = isUtf8(part) ? fault : 'not valid UTF-8';
  return atEnd && !line.ended ? `${what}; the file ends here without a line feed` : what;
}

function unparseable(why: string, bytes: Buffer, place: JsonRecord['place'], { show }: Options): Draft {
  const kept = bytes.subarray(0, KEPT);
  const text = isUtf8(kept) ? kept.toString('utf8') : showBytes(kept);
  const shown = show ? show(text) : text;
  const nul = why.endsWith('NUL bytes');
  return errorDraft(`unparseable line (${why})`, nul ? '' : shown, {
    ...place,
    details: { ...(nul ? {} : { line: shown }), ...(bytes.length > KEPT ? { line_bytes: bytes.length } : {}) },
  });
}

/** False for a value nested too deeply to be written again. A number too large for JSON output is kept as a text. */
function settle(root: unknown): boolean {
  if (!isWild(root)) return true;
  const open = [{ value: root, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) return false;
    let overflow = false;
    for (const child of Object.values(value)) {
      if (typeof child === 'object' && child !== null) open.push({ value: child, depth: depth + 1 });
      else if (typeof child === 'number' && !Number.isFinite(child)) overflow = true;
    }
    if (overflow) keepOverflow(value);
  }
  return true;
}

function keepOverflow(value: object): void {
  for (const [key, child] of Object.entries(value)) {
    if (typeof child !== 'number' || Number.isFinite(child)) continue;
    // Not an assignment: a stored key may be `__proto__`.
    Object.defineProperty(value, key, { value: String(child), enumerable: true, configurable: true, writable: true });
  }
}
