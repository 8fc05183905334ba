import { dirname, join } from 'node:path';
import type { Analysis, Finding } from '../analyze/index.js';
import { hashFile } from '../evidence/hash-file.js';
import type { Scratch } from '../evidence/scratch.js';
import { loadAssets, type PageAssets } from '../report/write/assets.js';
import type { Counts } from '../report/write/figures.js';
import { partsFolder, ReportFiles } from '../report/write/files.js';
import { REPORT_LIMITS, type ReportLimits, refusalOf } from '../report/write/limits.js';
import { Plan } from '../report/write/plan.js';
import type { ReportFacts } from '../report/write/tables.js';
import { Titles } from '../report/write/titles.js';
import { UsageError } from '../write/usage-error.js';
import { analyzeTimeline, listedFrom, manifestBeside, type ReadyRules, type RuleOptions, readyRules, timelineAmong } from './analysis.js';
import { openScratch, refuseInEvidence, refuseOutputInEvidence, rootOf } from './call.js';
import { type Filter, makeFilter } from './filter.js';
import type { Manifest } from './manifest.js';
import type { RunOptions } from './options.js';
import { filterScope, findingRemarks, notReadOf, statementOf, timelineRemarks } from './report-facts.js';
import { encodePages } from './report-pages.js';
import { type Written, writeReport } from './report-write.js';
import { type RunResult, run } from './run.js';
import { whenKilled } from './signals.js';
import { TimelineFile } from './timeline-file.js';

export interface ReportOptions extends RuleOptions {
  /** How evidence is read. `output` is the page; the filter chooses the rows of the page, not what is read. */
  readonly run: RunOptions;
  readonly title: string;
  /** All rows in one file, up to the limit over all pages. */
  readonly single: boolean;
  /** False: without texts and the columns that are shown only with them. */
  readonly texts: boolean;
  /** Bytes of one file; absent: as measured to be usable. */
  readonly maxBytes: number | undefined;
  /** In place of the built viewer and the measured limits: for tests. */
  readonly assets?: PageAssets | undefined;
  readonly limits?: ReportLimits | undefined;
}

export interface ReportResult {
  /** Absent where there was no row to show. */
  readonly written: Written | undefined;
  readonly counts: Counts;
  /** Rows of the timeline, with those that the filter leaves out. */
  readonly total: number;
  readonly analysis: Analysis;
  readonly listed: readonly Finding[];
  readonly scope: string;
  readonly remarks: readonly string[];
  readonly run: RunResult | undefined;
  readonly incomplete: boolean;
}

/** One offline page over a timeline, or over evidence. Throws `UsageError` for a call that cannot be carried out. */
export async function report(options: ReportOptions): Promise<ReportResult> {
  const ready = readyRules(options);
  const assets = options.assets ?? loadAssets();
  const timeline = timelineAmong(options.run.paths);
  refuseTargets(options.run, timeline);
  const files = new ReportFiles(options.run.output, options.run.force);
  const release = whenKilled(() => files.discard());
  let scratch: Scratch | undefined;
  try {
    scratch = openScratch(options.run.scratch);
    const result = await reportInto(files, { options, ready, assets, timeline, scratch: scratch.path });
    if (result.written === undefined) files.discard();
    else files.finish();
    return result;
  } catch (error) {
    files.discard();
    throw error;
  } finally {
    scratch?.remove();
    release();
  }
}

/** Neither the page nor the folder of its parts may lie in the evidence, nor be the timeline itself. */
function refuseTargets(options: RunOptions, timeline: string | undefined): void {
  if (options.output === '-' || options.output === '') throw new UsageError('report: --output needs a file name');
  const roots = timeline === undefined ? options.paths.filter((path) => path !== '-').map(rootOf) : [timeline, `${timeline}.manifest.json`];
  refuseOutputInEvidence({ ...options, manifest: undefined }, roots);
  const folder = dirname(options.output);
  refuseInEvidence([join(rootOf(folder), partsFolder(options.output))], roots);
}

interface Call {
  readonly options: ReportOptions;
  readonly ready: ReadyRules;
  readonly assets: PageAssets;
  readonly timeline: string | undefined;
  readonly scratch: string;
}

async function reportInto(files: ReportFiles, { options, ready, assets, timeline, scratch }: Call): Promise<ReportResult> {
  const path = timeline ?? join(scratch, 'timeline.jsonl');
  const result = timeline === undefined ? await readEvidence(options.run, path) : undefined;
  const { sha256 } = hashFile(path);
  const manifest = manifestBeside(path, sha256);
  const file = new TimelineFile(path, result !== undefined);
  const seen = new Seen(makeFilter(options.run.filter), options.texts);
  const { analysis, remarks: ruleRemarks } = await analyzeTimeline(file, ready, manifest, (view) =>
    seen.add(view.row, view.joined.decision !== ''),
  );
  const listed = listedFrom(analysis.findings, options.level);
  const counts = seen.plan.total;
  const incomplete = result?.incomplete === true || file.broken > 0;
  const scope = filterScope(options.run.filter, counts.rows, seen.left);
  const remarks = [...timelineRemarks(manifest, file), ...findingRemarks(analysis.findings, listed, options.level), ...ruleRemarks];
  const said = { counts, total: analysis.rows, analysis, listed, scope, remarks, run: result, incomplete };
  if (counts.rows === 0) return { ...said, written: undefined };
  const limits = limitsOf(options);
  const refusal = refusalOf(counts, limits, options.texts);
  if (refusal !== undefined) throw new UsageError(refusal);
  const facts: ReportFacts = {
    sessions: analysis.sessions,
    findings: listed,
    inputs: manifest?.inputs ?? [],
    notRead: manifest === undefined ? [] : notReadOf(manifest),
    titleOf: (session) => seen.titles.of(session),
  };
  const kept = () => keptRows(file, makeFilter(options.run.filter));
  const besides = assets.script.length + assets.style.length + FACTS_BYTES;
  const pages = await encodePages(kept, seen.plan, { scratch, limits, single: options.single, withTexts: options.texts, besides });
  const statement = statementOf(options.title, sha256, manifest);
  const written = writeReport(files, pages, { facts, statement, scope, remarks, texts: options.texts, limits, assets, counts }, scratch);
  return { ...said, written };
}

/** Room for summary, tables and shell beside script and style. */
const FACTS_BYTES = 1_500_000;

/** Evidence is read whole: findings are of everything, whatever the page shows. */
function readEvidence(options: RunOptions, output: string): Promise<RunResult> {
  const filter = { since: undefined, until: undefined, keepUndated: false, rowTypes: [], sessions: [], projects: [] };
  return run({ ...options, output, format: 'jsonl', filter });
}

function limitsOf({ limits = REPORT_LIMITS, maxBytes }: ReportOptions): ReportLimits {
  return maxBytes === undefined ? limits : { ...limits, fileBytes: maxBytes };
}

/** What the second reading of the analysis shows of the rows that the page will hold. */
class Seen {
  readonly plan: Plan;
  readonly titles = new Titles();
  /** Rows left out, by filter. */
  readonly left = new Map<string, number>();

  constructor(
    private readonly filter: Filter,
    withTexts: boolean,
  ) {
    this.plan = new Plan(withTexts);
  }

  add(row: Parameters<Filter>[0], decided: boolean): void {
    const dropped = this.filter(row);
    this.titles.add(row);
    if (dropped === undefined) this.plan.add(row, decided);
    else this.left.set(dropped, (this.left.get(dropped) ?? 0) + 1);
  }
}

async function* keptRows(file: TimelineFile, filter: Filter) {
  for await (const batch of file.rows()) yield batch.filter((row) => filter(row) === undefined);
}
