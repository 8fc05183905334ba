import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { COLUMNS, type Row } from '../../src/rows/row.js';
import { copyHome, kirotrail, rowsOf, saveExport, testFolder, writeFileDeep } from '../support/cli.js';
import { have, type Records, readByDuckDb, readByLibreOffice, readByPandas, readByPython, sheetsByLibreOffice } from '../support/peers.js';

const HOSTILE = [
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
  'last',
];

const folder = testFolder();
const at = (name: string) => join(folder, name);
let rows: Row[];

beforeAll(() => {
  const home = copyHome(at('evidence'));
  const turns = HOSTILE.map((text, i) => [text, `${text} ${i}`] as const);
  writeFileDeep(join(home, 'exports/hostile.json'), saveExport('=hostile', turns));
  for (const args of [
    ['-o', at('x.csv')],
    ['-o', at('raw.csv'), '--csv-raw'],
    ['-o', at('bom.csv'), '--csv-bom'],
    ['-o', at('x.jsonl')],
  ]) {
    expect(kirotrail([home, '-q', ...args]).code).toBe(1);
  }
  rows = rowsOf(readFileSync(at('x.jsonl')));
  expect(rows.filter((row) => row.session_id === '=hostile' && row.row_type === 'prompt').map((row) => row.text)).toEqual(HOSTILE);
});

const FORMULA = /^(?:[\t\r\n\u0000]|[\s;,|"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
const CUT = / \u2026\[cut, (\d+) characters in all, see row_id\]$/;
const unescape = (text: string) =>
  text.replaceAll(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** A cell as JSONL has it. */
function valueOf(row: Row, column: (typeof COLUMNS)[number]): string {
  const value = row[column];
  if (value === null) return '';
  return typeof value !== 'object' ? String(value) : column === 'secret_rules' ? row.secret_rules.join(';') : JSON.stringify(value);
}

/** Undoes what `csv_notes` names and compares with the JSONL. `same` forgives what a reader cannot keep. */
function check(records: Records, same: (text: string) => string = (text) => text): void {
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
      if (notes.includes(`cut:${column}`)) wanted = wanted.slice(0, cell.length);
      expect(same(cell)).toBe(same(wanted));
    }
  }
}

describe('the CSV gives the rows of the JSONL', () => {
  it('to csv-parse', () => check(parse(readFileSync(at('x.csv')), { record_delimiter: '\n' })));

  it('with every change named: what is hostile is noted, what is plain is not', () => {
    const notes = new Map(
      (parse(readFileSync(at('x.csv')), { columns: true }) as Record<string, string>[]).map((r) => [r.row_id, r.csv_notes]),
    );
    const noteOf = (text: string) => notes.get(rows.find((row) => row.text === text)?.row_id ?? '');
    expect(noteOf('=1+1')).toBe('guarded:session_id;guarded:text');
    expect(noteOf('last')).toBe('guarded:session_id');
    expect(noteOf('nul\u0000inside')).toBe('guarded:session_id;escaped:text');
    expect(noteOf(`=${'z'.repeat(40_000)}`)).toBe('guarded:session_id;guarded:text;cut:text');
    expect(noteOf('\u001b'.repeat(31_000))).toBe('guarded:session_id;escaped:text;cut:text');
    expect(noteOf('two\nlines')).toBe('guarded:session_id');
    const survey = rows.find((row) => row.text === '/save survey.md');
    expect(notes.get(survey?.row_id ?? '')).toBe('');
  });

  it('holds no byte that a terminal acts on, and is UTF-8 throughout', () => {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(at('x.csv')));
    expect(text).not.toMatch(
      new RegExp('[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069\\ufffd]'),
    );
  });

  it.runIf(have('python3'))("to Python's csv module", () => check(readByPython(at('x.csv'))));

  it.runIf(have('pandas'))('to pandas', () => {
    check(readByPandas(at('x.csv')));
    check(readByPandas(at('bom.csv')));
  });

  it('to DuckDB', async () => check(await readByDuckDb(at('x.csv'))));

  it('to DuckDB with a byte order mark', async () => check(await readByDuckDb(at('bom.csv'))));

  it('in raw mode with every text as stored, but for lone surrogates', () => {
    const records: Records = parse(readFileSync(at('raw.csv')), { record_delimiter: '\n' });
    const inUtf8 = (text: string) => Buffer.from(text).toString('utf8');
    expect(records.slice(1)).toEqual(rows.map((row) => [...COLUMNS.map((column) => inUtf8(valueOf(row, column))), '']));
  });
});

describe('in LibreOffice', () => {
  it.runIf(have('soffice'))('the CSV gives the rows of the JSONL', () => {
    mkdirSync(at('office'));
    // A cell there has line feeds only, and an odd mixture of line ends comes out as fewer.
    check(readByLibreOffice(at('x.csv'), at('office')), (text) => text.replaceAll(/[\r\n]+/g, '\n'));
  });

  it.runIf(have('soffice') && have('unzip'))('no cell is a formula; without the guard many are', () => {
    mkdirSync(at('books'));
    const [safe, raw] = sheetsByLibreOffice([at('x.csv'), at('raw.csv')], at('books'));
    expect(safe?.match(/<row /g)).toHaveLength(rows.length + 1);
    expect(safe).not.toMatch(/<f[ >/]/);
    expect((raw?.match(/<f[ >/]/g) ?? []).length).toBeGreaterThan(3);
  });
});
