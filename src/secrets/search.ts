import type { Allow } from './handlers.js';
import type { RuleSet } from './load.js';
import type { Report } from './raw.js';
import type { SearchRule } from './schema.js';
import { reportFormat } from './token.js';

const BEFORE = 200;
const AFTER = 600;
const HITS_MOST = 50;

/** Looks for a pattern around its keyword. Windows overlap by what lies before a keyword; each place is searched at most twice. */
export function searchAround(
  rules: RuleSet,
  rule: SearchRule,
  pattern: RegExp,
  allow: readonly Allow[],
  text: string,
  at: number,
  report: Report,
): number {
  const from = Math.max(0, at - BEFORE);
  const window = text.slice(from, at + AFTER);
  pattern.lastIndex = 0;
  for (let hits = 0; hits < HITS_MOST; hits += 1) {
    const match = pattern.exec(window);
    if (!match) break;
    if (match[0] === '') pattern.lastIndex += 1;
    const group = groupOf(match, rule.group);
    if (!group || group[1] <= group[0]) continue;
    const value = window.slice(group[0], group[1]);
    if (isAllowed(rule, allow, value, match[0], lineOf(window, group[0]))) continue;
    reportFormat(rules, rule, { start: from + group[0], end: from + group[1], value, body: value, cut: false }, report);
  }
  return at + AFTER - BEFORE;
}

/** The group that the rule names, else the first that took part, else all (as gitleaks does, detect/detect.go). */
function groupOf(match: RegExpExecArray, named: number): readonly [number, number] | undefined {
  const { indices } = match;
  if (named > 0) return indices?.[named];
  return indices?.slice(1).find((range) => range && range[1] > range[0]) ?? indices?.[0];
}

function isAllowed(rule: SearchRule, allow: readonly Allow[], secret: string, match: string, line: string): boolean {
  const lower = secret.toLowerCase();
  if (rule.stopwords.some((word) => lower.includes(word.toLowerCase()))) return true;
  const targets = { secret, match, line };
  return allow.some(({ target, pattern }) => pattern.test(targets[target]));
}

function lineOf(text: string, at: number): string {
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const to = text.indexOf('\n', at);
  return text.slice(from, to < 0 ? text.length : to);
}
