import { expect, it } from 'vitest';
import { TooLargeError } from '../../src/evidence/source.js';
import type { FileParser } from '../../src/parsers/parser.js';
import { draftsOf, MTIME, memorySource } from './memory-source.js';

/** What holds for every store that is one JSON object. `what` is its name in the texts. */
export function itReadsOneObject(parser: FileParser, what: string, good: unknown): void {
  const whole = JSON.stringify(good);
  const texts = (content: string | Uint8Array) => draftsOf(parser, content).map((d) => d.text);

  it('names an empty file', () => {
    const rows = draftsOf(parser, '');
    expect(rows.map((d) => [d.row_type, d.text, d.time])).toEqual([['error', `parser: ${what}: empty file (0 bytes)`, MTIME]]);
  });

  it('names a truncated file and shows its head', () => {
    const rows = draftsOf(parser, whole.slice(0, -1));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row_type).toBe('error');
    expect(rows[0]?.text).toMatch(new RegExp(`^parser: ${what}: invalid JSON \\(.*\\): \\{"`));
  });

  it.each(['["x"]', '"text"', '5', 'null'])('names a wrong shape and keeps it: %s', (json) => {
    const rows = draftsOf(parser, json);
    expect(rows.map((d) => [d.row_type, d.text])).toEqual([['error', `parser: ${what} is not a JSON object`]]);
    expect(rows[0]?.details).toEqual({ value: JSON.parse(json) });
  });

  it('says that a file is not UTF-8 and reads it all the same', () => {
    const rows = texts(Buffer.concat([Buffer.from(`{"\\u0000": "`), Buffer.from([0xff]), Buffer.from(`",${whole.slice(1)}`)]));
    expect(rows[0]).toMatch(new RegExp(`^parser: ${what}: not valid UTF-8, each damaged byte is read as U\\+FFFD: `));
    expect(rows.length).toBeGreaterThan(1);
  });

  it('names a file too large to be read as a whole', () => {
    const bytes = (): Buffer => {
      throw new TooLargeError('too large');
    };
    const rows = [...parser.parse({ ...memorySource('{}'), bytes }, new Map())];
    expect(rows.map((d) => d.text)).toEqual([`parser: ${what}: file of 2 bytes is too large to be read as one JSON document`]);
  });

  it('cuts a nesting too deep to be written again', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const rows = draftsOf(parser, `{"deep":${deep},${whole.slice(1)}`);
    expect(rows[0]?.text).toBe(`parser: ${what}: 1 values nested deeper than 128 levels are left out`);
    expect(() => JSON.stringify(rows)).not.toThrow();
  });
}
