import { createScanner, type LocatedFinding, sarif } from '../secrets/index.js';
import { VERSION } from '../version.js';
import { type Output, writeText } from '../write/output.js';
import type { Guard } from './guard.js';
import type { Manifest } from './manifest.js';
import type { SecretHarvest } from './row-secrets.js';
import { type ReadySecrets, rulesOf } from './secret-settings.js';

/** What all threads found. */
export function joinHarvests(harvests: readonly SecretHarvest[]): SecretHarvest {
  const counts: Record<string, number> = {};
  for (const harvest of harvests) for (const [key, n] of Object.entries(harvest.counts)) counts[key] = (counts[key] ?? 0) + n;
  return { hits: harvests.flatMap(({ hits }) => hits), counts, located: harvests.flatMap(({ located }) => located) };
}

/** What the manifest says of secrets: counts by rule, class and confidence, never a value. From here on the guard scans what is said. */
export function secretReport(ready: ReadySecrets, { counts }: SecretHarvest, guard: Guard): Manifest['secrets'] {
  const { policy, least, documents } = ready.settings;
  if (policy === 'redact' || policy === 'redact-all') guard.watch(createScanner(rulesOf(documents)), policy);
  const notes: Record<typeof policy, string> = {
    redact: 'secrets and key ids are masked in every output; the account of an AWS key id stays in its finding',
    'redact-all': 'secrets, identifiers, doubtful finds and values of environments and headers are masked in every output',
    show: 'texts are as stored: THE OUTPUT HOLDS SECRETS; stored logins are masked all the same',
    off: 'not scanned; stored logins and credential keys are not read out all the same',
  };
  return {
    policy,
    least,
    scanned: policy !== 'off',
    shown: policy === 'show' || policy === 'off',
    rules_version: ready.rulesVersion,
    refused_rules: ready.refused.map(({ id, reason }) => ({ id, reason })),
    found: Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1))),
    lines_masked_by_value: guard.lines(),
    note: notes[policy],
  };
}

/** Findings as SARIF, in the order of rows and places. */
export function writeSarif(output: Output, ready: ReadySecrets, { located }: SecretHarvest, guard: Guard): void {
  const ordered = located.toSorted((a, b) => compare(place(a), place(b)) || a.start - b.start || compare(a.rule, b.rule));
  writeText(output, guard.document(sarif(ordered, { version: VERSION }, rulesOf(ready.settings.documents).rules)));
  output.finish();
}

const place = ({ source_file, source_line, row_id, column }: LocatedFinding) =>
  `${source_file}\u0000${String(source_line).padStart(12, '0')}\u0000${row_id}\u0000${column}`;

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
