/** What the commands share that analyse a timeline: rules, suppressions, the timeline that is meant, the manifest beside it. */
import { readFileSync, statSync } from 'node:fs';
import {
  type Analysis,
  analyzeRows,
  type FileFacts,
  type Finding,
  LEVELS,
  type Level,
  loadAllRules,
  type RowView,
  type RuleSet,
  RulesFileError,
  readSuppressions,
  type Suppression,
} from '../analyze/index.js';
import { catalogDocuments } from '../catalog/documents.js';
import { hashFile } from '../evidence/hash-file.js';
import { messageOf } from '../rows/problem.js';
import { SCHEMA } from '../rows/row.js';
import { VERSION } from '../version.js';
import { UsageError } from '../write/usage-error.js';
import { rootOf } from './call.js';
import { type Manifest, ManifestSchema } from './manifest.js';
import { headOf, type TimelineFile } from './timeline-file.js';

/** What findings are looked for. */
export interface RuleOptions {
  /** Lowest level that is listed. */
  readonly level: Level;
  readonly rulesFiles: readonly string[];
  readonly suppressFile: string | undefined;
}

/** Rules and suppressions, read before any evidence is: a mistake in them ends the call at once. */
export interface ReadyRules {
  readonly rules: RuleSet;
  readonly suppressions: readonly Suppression[];
  /** Rules left out and suppressions that are over, in plain words. */
  readonly remarks: readonly string[];
}

export function readyRules(options: RuleOptions): ReadyRules {
  const { rules, refused } = rulesOf(options);
  const { entries, expired } = suppressionsOf(options, rules);
  const remarks = [
    ...refused.map(({ id, reason }) => `rule left out: ${id}: ${reason}`),
    ...expired.map((name) => `suppression is over: ${name}`),
  ];
  return { rules, suppressions: entries, remarks };
}

/** Sessions and findings of a timeline. `watch` sees each row on the way. */
export async function analyzeTimeline(
  file: TimelineFile,
  { rules, suppressions, remarks }: ReadyRules,
  manifest: Manifest | undefined,
  watch?: (view: RowView) => void,
): Promise<{ readonly analysis: Analysis; readonly remarks: readonly string[] }> {
  const analysis = await analyzeRows({
    rows: () => file.rows(),
    surveyed: (types) => file.surveyed(types),
    rules,
    suppressions,
    facts: factsOf(manifest),
    toolVersion: VERSION,
    watch,
  });
  return { analysis, remarks: [...remarks, ...analysis.unusedSuppressions.map((name) => `suppression never used: ${name}`)] };
}

/** Findings from a level on. */
export function listedFrom(findings: readonly Finding[], level: Level): readonly Finding[] {
  const from = LEVELS.indexOf(level);
  return findings.filter((finding) => LEVELS.indexOf(finding.level) <= from);
}

function rulesOf({ rulesFiles }: RuleOptions): ReturnType<typeof loadAllRules> {
  try {
    return loadAllRules(
      catalogDocuments(),
      rulesFiles.map((file) => ({ file, text: textOf(file, '--rules') })),
    );
  } catch (error) {
    throw error instanceof RulesFileError ? new UsageError(error.message) : error;
  }
}

function suppressionsOf({ suppressFile }: RuleOptions, rules: RuleSet): ReturnType<typeof readSuppressions> {
  if (suppressFile === undefined) return { entries: [], expired: [] };
  const text = textOf(suppressFile, '--suppress');
  try {
    return readSuppressions(text, rules.lists, new Date().toISOString().slice(0, 10));
  } catch (error) {
    throw new UsageError(`--suppress ${suppressFile}: ${messageOf(error)}`);
  }
}

function textOf(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${option}: cannot read ${file} (${error instanceof Error && 'code' in error ? String(error.code) : 'error'})`);
  }
}

/** The one path, if it is a timeline of ours: its first line names the schema. */
export function timelineAmong(paths: readonly string[]): string | undefined {
  const [path] = paths;
  if (path === undefined || path === '-' || paths.length !== 1) return undefined;
  const real = rootOf(path);
  if (!statSync(real).isFile()) return undefined;
  const head = headOf(real, 1 << 16).toString('utf8');
  if (/^\uFEFF?timestamp_utc,host,user,agent,/.test(head))
    throw new UsageError(`${path} is a timeline in CSV, which is for people: give the JSONL, or the evidence`);
  if (!/^\uFEFF?\s*\{\s*"timestamp_utc"\s*:/.test(head)) return undefined;
  const [, schema] = /"schema"\s*:\s*"(kirotrail\/[^"]{0,40})"/.exec(head) ?? [];
  if (schema !== undefined && schema !== SCHEMA) throw new UsageError(`${path} has the schema ${schema}; this version reads ${SCHEMA}`);
  return real;
}

/** The manifest beside a timeline, if it speaks of these very bytes. One of another form, or of other bytes, is as good as none. */
export function manifestBeside(path: string, sha256 = hashFile(path).sha256): Manifest | undefined {
  try {
    const { data } = ManifestSchema.safeParse(JSON.parse(readFileSync(`${path}.manifest.json`, 'utf8')));
    return data?.outputs.some((output) => output.sha256 === sha256) === true ? data : undefined;
  } catch {
    return undefined;
  }
}

function factsOf(manifest: Manifest | undefined): FileFacts {
  const inputs = manifest?.inputs ?? [];
  return { mtimes: new Map(inputs.map((input) => [input.path, input.mtime_utc])), collectedAt: manifest?.started_utc ?? '' };
}
