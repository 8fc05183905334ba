import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COLUMNS, type Row, RowSchema } from '../../src/rows/row.js';
import { stampRow } from '../../src/rows/stamp.js';
import { duplicatePlace, jsonLine } from '../../src/write/jsonl.js';
import { makeRow } from '../support/cli.js';

const stamp = () => ({
  host: 'h',
  user: 'u',
  home: '',
  agent: 'amazon-q-cli',
  file: 'a/b',
  table: '',
  rowid: 0,
  sha256: '00',
  copy: 0,
  toolVersion: '0',
  used: new Map<string, number>(),
});

describe('a line', () => {
  it('has all columns in their order, whatever order a parser yields them in', () => {
    const drafts = [
      { row_type: 'prompt', text: 'a' },
      { text: 'b', row_type: 'tool_result', problem: 'p', agent: 'x', exit_code: 0, details: { z: 1 }, session_id: 's' },
    ] as const;
    for (const draft of drafts) {
      const line = jsonLine(stampRow(draft, stamp()));
      expect(Object.keys(JSON.parse(line))).toEqual(COLUMNS);
      expect(RowSchema.safeParse(JSON.parse(line)).error).toBeUndefined();
      expect(line).toMatch(/^\{"timestamp_utc":"","host":"h",/);
    }
  });

  it('is one line, also for readers that split at U+2028 and U+2029', () => {
    const row = makeRow({ text: 'a\u2028b\u2029c\nd\re\u0085f', details: { '\u2028k': '\u2029' }, file_paths: ['\u2028'] });
    const line = jsonLine(row);
    expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
    expect(line).toContain('a\\u2028b\\u2029c\\nd\\re');
    expect(JSON.parse(line)).toEqual(row);
  });

  it('keeps lone surrogates as escapes, so that nothing is lost in UTF-8', () => {
    const row = makeRow({ text: '\ud800a\udc00 😀', details: { '\udfff': '\ud83d' } });
    const bytes = Buffer.from(jsonLine(row));
    expect(bytes.includes('\\ud800a\\udc00 😀')).toBe(true);
    expect(JSON.parse(bytes.toString('utf8'))).toEqual(row);
  });

  it('is that of JSON.stringify but for U+2028 and U+2029, and what comes back, for any text in any column', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('"', '\\', '\u2028', '\ud800', 'plain-1', 'a\n'),
    );
    const free = [
      'user',
      'session_id',
      'tool_use_id',
      'timestamp_original',
      'decided_by',
      'message_id',
      'source_pointer',
      'problem',
    ] as const;
    const some = fc.record(Object.fromEntries(free.map((column) => [column, anyText])));
    const rows = fc
      .record({
        text: anyText,
        command: anyText,
        file_paths: fc.array(anyText),
        details: fc.dictionary(anyText, anyText, { noNullPrototype: true }),
      })
      .chain((row) => some.map((more) => makeRow({ ...row, ...more })));
    fc.assert(
      fc.property(rows, (row) => {
        expect(jsonLine(row)).toBe(JSON.stringify(row).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029'));
        expect(JSON.parse(Buffer.from(jsonLine(row)).toString('utf8'))).toEqual(row);
      }),
    );
  });
});

function filled(row: Row): Row {
  const bytes = Buffer.from(jsonLine(row));
  const place = duplicatePlace(bytes);
  const id = Buffer.from('0123456789abcdef');
  return JSON.parse(Buffer.concat([bytes.subarray(0, place), id, bytes.subarray(place)]).toString('utf8'));
}

describe('place of duplicate_of', () => {
  const imitations = [
    ',"duplicate_of":"',
    '","duplicate_of":"',
    '\\",\\"duplicate_of\\":\\"',
    '\\","duplicate_of":"","x":"',
    ',',
    'duplicate_of',
    '"],"duplicate_of":"',
  ];

  it.each(imitations)('is the column, not the text %j', (text) => {
    const row = makeRow({
      text,
      user: text,
      command: text,
      source_file: text,
      file_paths: [text, ',', 'duplicate_of', ':'],
      decided_by: text,
      message_id: text,
      details: { duplicate_of: text, [text]: { duplicate_of: text } },
    });
    expect(filled(row)).toEqual({ ...row, duplicate_of: '0123456789abcdef' });
  });

  it('is the column for any text', () => {
    const part = fc.constantFrom(...imitations, '"', '\\', ':', '{', '[', ']', '\ud800', '\u2028');
    const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, fc.array(text, { maxLength: 4 }), text, (a, b, file_paths, c) => {
        const row = makeRow({ text: a, command: b, file_paths, details: { duplicate_of: c, [a]: b } });
        expect(filled(row)).toEqual({ ...row, duplicate_of: '0123456789abcdef' });
      }),
      { numRuns: 500 },
    );
  });
});
