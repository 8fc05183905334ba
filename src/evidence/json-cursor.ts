import type { ByteSource } from './source.js';

const WINDOW = 4 << 20;
/** A key is decoded up to this length; what is longer is no key that anyone asks for. */
const KEY_LIMIT = 64 << 10;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A place in the bytes of a JSON document, read through windows. */
export interface Cursor {
  readonly source: ByteSource;
  bytes: Buffer;
  /** Offset of the window in the source. */
  base: number;
  /** Index in the window. */
  at: number;
}

/** At the first byte behind a byte order mark. */
export function createCursor(source: ByteSource): Cursor {
  const bytes = source.read(0, WINDOW);
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { source, bytes, base: 0, at: bom ? 3 : 0 };
}

export function position(cursor: Cursor): number {
  return cursor.base + cursor.at;
}

/** Goes on to the next window; false at the end of the data. Call it only when the present one is used up. */
function refill(cursor: Cursor): boolean {
  const base = cursor.base + cursor.bytes.length;
  const bytes = cursor.source.read(base, WINDOW);
  cursor.base = base;
  cursor.bytes = bytes;
  cursor.at = 0;
  return bytes.length > 0;
}

/** The byte at the cursor, -1 at the end of the data. */
export function byteAt(cursor: Cursor): number {
  if (cursor.at >= cursor.bytes.length && !refill(cursor)) return -1;
  return cursor.bytes[cursor.at] ?? -1;
}

/** Passes over white space; the byte at the cursor then, -1 at the end of the data. */
export function peek(cursor: Cursor): number {
  for (;;) {
    const { bytes } = cursor;
    const end = bytes.length;
    let at = cursor.at;
    while (at < end) {
      const byte = bytes[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
      at += 1;
    }
    cursor.at = at;
    if (at < end) return bytes[at] ?? -1;
    if (!refill(cursor)) return -1;
  }
}

/** From behind the opening quote to behind the closing one; false at the end of the data. */
export function skipString(cursor: Cursor): boolean {
  // Backslashes that end a window and may escape the first byte of the next one.
  let carried = 0;
  for (;;) {
    const { bytes, at: from } = cursor;
    const quote = bytes.indexOf(QUOTE, from);
    const end = quote < 0 ? bytes.length : quote;
    let run = end;
    while (run > from && bytes[run - 1] === BACKSLASH) run -= 1;
    const slashes = end - run + (run === from ? carried : 0);
    if (quote >= 0) {
      cursor.at = quote + 1;
      if (slashes % 2 === 0) return true;
      carried = 0;
    } else {
      cursor.at = end;
      carried = slashes;
      if (!refill(cursor)) return false;
    }
  }
}

/** From the opening bracket to behind the one that closes it, whatever the depth; false at the end of the data. */
export function skipContainer(cursor: Cursor): boolean {
  let depth = 1;
  for (;;) {
    const { bytes } = cursor;
    const end = bytes.length;
    let at = cursor.at;
    while (at < end) {
      const byte = bytes[at] ?? 0;
      at += 1;
      if (byte === QUOTE) {
        const quote = bytes.indexOf(QUOTE, at);
        if (quote >= 0 && bytes[quote - 1] !== BACKSLASH) {
          at = quote + 1;
          continue;
        }
        cursor.at = at;
        if (!skipString(cursor)) return false;
        if (cursor.bytes !== bytes) break;
        at = cursor.at;
      } else if (byte > 0x5a) {
        // Bit 5 tells braces from square brackets: both kinds are one case each.
        const folded = byte | 0x20;
        if (folded === 0x7b) depth += 1;
        else if (folded === 0x7d) {
          depth -= 1;
          if (depth === 0) {
            cursor.at = at;
            return true;
          }
        }
      }
    }
    if (cursor.bytes !== bytes) continue;
    cursor.at = at;
    if (!refill(cursor)) return false;
  }
}

/** Over a number, true, false or null. True also at the end of the data, where nobody can tell whether more belongs to it. */
export function skipScalar(cursor: Cursor): boolean {
  for (let byte = byteAt(cursor); byte >= 0; byte = byteAt(cursor)) {
    const letter = byte >= 0x61 && byte <= 0x7a;
    const digit = byte >= 0x30 && byte <= 0x39;
    if (!letter && !digit && byte !== 0x2d && byte !== 0x2e && byte !== 0x2b && byte !== 0x45) return true;
    cursor.at += 1;
  }
  return true;
}

/** Reads the string at the cursor, which stands on its opening quote; undefined at the end of the data. */
export function readString(cursor: Cursor): string | undefined {
  cursor.at += 1;
  const { bytes, at } = cursor;
  const start = position(cursor);
  if (!skipString(cursor)) return undefined;
  if (cursor.bytes === bytes) return decodeKey(bytes.subarray(at, Math.min(cursor.at - 1, at + KEY_LIMIT)));
  // The key lies across two windows, or more. Reading it anew may take the window away, so the cursor gets a new one.
  const length = Math.min(position(cursor) - 1 - start, KEY_LIMIT);
  const key = decodeKey(cursor.source.read(start, length));
  restore(cursor);
  return key;
}

function restore(cursor: Cursor): void {
  const here = position(cursor);
  cursor.bytes = cursor.source.read(here, WINDOW);
  cursor.base = here;
  cursor.at = 0;
}

function decodeKey(raw: Buffer): string {
  const text = raw.toString('utf8');
  if (!raw.includes(BACKSLASH)) return text;
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
