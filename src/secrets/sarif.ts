import type { Rule } from './schema.js';
import type { Finding } from './types.js';

/** A finding with its row. */
export interface LocatedFinding extends Finding {
  readonly row_id: string;
  readonly source_file: string;
  readonly source_line: number;
  readonly fingerprint: string;
}

const LEVELS = { none: 'none', low: 'note', medium: 'warning', high: 'error', certain: 'error' } as const;

/** Findings as a SARIF 2.1.0 log (OASIS, 2020), without any value. */
export function sarif(findings: readonly LocatedFinding[], tool: { readonly version: string }, rules: readonly Rule[]): object {
  const ids = [...new Set(findings.map((finding) => finding.rule))].sort();
  const titles = new Map(rules.map((rule) => [rule.id, rule.title]));
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'kirotrail',
            version: tool.version,
            rules: ids.map((id) => ({ id, shortDescription: { text: titles.get(id) || id } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => result(finding, ids.indexOf(finding.rule), titles.get(finding.rule) || finding.rule)),
      },
    ],
  };
}

function result(finding: LocatedFinding, ruleIndex: number, title: string): object {
  const { rule, confidence, column, start, end, row_id, source_file, source_line, fingerprint, pointer } = finding;
  return {
    ruleId: rule,
    ruleIndex,
    level: LEVELS[confidence],
    message: { text: `${title}: ${confidence} confidence, in ${column} of row ${row_id}` },
    locations: [
      {
        physicalLocation: {
          // a reference to a file by its path must be a valid URI reference (3.4.3)
          artifactLocation: { uri: source_file.toWellFormed().split('/').map(encodeURIComponent).join('/') },
          ...(source_line > 0 ? { region: { startLine: source_line } } : {}),
        },
        logicalLocations: [{ fullyQualifiedName: `${row_id}/${column}${pointer ?? ''}`, kind: 'value' }],
      },
    ],
    partialFingerprints: { 'kirotrailSecret/v1': fingerprint, 'kirotrailPlace/v1': `${row_id}:${column}:${start}` },
    properties: { class: finding.class, source: finding.source, confidence, row_id, column, start, end },
  };
}
