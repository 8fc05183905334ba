import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Texts, textBlock } from '../../../src/report/page/worker/texts.js';

/** The texts of rows as a page holds them, in blocks of a few rows each. */
function textsOf(rows: readonly string[], size: number): Texts {
  const texts = new Texts();
  for (let first = 0; first < rows.length; first += size) {
    const parts = rows.slice(first, first + size).map((row) => new TextEncoder().encode(row));
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    texts.add(
      textBlock(
        first,
        bytes,
        Uint32Array.from(parts, (part) => part.length),
      ),
    );
  }
  return texts;
}

const naive = (rows: readonly string[], needle: string) =>
  rows.flatMap((row, i) => (row.toLowerCase().includes(needle.toLowerCase()) ? [i] : []));

// Few characters, so that needles are found, also across the ends of rows; among them all whose other case is odd.
const TEXT = fc.string({
  unit: fc.constantFrom(...'abAB.*-\\[(/ \n', 'k', 'K', '\u212a', 'i', 'I', '\u0130', 's', '\u017f', 'é', 'É', '한', '\u{1f600}'),
  maxLength: 12,
});

describe('search over all texts', () => {
  it('finds the rows whose text holds the needle in any case, and no others', () => {
    fc.assert(
      fc.property(
        fc.array(TEXT, { maxLength: 12 }),
        TEXT.filter((needle) => needle !== ''),
        fc.integer({ min: 1, max: 5 }),
        (rows, needle, size) => {
          expect([...textsOf(rows, size).search(needle)]).toEqual(naive(rows, needle));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('takes nothing for an expression, and nothing that lies in two rows for one', () => {
    const rows = ['a.b', 'axb', 'ab', '', 'ab', 'A.B'];
    expect([...textsOf(rows, 10).search('a.b')]).toEqual([0, 5]);
    expect([...textsOf(rows, 10).search('ba')]).toEqual([]);
    expect([...textsOf(rows, 10).search('ab')]).toEqual([2, 4]);
  });
});
