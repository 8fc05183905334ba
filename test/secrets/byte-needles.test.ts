import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ByteNeedle, byteNeedles, type NeedleMatch } from '../../src/secrets/byte-needles.js';

const needlesOf = (texts: readonly string[]): ByteNeedle[] => texts.map((text, tag) => ({ bytes: Buffer.from(text), tag }));

function allOf(texts: readonly string[], bytes: Buffer): NeedleMatch[] {
  const search = byteNeedles(needlesOf(texts));
  const found: NeedleMatch[] = [];
  for (let match = search.next(bytes, 0); match !== undefined; match = search.next(bytes, match.end)) found.push(match);
  return found;
}

/** The same by comparing every needle at every place. */
function naive(texts: readonly string[], bytes: Buffer): NeedleMatch[] {
  const found: NeedleMatch[] = [];
  for (let start = 0; start < bytes.length; ) {
    const here = texts
      .map((text, tag) => ({ tag, size: Buffer.byteLength(text), stands: bytes.subarray(start).indexOf(text) === 0 }))
      .filter(({ stands }) => stands)
      .sort((a, b) => b.size - a.size)[0];
    if (here !== undefined) found.push({ tag: here.tag, start, end: start + here.size });
    start = here === undefined ? start + 1 : start + here.size;
  }
  return found;
}

describe('search for many byte strings', () => {
  it('finds what comparing at every place finds', () => {
    // Few letters, so that needles share heads and lie within and across each other.
    const needle = fc.string({ unit: fc.constantFrom('a', 'b', '\u00e9'), minLength: 8, maxLength: 20 });
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\u00e9'), maxLength: 6 });
    fc.assert(
      fc.property(fc.uniqueArray(needle, { maxLength: 6 }), fc.array(fc.tuple(fc.nat(5), piece), { maxLength: 8 }), (texts, parts) => {
        const bytes = Buffer.from(parts.map(([n, between]) => `${between}${texts[n] ?? ''}`).join(''));
        expect(allOf(texts, bytes)).toEqual(naive(texts, bytes));
      }),
      { numRuns: 2000, seed: 1 },
    );
  });

  it('finds one at the very beginning, at the very end, and behind another', () => {
    const bytes = Buffer.from('password-onepassword-two..password-one');
    expect(allOf(['password-one', 'password-two'], bytes)).toEqual([
      { tag: 0, start: 0, end: 12 },
      { tag: 1, start: 12, end: 24 },
      { tag: 0, start: 26, end: 38 },
    ]);
  });

  it('refuses what is too short to be looked for', () => {
    expect(() => byteNeedles(needlesOf(['1234567']))).toThrow(RangeError);
  });
});
