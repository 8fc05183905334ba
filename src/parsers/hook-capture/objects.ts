import { isUtf8 } from 'node:buffer';
import { isObject, type JsonObject, parseJson } from '../../evidence/json.js';
import { type FileSource, type Line, TooLargeError } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft, showBytes } from '../../rows/problem.js';
import { tameJson } from '../tame-json.js';
import { closeOf, newScan, type Scan } from './scan.js';
import { isCapture } from './shapes.js';

// Teams keep captures as they like: one object per line, pretty-printed objects one after another, a JSON array, a file per
// object, log lines with a prefix. All but a whole array are read line by line: an object begins at a brace and ends where it
// closes. A half-written object costs its own line only, also when the next one stands on the same line.

export type Place = Pick<Draft, 'source_line' | 'source_offset' | 'source_pointer'>;

export type Found =
  | {
      readonly kind: 'object';
      readonly value: JsonObject;
      /** Text ahead of it on its line. */
      readonly prefix: string;
      readonly place: Place;
      readonly problem: string;
      readonly damaged: Pick<Draft, 'recovered' | 'confidence'> | undefined;
    }
  | { readonly kind: 'text'; readonly text: string; readonly place: Place }
  | { readonly kind: 'error'; readonly draft: Draft };

const MOST_BYTES = 16 << 20;
const MOST_TRIES = 64;
const PUNCTUATION = /^[\s,[\]\ufeff]*$/;
const GOES_ON = /^[\s}\]"]/;
const TORN = { recovered: 'journal', confidence: 'probable' } as const;
const NOT_UTF8 = { recovered: 'journal', confidence: 'partial' } as const;

export function* objectsIn(source: FileSource): Generator<Found> {
  const list = wholeArray(source);
  if (list === undefined) {
    yield* objectsInLines(source);
    return;
  }
  for (const [i, value] of list.entries()) {
    const place = { source_pointer: `/${i}` };
    if (isObject(value)) yield { kind: 'object', value, prefix: '', place, ...taming(value), damaged: undefined };
    else yield { kind: 'error', draft: { ...errorDraft('hook capture: not a JSON object', '', place), details: { value } } };
  }
}

/** The file as one JSON array; undefined for any other file, also a damaged or very large array, whose objects are read one by one. */
function wholeArray(source: FileSource): unknown[] | undefined {
  if (!/^\ufeff?\s*\[/.test(source.read(0, 64).toString('utf8'))) return undefined;
  try {
    const bytes = source.bytes();
    const parsed = parseJson(bytes);
    if (!parsed.ok || !parsed.validUtf8 || !Array.isArray(parsed.value)) return undefined;
    tameJson(parsed.value);
    return parsed.value;
  } catch (error) {
    if (error instanceof TooLargeError) return undefined;
    throw error;
  }
}

interface Open {
  readonly place: Place;
  readonly prefix: string;
  readonly parts: string[];
  readonly scan: Scan;
  size: number;
  damaged: boolean;
}

function* objectsInLines(source: FileSource): Generator<Found> {
  let open: Open | undefined;
  for (const line of source.lines()) {
    const place = { source_line: line.number, source_offset: line.offset };
    if (line.tooLong !== undefined) {
      if (open) yield torn(open);
      open = undefined;
      yield { kind: 'error', draft: errorDraft(`unparseable line (${line.tooLong} bytes, too long to be read)`, line.bytes, place) };
      continue;
    }
    const { text, valid, shown } = decode(line);
    if (!valid)
      yield { kind: 'error', draft: { ...errorDraft('unparseable line (not valid UTF-8)', shown, place), details: { line: shown } } };
    let at = 0;
    if (open && !GOES_ON.test(text) && text !== '') {
      yield torn(open);
      open = undefined;
    }
    if (open) {
      const end = closeOf(text, 0, open.scan);
      open.parts.push(text.slice(0, end < 0 ? undefined : end));
      open.size += text.length;
      open.damaged ||= !valid;
      if (end < 0) {
        if (!open.scan.inString && open.size <= MOST_BYTES) continue;
        yield torn(open);
        open = undefined;
        continue;
      }
      yield finished(open);
      open = undefined;
      at = end;
    }
    open = yield* objectsOf(text, at, line, valid);
  }
  if (open) yield torn(open);
}

/** Objects that begin on a line; returns one that does not end on it. */
function* objectsOf(text: string, from: number, line: Line, valid: boolean): Generator<Found, Open | undefined> {
  const bom = line.number === 1 && line.bytes[0] === 0xef ? 3 : 0;
  let seen = 0;
  let bytes = bom;
  // Asked for rising places only; counting anew each time would cost the square of the length.
  const placeAt = (at: number): Place => {
    bytes += Buffer.byteLength(text.slice(seen, at));
    seen = at;
    return { source_line: line.number, source_offset: line.offset + (at === 0 || !valid ? 0 : bytes) };
  };
  const search: Search = { tries: 0 };
  for (let at = from; at < text.length; ) {
    const start = text.indexOf('{', at);
    const prefix = text.slice(at, start < 0 ? undefined : start);
    if (start < 0) {
      if (!PUNCTUATION.test(prefix)) yield { kind: 'text', text: prefix, place: placeAt(at) };
      return undefined;
    }
    const scan = newScan();
    // Nearly always the line is one object, which need not be looked through for its end.
    const whole = start === 0 ? objectOf(text) : undefined;
    const end = whole ? text.length : closeOf(text, start, scan);
    const value = whole ?? (end < 0 ? undefined : objectOf(text.slice(start, end)));
    const shown = PUNCTUATION.test(prefix) ? '' : prefix;
    if (value !== undefined) {
      yield object(value, shown, placeAt(start), valid ? '' : UTF8_NOTE, valid ? undefined : NOT_UTF8);
      at = end;
      continue;
    }
    const behind = recordBehind(text, start, search);
    if (end < 0 && !scan.inString && behind === undefined) {
      return { place: placeAt(start), prefix: shown, parts: [text.slice(start)], scan, size: text.length, damaged: !valid };
    }
    const why = line.ended || behind ? '' : '; the file ends here without a line feed';
    yield unparseable(text.slice(at, behind?.from), placeAt(at), why);
    if (behind === undefined) return undefined;
    yield object(behind.value, '', placeAt(behind.from), 'behind a damaged record on the same line', TORN);
    at = behind.to;
  }
  return undefined;
}

/** How often a line was searched: a line made of braces must not cost the square of its length. */
interface Search {
  tries: number;
}

const UTF8_NOTE = 'from a line that is not valid UTF-8: each damaged byte is read as U+FFFD';

/** A whole record that stands behind a damaged one. Only what is a payload by its keys: arguments of a torn call are objects too. */
function recordBehind(text: string, start: number, search: Search): { value: JsonObject; from: number; to: number } | undefined {
  if (text.length > MOST_BYTES) return undefined;
  for (let from = text.indexOf('{"', start + 1); from >= 0 && search.tries < MOST_TRIES; from = text.indexOf('{"', from + 1)) {
    search.tries += 1;
    const to = closeOf(text, from, newScan());
    const value = to < 0 ? undefined : objectOf(text.slice(from, to));
    if (value !== undefined && isCapture(value)) return { value, from, to };
  }
  return undefined;
}

function objectOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function object(
  value: JsonObject,
  prefix: string,
  place: Place,
  doubt: string,
  damaged: Pick<Draft, 'recovered' | 'confidence'> | undefined,
): Found {
  const { problem } = taming(value);
  return { kind: 'object', value, prefix, place, problem: [doubt, problem].filter(Boolean).join('; '), damaged };
}

function taming(value: JsonObject): { readonly problem: string } {
  const cut = tameJson(value);
  return { problem: cut > 0 ? `${cut} values nested too deeply are left out` : '' };
}

function finished(open: Open): Found {
  const text = open.parts.join('\n');
  const value = objectOf(text);
  if (value === undefined) return unparseable(open.prefix + text, open.place, '');
  return object(value, open.prefix, open.place, open.damaged ? UTF8_NOTE : '', open.damaged ? NOT_UTF8 : undefined);
}

function torn(open: Open): Found {
  return unparseable(open.prefix + open.parts.join('\n'), open.place, '; the object is not closed');
}

function unparseable(text: string, place: Place, why: string): Found {
  return { kind: 'error', draft: { ...errorDraft(`unparseable line (invalid JSON${why})`, text, place), details: { line: text } } };
}

function decode(line: Line): { readonly text: string; readonly valid: boolean; readonly shown: string } {
  const bytes = line.bytes.at(-1) === 0x0d ? line.bytes.subarray(0, -1) : line.bytes;
  const valid = isUtf8(bytes);
  const text = bytes.toString('utf8');
  const bare = line.number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text;
  return { text: bare, valid, shown: valid ? '' : showBytes(bytes) };
}
