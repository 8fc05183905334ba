/** What the page knows beside its rows, branded. */
import type { ReportFinding, ReportSession, ReportSummary, ReportTables, SummaryFinding } from '../../format.js';
import type { Branded } from '../text/raw.js';

export type Summary = Branded<ReportSummary>;
export type Tables = Branded<ReportTables>;
export type Finding = Branded<ReportFinding>;
/** What is known of a finding before the tables are there. */
export type FirstFinding = Branded<SummaryFinding>;
export type SessionEntry = Branded<ReportSession>;

export const LEVELS = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Level = (typeof LEVELS)[number];

/** For each row 1 + the place of the highest level of a finding on it in LEVELS, 0 without one. */
export function levelsOf(findings: readonly Finding[], rows: number): Uint8Array<ArrayBuffer> {
  const levels = new Uint8Array(rows);
  for (const finding of findings) {
    const level = LEVELS.indexOf(finding.level) + 1;
    for (const row of [...finding.rows, ...finding.also]) {
      const known = levels[row];
      if (known !== undefined && (known === 0 || level < known)) levels[row] = level;
    }
  }
  return levels;
}
