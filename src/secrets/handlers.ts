import type { PatternRule, Rule, SearchRule, TokenRule } from './schema.js';

export interface PatternHandler {
  readonly kind: 'pattern';
  readonly rule: PatternRule;
  readonly pattern: RegExp;
  /** The keyword, if its case counts: a compare costs less than a pattern. */
  readonly exact: string;
}

/** What to try at a keyword. */
export type Handler =
  | { readonly kind: 'token'; readonly rule: TokenRule; readonly prefix: string }
  | PatternHandler
  | { readonly kind: 'search'; readonly rule: SearchRule; readonly pattern: RegExp; readonly allow: readonly Allow[] }
  | { readonly kind: 'name' }
  | { readonly kind: 'builtin'; readonly use: Builtin };

export interface Allow {
  readonly target: 'secret' | 'match' | 'line';
  readonly pattern: RegExp;
}

/** Rules that are code, by the id of their entry in the catalog, with the keyword they start at. */
export const BUILTINS = {
  'private-key': '-----begin ',
  jwt: 'eyj',
  'url-password': '://',
  'encoded-private-key': 'ls0tls1crudjti',
  'kubernetes-secret': 'kind: secret',
} as const;
export type Builtin = keyof typeof BUILTINS;

const isBuiltin = (id: string): id is Builtin => id in BUILTINS;

export function handlersOf(rule: Rule): { keyword: string; handler: Handler }[] {
  switch (rule.kind) {
    case 'token':
      return rule.prefixes.map((prefix) => ({ keyword: prefix, handler: { kind: 'token', rule, prefix } }));
    case 'pattern': {
      const pattern = new RegExp(rule.pattern, rule.ignore_case ? 'ydi' : 'yd');
      return rule.keywords.map((keyword) => ({
        keyword,
        // one written with capitals counts in that case only
        handler: { kind: 'pattern', rule, pattern, exact: keyword === keyword.toLowerCase() ? '' : keyword },
      }));
    }
    case 'search': {
      const pattern = new RegExp(rule.pattern, 'gd');
      const allow = rule.allow.map((entry) => ({ target: entry.target, pattern: new RegExp(entry.pattern) }));
      return rule.keywords.map((keyword) => ({ keyword, handler: { kind: 'search', rule, pattern, allow } }));
    }
    case 'builtin':
      return isBuiltin(rule.id) ? [{ keyword: BUILTINS[rule.id], handler: { kind: 'builtin', use: rule.id } }] : [];
    default:
      return [];
  }
}
