import { existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  type Analysis,
  analyzeRows,
  type FileFacts,
  type Finding,
  FindingSchema,
  LEVELS,
  type Level,
  loadAllRules,
  type RuleSet,
  RulesFileError,
  readSuppressions,
  type Session,
  SessionSchema,
  type Suppression,
} from '../analyze/index.js';
import { catalogDocuments } from '../catalog/documents.js';
import { messageOf } from '../rows/problem.js';
import { SCHEMA } from '../rows/row.js';
import { VERSION } from '../version.js';
import { csvHeader, tableEncoder } from '../write/csv.js';
import { fileOutput } from '../write/output.js';
import { UsageError } from '../write/usage-error.js';
import { openScratch, refuseInEvidence, rootOf } from './call.js';
import { type Manifest, ManifestSchema } from './manifest.js';
import type { RunOptions } from './options.js';
import { type RunResult, run } from './run.js';
import { headOf, type LineProblem, TimelineFile } from './timeline-file.js';

export interface AnalyzeOptions {
  /** How evidence is read; its output and format are set here. */
  readonly run: RunOptions;
  /** Folder for the tables; absent: none are written. */
  readonly folder: string | undefined;
  /** Lowest level that is listed. */
  readonly level: Level;
  readonly rulesFiles: readonly string[];
  readonly suppressFile: string | undefined;
}

export interface AnalyzeResult {
  readonly analysis: Analysis;
  /** Findings from the asked level on. */
  readonly listed: readonly Finding[];
  /** Absent where a timeline was read and no manifest lies beside it. */
  readonly manifest: Manifest | undefined;
  /** Present where evidence was read. */
  readonly run: RunResult | undefined;
  readonly problems: readonly LineProblem[];
  readonly broken: number;
  /** Rules that could not be loaded and suppressions that are over or never spoke, in plain words. */
  readonly remarks: readonly string[];
  readonly written: readonly string[];
  readonly incomplete: boolean;
}

const TABLES = ['sessions.jsonl', 'sessions.csv', 'findings.jsonl', 'findings.csv'] as const;
const TIMELINE = 'timeline.jsonl';

/** Sessions and findings of evidence, or of a timeline made before. Throws `UsageError` for a call that cannot be carried out. */
export async function analyze(options: AnalyzeOptions): Promise<AnalyzeResult> {
  const { rules, refused } = rulesOf(options);
  const suppressions = suppressionsOf(options, rules);
  const timeline = timelineOf(options.run.paths);
  const folder = options.folder === undefined ? undefined : openFolder(options, timeline === undefined);
  const scratch = folder === undefined && timeline === undefined ? openScratch(options.run.scratch) : undefined;
  try {
    const path = timeline ?? join(folder ?? scratch?.path ?? '', TIMELINE);
    const result = timeline === undefined ? await run({ ...options.run, output: path, format: 'jsonl' }) : undefined;
    const manifest = result?.manifest ?? manifestBeside(path);
    const file = new TimelineFile(path, result !== undefined);
    const analysis = await analyzeRows({
      rows: () => file.rows(),
      surveyed: (types) => file.surveyed(types),
      rules,
      suppressions: suppressions.entries,
      facts: factsOf(manifest),
      toolVersion: VERSION,
    });
    const from = LEVELS.indexOf(options.level);
    const listed = analysis.findings.filter((finding) => LEVELS.indexOf(finding.level) <= from);
    const written = folder === undefined ? [] : writeTables(folder, analysis.sessions, listed, options.run.force);
    const remarks = [
      ...refused.map(({ id, reason }) => `rule left out: ${id}: ${reason}`),
      ...suppressions.expired.map((name) => `suppression is over: ${name}`),
      ...analysis.unusedSuppressions.map((name) => `suppression never used: ${name}`),
    ];
    const incomplete = result?.incomplete === true || file.broken > 0;
    return { analysis, listed, manifest, run: result, problems: file.problems, broken: file.broken, remarks, written, incomplete };
  } finally {
    scratch?.remove();
  }
}

function rulesOf({ rulesFiles }: AnalyzeOptions): ReturnType<typeof loadAllRules> {
  try {
    return loadAllRules(
      catalogDocuments(),
      rulesFiles.map((file) => ({ file, text: textOf(file, '--rules') })),
    );
  } catch (error) {
    throw error instanceof RulesFileError ? new UsageError(error.message) : error;
  }
}

function suppressionsOf({ suppressFile }: AnalyzeOptions, rules: RuleSet): { entries: readonly Suppression[]; expired: readonly string[] } {
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
function timelineOf(paths: readonly string[]): string | undefined {
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

function openFolder({ folder = '', run }: AnalyzeOptions, withTimeline: boolean): string {
  const path = resolve(folder);
  // Before anything is made: a folder inside the evidence would be a change of it.
  const parent = existing(path);
  refuseInEvidence([parent], withTimeline ? run.paths.filter((name) => name !== '-').map(rootOf) : []);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UsageError(`cannot make the folder ${folder} (${error instanceof Error && 'code' in error ? String(error.code) : 'error'})`);
  }
  const names = withTimeline ? [...TABLES, TIMELINE, `${TIMELINE}.manifest.json`] : TABLES;
  const there = run.force ? undefined : names.find((name) => existsSync(join(path, name)));
  if (there !== undefined) throw new UsageError(`output exists: ${join(folder, there)} (use --force to replace it)`);
  return path;
}

/** The real place of a path of which the last parts need not exist. */
function existing(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(existing(dirname(path)), basename(path));
}

/** A manifest written beside a timeline. One that is not ours, or of another form, is as good as none. */
function manifestBeside(path: string): Manifest | undefined {
  try {
    const parsed = ManifestSchema.safeParse(JSON.parse(readFileSync(`${path}.manifest.json`, 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function factsOf(manifest: Manifest | undefined): FileFacts {
  const inputs = manifest?.inputs ?? [];
  return { mtimes: new Map(inputs.map((input) => [input.path, input.mtime_utc])), collectedAt: manifest?.started_utc ?? '' };
}

function writeTables(folder: string, sessions: readonly Session[], findings: readonly Finding[], force: boolean): string[] {
  const [sessionsJson, sessionsCsv, findingsJson, findingsCsv] = TABLES;
  return [
    writeLines(join(folder, sessionsJson), sessions.map(jsonOf), force),
    writeLines(join(folder, sessionsCsv), csvOf(columnsOf(SessionSchema.shape), sessions), force),
    writeLines(join(folder, findingsJson), findings.map(jsonOf), force),
    writeLines(join(folder, findingsCsv), csvOf(columnsOf(FindingSchema.shape), findings), force),
  ];
}

const jsonOf = (record: object) => `${JSON.stringify(record).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;

function columnsOf<T extends object>(shape: T): (keyof T & string)[] {
  return Object.keys(shape).filter((key): key is keyof T & string => key in shape);
}

function* csvOf<T extends Session | Finding>(columns: readonly (keyof T & string)[], records: readonly T[]): Generator<string> {
  const options = { raw: false, bom: false };
  const encoder = tableEncoder<Record<string, string | number | null | object>>(columns, options);
  yield csvHeader(options, columns);
  for (const record of records) yield `${encoder.line({ ...record })}\n`;
}

function writeLines(path: string, lines: Iterable<string>, force: boolean): string {
  const output = fileOutput(path, force);
  try {
    for (const line of lines) output.write(Buffer.from(line));
    output.finish();
  } catch (error) {
    output.discard();
    throw error;
  }
  return path;
}
