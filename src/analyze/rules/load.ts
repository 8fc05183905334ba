import { type CheckedFile, checkedDocument, type PlacedRule } from './check.js';
import { compiledRule } from './compile.js';
import { compiledCondition } from './condition.js';
import type { RulesDocument } from './documents.js';
import { RulesFileError, type RulesProblem } from './errors.js';
import { faultsOf, messageOf } from './faults.js';
import { Lists, mergeLists } from './lists.js';
import { ruleIndex } from './rule-index.js';
import { ConditionSchema } from './schema.js';
import { Techniques } from './techniques.js';
import type { CompiledCondition, CompiledRule, RuleSet } from './types.js';

const FOLDER = 'rules/';
const TECHNIQUES = `${FOLDER}techniques.yaml`;

/** The rule files of the catalog. */
export function catalogRuleDocuments(catalog: ReadonlyMap<string, unknown>): RulesDocument[] {
  return [...catalog]
    .filter(([name]) => name.startsWith(FOLDER) && name !== TECHNIQUES)
    .map(([name, value]) => ({ file: `catalog/${name}`, value, lineOf: () => 0 }));
}

export const techniquesOf = (catalog: ReadonlyMap<string, unknown>): Techniques => new Techniques(catalog.get(TECHNIQUES));

/**
 * All rules: those of the catalog and those of `own`, documents of a user, which may add rules and lists and replace both. Throws a
 * RulesFileError that names every fault; nothing is loaded in part.
 */
export function loadRules(catalog: ReadonlyMap<string, unknown>, own: readonly RulesDocument[] = []): RuleSet {
  const problems: RulesProblem[] = [];
  const files = [...catalogRuleDocuments(catalog), ...own].map((document) => checkedDocument(document, problems));
  const lists = new Lists(mergeLists(files.map((file) => file.lists)));
  listProblems(lists, [...catalogRuleDocuments(catalog), ...own], problems);
  const techniques = techniquesOf(catalog);
  const rules: CompiledRule[] = [];
  for (const placed of inForce(files, problems)) {
    for (const message of techniqueProblems(placed, techniques)) problems.push(problem(placed, message));
    try {
      rules.push(compiledRule(placed.rule, lists));
    } catch (error) {
      problems.push(problem(placed, error instanceof Error ? error.message : String(error)));
    }
  }
  if (problems.length > 0) throw new RulesFileError(problems);
  return ruleSet(rules, lists);
}

/** The rules of documents that were loaded, each with its place. */
export const placedRules = (documents: readonly RulesDocument[]): PlacedRule[] =>
  documents.flatMap((document) => checkedDocument(document, []).rules);

/** Rules as a set, with an index over them. For rules that were made elsewhere, as those of Sigma files. */
export function ruleSet(rules: readonly CompiledRule[], lists: Lists): RuleSet {
  return { rules, lists, candidates: ruleIndex(rules) };
}

/** A condition that stands outside of a rule. Throws with the reason when it is not one. */
export function compileCondition(condition: unknown, lists: Lists): CompiledCondition {
  const result = ConditionSchema.safeParse(condition);
  if (result.success) return compiledCondition(result.data, lists);
  throw new Error(
    faultsOf(result.error)
      .map((fault) => `${fault.path.map(String).join('.') || 'condition'}: ${messageOf(fault)}`)
      .join('; '),
  );
}

/** The rules that count: of two with one id the later, which must say that it replaces the other. */
function inForce(files: readonly CheckedFile[], problems: RulesProblem[]): PlacedRule[] {
  const byId = new Map<string, PlacedRule>();
  for (const placed of files.flatMap((file) => file.rules)) {
    const { id, replaces } = placed.rule;
    const before = byId.get(id);
    if (replaces !== undefined && !byId.has(replaces)) problems.push(problem(placed, `replaces ${replaces}, which is no rule`));
    else if (before !== undefined && replaces !== id) problems.push(problem(placed, 'there is a rule of this id already: say `replaces`'));
    else if (before !== undefined && sameButVersion(before, placed)) problems.push(problem(placed, 'another version of the same rule'));
    if (replaces !== undefined && replaces !== id) byId.delete(replaces);
    byId.set(id, placed);
  }
  return [...byId.values()];
}

function sameButVersion(a: PlacedRule, b: PlacedRule): boolean {
  const text = ({ rule }: PlacedRule) => JSON.stringify({ ...rule, version: 0, replaces: undefined });
  return a.rule.version !== b.rule.version && text(a) === text(b);
}

function techniqueProblems({ rule }: PlacedRule, techniques: Techniques): string[] {
  return [...rule.attack.map((id) => techniques.attackProblem(id)), ...rule.atlas.map((id) => techniques.atlasProblem(id))].filter(
    (message) => message !== '',
  );
}

/** Lists nobody uses are checked too: an entry that is no regular expression, a list that is not there. */
function listProblems(lists: Lists, documents: readonly RulesDocument[], problems: RulesProblem[]): void {
  for (const name of lists.names()) {
    try {
      if (name.startsWith('path.')) lists.pathTest(name.slice(5));
      else if (name.startsWith('host.')) lists.hostTest(name.slice(5));
      else lists.plain(name);
    } catch (error) {
      const last = documents.findLast(({ value }) => JSON.stringify(value)?.includes(JSON.stringify(name)) === true);
      const message = `list ${name}: ${error instanceof Error ? error.message : String(error)}`;
      problems.push({ file: last?.file ?? '', line: last?.lineOf(['lists', name]) ?? 0, rule: '', message });
    }
  }
}

function problem({ rule, document, path }: PlacedRule, message: string): RulesProblem {
  return { file: document.file, line: document.lineOf(path), rule: rule.id, message };
}
