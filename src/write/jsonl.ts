import type { Row } from '../rows/row.js';

/**
 * One row as one JSON line, without the line feed: all columns in order, no blanks, U+2028 and U+2029 escaped (some readers
 * split lines there). Lone surrogates come out escaped by `JSON.stringify` itself.
 */
export function jsonLine(row: Row): string {
  const line = JSON.stringify(row);
  return line.includes('\u2028') || line.includes('\u2029') ? line.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029') : line;
}

const MARK = Buffer.from(',"duplicate_of":"');

/**
 * Place in an encoded line where the value of `duplicate_of` goes. Only columns of plain text stand before it, in which a
 * quote is always escaped, so the first match is the column.
 */
export function duplicatePlace(line: Buffer): number {
  return line.indexOf(MARK) + MARK.length;
}
