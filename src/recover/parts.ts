import { isUtf8 } from 'node:buffer';
import type { Found } from './found.js';
import { findIn, parsePiece, stringEnd, unescapeCut, valueEnd } from './json-scan.js';
import { wholeSequences } from './text-run.js';
import type { RecoveredKind, Surroundings } from './types.js';

type Field = NonNullable<Surroundings['field']>;

const PROMPT = Buffer.from('{"Prompt":{"prompt":"');
const ASSISTANT = Buffer.from('"assistant":{');
const RESULT = Buffer.from('{"tool_use_id":"');
const METADATA = Buffer.from(',"request_metadata":{');
const TIMESTAMP = Buffer.from(',"timestamp":"');
const DIRECTORY = Buffer.from('"current_working_directory":"');
const CONTENTS: readonly (readonly [Field, Buffer])[] = [
  ['assistant', Buffer.from('"content":"')],
  ['tool_result', Buffer.from('"Text":"')],
  ['tool_result', Buffer.from('"stdout":"')],
];
/** What stands behind the closing quote of a string tells which field it ended. */
const ENDINGS: readonly (readonly [Field, string])[] = [
  ['prompt', '}},"timestamp":'],
  ['prompt', '}},"images":'],
  ['tool_result', '}],"status":'],
  ['assistant', '}},"request_metadata":'],
  ['assistant', ',"tool_uses":['],
];
/** Shorter cut texts say nothing. */
const SHORTEST = 16;

/** Parts of entries in a stretch of text that holds no whole entry. `cut` says that the stretch ends inside something. */
export function salvageParts(text: Buffer, from: number, to: number, cut: boolean): Found[] {
  const found: Found[] = [];
  if (from === 0) leadingText(text, to, found);
  eachMarker(text, PROMPT, from, to, (at) => {
    const start = at + PROMPT.length - 1;
    const end = stringEnd(text, start, to);
    if (end < 0) cutText(text, start + 1, to, 'prompt', cut, found);
    else push(text, 'prompt', start, end, { ...stampBehind(text, end, to), ...directoryBefore(text, from, at) }, found);
  });
  eachMarker(text, ASSISTANT, from, to, (at) => {
    const start = at + ASSISTANT.length - 1;
    const end = valueEnd(text, start, to);
    if (end < 0) cutField(text, start, to, 'assistant', cut, found);
    else push(text, 'assistant', start, end, metadataBehind(text, end, to), found);
  });
  eachMarker(text, RESULT, from, to, (at) => {
    const end = valueEnd(text, at, to);
    if (end < 0) cutField(text, at, to, 'tool_result', cut, found);
    else push(text, 'tool_result', at, end, stampNear(text, end, to), found);
  });
  return found;
}

function eachMarker(text: Buffer, marker: Buffer, from: number, to: number, visit: (at: number) => void): void {
  for (let at = findIn(text, marker, from, to); at >= 0; at = findIn(text, marker, at + marker.length, to)) visit(at);
}

function push(text: Buffer, kind: RecoveredKind, start: number, end: number, around: Surroundings, found: Found[]): void {
  const value = isUtf8(text.subarray(start, end)) ? parsePiece(text, start, end) : undefined;
  if (value !== undefined && value !== '') found.push({ kind, start, end, value, around });
}

/** A cut object: its text field that the end of the stretch cuts, or that is the last whole one. */
function cutField(text: Buffer, from: number, to: number, field: Field, cut: boolean, found: Found[]): void {
  for (const [of, marker] of CONTENTS) {
    if (of !== field) continue;
    const at = findIn(text, marker, from, to);
    if (at < 0) continue;
    const start = at + marker.length;
    const end = stringEnd(text, start - 1, to);
    cutText(text, start, end < 0 ? to : end - 1, field, cut || end > 0, found);
    return;
  }
}

function cutText(text: Buffer, start: number, to: number, field: Field, cut: boolean, found: Found[]): void {
  const end = wholeSequences(text, start, to);
  if (!cut || end - start < SHORTEST || !isUtf8(text.subarray(start, end))) return;
  found.push({ kind: 'fragment', start, end, value: unescapeCut(text.toString('utf8', start, end)), around: { field } });
}

/** Text that a chain without its head begins with, up to the first quote; what follows the quote tells what it was. */
function leadingText(text: Buffer, to: number, found: Found[]): void {
  let start = 0;
  while (start < 3 && ((text[start] ?? 0) & 0xc0) === 0x80) start += 1;
  // An imagined quote before the text makes its first real one the closing one.
  const end = text[start] === 0x22 ? start + 1 : stringEnd(text, start - 1, to);
  if (end < 0) return;
  const behind = text.toString('latin1', end, end + 24);
  const ending = ENDINGS.find(([, follows]) => behind.startsWith(follows));
  if (ending !== undefined) cutText(text, start, end - 1, ending[0], true, found);
}

function stringAt(text: Buffer, at: number, to: number): string | undefined {
  const end = stringEnd(text, at, Math.min(to, at + 4000));
  const value = end < 0 ? undefined : parsePiece(text, at, end);
  return typeof value === 'string' ? value : undefined;
}

/** A prompt is followed by the time of its message: `"}},"timestamp":"..."`. */
function stampBehind(text: Buffer, end: number, to: number): Surroundings {
  const at = end + 2;
  if (at + TIMESTAMP.length > to || !text.subarray(at, at + TIMESTAMP.length).equals(TIMESTAMP)) return {};
  const timestamp = stringAt(text, at + TIMESTAMP.length - 1, to);
  return timestamp === undefined ? {} : { timestamp };
}

/** The last result of a message stands a few brackets before its time; other results between leave the time out. */
function stampNear(text: Buffer, end: number, to: number): Surroundings {
  const at = findIn(text, TIMESTAMP, end, Math.min(to, end + 4 + TIMESTAMP.length));
  if (at < 0) return {};
  const timestamp = stringAt(text, at + TIMESTAMP.length - 1, to);
  return timestamp === undefined ? {} : { timestamp };
}

function directoryBefore(text: Buffer, from: number, at: number): Surroundings {
  const near = Math.max(from, at - 2000);
  const place = text.subarray(near, at).lastIndexOf(DIRECTORY);
  if (place < 0) return {};
  const directory = stringAt(text, near + place + DIRECTORY.length - 1, at);
  return directory === undefined ? {} : { directory };
}

function metadataBehind(text: Buffer, end: number, to: number): Surroundings {
  if (!text.subarray(end, end + METADATA.length).equals(METADATA)) return {};
  const start = end + METADATA.length - 1;
  const stop = valueEnd(text, start, to);
  const metadata = stop < 0 ? undefined : parsePiece(text, start, stop);
  return metadata === undefined ? {} : { metadata };
}
