export { type RulesDocument, readRulesText } from './documents.js';
export { RulesFileError } from './errors.js';
export type { Lists } from './lists.js';
export { compileCondition, loadRules, placedRules, ruleSet, techniquesOf } from './load.js';
export type { CompiledCondition, CompiledRule, RuleSet } from './types.js';
