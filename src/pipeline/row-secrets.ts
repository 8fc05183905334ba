import type { Draft } from '../rows/draft.js';
import type { Row, RowSecret } from '../rows/row.js';
import {
  atLeast,
  createScanner,
  eachString,
  type Finding,
  type Fingerprinter,
  fingerprinter,
  type Hit,
  type LocatedFinding,
  type LocationHint,
  maskRow,
  masks,
  placed,
  type Scanner,
} from '../secrets/index.js';
import { rulesOf, type SecretSettings } from './secret-settings.js';

/** What a scan found besides the rows: values that must not be seen elsewhere, and counts. Plain data. */
export interface SecretHarvest {
  readonly hits: readonly Hit[];
  readonly counts: Readonly<Record<string, number>>;
  /** Findings with their rows, where they are asked for. */
  readonly located: readonly LocatedFinding[];
}

/** Columns that say the same from row to row. */
const REPEATED: ReadonlySet<string> = new Set([
  'project_path',
  'source_file',
  'session_id',
  'tool_name',
  'decided_by',
  'problem',
  'file_paths',
]);
const MOST_CLEAN = 16_384;
const CLEAN_LENGTH = 400;

/** Scans rows, writes the findings into them, and masks what the policy hides. One per thread. */
export class RowSecrets {
  private readonly scanner: Scanner;
  private readonly mark: Fingerprinter;
  private hits = new Map<string, Hit>();
  private counts: Record<string, number> = {};
  private located: LocatedFinding[] = [];
  /** Texts of repeated columns, and digests of long texts, in which nothing was found. */
  private readonly clean = new Set<string>();

  constructor(private readonly settings: SecretSettings) {
    this.scanner = createScanner(rulesOf(settings.documents));
    this.mark = fingerprinter(Buffer.from(settings.key));
  }

  /** `digest` stands for the text of the row, where it is long. */
  apply(row: Row, draft: Draft, digest?: string): Row {
    const found = this.scan(row, draft.credentials ?? [], digest);
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
    const masking = policy === 'redact' || policy === 'redact-all' ? policy : undefined;
    // Withheld secrets are hidden whatever the policy; their key ids, and what else was found, where it says so.
    for (const hit of withheld) if (masking !== undefined || hit.finding.class === 'secret') this.keep(hit);
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

  /** Hints are for columns that are not repeated; what was found is scanned again, as it has to be masked again. */
  private scan(row: Row, hints: readonly LocationHint[], digest: string | undefined): Hit[] {
    const found: Hit[] = [];
    eachString(row, (column, text, key, pointer) => {
      // A conversation is told again by many a store: what was looked through once need not be again.
      const name = column === 'text' ? digest : text.length <= CLEAN_LENGTH && REPEATED.has(column) ? text : undefined;
      const named = hints.some((hint) => hint.column === column);
      if (!named && name !== undefined && this.clean.has(name)) return;
      if (named || this.scanner.holds(text, key)) found.push(...this.scanner.scanRow([placed(column, text, key, pointer())], hints));
      else if (name !== undefined) this.remember(name);
    });
    return found;
  }

  private remember(name: string): void {
    if (this.clean.size >= MOST_CLEAN) this.clean.clear();
    this.clean.add(name);
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
    class: /id$/i.test(key) ? 'identifier' : 'secret',
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

/** A finding as a row tells it, in the order of the documented fields. */
function entryOf(finding: Finding, fingerprint: string): RowSecret {
  const { rule, class: kind, source, confidence, column, start, end, pointer, key, jwt, ...rest } = finding;
  return {
    ...{ rule, class: kind, source, confidence, column, start, end },
    ...(pointer === undefined ? {} : { pointer }),
    ...(key === undefined ? {} : { key }),
    fingerprint,
    ...rest,
    ...(jwt === undefined ? {} : { jwt: { ...jwt } }),
  };
}
