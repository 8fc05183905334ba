import { kiroV3Messages } from '../../src/parsers/kiro-v3/messages.js';
import type { Draft } from '../../src/rows/draft.js';
import { draftsOf } from './memory-source.js';

export const SESSION = 'sess_11111111-2222-4333-8444-555555555555';
export const LOG = `home/alice/.kiro/sessions/32cfb46d463b7613/${SESSION}/messages.jsonl`;
export const at = (second: number) => new Date(Date.UTC(2026, 8, 14, 5, 47, second)).toISOString();

/** One line of a log, without its line feed. */
export function line(id: string, second: number, payload: object): string {
  return JSON.stringify({ id, timestamp: at(second), payload });
}

/** Rows of a log of these payloads; their ids are r1, r2, ... and their times one second apart. */
export function rowsOf(payloads: readonly object[], beside: Readonly<Record<string, string>> = {}, file = LOG): Draft[] {
  const lines = payloads.map((payload, i) => `${line(`r${i + 1}`, i + 1, payload)}\n`);
  return draftsOf(kiroV3Messages, lines.join(''), { file }, beside);
}

export const read = (content: string | Uint8Array, file = LOG, beside: Readonly<Record<string, string>> = {}) =>
  draftsOf(kiroV3Messages, content, { file }, beside);

/** Type and text of each row. */
export const texts = (rows: readonly Draft[]) => rows.map((row) => `${row.row_type}|${row.text}`);
