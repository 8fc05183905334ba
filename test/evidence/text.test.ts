import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeUtf8 } from '../../src/evidence/text.js';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

it('a text of any length and script is decoded alike, without its byte order mark; bytes that are not valid are told', () => {
  const unit = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.constantFrom('한국어 ', '🙂', 'plain ', '\ufeff'));
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), fc.nat(200), fc.boolean(), fc.nat(), fc.boolean(), (units, times, mark, at, broken) => {
      const text = units.join('').repeat(times).toWellFormed();
      const bytes = Buffer.concat([mark ? BOM : Buffer.alloc(0), Buffer.from(text, 'utf8')]);
      if (broken && bytes.length > 3) bytes[3 + (at % (bytes.length - 3))] = 0xff;
      const read = decodeUtf8(bytes);
      const marked = bytes.subarray(0, 3).equals(BOM);
      expect(read.text).toBe(bytes.toString('utf8', marked ? 3 : 0));
      expect(read.valid).toBe(isUtf8(bytes));
    }),
  );
});
