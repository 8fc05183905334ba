import fc from 'fast-check';
import { z } from 'zod';
import { COLUMNS, type Row, RowSchema } from '../../src/rows/row.js';

/** Pieces that mean something to CSV, spreadsheets, JSON, HTML or a terminal. */
const PIECES = [
  ...['"', '""', ',', ';', "'", '\n', '\r', '\r\n', '\t', '=', '+', '-', '@', '|', '\uff1d', ' ', '\u0000', '\ufeff', '\u2028', '\u202e'],
  ...[
    '\ud800',
    '\udc00',
    '😀',
    '\\',
    '\\u{0}',
    '\u001b[31m',
    '\u009b',
    '</script>',
    '<!--',
    ',"duplicate_of":"',
    '=1+1',
    "=cmd|' /C x'!A0",
  ],
];

const text = fc.oneof(
  {
    weight: 80,
    arbitrary: fc
      .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4, unit: 'binary' })), { maxLength: 8 })
      .map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...PIECES), fc.nat({ max: 20_000 })).map(([piece, times]) => piece.repeat(times)) },
);

function cellOf(schema: z.ZodType, column: string): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (column === 'secrets') return fc.constant([]);
  if (schema instanceof z.ZodArray) return fc.array(text, { maxLength: 3 });
  if (schema instanceof z.ZodNullable) return fc.option(fc.maxSafeInteger());
  if (schema instanceof z.ZodRecord) return fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true });
  return schema instanceof z.ZodString ? text : fc.nat();
}

/** Any row the schema allows, in nearly every column anything. */
export const anyRow: fc.Arbitrary<Row> = fc
  .record(Object.fromEntries(COLUMNS.map((column) => [column, cellOf(RowSchema.shape[column], column)])))
  // A time is made by the program alone, and stands in no form but its own.
  .map((columns) => RowSchema.parse({ ...columns, timestamp_utc: '', row_id: '0123456789abcdef', source_sha256: '', duplicate_of: '' }));
