import type { Row } from '../rows/row.js';
import type { RowType } from '../rows/row-types.js';
import { Engine } from './engine.js';
import { type Finding, findingsOf } from './finding.js';
import type { RuleSet } from './rules/index.js';
import type { Session } from './session.js';
import { Sessions } from './sessions.js';
import { type Suppression, Suppressions } from './suppress.js';
import { SURVEYED, Survey, type SurveyedRow } from './survey.js';
import { type FileFacts, type RowView, viewOf } from './view.js';

export { type Finding, FindingSchema } from './finding.js';
export { LEVELS, type Level } from './hits.js';
export { loadAllRules } from './load-rules.js';
export { type RuleSet, RulesFileError } from './rules/index.js';
export { type Session, SessionSchema } from './session.js';
export type { Suppression } from './suppress.js';
export { readSuppressions } from './suppress-file.js';
export { SURVEYED_COLUMNS, type SurveyedRow } from './survey.js';
export type { FileFacts, RowView } from './view.js';

export interface AnalysisInput {
  /** The rows of a timeline in its order, in batches of any size. */
  readonly rows: () => AsyncIterable<readonly Row[]>;
  /** Ahead of that: what rows of these types say to others. Rows of other types may be left out. */
  readonly surveyed: (types: ReadonlySet<RowType>) => AsyncIterable<readonly SurveyedRow[]>;
  readonly rules: RuleSet;
  readonly suppressions: readonly Suppression[];
  readonly facts: FileFacts;
  readonly toolVersion: string;
  /** Sees each row at the second reading, with what other rows say of it. */
  readonly watch?: ((view: RowView) => void) | undefined;
}

export interface Analysis {
  readonly sessions: readonly Session[];
  /** All findings of all levels, suppressed ones too, in their order. */
  readonly findings: readonly Finding[];
  readonly rows: number;
  /** Rows that belong to no session. */
  readonly outside: number;
  /** Entries of the suppression file that never spoke. */
  readonly unusedSuppressions: readonly string[];
}

/** Sessions and findings of a timeline. */
export async function analyzeRows({ rows, surveyed, rules, suppressions, facts, toolVersion, watch }: AnalysisInput): Promise<Analysis> {
  const survey = new Survey();
  for await (const batch of surveyed(SURVEYED)) for (const row of batch) survey.add(row);
  const known = new Suppressions(suppressions);
  const engine = new Engine(rules, survey, known);
  const sessions = new Sessions(toolVersion);
  let count = 0;
  for await (const batch of rows()) {
    for (const row of batch) {
      const view = viewOf(row, survey, facts);
      engine.add(view);
      sessions.add(view);
      watch?.(view);
    }
    count += batch.length;
  }
  const findings = findingsOf(engine.finish(), sessions.parents(), toolVersion);
  return { sessions: sessions.finish(findings), findings, rows: count, outside: sessions.outside, unusedSuppressions: known.unused() };
}
