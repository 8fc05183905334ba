import { loadRules, type RuleSet, type RulesDocument, readRulesText, ruleSet, type Techniques, techniquesOf } from './rules/index.js';
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
  const sigma = documents.filter(({ value }) => isSigma(value)).flatMap((document) => sigmaRule(document, techniques, refused));
  return { rules: sigma.length === 0 ? own : ruleSet([...own.rules, ...sigma], own.lists), refused };
}

function sigmaRule({ file, value, lineOf }: RulesDocument, techniques: Techniques, refused: Refused[]) {
  const compiled = compileSigma(value, techniques);
  if ('refused' in compiled) {
    const line = lineOf([]);
    refused.push({ id: `${file}${line > 0 ? `:${line}` : ''}`, reason: compiled.refused });
    return [];
  }
  return [compiled];
}
