import type { Draft } from '../rows/draft.js';
import type { Row, RowSecret } from '../rows/row.js';
import {
  atLeast,
  createScanner,
  type Finding,
  type Fingerprinter,
  fingerprinter,
  type Hit,
  type LocatedFinding,
  maskRow,
  masks,
  parseRules,
  rowStrings,
  type Scanner,
} from '../secrets/index.js';
import type { SecretSettings } from './secret-settings.js';

/** What a scan found besides the rows: values that must not be seen elsewhere, and counts. Plain data. */
export interface SecretHarvest {
  readonly hits: readonly Hit[];
  readonly counts: Readonly<Record<string, number>>;
  /** Findings with their rows, where they are asked for. */
  readonly located: readonly LocatedFinding[];
}

/** Scans rows, writes the findings into them, and masks what the policy hides. One per thread. */
export class RowSecrets {
  private readonly scanner: Scanner;
  private readonly mark: Fingerprinter;
  private hits = new Map<string, Hit>();
  private counts: Record<string, number> = {};
  private located: LocatedFinding[] = [];

  constructor(private readonly settings: SecretSettings) {
    this.scanner = createScanner(parseRules(settings.documents));
    this.mark = fingerprinter(Buffer.from(settings.key));
  }

  apply(row: Row, draft: Draft): Row {
    const found = this.scanner.scanRow(rowStrings(row), draft.credentials);
    const withheld = (draft.withheld ?? []).filter(({ value }) => value !== '').map(withheldHit);
    if (found.length === 0 && withheld.length === 0) {
      row.secret_count = 0;
      return row;
    }
    const { policy, least } = this.settings;
    for (const { finding } of [...found, ...withheld]) {
      const key = `${finding.rule} ${finding.class} ${finding.confidence}`;
      this.counts[key] = (this.counts[key] ?? 0) + 1;
    }
    // Withheld values are hidden whatever the policy; others where it says so.
    for (const hit of withheld) this.keep(hit);
    const masking = policy === 'redact' || policy === 'redact-all' ? policy : undefined;
    if (masking !== undefined) for (const hit of found) if (masks(hit.finding, masking)) this.keep(hit);
    const listed = [...found, ...withheld].filter(({ finding }) => atLeast(finding.confidence, least));
    row.secret_count = listed.length;
    row.secret_rules = [...new Set(listed.map(({ finding }) => finding.rule))].sort();
    row.secrets = listed.map(({ finding, value }) => entryOf(finding, this.mark(value)));
    if (this.settings.locate) this.locate(row, listed);
    return masking === undefined ? row : maskRow(row, found, masking, this.mark);
  }

  /** What was found since the last call. */
  harvest(): SecretHarvest {
    const harvest = { hits: [...this.hits.values()], counts: this.counts, located: this.located };
    this.located = [];
    this.hits = new Map();
    this.counts = {};
    return harvest;
  }

  private locate(row: Row, listed: readonly Hit[]): void {
    const { row_id, source_file, source_line } = row;
    for (const { finding, value } of listed)
      this.located.push({ ...finding, row_id, source_file, source_line, fingerprint: this.mark(value) });
  }

  private keep(hit: Hit): void {
    const key = `${hit.finding.rule}\u0000${hit.value}`;
    if (!this.hits.has(key)) this.hits.set(key, hit);
  }
}

function withheldHit({ rule, key, value }: { readonly rule: string; readonly key: string; readonly value: string }): Hit {
  const finding: Finding = {
    rule,
    class: 'secret',
    source: 'location',
    confidence: 'certain',
    column: 'text',
    start: 0,
    end: 0,
    key,
    preview: `\u2026(${value.length})`,
    checksum: 'none',
    decoded: null,
    truncated: false,
  };
  return { finding, value };
}

function entryOf(finding: Finding, fingerprint: string): RowSecret {
  const {
    rule,
    class: kind,
    source,
    confidence,
    column,
    start,
    end,
    pointer,
    key,
    preview,
    checksum,
    decoded,
    truncated,
    mixed,
    aws_account,
    jwt,
  } = finding;
  return {
    rule,
    class: kind,
    source,
    confidence,
    column,
    start,
    end,
    ...(pointer === undefined ? {} : { pointer }),
    ...(key === undefined ? {} : { key }),
    fingerprint,
    preview,
    checksum,
    decoded,
    truncated,
    ...(mixed === undefined ? {} : { mixed }),
    ...(aws_account === undefined ? {} : { aws_account }),
    ...(jwt === undefined ? {} : { jwt: { ...jwt } }),
  };
}
