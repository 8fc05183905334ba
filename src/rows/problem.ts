import type { Draft } from './draft.js';

const LIMIT = 200;
// Control, bidi, zero-width and line-separator characters: never shown raw to a reader's terminal.
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const visible = (c: string) => `\\u{${c.charCodeAt(0).toString(16)}}`;

/** Text with every character that a terminal or a viewer could act on written as `\u{..}`. */
export function escapeUnsafe(text: string): string {
  return text.replace(UNSAFE, visible);
}

/** At most 200 characters of evidence, safe to print; bytes that are not UTF-8 are written as `\xNN`. */
export function excerpt(evidence: string | Uint8Array, limit = LIMIT): string {
  const text = typeof evidence === 'string' ? evidence.slice(0, limit) : showBytes(evidence.subarray(0, limit));
  const shown = escapeUnsafe(text);
  return evidence.length > limit ? `${shown} ...[${evidence.length} in all]` : shown;
}

/** Decodes valid UTF-8 and writes every other byte as `\xNN`, so that a damaged line stays readable and nothing is hidden. */
export function showBytes(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let shown = '';
  let from = 0;
  for (let at = 0; at < buffer.length; ) {
    const length = sequenceLength(buffer, at);
    if (length > 0) {
      at += length;
      continue;
    }
    shown += `${buffer.toString('utf8', from, at)}\\x${buffer.readUInt8(at).toString(16).padStart(2, '0')}`;
    at += 1;
    from = at;
  }
  return shown + buffer.toString('utf8', from);
}

/** Length of the well-formed UTF-8 sequence at a place, 0 if there is none (Unicode 15, table 3-7). */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let i = 2; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

type Place = Pick<
  Draft,
  'agent' | 'session_id' | 'project_path' | 'source_line' | 'source_pointer' | 'source_offset' | 'details' | 'recovered'
>;

/** A row that says what could not be read, and where. `what` names the cause; the excerpt is bounded and escaped here. */
export function errorDraft(what: string, evidence: string | Uint8Array = '', place: Place = {}): Draft {
  const shown = evidence.length > 0 ? `: ${excerpt(evidence)}` : '';
  return { row_type: 'error', text: `parser: ${what}${shown}`, problem: what, ...place };
}

/** Anything thrown, as one line. */
export function messageOf(error: unknown): string {
  return escapeUnsafe(error instanceof Error ? error.message : String(error)).slice(0, 500);
}
