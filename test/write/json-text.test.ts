import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonPieces, type MaskText, maskStrings } from '../../src/write/json-text.js';
import '../support/seed.js';

const plain: MaskText = (text) => text;
const masking: MaskText = (text) => text.replaceAll(/[ab]/g, '*');

it('a document in pieces is the text of it, whatever it holds and whatever is masked', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'medium' }), fc.constantFrom(plain, masking), (json, mask) => {
      // Names of one to two letters are often masked to the same name.
      expect([...jsonPieces(json, mask)].join('')).toBe(JSON.stringify(maskStrings(json, mask), null, 2));
    }),
    { numRuns: 1000 },
  );
});

it('names that a mask makes equal leave one member, as in the whole', () => {
  const value = { x: [{ a: [1], b: { c: 2 }, d: undefined }], e: [], f: {} };
  expect([...jsonPieces(value, masking)].join('')).toBe(JSON.stringify(maskStrings(value, masking), null, 2));
  expect(JSON.parse([...jsonPieces(value, masking)].join(''))).toEqual({ x: [{ '*': { c: 2 } }], e: [], f: {} });
});

it('comes in pieces that do not grow with the document', () => {
  const pieces = [...jsonPieces({ inputs: Array.from({ length: 1000 }, (_, i) => ({ path: `f${i}`, problems: [] })) }, plain)];
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(30);
});
