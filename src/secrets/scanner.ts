import { credentialIn } from './decode.js';
import type { RuleSet } from './load.js';
import type { RawHit } from './raw.js';
import { resolve, toHit } from './resolve.js';
import { rawHits, scanString } from './scan.js';
import type { Hit, LocationHint, RowString } from './types.js';

export interface Scanner {
  readonly version: string;
  /** Scans one string; hints are those whose column is `text` or that of the hint list's only column. */
  readonly scanText: (text: string, hints?: readonly LocationHint[]) => Hit[];
  /** True when a scan of the string would find anything, without making the findings. */
  readonly holds: (text: string, key: string) => boolean;
  readonly scanRow: (strings: readonly RowString[], hints?: readonly LocationHint[]) => Hit[];
}

export function createScanner(rules: RuleSet): Scanner {
  const scanRow = (strings: readonly RowString[], hints: readonly LocationHint[] = []) =>
    strings.flatMap((string) => scanOne(rules, string, hints));
  return {
    version: rules.version,
    scanRow,
    holds: (text, key) => {
      let found = false;
      scanString(rules, text, key, () => {
        found = true;
      });
      return found;
    },
    scanText: (text, hints = []) => scanRow([{ column: hints[0]?.column ?? 'text', text }], hints),
  };
}

function scanOne(rules: RuleSet, string: RowString, hints: readonly LocationHint[]): Hit[] {
  if (string.text === '') return [];
  const found = rawHits(rules, string.text, string.key ?? '');
  const known = hints
    .filter((hint) => hint.column === string.column && (hint.pointer ?? '') === (string.pointer ?? ''))
    .flatMap((hint) => located(rules, string, hint) ?? []);
  return resolve([...known, ...found]).map((raw) => toHit(raw, string));
}

/** A place that a parser named. Empty values and references to a secret kept elsewhere are none. */
function located(rules: RuleSet, string: RowString, hint: LocationHint): RawHit | undefined {
  const rule = rules.byId.get(hint.rule);
  if (!rule) throw new Error(`no rule has the id ${hint.rule}`);
  const from = Math.max(0, hint.start ?? 0);
  const inside = credentialIn(string.text.slice(from, Math.min(string.text.length, hint.end ?? string.text.length)));
  const { value } = inside;
  const [start, end] = [from + inside.start, from + inside.end];
  if (value.trim() === '' || value === 'null' || rules.suppression.isReference(value)) return undefined;
  const key = hint.key ?? string.key;
  const base = { rule, source: 'location' as const, start, end, value, ...(key === undefined ? {} : { key }) };
  if (rule.kind !== 'location' || !rule.mixed) return { ...base, confidence: rule.confidence };
  if (key !== undefined && isTelling(rules, key)) return { ...base, confidence: rule.confidence };
  return { ...base, confidence: 'low', mixed: true };
}

/** In a map that mixes credentials with other values, the name decides; headers that carry them are known by name. */
function isTelling(rules: RuleSet, key: string): boolean {
  return (
    rules.nameTest(key) !== undefined || /^(?:proxy-)?authorization$|^(?:set-)?cookie$|^x-[a-z-]{0,40}(?:key|token|secret)$/i.test(key)
  );
}
