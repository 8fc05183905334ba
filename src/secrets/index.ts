export { type ExactValues, exactValues } from './exact.js';
export { type Fingerprinter, fingerprint, fingerprinter } from './fingerprint.js';
export { type RefusedRule, type Translation, translateGitleaks } from './gitleaks.js';
export { type Leak, type LeakCheck, leakCheck, leaks } from './leaks.js';
export { parseRules, type RuleSet } from './load.js';
export { type Masked, type MaskPolicy, masks, maskText } from './mask.js';
export { maskRow, rowStrings } from './row-strings.js';
export { RulesError } from './rules-error.js';
export { type LocatedFinding, sarif } from './sarif.js';
export { createScanner, type Scanner } from './scanner.js';
export {
  atLeast,
  CONFIDENCES,
  type Finding,
  type FindingSource,
  type Hit,
  type JwtClaims,
  type LocationHint,
  type RowString,
  type SecretClass,
  type SecretConfidence,
} from './types.js';

/*
 * Signatures, for those who wire it:
 *
 * parseRules(documents: unknown[]): RuleSet                      parsed YAML of catalog/secret*.yaml, plus translateGitleaks(...).document
 * createScanner(rules: RuleSet): Scanner                         { version, scanText(text, hints?): Hit[], scanRow(strings, hints?): Hit[] }
 * fingerprinter(key: Buffer): Fingerprinter                      (value) => 's1:' + 16 hex, with a cache; fingerprint(value, key) is the plain form
 * maskText(text, hits, policy, mark: Fingerprinter): Masked      { text, spans }; policy 'redact' | 'redact-all'; hits of this one string
 * exactValues(policy, mark): ExactValues                         { add(hit): void, maskExact(text): Masked, values(): string[] }
 * leaks(bytes, values): Leak[]; leakCheck(values): LeakCheck     { push(chunk: Buffer): void, end(): Leak[] }
 * rowStrings(row): RowString[]; maskRow(row, hits, policy, mark, exact?): Row
 * translateGitleaks(toml: string): Translation                   { document, refused: { id, line, reason }[] }; throws RulesError with id and line
 * sarif(findings: LocatedFinding[], tool: { version }, rules): object
 */
