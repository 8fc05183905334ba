import { describe, expect, it } from 'vitest';
import { checkedDocument } from '../../src/analyze/rules/check.js';
import { catalogRuleDocuments } from '../../src/analyze/rules/load.js';
import { alone, builtIn, catalog, found, viewsOf } from './rules-support.js';

const stored = catalogRuleDocuments(catalog).flatMap((document) => checkedDocument(document, []).rules.map(({ rule }) => rule));

describe('samples of the built-in rules', () => {
  it.each(stored.map((rule) => [rule.id, rule] as const))('%s', (id, { samples }) => {
    for (const sample of samples.match) expect([sample, found(sample, alone(id))]).toEqual([sample, [id]]);
    for (const sample of samples.no_match) expect([sample, found(sample, alone(id))]).toEqual([sample, []]);
  });

  it('are found through the index over all rules as well', () => {
    for (const { id, samples } of stored)
      for (const sample of samples.match) expect([sample, found(sample)]).toEqual([sample, expect.arrayContaining([id])]);
  });

  it('lose no rule by the index: it is a choice of candidates, not an answer', () => {
    const matching = builtIn.rules.filter((rule) => rule.kind === 'match');
    for (const { samples } of stored) {
      for (const view of [...samples.match, ...samples.no_match].flatMap(viewsOf)) {
        const candidates = builtIn.candidates(view);
        const missed = matching.filter((rule) => !candidates.includes(rule) && rule.condition.matches(view)).map((rule) => rule.id);
        expect([view.row.command, missed]).toEqual([view.row.command, []]);
      }
    }
  });
});
