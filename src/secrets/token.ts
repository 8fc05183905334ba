import { type Runs, runStart } from './charset.js';
import { githubChecksum, luhn } from './checksum.js';
import { base64Text, basicPassword, percentText, unescapeValue } from './decode.js';
import type { PatternHandler } from './handlers.js';
import type { RuleSet } from './load.js';
import type { Report } from './raw.js';
import type { PatternRule, Rule, TokenRule } from './schema.js';
import type { SecretConfidence } from './types.js';
import { isAlnum, isBoundary, UNDERSCORE } from './units.js';
import { classesOf, entropy, strength } from './values.js';

/** How many characters of a fixed length may be missing at the end of a text that was cut. */
const CUT = 10;
const SHORT_PREFIX = 4;

/** Prefix and run of an alphabet, at the keyword that the automaton found. Returns where it ends, or `start`. */
export function matchToken(
  rules: RuleSet,
  rule: TokenRule,
  text: string,
  start: number,
  prefix: string,
  runs: Runs,
  report: Report,
): number {
  if (!isBoundary(text, start) || !text.startsWith(prefix, start)) return start;
  // short prefixes also end words of names: `explicitly_re_exporting`
  if (prefix.length <= SHORT_PREFIX && text.charCodeAt(start - 1) === UNDERSCORE) return start;
  const from = start + prefix.length;
  const end = Math.min(runs(rule.charset, from), trimmed(text, rule, from, runs));
  const size = end - from;
  const cut = end === text.length && size < rule.min;
  if (size > rule.max || (size < rule.min && !(cut && size >= 8 && size >= rule.min - CUT))) return start;
  if (rule.max < 200 && isAlnum(text.charCodeAt(end))) return start;
  const value = text.slice(start, end);
  const body = text.slice(from, end);
  if (rule.contains !== undefined && !cut && !body.includes(rule.contains)) return start;
  reportFormat(rules, rule, { start, end, value, body, cut }, report);
  return end;
}

/** Alphabets with a dot or a dash take the stop of a sentence, or the dash of a line, into the run. */
function trimmed(text: string, rule: TokenRule, from: number, runs: Runs): number {
  let end = runs(rule.charset, from);
  if (rule.charset !== 'dotted' && rule.charset !== 'opaque') return end;
  while (end > from && '.:,'.includes(text.charAt(end - 1))) end -= 1;
  return end;
}

export interface FormatMatch {
  readonly start: number;
  readonly end: number;
  readonly value: string;
  /** What is behind the public prefix; the checks look at it. */
  readonly body: string;
  readonly cut: boolean;
  readonly decoded?: 'base64' | 'percent';
}

/** Rates a match of a format by its checks, and reports it. */
export function reportFormat(
  rules: RuleSet,
  rule: Exclude<Rule, { kind: 'location' } | { kind: 'builtin' }>,
  match: FormatMatch,
  report: Report,
): void {
  const { start, end, value, body, cut } = match;
  const example = rules.suppression.isExample(value) || rules.suppression.isReference(value);
  if (!example && (entropy(body) < rule.entropy || (rule.digit && !classesOf(body).digit))) return;
  const checksum = checksumOf(rule.checksum, value);
  if (rule.checksum === 'luhn' && checksum === 'invalid') return;
  let confidence: SecretConfidence = rule.confidence;
  if (checksum === 'invalid' && confidence === 'high') confidence = 'medium'; // one step, and never a reason to drop it
  if (cut) confidence = 'low';
  if (example) confidence = 'none';
  report({
    rule,
    source: 'format',
    confidence,
    start,
    end,
    value,
    checksum: checksum === 'none' ? undefined : checksum,
    truncated: cut,
    decoded: match.decoded,
  });
}

function checksumOf(kind: 'github' | 'luhn' | undefined, value: string): 'valid' | 'invalid' | 'none' {
  if (kind === 'github') return githubChecksum(value);
  return kind === 'luhn' ? (luhn(value) ? 'valid' : 'invalid') : 'none';
}

/** A sticky pattern at the keyword. */
export function matchPattern(rules: RuleSet, { rule, pattern, exact }: PatternHandler, text: string, start: number, report: Report): void {
  if (!text.startsWith(exact, start)) return;
  const first = rule.lead ? leadAt(text, start, rule.lead) : start;
  if (first === undefined || (!rule.anywhere && !isBoundary(text, first))) return;
  pattern.lastIndex = start;
  const match = pattern.exec(text);
  if (!match) return;
  const [from, to] = match.indices?.groups?.['secret'] ?? [first, start + match[0].length];
  const raw = text.slice(from, to);
  const value = unescapeValue(raw);
  if (rule.test_value && (rules.suppression.isHarmless(value) || strength(value, true, true, rules.wordiness) === 'none')) return;
  if (rule.test_value && classesOf(value).count < 2) return;
  const decoded = decode(rule.decode, value);
  if ((rule.decode === 'base64' || rule.decode === 'userinfo') && decoded === undefined) return;
  const kind = rule.decode === 'percent' ? 'percent' : 'base64';
  reportFormat(
    rules,
    rule,
    { start: from, end: to, value: decoded ?? value, body: value, cut: false, ...(decoded === undefined ? {} : { decoded: kind }) },
    report,
  );
}

/** Where the characters before a keyword begin, if there are as many as the rule asks for, and no more. */
function leadAt(text: string, start: number, lead: NonNullable<PatternRule['lead']>): number | undefined {
  const at = runStart(lead.charset, text, start, lead.max);
  return start - at < lead.min ? undefined : at;
}

function decode(kind: PatternRule['decode'], value: string): string | undefined {
  if (kind === 'base64') return base64Text(value);
  if (kind === 'userinfo') return basicPassword(value);
  return kind === 'percent' ? percentText(value) : undefined;
}
