import { isUtf8 } from 'node:buffer';
import type { Found } from './found.js';
import { findIn, parsePiece, stringEnd, valueEnd } from './json-scan.js';
import { salvageParts } from './parts.js';
import { salvageTranscript } from './transcript-strings.js';

const ENTRY = Buffer.from('{"user":{"additional_context":');
const PAIR = Buffer.from('[{"additional_context":');
const HEAD = Buffer.from('{"conversation_id":"');
const CHECKPOINTS = Buffer.from('"shadow_repo_path":"');
const CHECKPOINT_FOLDER = /[\\/]([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;
const LONGEST_HEAD = 5000;
const LONGEST_ID = 300;
const SUMMARIES = [Buffer.from('"latest_summary":'), Buffer.from('"main_latest_summary":')];
const SHORTEST_GAP = 16;
const BRACKET = 0x5b;
const QUOTE = 0x22;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Finds what a carved text holds. Markers hold quotes, and inside a stored string each quote is escaped: a marker is never
 * text. An entry that does not end before the next one begins is cut, or its joins are wrong; its parts are looked at singly.
 */
export function salvage(text: Buffer): Found[] {
  const found: Found[] = [];
  const gap = (from: number, to: number, cut: boolean) => {
    // Between two entries stands a comma.
    if (to - from < SHORTEST_GAP) return;
    found.push(
      ...salvageParts(text, from, to, cut),
      ...salvageTranscript(text, from, to),
      ...heads(text, from, to),
      ...summaries(text, from, to),
    );
  };
  const next = markers(text);
  let from = 0;
  for (let at = next(0); at >= 0; ) {
    const following = next(at + 1);
    const limit = following < 0 ? text.length : following;
    const end = valueEnd(text, at, limit);
    const value = end < 0 || !isUtf8(text.subarray(at, end)) ? undefined : parsePiece(text, at, end);
    if (end > 0 && isEntry(value)) {
      gap(from, at, false);
      found.push({ kind: 'entry', start: at, end, value, around: {} });
      from = end;
    } else {
      gap(from, at, false);
      gap(at, limit, true);
      from = limit;
    }
    at = following;
  }
  gap(from, text.length, true);
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The nearest marker of either form from a place on; each form is searched once over the text. */
function markers(text: Buffer): (from: number) => number {
  const places = [-2, -2];
  const forms = [ENTRY, PAIR];
  return (from) => {
    let nearest = -1;
    for (let i = 0; i < forms.length; i++) {
      let place = places[i] ?? -1;
      if (place !== -1 && place < from) place = text.indexOf(forms[i] ?? ENTRY, from);
      places[i] = place;
      if (place >= 0 && (nearest < 0 || place < nearest)) nearest = place;
    }
    return nearest;
  };
}

/** An entry has both of its messages; whatever else it holds is for the reader of entries to judge. */
export function isEntry(value: unknown): boolean {
  if (Array.isArray(value)) {
    return (value.length === 2 || value.length === 3) && isRecord(value[0]) && 'content' in value[0] && isMessage(value[1]);
  }
  return isRecord(value) && isRecord(value.user) && 'content' in value.user && isMessage(value.assistant);
}

const isMessage = (value: unknown): boolean => typeof value === 'string' || isRecord(value);

function heads(text: Buffer, from: number, to: number): Found[] {
  const found: Found[] = [];
  const add = (marker: Buffer, idOf: (value: string) => string) => {
    for (let at = findIn(text, marker, from, to); at >= 0; at = findIn(text, marker, at + 1, to)) {
      const start = at + marker.length - 1;
      const end = stringEnd(text, start, to);
      const value = end < 0 || end - start > LONGEST_HEAD ? undefined : parsePiece(text, start, end);
      const id = typeof value === 'string' ? idOf(value) : '';
      if (id !== '') found.push({ kind: 'head', start, end, value: id, around: {} });
    }
  };
  add(HEAD, (value) => (value.length <= LONGEST_ID ? value : ''));
  // The folder of its checkpoints bears its id: it stands behind the history, where the beginning may be gone.
  add(CHECKPOINTS, (value) => CHECKPOINT_FOLDER.exec(value)?.[1] ?? '');
  return found;
}

function summaries(text: Buffer, from: number, to: number): Found[] {
  const found: Found[] = [];
  for (const marker of SUMMARIES) {
    for (let at = findIn(text, marker, from, to); at >= 0; at = findIn(text, marker, at + 1, to)) {
      const value = at + marker.length;
      const start = text[value] === BRACKET ? value + 1 : value;
      if (text[start] !== QUOTE) continue;
      const end = stringEnd(text, start, to);
      const parsed = end < 0 || !isUtf8(text.subarray(start, end)) ? undefined : parsePiece(text, start, end);
      if (typeof parsed === 'string' && parsed !== '') found.push({ kind: 'summary', start, end, value: parsed, around: {} });
    }
  }
  return found;
}
