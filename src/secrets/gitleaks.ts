import { PatternError, translatePattern } from './go-regex.js';
import { RulesError } from './rules-error.js';
import { RuleSchema } from './schema.js';
import { readToml, TomlError, type TomlTable, type TomlValue } from './toml.js';

/** A rule that is left out, and why. */
export interface RefusedRule {
  readonly id: string;
  readonly line: number;
  readonly reason: string;
}

export interface Translation {
  /** A rule document, to be given to `parseRules` behind those of the catalog. */
  readonly document: { readonly rules: readonly object[] };
  readonly refused: readonly RefusedRule[];
}

/** Ids of rules that a user brings along never meet those of the catalog. */
const PREFIX = 'user.';

/**
 * Translates rules in the form of gitleaks (github.com/gitleaks/gitleaks, config/gitleaks.toml). A rule that has no keyword, or
 * a pattern that cannot run in bounded time, is refused by name; a file that is not readable throws, with the line.
 */
export function translateGitleaks(toml: string): Translation {
  const tables = tablesOf(toml);
  const rules: object[] = [];
  const refused: RefusedRule[] = [];
  const seen = new Set<string>();
  const shared = sharedAllow(tables.filter((table) => table.path === 'allowlist' || table.path === 'allowlists'));
  tables.forEach((table, i) => {
    if (table.path !== 'rules' || !table.isElement) return;
    const id = text(table.members.get('id'));
    if (id === undefined) throw new RulesError(`line ${table.line}: a rule without an id`);
    if (seen.has(id)) throw new RulesError(`rule ${id}, line ${table.line}: the id occurs twice`);
    seen.add(id);
    const own = tables.slice(i + 1, endOf(tables, i + 1)).filter((next) => /^rules\.allowlists?$/.test(next.path));
    try {
      const allowed = allowOf(own);
      rules.push(checked(id, table, ruleOf(id, table, [...shared.allow, ...allowed.allow], [...shared.stopwords, ...allowed.stopwords])));
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      refused.push({ id, line: table.line, reason: error.message });
    }
  });
  return { document: { rules }, refused };
}

/** What the shape of a rule forbids is told with the line; the document as a whole has none. */
function checked(id: string, { line }: TomlTable, rule: object): object {
  const issue = RuleSchema.safeParse(rule).error?.issues[0];
  if (issue) throw new RulesError(`rule ${id}, line ${line}: ${issue.path.map(String).join('.')}: ${issue.message}`);
  return rule;
}

/** A pattern that JavaScript compiles. */
function compilable(regex: string): string {
  const pattern = translatePattern(regex);
  try {
    new RegExp(pattern);
    return pattern;
  } catch (error) {
    throw new PatternError(error instanceof Error ? error.message : String(error));
  }
}

function tablesOf(toml: string): TomlTable[] {
  try {
    return readToml(toml);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const before = [
      ...toml
        .split('\n')
        .slice(0, error.line)
        .join('\n')
        .matchAll(/^\s{0,8}id\s{0,8}=\s{0,8}["']([^"'\n]{1,100})/gm),
    ].at(-1)?.[1];
    throw new RulesError(`${before === undefined ? '' : `rule ${before}, `}line ${error.line}: ${error.reason}`);
  }
}

function endOf(tables: readonly TomlTable[], from: number): number {
  const next = tables.findIndex((table, i) => i >= from && !table.path.startsWith('rules.'));
  return next < 0 ? tables.length : next;
}

function ruleOf(id: string, table: TomlTable, allow: readonly object[], stopwords: readonly string[]): object {
  const { members } = table;
  const regex = text(members.get('regex'));
  if (regex === undefined) throw new PatternError(members.has('path') ? 'it looks at paths only' : 'it has no regex');
  const keywords = texts(members.get('keywords')).filter((word) => word !== '');
  if (keywords.length === 0) throw new PatternError('it has no keyword to start from');
  if (keywords.some((word) => !/^[\u0000-\u007f]{1,200}$/.test(word))) throw new PatternError('a keyword beyond ASCII');
  const pattern = compilable(regex);
  const groups = new RegExp(`${pattern}|`).exec('')?.length ?? 1;
  const group = number(members.get('secretGroup')) ?? 0;
  if (group >= groups) throw new PatternError(`it names group ${group}, and has ${groups - 1}`);
  return {
    kind: 'search',
    id: `${PREFIX}${id}`,
    title: text(members.get('description')) ?? '',
    confidence: 'medium',
    keywords,
    pattern,
    group,
    entropy: number(members.get('entropy')) ?? 0,
    allow,
    stopwords,
  };
}

interface AllowList {
  readonly allow: object[];
  readonly stopwords: string[];
}

function sharedAllow(tables: readonly TomlTable[]): AllowList {
  try {
    return allowOf(tables);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new RulesError(`allowlist, line ${tables[0]?.line ?? 1}: ${error.message}`);
  }
}

/** Lists that need a path, too, are left out: text of a row has none, so they allow nothing. */
const needsPath = ({ members }: TomlTable) =>
  text(members.get('condition'))?.toUpperCase() === 'AND' && (members.has('paths') || members.has('commits'));

function allowOf(all: readonly TomlTable[]): AllowList {
  const tables = all.filter((table) => !needsPath(table));
  const allow = tables.flatMap(({ members }) => {
    const target = text(members.get('regexTarget')) ?? 'secret';
    const known = target === 'match' || target === 'line' ? target : 'secret';
    return texts(members.get('regexes')).map((regex) => ({ target: known, pattern: compilable(regex) }));
  });
  return { allow, stopwords: tables.flatMap(({ members }) => texts(members.get('stopwords'))) };
}

const text = (value: TomlValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
const number = (value: TomlValue | undefined): number | undefined => (typeof value === 'number' ? value : undefined);

function texts(value: TomlValue | undefined): string[] {
  return value !== undefined && typeof value === 'object' ? value.filter((item): item is string => typeof item === 'string') : [];
}
