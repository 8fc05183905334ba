import { z } from 'zod';
import { messageOf } from '../rows/problem.js';
import { decodeUtf8 } from './text.js';

export type JsonResult =
  | { readonly ok: true; readonly value: unknown; readonly validUtf8: boolean }
  | { readonly ok: false; readonly problem: string };

/** Parses a whole JSON document. A byte order mark is accepted; the message of a failure never holds evidence text. */
export function parseJson(bytes: Buffer): JsonResult {
  const { text, valid } = decodeUtf8(bytes);
  if (text.trim() === '') return { ok: false, problem: bytes.length === 0 ? 'empty file (0 bytes)' : 'empty JSON document' };
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value, validUtf8: valid };
  } catch (error) {
    return { ok: false, problem: `invalid JSON (${jsonFault(error)})` };
  }
}

/** V8 quotes the document in its message; keep only what kind of fault and where. */
function jsonFault(error: unknown): string {
  const message = messageOf(error);
  const at = /position (\d+)/.exec(message)?.[1];
  const kind =
    /^(Unexpected end|Bad control character|Bad escaped character|Unterminated string|Expected [^"]{1,60}?(?= in JSON)|No number|Unexpected token)/.exec(
      message,
    )?.[1] ?? 'unexpected token';
  return at ? `${kind.toLowerCase()} at character ${at}` : kind.toLowerCase();
}

const ObjectSchema = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof ObjectSchema>;

/** Type guard for a JSON object (not an array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A JSON value as one line: strings as they are, everything else as compact JSON. A nesting too deep to write is named. Not
 * `String`: that calls a member `toString`, which a stored object may have as any other.
 */
export function compact(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '[nested too deeply to be written]';
  }
}
