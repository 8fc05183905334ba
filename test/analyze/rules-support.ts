import { loadRules, type RuleSet, ruleSet } from '../../src/analyze/rules/index.js';
import type { Sample } from '../../src/analyze/rules/schema.js';
import { foundIn } from '../../src/analyze/samples.js';
import { catalogFolder, readDocuments } from '../../src/catalog/documents.js';

export { viewsOf } from '../../src/analyze/samples.js';

export const catalog = readDocuments(catalogFolder());
export const builtIn: RuleSet = loadRules(catalog);

/** Rules of the set that find something in a sample. */
export const found = (sample: Sample, set: RuleSet = builtIn): string[] => foundIn(sample, set);

/** One rule alone. */
export const alone = (id: string): RuleSet =>
  ruleSet(
    builtIn.rules.filter((rule) => rule.id === id),
    builtIn.lists,
  );
