import {
  type CompiledRule,
  loadRules,
  placedRules,
  type RuleSet,
  type RulesDocument,
  RulesFileError,
  readRulesText,
  ruleSet,
  techniquesOf,
} from './rules/index.js';
import { sampleFaults } from './samples.js';
import { compileSigma, isSigma } from './sigma/index.js';

/** A rule of a user's file that could not be loaded. It is named, and the others are used. */
export interface Refused {
  readonly id: string;
  readonly reason: string;
}

/**
 * The rules of the catalog with those of the user's files, which may hold rules of our form, lists, and Sigma rules. Throws a
 * RulesFileError for a file that is no YAML, or a rule of our form with a fault or whose samples do not say what they should.
 */
export function loadAllRules(
  catalog: ReadonlyMap<string, unknown>,
  files: readonly { readonly file: string; readonly text: string }[],
): { readonly rules: RuleSet; readonly refused: readonly Refused[] } {
  const documents = files.flatMap(({ file, text }) => readRulesText(text, file));
  const ours = documents.filter(({ value }) => !isSigma(value));
  const own = loadRules(catalog, ours);
  trySamples(ours, own);
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

/** A rule that does not do what its author shows of it would be silent, or loud, without anyone knowing why. */
function trySamples(documents: readonly RulesDocument[], { rules, lists }: RuleSet): void {
  const problems = placedRules(documents).flatMap(({ rule, document, path }) => {
    const alone = ruleSet(
      rules.filter(({ id }) => id === rule.id),
      lists,
    );
    const line = document.lineOf([...path, 'samples']);
    return sampleFaults(rule, alone).map((message) => ({ file: document.file, line, rule: rule.id, message }));
  });
  if (problems.length > 0) throw new RulesFileError(problems);
}

function placeOf({ file, lineOf }: RulesDocument): string {
  const line = lineOf([]);
  return `${file}${line > 0 ? `:${line}` : ''}`;
}
