import { z } from 'zod';
import { messageOf } from '../rows/problem.js';
import { decodeUtf8 } from './text.js';

export type JsonResult =
  | { readonly ok: true; readonly value: unknown; readonly validUtf8: boolean }
  | { readonly ok: false; readonly problem: string };

/** Parses a whole JSON document. A byte order mark is accepted; the message of a failure never holds evidence text. */
export function parseJson(bytes: Buffer): JsonResult {
  const { text, valid } = decodeUtf8(bytes);
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value, validUtf8: valid };
  } catch (error) {
    if (text.trim() === '') return { ok: false, problem: bytes.length === 0 ? 'empty file (0 bytes)' : 'empty JSON document' };
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

/** The members of an object that a test lets pass, in their order. */
export function pick(object: JsonObject, wanted: (key: string, value: unknown) => boolean): JsonObject {
  const kept: JsonObject = {};
  for (const key in object) {
    const value = object[key];
    if (!wanted(key, value)) continue;
    // Not an assignment for this one: it would be taken for the prototype.
    if (key === '__proto__') Object.defineProperty(kept, key, { value, enumerable: true, configurable: true, writable: true });
    else kept[key] = value;
  }
  return kept;
}

const NOTHING: JsonObject = Object.freeze({});

/** The members of an object but for some names, mostly none: the result is not to be changed. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  for (const key in object) if (!names.includes(key)) return pick(object, (name) => !names.includes(name));
  return NOTHING;
}

/** Whether an object has no members. */
export function isBare(object: object): boolean {
  for (const _ in object) return false;
  return true;
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
