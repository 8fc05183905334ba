import { type CompiledRule, loadRules, type RuleSet, type RulesDocument, readRulesText, ruleSet, techniquesOf } from './rules/index.js';
import { compileSigma, isSigma } from './sigma/index.js';

/** A rule of a user's file that could not be loaded. It is named, and the others are used. */
export interface Refused {
  readonly id: string;
  readonly reason: string;
}

/**
 * The rules of the catalog with those of the user's files, which may hold rules of our form, lists, and Sigma rules. Throws a
 * RulesFileError for a file that is no YAML or a rule of our form with a fault.
 */
export function loadAllRules(
  catalog: ReadonlyMap<string, unknown>,
  files: readonly { readonly file: string; readonly text: string }[],
): { readonly rules: RuleSet; readonly refused: readonly Refused[] } {
  const documents = files.flatMap(({ file, text }) => readRulesText(text, file));
  const own = loadRules(
    catalog,
    documents.filter(({ value }) => !isSigma(value)),
  );
  const refused: Refused[] = [];
  const techniques = techniquesOf(catalog);
  const sigma = new Map<string, CompiledRule>();
  for (const document of documents.filter(({ value }) => isSigma(value))) {
    const rule = compileSigma(document.value, techniques);
    // Findings are named after their rule: of two with one id the first counts.
    if ('refused' in rule) refused.push({ id: placeOf(document), reason: rule.refused });
    else if (sigma.has(rule.id)) refused.push({ id: placeOf(document), reason: `there is a rule with the id ${rule.id} already` });
    else sigma.set(rule.id, rule);
  }
  return { rules: sigma.size === 0 ? own : ruleSet([...own.rules, ...sigma.values()], own.lists), refused };
}

function placeOf({ file, lineOf }: RulesDocument): string {
  const line = lineOf([]);
  return `${file}${line > 0 ? `:${line}` : ''}`;
}
