import { catalogRules } from '../../src/pipeline/secret-settings.js';
import { createScanner, parseRules, type RuleSet, type Scanner } from '../../src/secrets/index.js';

export const secretDocuments: () => unknown[] = catalogRules;

export const rules: RuleSet = parseRules(secretDocuments());
export const scanner: Scanner = createScanner(rules);
