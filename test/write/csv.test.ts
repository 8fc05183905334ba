import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COLUMNS, type Row } from '../../src/rows/row.js';
import { csvEncoder, csvHeader, duplicatePlaceCsv } from '../../src/write/csv.js';
import { makeRow } from '../support/cli.js';

const SAFE = { raw: false, bom: false };
const RAW = { raw: true, bom: false };
const FIELDS = [...COLUMNS, 'csv_notes'];

/** Cells of an encoded row as csv-parse reads them, by column. */
function cellsOf(row: Row, options = SAFE): Record<string, string> {
  const line = csvEncoder(options).line(row);
  const [cells, ...more] = parse(`${line}\n`, { record_delimiter: '\n' }) as string[][];
  expect(more).toEqual([]);
  expect(cells).toHaveLength(FIELDS.length);
  return Object.fromEntries(FIELDS.map((field, i) => [field, cells?.[i] ?? '']));
}

function textCell(text: string, options = SAFE): { text: string; notes: string } {
  const cells = cellsOf(makeRow({ text }), options);
  return { text: cells.text ?? '', notes: cells.csv_notes ?? '' };
}

describe('header', () => {
  it('names the columns in their order, then csv_notes', () => {
    expect(csvHeader(SAFE)).toBe(`${COLUMNS.join(',')},csv_notes\n`);
  });

  it('begins with a byte order mark only on request', () => {
    expect(Buffer.from(csvHeader({ raw: false, bom: true })).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(csvHeader({ raw: false, bom: true }).slice(1)).toBe(csvHeader(SAFE));
  });
});

describe('cells', () => {
  it('writes numbers bare, null and empty as nothing, lists and objects as JSON, rules joined', () => {
    const row = makeRow({
      exit_code: -1,
      duration_ms: 0,
      source_offset: 9_007_199_254_740_991,
      file_paths: ['a,b', '"c"'],
      secret_rules: ['x', 'y'],
      details: { k: [1, null], 'a b': 'é' },
    });
    const cells = cellsOf(row);
    expect(cells).toMatchObject({
      exit_code: '-1',
      duration_ms: '0',
      source_offset: '9007199254740991',
      secret_count: '',
      session_id: '',
      file_paths: '["a,b","\\"c\\""]',
      secret_rules: 'x;y',
      secrets: '[]',
      details: '{"k":[1,null],"a b":"é"}',
      csv_notes: '',
    });
    expect(csvEncoder(SAFE).line(row)).toContain(',-1,0,');
  });

  it.each(['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20'])('guards %j at the start', (trigger) => {
    const formula = `${trigger}1+1`;
    expect(textCell(formula)).toEqual({ text: `'${formula}`, notes: 'guarded:text' });
    for (const ahead of [' ', '   ', '\u00a0', '\ufeff', '"', "'", '" ', ';', ',', '|', ' ;\t"', ' '.repeat(65), '\u3000'.repeat(5000)]) {
      expect(textCell(ahead + formula)).toEqual({ text: `'${ahead}${formula}`, notes: 'guarded:text' });
    }
    expect(textCell(trigger)).toEqual({ text: `'${trigger}`, notes: 'guarded:text' });
    expect(textCell(`a${formula}`)).toEqual({ text: `a${formula}`, notes: '' });
    expect(textCell(`a ${formula}`)).toEqual({ text: `a ${formula}`, notes: '' });
  });

  it.each(['\t', '\r', '\n', '\r\n'])('guards a cell that starts with %j', (start) => {
    expect(textCell(`${start}plain`)).toEqual({ text: `'${start}plain`, notes: 'guarded:text' });
    expect(textCell(`plain${start}end`)).toEqual({ text: `plain${start}end`, notes: '' });
  });

  it('guards a cell that starts with NUL, which itself becomes visible', () => {
    expect(textCell('\u0000=1')).toEqual({ text: "'\\u{0}=1", notes: 'guarded:text;escaped:text' });
    expect(textCell('a\u0000b')).toEqual({ text: 'a\\u{0}b', notes: 'escaped:text' });
  });

  it('gives the cell back when the first apostrophe is taken away, also where one stood there before', () => {
    for (const text of ["'=1", "''@x", '-', '-rw-r--r--', '"=1"']) expect(textCell(text).text.slice(1)).toBe(text);
  });

  it('guards every column of text, never a number', () => {
    const row = makeRow({ tool_name: '=a', source_file: '@b', secret_rules: ['-c'], exit_code: -7, problem: '+d' });
    expect(cellsOf(row)).toMatchObject({
      tool_name: "'=a",
      source_file: "'@b",
      secret_rules: "'-c",
      exit_code: '-7',
      problem: "'+d",
      csv_notes: 'guarded:tool_name;guarded:source_file;guarded:secret_rules;guarded:problem',
    });
  });

  it('makes control and bidi characters and lone surrogates visible, and leaves pairs, tabs and line ends', () => {
    const hidden = ['\u0001', '\u0008', '\u000b', '\u001b', '\u007f', '\u0085', '\u009f', '\u061c', '\u200e', '\u200f', '\u2028', '\u2029'];
    for (const c of [...hidden, '\u202a', '\u202e', '\u2066', '\u2069', '\ud83d', '\ude00']) {
      const shown = `a\\u{${c.charCodeAt(0).toString(16)}}b`;
      expect(textCell(`a${c}b`)).toEqual({ text: shown, notes: 'escaped:text' });
    }
    for (const plain of ['a\tb', 'a\nb', 'a\rb', 'a\r\nb', '😀', '表', 'é', '\u200b'])
      expect(textCell(plain)).toEqual({ text: plain, notes: '' });
    expect(textCell('\ud83d\ud83d\ude00\ude00').text).toBe('\\u{d83d}😀\\u{de00}');
    const stored = cellsOf(makeRow({ details: { a: '\u202e', b: '\u001b' } }));
    expect(stored).toMatchObject({ details: '{"a":"\\u{202e}","b":"\\u001b"}', csv_notes: 'escaped:details' });
  });

  const mark = (length: number) => ` \u2026[cut, ${length} characters in all, see row_id]`;

  it('cuts at 32,000 code units, not inside a pair of surrogates, and below the limit of a spreadsheet', () => {
    expect(textCell('a'.repeat(32_000))).toEqual({ text: 'a'.repeat(32_000), notes: '' });
    expect(textCell('a'.repeat(32_001))).toEqual({ text: 'a'.repeat(32_000) + mark(32_001), notes: 'cut:text' });
    const emoji = `${'a'.repeat(31_999)}😀tail`;
    expect(textCell(emoji)).toEqual({ text: 'a'.repeat(31_999) + mark(emoji.length), notes: 'cut:text' });
    const before = `${'a'.repeat(31_998)}😀tail`;
    expect(textCell(before)).toEqual({ text: before.slice(0, 32_000) + mark(before.length), notes: 'cut:text' });
    expect(textCell('x'.repeat(1e6)).text.length).toBeLessThan(32_767);
    expect(cellsOf(makeRow({ details: { long: 'y'.repeat(40_000) } })).csv_notes).toBe('cut:details');
  });

  it('says so when only the changes themselves make a cell too long', () => {
    const guarded = `=${'a'.repeat(31_999)}`;
    expect(textCell(guarded)).toEqual({ text: `'${guarded.slice(0, 31_999)}${mark(32_000)}`, notes: 'guarded:text;cut:text' });
    const escaped = textCell('\u001b'.repeat(20_000));
    expect(escaped.notes).toBe('escaped:text;cut:text');
    expect(escaped.text.length).toBeLessThan(32_767);
    expect(escaped.text.slice(0, -mark(20_000).length)).toMatch(/^(?:\\u\{1b\})+$/);
  });

  it('does not outgrow a string, and takes no time to speak of, on a very long cell', () => {
    const started = performance.now();
    expect(textCell('\u001b'.repeat(120_000_000)).notes).toBe('escaped:text;cut:text');
    expect(textCell(' '.repeat(20_000_000)).notes).toBe('cut:text');
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('names changes in the order of the columns, guarded before escaped before cut, and counts them', () => {
    const { line, counts } = csvEncoder(SAFE);
    const encoded = line(makeRow({ project_path: '\u001b', text: `=\u001b${'a'.repeat(40_000)}`, command: '@x' }));
    expect(encoded.endsWith(',escaped:project_path;guarded:text;escaped:text;cut:text;guarded:command')).toBe(true);
    expect(counts).toEqual({ guarded: 2, escaped: 2, cut: 1 });
  });

  it('changes nothing in raw mode', () => {
    for (const text of ['=1', '\u001b[31m', '\u202e', '\u0000', ' '.repeat(3), 'z'.repeat(50_000)]) {
      expect(textCell(text, RAW)).toEqual({ text, notes: '' });
    }
  });
});

const nasty = fc.constantFrom(
  '"',
  '""',
  ',',
  '\n',
  '\r',
  '\r\n',
  '\t',
  ';',
  "'",
  '=',
  '\u0000',
  ' ',
  '\ufeff',
  '\u2028',
  '\ud800',
  'é',
  '😀',
);
const anyText = fc.oneof(
  fc.array(fc.oneof(nasty, fc.string({ maxLength: 4, unit: 'binary' })), { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ maxLength: 20, unit: 'binary' }),
);
const anyRow = fc
  .record({
    user: anyText,
    session_id: anyText,
    project_path: anyText,
    model: anyText,
    text: anyText,
    source_file: anyText,
    command: anyText,
    file_paths: fc.array(anyText, { maxLength: 3 }),
    secret_rules: fc.array(anyText, { maxLength: 3 }),
    details: fc.dictionary(anyText, anyText, { maxKeys: 3 }),
    exit_code: fc.option(fc.integer()),
    source_line: fc.nat(),
  })
  .map(makeRow);

/** Values as they go into a general CSV writer. */
const rawCells = (row: Row) =>
  COLUMNS.map((column) => {
    const value = row[column];
    if (value === null) return '';
    if (typeof value !== 'object') return String(value);
    return column === 'secret_rules' ? row.secret_rules.join(';') : JSON.stringify(value);
  });

/** What UTF-8 keeps of a text: raw mode has no way to write a lone surrogate. */
const inUtf8 = (text: string) => Buffer.from(text).toString('utf8');

describe('quoting', () => {
  it('is that of csv-stringify with quote_record_delimiter, byte for byte', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 3 }), (rows) => {
        const ours = rows.map((row) => `${csvEncoder(RAW).line(row)}\n`).join('');
        const theirs = stringify(
          rows.map((row) => [...rawCells(row), '']),
          { quote_record_delimiter: true, record_delimiter: '\n' },
        );
        expect(Buffer.from(ours)).toEqual(Buffer.from(theirs));
      }),
      { numRuns: 500 },
    );
  });

  it('is read back by csv-parse as exactly the cells', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 3 }), (rows) => {
        const { line } = csvEncoder(RAW);
        const text = csvHeader(RAW) + rows.map((row) => `${line(row)}\n`).join('');
        expect(parse(text, { record_delimiter: '\n' })).toEqual([FIELDS, ...rows.map((row) => [...rawCells(row).map(inUtf8), ''])]);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves no cell that a spreadsheet could evaluate, and undoes by its notes', () => {
    fc.assert(
      fc.property(anyRow, (row) => {
        const cells = cellsOf(row);
        const notes = (cells.csv_notes ?? '').split(';');
        const raw = rawCells(row);
        for (const [i, column] of COLUMNS.entries()) {
          let cell = cells[column] ?? '';
          if (typeof row[column] === 'number') continue;
          if (!cell.startsWith("'")) expect(cell).not.toMatch(/^(?:[\t\r\n]|[\s;,|"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/);
          if (notes.includes(`guarded:${column}`)) cell = cell.slice(1);
          if (!notes.includes(`escaped:${column}`)) expect(cell).toBe(raw[i]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('place of duplicate_of', () => {
  it('is its cell, whatever text around it imitates', () => {
    fc.assert(
      fc.property(anyRow, fc.boolean(), (row, raw) => {
        const bytes = Buffer.from(csvEncoder({ raw, bom: false }).line(row));
        const place = duplicatePlaceCsv(bytes);
        const filled = Buffer.concat([bytes.subarray(0, place), Buffer.from('0123456789abcdef'), bytes.subarray(place)]);
        const wanted = Buffer.from(csvEncoder({ raw, bom: false }).line({ ...row, duplicate_of: '0123456789abcdef' }));
        expect(filled).toEqual(wanted);
      }),
      { numRuns: 500 },
    );
  });

  it('is not moved by commas, quotes and line ends in text, paths and details', () => {
    const imitation = ',,"",\n"duplicate_of",'.repeat(40);
    const row = makeRow({ text: imitation, file_paths: [imitation], command: imitation, details: { [imitation]: imitation } });
    const bytes = Buffer.from(csvEncoder(SAFE).line(row));
    const place = duplicatePlaceCsv(bytes);
    const filled = Buffer.concat([bytes.subarray(0, place), Buffer.from('feedfeedfeedfeed'), bytes.subarray(place)]);
    const [cells] = parse(filled) as string[][];
    expect(cells?.[COLUMNS.indexOf('duplicate_of')]).toBe('feedfeedfeedfeed');
    expect(cells?.filter((cell) => cell.includes('feedfeed'))).toHaveLength(1);
  });
});
