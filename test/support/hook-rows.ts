import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Draft } from '../../src/rows/draft.js';

/** Bytes of a fixture, by its path below `fixtures/`. */
export const bytesOf = (path: string): Buffer => readFileSync(fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url)));

/** Every string and number of a value. */
export function leavesOf(value: unknown): (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

/** Strings and numbers of a value that no row holds: in a column, the details, a text, or a text that is JSON. */
export function lostLeaves(value: unknown, rows: readonly Draft[]): (string | number)[] {
  const held = new Set<string>();
  const texts: string[] = [];
  for (const { time, ...row } of rows) {
    if (time) held.add(time.original);
    texts.push(row.text);
    for (const leaf of leavesOf(row)) held.add(String(leaf));
    try {
      for (const leaf of leavesOf(JSON.parse(row.text))) held.add(String(leaf));
    } catch {
      // A text that is no JSON.
    }
  }
  return leavesOf(value).filter((leaf) => !held.has(String(leaf)) && !texts.some((text) => text.includes(String(leaf))));
}

export const lines = (...records: readonly unknown[]): string =>
  records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n');

/** Type, text and some columns of each row, for a reader to check by hand. */
export function brief(rows: readonly Draft[], ...columns: readonly (keyof Draft)[]): unknown[][] {
  return rows.map((row) => [row.row_type, row.text, ...columns.map((column) => row[column])]);
}
