import { describe, expect, it } from 'vitest';
import { parseRules } from '../../src/secrets/index.js';
import { expand } from './generate.js';
import { rules, scanner, secretDocuments } from './support.js';

const reported = (sample: string) =>
  scanner
    .scanText(expand(sample))
    .filter(({ finding }) => finding.confidence !== 'none')
    .map(({ finding }) => finding.rule);

describe('rules of the catalog', () => {
  for (const rule of rules.rules) {
    it.each(rule.samples.match)(`${rule.id} reports %s`, (sample) => {
      expect(reported(sample)).toContain(rule.id);
    });
    it.each(rule.samples.no_match)(`${rule.id} leaves %s`, (sample) => {
      expect(reported(sample)).not.toContain(rule.id);
    });
  }

  it('have samples, unless a parser names their places', () => {
    const bare = rules.rules.filter((rule) => rule.kind !== 'location' && rule.samples.match.length === 0).map((rule) => rule.id);
    expect(bare).toEqual(['encoded-private-key']);
  });

  it('carry a version', () => {
    expect(rules.version).toBe('2026.2');
  });
});

describe('a broken rule document', () => {
  const rule = { kind: 'pattern', id: 'x', keywords: ['k'], pattern: 'k[a-z]{2,9}' };
  it.each([
    ['an unknown key', [{ rules: [{ ...rule, colour: 'red' }] }], /rule x: .*colour/],
    ['an id that occurs twice', [{ rules: [rule, rule] }], /rule x: the id occurs twice/],
    ['an unbounded quantifier', [{ rules: [{ ...rule, pattern: 'k[a-z]+' }] }], /rule x: a quantifier without an upper bound/],
    ['a pattern that does not compile', [{ rules: [{ ...rule, pattern: 'k(' }] }], /rule x: /],
    ['no document at all', ['rules'], /document: /],
  ])('%s is named', (_, documents, message) => {
    expect(() => parseRules(documents)).toThrow(message);
  });

  it('is none of ours', () => {
    expect(secretDocuments().length).toBeGreaterThanOrEqual(3);
  });
});
