import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { COLUMNS, type Row } from '../../src/rows/row.js';
import { copyHome, kirotrail, rowsOf, saveExport, testFolder, writeFileDeep } from '../support/cli.js';
import { checkRecords, HOSTILE, valueOf } from '../support/csv-check.js';
import { have, type Records, readByDuckDb, readByLibreOffice, readByPandas, readByPython, sheetsByLibreOffice } from '../support/peers.js';

const folder = testFolder();
const at = (name: string) => join(folder, name);
let rows: Row[];
const check = (records: Records, same?: (text: string) => string) => checkRecords(records, rows, same);

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
