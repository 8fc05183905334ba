import { describe, expect, it } from 'vitest';
import { neededWords } from '../../src/analyze/rules/needed-words.js';
import { textTest } from '../../src/analyze/rules/regex.js';
import { catalogDocuments } from '../../src/catalog/documents.js';

describe('words a pattern needs', () => {
  it.each([
    ['abcd', [['abcd']]],
    ['\\b(ignore|forget)\\b.{0,30}\\b(all|any)\\b', [['ignore', 'forget']]],
    ['do not (tell|warn) (the )?user', [['do not '], ['tell', 'warn'], ['user']]],
    ['instructions?:', [['instruction']]],
    ['(?:abcd|ef.*ghijk)x', [['abcd', 'ghijk']]],
    ['a\\.bc+d', [['a.bc']]],
    ['x{2,}abcd', [['xabcd']]],
    ['<(?=.{0,9}read)import', [['import']]],
    ['[abcd]wxyz\\d\\u{1F600}', [['wxyz']]],
    ['[\\u202D\\u202E]', [['\u202d', '\u202e']]],
    ['[\\u2066-\\u2068][^\\n]*$', [['\u2066', '\u2067', '\u2068']]],
    ['(?:[\\u200B\u200c]{8,})|(?:[\\u{E0100}-\\u{E01EF}]{8,})', [['\u200b', '\u200c', '\udb40']]],
    ['(?<!\\u{1F3F4})[\\u{E0020}-\\u{E007E}]{4,}', [['\udb40']]],
  ])('%s', (source, words) => {
    expect(neededWords(source)).toEqual(words);
  });

  it.each([
    'abc',
    '(abcd)?',
    'abcd|x',
    '(abcd)*x',
    '(?=abcd).',
    '(?!abcd).',
    '[abcdefgh]+',
    '.*',
    '',
    '(abcd',
    '[\\u00e9]+',
    '[\\u2000-\\u206f]',
    '[\\u200ba]',
    '[^\\u200b]',
    '[\\u200b\\s]',
  ])('none for %s', (source) => {
    expect(neededWords(source)).toEqual([]);
  });

  it('change no answer: each pattern of the catalog says the same of long texts with and without its words', () => {
    const patterns = new Set<string>();
    const collect = (value: unknown): void => {
      if (Array.isArray(value)) for (const item of value) collect(item);
      else if (typeof value === 'object' && value !== null)
        for (const [key, item] of Object.entries(value)) {
          if (key === 're') for (const text of Array.isArray(item) ? item : [item]) if (typeof text === 'string') patterns.add(text);
          collect(item);
        }
    };
    const texts = new Set<string>();
    const strings = (value: unknown): void => {
      if (typeof value === 'string') texts.add(value);
      else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) strings(item);
    };
    for (const [name, document] of catalogDocuments()) {
      if (!name.startsWith('rules/')) continue;
      collect(document);
      strings(document);
    }
    expect(patterns.size).toBeGreaterThan(100);
    const filler = `\n${'lorem ipsum dolor sit amet '.repeat(10)}`;
    const disagreements: string[] = [];
    for (const pattern of patterns) {
      const head = /^(?:\(\?[ims]{1,3}\))*/.exec(pattern)?.[0] ?? '';
      const plain = new RegExp(pattern.slice(head.length), `${head.replace(/[^ims]/g, '')}u`);
      const test = textTest([pattern]);
      for (const text of texts)
        for (const long of [text, `${text}${filler}`, text.toUpperCase() + filler])
          if (test(long) !== plain.test(long)) disagreements.push(`${pattern} on ${long.slice(0, 80)}`);
    }
    expect(disagreements).toEqual([]);
  });

  it('of single characters are found wherever they stand', () => {
    const test = textTest(['[\\u{E0020}-\\u{E007E}]{2,}', '[\\u202D\\u202E]']);
    const long = 'x'.repeat(200);
    expect(test(long)).toBe(false);
    expect(test(`${long}\u{e0041}${long}`)).toBe(false);
    expect(test(`${long}\u{e0041}\u{e0042}${long}`)).toBe(true);
    expect(test(`${long}\u202e`)).toBe(true);
    expect(test(`\u202d${long}`)).toBe(true);
  });

  it('know that the Kelvin sign is a k where case does not count', () => {
    expect(textTest(['(?i)token'])(`${'x'.repeat(200)} TO\u212aEN`)).toBe(true);
  });

  it('know that a long s is an s where case does not count', () => {
    expect(textTest(['(?i)secret'])(`${'x'.repeat(200)} \u017fecret`)).toBe(true);
    expect(textTest(['(?i)kernel'])(`${'x'.repeat(200)} \u212aernel`)).toBe(true);
  });
});
