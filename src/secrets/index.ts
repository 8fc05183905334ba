export { exactValues } from './exact.js';
export { type Fingerprinter, fingerprint, fingerprinter } from './fingerprint.js';
export { translateGitleaks } from './gitleaks.js';
export { leakCheck, leaks, leakTest } from './leaks.js';
export { parseRules, type RuleSet } from './load.js';
export { type MaskPolicy, masks, maskText } from './mask.js';
export { eachString, maskRow, placed, rowStrings } from './row-strings.js';
export { RulesError } from './rules-error.js';
export { type LocatedFinding, sarif } from './sarif.js';
export { createScanner, type Scanner } from './scanner.js';
export {
  atLeast,
  type Finding,
  type Hit,
  type LocationHint,
  type SecretConfidence,
} from './types.js';

/*
 * How the parts fit together: `parseRules` takes the parsed YAML of catalog/secret*.yaml and, behind it, the document of
 * `translateGitleaks`; `createScanner` makes a scanner of it. A hit is a finding, which may be shown, and a value, which may not:
 * it goes into `fingerprinter`, `maskText`, `exactValues` and `leakCheck` only.
 */
