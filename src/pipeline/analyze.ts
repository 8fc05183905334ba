import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Analysis, type Finding, FindingSchema, type Session, SessionSchema } from '../analyze/index.js';
import { csvHeader, tableEncoder } from '../write/csv.js';
import { fileOutput } from '../write/output.js';
import { UsageError } from '../write/usage-error.js';
import { analyzeTimeline, listedFrom, manifestBeside, type RuleOptions, readyRules, timelineAmong } from './analysis.js';
import { openScratch, refuseInEvidence, rootOf } from './call.js';
import type { Manifest } from './manifest.js';
import type { RunOptions } from './options.js';
import { type RunResult, run } from './run.js';
import { type LineProblem, TimelineFile } from './timeline-file.js';

export interface AnalyzeOptions extends RuleOptions {
  /** How evidence is read; its output and format are set here. */
  readonly run: RunOptions;
  /** Folder for the tables; absent: none are written. */
  readonly folder: string | undefined;
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
  const ready = readyRules(options);
  const timeline = timelineAmong(options.run.paths);
  const folder = options.folder === undefined ? undefined : openFolder(options, timeline === undefined);
  const scratch = folder === undefined && timeline === undefined ? openScratch(options.run.scratch) : undefined;
  try {
    const path = timeline ?? join(folder ?? scratch?.path ?? '', TIMELINE);
    const result = timeline === undefined ? await run({ ...options.run, output: path, format: 'jsonl' }) : undefined;
    const manifest = result?.manifest ?? manifestBeside(path);
    const file = new TimelineFile(path, result !== undefined);
    const { analysis, remarks } = await analyzeTimeline(file, ready, manifest);
    const listed = listedFrom(analysis.findings, options.level);
    const written = folder === undefined ? [] : writeTables(folder, analysis.sessions, listed, options.run.force);
    const incomplete = result?.incomplete === true || file.broken > 0;
    return { analysis, listed, manifest, run: result, problems: file.problems, broken: file.broken, remarks, written, incomplete };
  } finally {
    scratch?.remove();
  }
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
