import { type Finding, LEVELS } from '../../analyze/index.js';
import { VERSION } from '../../version.js';
import { REPORT_SCHEMA, type ReportSummary, type ReportTables, type SummaryFinding } from '../format.js';
import { activityOf } from './bins.js';
import type { Counts } from './figures.js';
import type { HotColumns } from './hot.js';
import type { PageRows } from './page-rows.js';
import { cut } from './preview.js';

/** What the summary says of the evidence as a whole. */
export interface Statement {
  readonly title: string;
  readonly files: number;
  readonly files_partly_read: number;
  readonly files_unread: number;
  readonly not_read: number | null;
  readonly secrets_policy: ReportSummary['secrets_policy'];
  readonly timeline_sha256: string;
}

export interface SummaryParts {
  readonly statement: Statement;
  readonly scope: string;
  readonly counts: Counts;
  readonly tables: ReportTables;
  /** The pages that hold the rows that are spoken of. */
  readonly hot: readonly HotColumns[];
  readonly texts: boolean;
  readonly part: ReportSummary['part'];
  readonly parts: ReportSummary['parts'];
  readonly remarks: readonly string[];
  readonly page: PageRows;
}

const MOST_FINDINGS = 20;
const MOST_NAMES = 200;
const LONGEST = 2000;

export function summaryOf({ statement, counts, tables, hot, page, ...given }: SummaryParts): ReportSummary {
  const { title, ...read } = statement;
  const names = (column: 'host' | 'user' | 'agent') => [...new Set(hot.flatMap((one) => one.valuesOf(column)))].sort().map(short);
  return {
    schema: REPORT_SCHEMA,
    tool_version: VERSION,
    title,
    scope: given.scope,
    part: given.part,
    parts: given.parts,
    texts: given.texts,
    rows: counts.rows,
    undated: counts.undated,
    first_utc: counts.first,
    last_utc: counts.last,
    hosts: few(names('host')),
    users: few(names('user')),
    agents: few(names('agent')),
    ...read,
    figures: { sessions: tables.sessions.length, ...counts.figures },
    activity: activityOf(hot),
    findings: firstFindings(tables.findings),
    findings_total: tables.findings.length,
    remarks: given.remarks.map(short),
    blocks: page.blocks.map(({ kind, first, rows }, index) => ({ kind, index, first, rows })),
  };
}

/** The order of findings is by level already; what is known to be good comes last. */
function firstFindings(findings: readonly Finding[]): SummaryFinding[] {
  const active = findings.filter(({ suppressed_by }) => suppressed_by.length === 0);
  const others = findings.filter(({ suppressed_by }) => suppressed_by.length > 0);
  return [...active, ...others].slice(0, MOST_FINDINGS).map((finding) => ({
    finding_id: finding.finding_id,
    rule: finding.rule,
    level: finding.level,
    title: finding.title,
    statement: short(finding.statement),
    means: finding.means,
    otherwise: finding.otherwise,
    excerpts: finding.excerpts.map(short),
    count: finding.count,
    session_id: short(finding.session_id),
    first_utc: finding.first_utc,
    last_utc: finding.last_utc,
    suppressed_by: finding.suppressed_by.map(short),
  }));
}

const short = (text: string) => (text.length <= LONGEST ? text : `${cut(text, LONGEST)} ... (${text.length} characters)`);
const few = (names: readonly string[]) =>
  names.length <= MOST_NAMES ? names : [...names.slice(0, MOST_NAMES), `and ${names.length - MOST_NAMES} more`];

/** Findings by level, in words: "2 high, 1 medium". */
export function levelsIn(findings: readonly Finding[]): string {
  const counts = LEVELS.map((level) => [level, findings.filter((finding) => finding.level === level).length] as const);
  return counts
    .filter(([, n]) => n > 0)
    .map(([level, n]) => `${n} ${level}`)
    .join(', ');
}
