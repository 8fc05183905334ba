import { z } from 'zod';
import { type Automaton, automaton } from '../text/automaton.js';
import { type Handler, handlersOf } from './handlers.js';
import { type NameTest, nameTest, remembered } from './names.js';
import { RulesError } from './rules-error.js';
import { DocumentSchema, type FamilyRule, type Names, type Rule, type RuleDocument, type Suppress } from './schema.js';
import { type Suppression, suppression } from './suppress.js';
import { type Wordiness, wordiness } from './values.js';

/** Rules made ready for scanning. */
export interface RuleSet {
  readonly version: string;
  readonly rules: readonly Rule[];
  readonly byId: ReadonlyMap<string, Rule>;
  readonly families: readonly FamilyRule[];
  /** The name holds the word of a family. */
  readonly hasFamily: (name: string) => boolean;
  /** The name speaks of a secret, or holds the word of a family. */
  readonly tells: (name: string) => boolean;
  readonly nameTest: NameTest;
  readonly notAfter: ReadonlySet<string>;
  readonly suppression: Suppression;
  readonly wordiness: Wordiness;
  readonly automaton: Automaton;
  /** Lengths of the keywords, by their numbers. */
  readonly sizes: readonly number[];
  /** For each keyword, what to try where it stands. */
  readonly handlers: readonly (readonly Handler[])[];
}

const NO_NAMES: Names = { phrases: {}, capitals: {}, fused: [], not_before: [], not_after: [], neutral_after: [] };
const NO_SUPPRESSION: Suppress = { documented: [], references: [], words: ['example'], plain: [], harmless: [] };

/** Checks parsed rule documents and makes them one set. Later documents add rules; an id that occurs twice is an error. */
export function parseRules(documents: readonly unknown[]): RuleSet {
  const parsed = documents.map(checked);
  const rules = parsed.flatMap((document) => document.rules);
  const byId = new Map<string, Rule>();
  for (const rule of rules) {
    if (byId.has(rule.id)) throw new RulesError(`rule ${rule.id}: the id occurs twice`);
    if ((rule.kind === 'pattern' || rule.kind === 'search') && !isBounded(rule.pattern))
      throw new RulesError(`rule ${rule.id}: a quantifier without an upper bound in ${rule.pattern}`);
    byId.set(rule.id, rule);
  }
  const names = parsed.find((document) => document.names)?.names ?? NO_NAMES;
  for (const id of [...Object.keys(names.phrases), ...Object.keys(names.capitals)])
    if (!byId.has(id)) throw new RulesError(`names: no rule has the id ${id}`);
  const families = rules.filter((rule) => rule.kind === 'keyed');
  const handlers = compiled(rules, [...nameKeywords(names), ...families.flatMap((family) => family.words.flatMap(written))]);
  const keywords = [...handlers.keys()];
  const test = nameTest(names);
  const familyWord = new RegExp(
    families.flatMap((family) => family.words.map((word) => word.replaceAll(' ', '[ _.-]?'))).join('|') || '(?!)',
    'i',
  );
  const hasFamily = remembered((name) => familyWord.test(name));
  const words = wordiness(parsed.find((document) => document.bigrams)?.bigrams);
  return {
    version: parsed.flatMap((document) => document.rules_version ?? []).join('+'),
    rules,
    byId,
    families,
    hasFamily,
    tells: remembered((name) => test(name) !== undefined || hasFamily(name)),
    nameTest: test,
    notAfter: new Set(names.not_after),
    suppression: suppression(parsed.find((document) => document.suppress)?.suppress ?? NO_SUPPRESSION, words),
    wordiness: words,
    automaton: automaton(keywords),
    sizes: keywords.map((keyword) => keyword.length),
    handlers: [...handlers.values()],
  };
}

function checked(document: unknown): RuleDocument {
  const result = DocumentSchema.safeParse(document);
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => {
    const [list, index] = issue.path;
    const id = list === 'rules' && typeof index === 'number' ? idAt(document, index) : '';
    return `${id}${issue.path.map(String).join('.') || 'document'}: ${issue.message}`;
  });
  throw new RulesError(issues.join('; '));
}

const Ids = z.object({ rules: z.array(z.looseObject({ id: z.string().catch('') })) });

function idAt(document: unknown, index: number): string {
  const rules = Ids.safeParse(document);
  const id = rules.success ? rules.data.rules[index]?.id : undefined;
  return id ? `rule ${id}: ` : '';
}

/** A blank in a phrase is any separator of a name, or none. */
function nameKeywords(names: Names): string[] {
  return [
    ...Object.values(names.phrases).flat().flatMap(written),
    ...Object.values(names.capitals)
      .flat()
      .flatMap((word) => [`_${word}`, `-${word}`]),
  ];
}

const written = (phrase: string) =>
  phrase.includes(' ') ? ['', '_', '-', '.', ' '].map((joint) => phrase.replaceAll(' ', joint)) : [phrase];

function compiled(rules: readonly Rule[], names: readonly string[]): Map<string, Handler[]> {
  const handlers = new Map<string, Handler[]>();
  const add = (keyword: string, handler: Handler) => {
    const folded = keyword.toLowerCase();
    handlers.set(folded, [...(handlers.get(folded) ?? []), handler]);
  };
  for (const rule of rules) {
    try {
      for (const { keyword, handler } of handlersOf(rule)) add(keyword, handler);
    } catch (error) {
      throw new RulesError(`rule ${rule.id}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  // a name is read once however many keywords it holds, so the shortest keyword of a phrase does for all
  for (const name of new Set(names.map((text) => text.toLowerCase()))) add(name, { kind: 'name' });
  return handlers;
}

/** No `*`, `+` or `{n,}` outside classes: the price of a pattern at a place must not depend on the length of the text. */
export function isBounded(pattern: string): boolean {
  const plain = pattern.replace(/\\[^]/g, 'x').replace(/\[[^\]]{0,2000}\]/g, 'x');
  return !/[*+]|\{\d{1,9},\}/.test(plain);
}
