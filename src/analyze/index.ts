import type { Row } from '../rows/row.js';
import type { RowType } from '../rows/row-types.js';
import { Engine } from './engine.js';
import { type Finding, findingsOf } from './finding.js';
import type { RuleSet } from './rules/index.js';
import type { Session } from './session.js';
import { Sessions } from './sessions.js';
import { type Suppression, Suppressions } from './suppress.js';
import { SURVEYED, Survey } from './survey.js';
import { type FileFacts, viewOf } from './view.js';

export { type Finding, FindingSchema } from './finding.js';
export { LEVELS, type Level } from './hits.js';
export { loadAllRules } from './load-rules.js';
export { type RuleSet, RulesFileError } from './rules/index.js';
export { type Session, SessionSchema } from './session.js';
export type { Suppression } from './suppress.js';
export { readSuppressions } from './suppress-file.js';
export type { FileFacts } from './view.js';

export interface AnalysisInput {
  /** The rows of a timeline in its order, anew at each call: they are read twice. `types`: others may be left out. */
  readonly rows: (types?: ReadonlySet<RowType>) => AsyncIterable<Row>;
  readonly rules: RuleSet;
  readonly suppressions: readonly Suppression[];
  readonly facts: FileFacts;
  readonly toolVersion: string;
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
export async function analyzeRows({ rows, rules, suppressions, facts, toolVersion }: AnalysisInput): Promise<Analysis> {
  const survey = new Survey();
  for await (const row of rows(SURVEYED)) survey.add(row);
  const known = new Suppressions(suppressions);
  const engine = new Engine(rules, survey, known);
  const sessions = new Sessions(toolVersion);
  let count = 0;
  for await (const row of rows()) {
    count += 1;
    const view = viewOf(row, survey, facts);
    engine.add(view);
    sessions.add(view);
  }
  const findings = findingsOf(engine.finish(), sessions.parents(), toolVersion);
  return { sessions: sessions.finish(findings), findings, rows: count, outside: sessions.outside, unusedSuppressions: known.unused() };
}
