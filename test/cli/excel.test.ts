import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { COLUMNS, type Row } from '../../src/rows/row.js';
import { copyHome, kirotrail, manifestOf, rowsOf, saveExport, sha256, testFolder, writeFileDeep } from '../support/cli.js';
import { checkRecords, HOSTILE } from '../support/csv-check.js';
import {
  have,
  type Records,
  readByDuckDb,
  readByGnumeric,
  readByLibreOffice,
  readByPandas,
  sheetsByLibreOffice,
} from '../support/peers.js';

const folder = testFolder();
const at = (name: string) => join(folder, name);
const home = at('evidence');
let rows: Row[];

beforeAll(() => {
  copyHome(home);
  writeFileDeep(
    join(home, 'exports/hostile.json'),
    saveExport(
      '=hostile',
      HOSTILE.map((text, i) => [text, `${text} ${i}`] as const),
    ),
  );
  for (const args of [
    ['-o', at('x.csv'), '--csv-preset', 'excel'],
    ['-o', at('raw.csv'), '--csv-raw'],
    ['-o', at('x.jsonl')],
  ])
    expect(kirotrail([home, '-q', ...args]).code).toBe(1);
  rows = rowsOf(readFileSync(at('x.jsonl')));
});

const records = (path: string): Records => parse(readFileSync(path), { bom: true, record_delimiter: '\r\n' });

describe('--csv-preset excel', () => {
  it('begins with a byte order mark, ends its lines with CRLF, and gives the rows of the JSONL', () => {
    const bytes = readFileSync(at('x.csv'));
    expect(bytes.subarray(0, 16).toString()).toBe('\ufefftimestamp_utc');
    expect(bytes.subarray(-2).toString()).toBe('\r\n');
    checkRecords(records(at('x.csv')), rows);
  });

  it('names what it changed within a text, and cuts long cells at a code point', () => {
    const notes = new Map(records(at('x.csv')).map((record) => [record[COLUMNS.indexOf('row_id')], record]));
    const shown = (text: string) => {
      const record = notes.get(rows.find((row) => row.text === text && row.session_id === '=hostile')?.row_id ?? '');
      return [
        record?.[COLUMNS.indexOf('text')],
        record
          ?.at(-1)
          ?.split(';')
          .filter((note) => note.endsWith(':text')),
      ];
    };
    expect(shown('x;=1+1')).toEqual(["x;'=1+1", ['guarded-within:text']]);
    expect(shown('a\t=1+1\tb')).toEqual(["a\t'=1+1\tb", ['guarded-within:text']]);
    expect(shown('x\n\n;\t=1+1')).toEqual(["x\n\n;\t'=1+1", ['guarded-within:text']]);
    expect(shown('list\n- one\n- two\n+ three\n@four')).toEqual(['list\n- one\n- two\n+ three\n@four', []]);
    expect(shown("x\r\n-cmd|' /C calc'!A0")).toEqual(["x\r\n'-cmd|' /C calc'!A0", ['guarded-within:text']]);
    const long = HOSTILE.find((text) => text.startsWith('xxx')) ?? '';
    expect(shown(long)).toEqual([`${'x'.repeat(31_999)} \u2026[cut, ${long.length} characters in all, see row_id]`, ['cut:text']]);
    expect(manifestOf(at('x.csv.manifest.json')).csv?.cells_cut).toBeGreaterThan(2);
  });

  it('is read by DuckDB and pandas as well', async () => {
    checkRecords(await readByDuckDb(at('x.csv')), rows);
    if (have('pandas')) checkRecords(readByPandas(at('x.csv')), rows);
  });

  it.runIf(have('soffice'))('is read back by LibreOffice', () => {
    mkdirSync(at('office'));
    checkRecords(readByLibreOffice(at('x.csv'), at('office')), rows, (text) => text.replaceAll(/[\r\n]+/g, '\n'));
  });

  it.runIf(have('soffice') && have('unzip'))('gives no formula where the separator is a semicolon or a tab; without it many are', () => {
    for (const separator of [44, 59, 9]) {
      const books = at(`books ${separator}`);
      mkdirSync(books);
      const [safe, raw] = sheetsByLibreOffice([at('x.csv'), at('raw.csv')], books, separator);
      expect(safe?.match(/<row /g)?.length ?? 0).toBeGreaterThan(rows.length);
      expect([separator, safe?.match(/<f[ >/].*?<\/f>/g)]).toEqual([separator, null]);
      expect((raw?.match(/<f[ >/]/g) ?? []).length).toBeGreaterThan(3);
    }
  });

  it.runIf(have('ssconvert'))('is read back by gnumeric, without a formula', () => {
    mkdirSync(at('gnumeric'));
    const { records, sheet } = readByGnumeric(at('x.csv'), at('gnumeric'));
    expect(records).toHaveLength(rows.length + 1);
    // A formula is a cell without a type of value; a leading apostrophe says that a cell is text, and is not kept.
    expect(sheet.match(/<gnm:Cell (?![^>]*ValueType)[^>]*>=[^<]{0,40}/g)).toBeNull();
    mkdirSync(at('gnumeric-raw'));
    const bare = writeFileDeep(at('bare.csv'), 'text,other\n=1+1,x\n');
    expect(readByGnumeric(bare, at('gnumeric-raw')).sheet).toMatch(/<gnm:Cell (?![^>]*ValueType)[^>]*>=/);
    const column = COLUMNS.indexOf('text');
    const ours = parse(readFileSync(at('x.csv')), { bom: true }) as Records;
    const plain = (text = '') => text.replace(/^'+/, '').replaceAll(/[\r\n]+/g, '\n');
    // Numbers, dates and truth values are shown in the way of the program.
    const differ = ours.filter((record, i) => plain(record[column]) !== plain(records[i]?.[column]));
    expect(differ.map((record) => record[column]).filter((text = '') => !/^(?:007|1e5|2025-11-14|TRUE|#REF!|\d+)$/.test(text))).toEqual([]);
  });
});

describe('--csv-split', () => {
  it('goes on in further files, each with its header, that together are the whole', () => {
    mkdirSync(at('split'));
    const size = 100;
    expect(kirotrail([home, '-q', '-o', at('split/t.csv'), '--csv-preset', 'excel', '--csv-split', String(size)]).code).toBe(1);
    const count = Math.ceil(rows.length / size);
    const names = Array.from({ length: count }, (_, i) => (i === 0 ? 't.csv' : `t-${i + 1}.csv`));
    expect(readdirSync(at('split')).sort()).toEqual([...names, 't.csv.manifest.json'].sort());
    const parts = names.map((name) => records(at(`split/${name}`)));
    for (const part of parts) expect(part[0]).toEqual([...COLUMNS, 'csv_notes']);
    checkRecords([parts[0]?.[0] ?? [], ...parts.flatMap((part) => part.slice(1))], rows);
    expect(manifestOf(at('split/t.csv.manifest.json')).outputs).toEqual(
      names.map((name, i) => {
        const bytes = readFileSync(at(`split/${name}`));
        const count = (parts[i]?.length ?? 0) - 1;
        return { path: at(`split/${name}`), format: 'csv', rows: count, size: bytes.length, sha256: sha256(bytes) };
      }),
    );
    for (const part of parts.slice(0, -1)) expect(part).toHaveLength(size + 1);
  });

  it('counts the rows that are left when duplicates are out', () => {
    mkdirSync(at('few'));
    expect(kirotrail([home, '-q', '-o', at('few/t.csv'), '--csv-split', '64', '--no-duplicates']).code).toBe(1);
    const { outputs, counts } = manifestOf(at('few/t.csv.manifest.json'));
    expect(outputs.slice(0, -1).every((output) => output.rows === 64)).toBe(true);
    expect(outputs.reduce((sum, output) => sum + output.rows, 0)).toBe(counts.rows);
  });

  it('does not overwrite a further file, and says so before the work', () => {
    const { code, stderr } = kirotrail([home, '-o', at('split/t.csv'), '--csv-split', '100', '-q', '--manifest', at('m.json')]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('output exists')]);
    writeFileDeep(at('other/u-2.csv'), 'mine');
    expect(kirotrail([home, '-o', at('other/u.csv'), '--csv-split', '100', '-q']).stderr).toContain('u-2.csv');
    expect(existsSync(at('other/u.csv'))).toBe(false);
    expect(readFileSync(at('other/u-2.csv'), 'utf8')).toBe('mine');
  });

  it.each([
    [['--csv-preset', 'calc'], /Choices: "excel"/],
    [['--csv-preset', 'excel', '--csv-raw'], /not with --csv-raw/],
    [['--csv-preset', 'excel', '-f', 'jsonl'], /--csv-preset is for CSV, not for jsonl/],
    [['--csv-split', '0'], /--csv-split: a whole number/],
    [['-f', 'xlsx'], /Choices: "csv", "jsonl", "timesketch", "ecs"/],
  ])('2: %j', (args, message) => {
    const { code, stderr } = kirotrail([home, ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
