import { isAll } from './charset.js';
import { base64Text, percentText, unescapeValue } from './decode.js';
import type { Keyed } from './keyed-read.js';
import type { RuleSet } from './load.js';
import { type NameVerdict, wordsOf } from './names.js';
import type { RawHit, Report } from './raw.js';
import type { FamilyRule, Rule } from './schema.js';
import type { SecretConfidence } from './types.js';
import { classesOf, entropy, looksDrawn, type Strength, strength } from './values.js';

const FAMILY_BITS = 2.8;
const FAMILY_LEAST = 14;

/** Judges a value beside a name: by the provider named in it, else by how secret the name and how strong the value is. */
export function judgeKeyed(rules: RuleSet, keyed: Keyed, text: string, report: Report): void {
  const raw = text.slice(keyed.start, keyed.end);
  const family = raw.length >= FAMILY_LEAST ? familyOf(rules, keyed, raw) : undefined;
  if (family && !rules.suppression.isExample(raw)) {
    report(hitOf(keyed, raw, family, keyed.cut ? 'medium' : family.confidence));
    return;
  }
  const verdict = rules.nameTest(keyed.name);
  if (!verdict) return;
  const confidence = judge(rules, keyed, raw, verdict);
  const rule = confidence && rules.byId.get(verdict.rule);
  if (rule) report(hitOf(keyed, raw, rule, rule.confidence === 'low' ? 'low' : confidence));
}

function hitOf(keyed: Keyed, raw: string, rule: Rule, confidence: SecretConfidence): RawHit {
  const plain = unescapeValue(raw);
  const percent = keyed.quoted ? undefined : percentText(plain);
  return {
    rule,
    source: 'keyed',
    confidence,
    start: keyed.start,
    end: keyed.end,
    value: percent ?? plain,
    key: keyed.name,
    decoded: percent === undefined ? undefined : 'percent',
    truncated: keyed.cut,
  };
}

function familyOf(rules: RuleSet, keyed: Keyed, raw: string): FamilyRule | undefined {
  if (!rules.hasFamily(keyed.name)) return undefined;
  const words = wordsOf(keyed.name);
  const joined = words.join(' ');
  const last = words.at(-1) ?? '';
  return rules.families.find(
    (family) =>
      raw.length >= family.min &&
      raw.length <= family.max &&
      isAll(family.charset, raw) &&
      family.words.some(
        (word) =>
          (` ${joined} `.includes(` ${word} `) || last.startsWith(word)) && (!rules.notAfter.has(last) || word.endsWith(` ${last}`)),
      ) &&
      entropy(raw) >= Math.max(family.entropy, FAMILY_BITS) &&
      (classesOf(raw).digit || looksDrawn(raw, rules.wordiness)),
  );
}

function judge(rules: RuleSet, keyed: Keyed, raw: string, verdict: NameVerdict): SecretConfidence | undefined {
  const value = keyed.quoted ? unescapeValue(raw) : raw;
  // what costs little comes first: names are everywhere, values that pass are rare
  if (value.length < 4 || (keyed.quoted && /\s/.test(value) && !isPhrase(value, verdict))) return undefined;
  const strong = strength(value, keyed.quoted || keyed.context === 'flag', verdict.isPassword, rules.wordiness);
  const hasScheme = keyed.scheme !== '' || verdict.rule === 'authorization';
  if (strong === 'none') return undefined;
  const mayBeWeak = () => hasScheme || (verdict.isPassword && keyed.quoted && PLAIN_PASSWORD.test(value));
  if (strong === 'weak' && !mayBeWeak()) return undefined;
  if (rules.suppression.isHarmless(value)) return weakPassword(rules, keyed, value, verdict);
  const pair = hasScheme ? base64Text(value) : undefined;
  if ((keyed.scheme !== '' && /^basic/i.test(keyed.scheme)) || pair?.includes(':')) return pair?.includes(':') ? 'high' : undefined;
  if (keyed.scheme !== '' && value.length >= 16) return entropy(value) >= 3 ? 'high' : undefined;
  if (!fits(keyed, value, strong, verdict)) return undefined;
  if (strong === 'weak') return 'low';
  return strong === 'strong' && verdict.plain ? 'high' : 'medium';
}

const PLAIN_PASSWORD = /^[A-Za-z0-9$!@#%^&*_-]{6,40}$/;

/** Two words, one of them with a digit: as a passphrase, and not as the label of a field. */
function isPhrase(value: string, verdict: NameVerdict): boolean {
  return verdict.isPassword && /^\S{1,40} \S{1,40}$/.test(value) && classesOf(value).digit;
}

/** A dictionary word given as a password is listed, but only for those who ask for it. */
function weakPassword(rules: RuleSet, keyed: Keyed, value: string, verdict: NameVerdict): SecretConfidence | undefined {
  const literal = keyed.quoted && (keyed.context === 'assign' || keyed.context === 'tight' || keyed.context === 'colon');
  const plain = verdict.isPassword && verdict.plain && PLAIN_PASSWORD.test(value);
  return literal && plain && !rules.suppression.isExample(value) && !rules.suppression.isReference(value) ? 'low' : undefined;
}

/** An unquoted word beside a name is a value in configuration, and an expression in code. */
function fits(keyed: Keyed, value: string, strong: Strength, verdict: NameVerdict): boolean {
  const { context } = keyed;
  if (strong === 'none') return false;
  const solid = strong === 'strong' || strong === 'fair';
  if (context === 'prose') return strong === 'strong' && classesOf(value).count >= 3;
  if (context === 'csv') return strong === 'strong' && keyed.lineStart && verdict.plain;
  if (context === 'call' || context === 'list') return strong === 'strong' && (verdict.plain || context === 'list');
  if (!verdict.plain && strong !== 'strong') return false;
  if (keyed.quoted) return solid || (verdict.isPassword && verdict.plain);
  if (context === 'flag' || context === 'tight') return context === 'tight' && !keyed.lineStart ? solid && classesOf(value).digit : solid;
  if (context === 'pair') return solid;
  if (!keyed.lineStart) return context === 'colon' && strong === 'strong';
  return solid && (classesOf(value).digit || value.length >= LONG);
}

/** From here on letters alone may have been drawn at random; a word is shorter. */
const LONG = 20;
