import type { ReportPart, ReportSummary } from '../report/format.js';
import type { PageAssets } from '../report/write/assets.js';
import { grouped } from '../report/write/escape.js';
import { type Counts, sumOf } from '../report/write/figures.js';
import type { ReportFiles } from '../report/write/files.js';
import type { ReportLimits } from '../report/write/limits.js';
import { writePage } from '../report/write/page.js';
import { PageRows } from '../report/write/page-rows.js';
import { type Statement, summaryOf } from '../report/write/summary.js';
import { encodeTables, indexTables, type ReportFacts, tablesOf } from '../report/write/tables.js';
import type { EncodedPage } from './report-pages.js';

/** What was written. */
export interface Written {
  readonly path: string;
  /** Folder of the parts, or ''. */
  readonly folder: string;
  readonly parts: readonly ReportPart[];
  /** Over all files. */
  readonly bytes: number;
  /** Pages beyond what a file may hold, since a session is never cut. */
  readonly oversized: number;
  readonly sessions: number;
  readonly findings: number;
}

export interface Content {
  readonly facts: ReportFacts;
  readonly statement: Statement;
  readonly scope: string;
  readonly remarks: readonly string[];
  readonly texts: boolean;
  readonly limits: ReportLimits;
  readonly assets: PageAssets;
  readonly counts: Counts;
}

/** Writes one page, or the parts and the index over them. Nothing has its final name before `files.finish()`. */
export function writeReport(files: ReportFiles, pages: readonly EncodedPage[], content: Content, scratch: string): Written {
  const [only, ...others] = pages;
  return only !== undefined && others.length === 0 ? writeOnly(files, only, content) : writeParts(files, pages, content, scratch);
}

function writeOnly(files: ReportFiles, { rows }: EncodedPage, content: Content): Written {
  const { facts, statement, scope, texts, assets, counts } = content;
  const tables = tablesOf(facts, { number: 0, rows });
  rows.addTables(encodeTables(tables));
  const large = isLarge(counts, rows.htmlBytes, content.limits);
  const remarks = [...content.remarks, ...rowRemarks(content, [rows], tables.findings.length), ...(large ? [LARGE] : [])];
  const summary = summaryOf({ statement, scope, counts, tables, hot: [rows.hot], texts, part: null, parts: [], remarks, page: rows });
  const bytes = writePage(files.page, summary, rows, assets);
  return { path: files.path, folder: '', parts: [], bytes, oversized: large ? 1 : 0, ...sizes(summary) };
}

function writeParts(files: ReportFiles, pages: readonly EncodedPage[], content: Content, scratch: string): Written {
  const { facts, statement, scope, texts, assets, counts } = content;
  const written = partsInto(files, pages, content);
  const numbered = pages.map(({ rows }, i) => ({ number: i + 1, rows }));
  const index = new PageRows(scratch, 'index', texts);
  const tables = indexTables(facts, numbered);
  index.addTables(encodeTables(tables));
  const all = pages.map(({ rows }) => rows);
  const { parts, oversized } = written;
  const remarks = [
    ...content.remarks,
    ...rowRemarks(content, all, tables.findings.length),
    `The rows fill ${pages.length} pages. A search runs inside one page; over all rows, query the timeline itself (for example with DuckDB).`,
    ...(oversized > 0 ? [`Pages larger than pages are meant to be, since a session is never cut: ${oversized}.`] : []),
  ];
  const hot = all.map((rows) => rows.hot);
  const summary = summaryOf({ statement, scope, counts, tables, hot, texts, part: null, parts, remarks, page: index });
  const bytes = writePage(files.page, summary, index, assets);
  return { path: files.path, folder: files.folderName, parts, bytes: written.bytes + bytes, oversized, ...sizes(summary) };
}

function partsInto(files: ReportFiles, pages: readonly EncodedPage[], content: Content): Pick<Written, 'parts' | 'bytes' | 'oversized'> {
  const { facts, statement, texts, assets, limits, counts: total } = content;
  const parts: ReportPart[] = [];
  let bytes = 0;
  let oversized = 0;
  let before = 0;
  for (const [i, { units, rows }] of pages.entries()) {
    const number = i + 1;
    const counts = sumOf(units.map((unit) => unit.counts));
    const tables = tablesOf(facts, { number, rows });
    rows.addTables(encodeTables(tables));
    const large = isLarge(counts, rows.htmlBytes, limits);
    const part = { number, of: pages.length, first_row: before, total_rows: total.rows, index: files.indexHref };
    const scope = [partScope(part, counts), content.scope].filter((text) => text !== '').join(' ');
    const remarks = [...content.remarks, ...rowRemarks(content, [rows], tables.findings.length), ...(large ? [LARGE] : [])];
    const summary = summaryOf({ statement, scope, counts, tables, hot: [rows.hot], texts, part, parts: [], remarks, page: rows });
    const output = files.part(number);
    bytes += writePage(output, summary, rows, assets);
    output.finish();
    const { rows: held, first, last } = counts;
    parts.push({ href: files.hrefOf(number), number, rows: held, first_utc: first, last_utc: last, sessions: tables.sessions.length });
    oversized += large ? 1 : 0;
    before += held;
  }
  return { parts, bytes, oversized };
}

const LARGE = 'This page is larger than pages are meant to be; it needs time and memory.';

function isLarge({ rows, textBytes }: Counts, htmlBytes: number, { page, fileBytes }: ReportLimits): boolean {
  return rows > page.rows || textBytes > page.textBytes || htmlBytes > fileBytes;
}

function partScope({ number, of, first_row, total_rows }: NonNullable<ReportSummary['part']>, { rows, first, last }: Counts): string {
  const span = first === '' ? 'undated' : `${first.slice(0, 10)} to ${last.slice(0, 10)}`;
  return `Part ${number} of ${of}: rows ${grouped(first_row + 1)}-${grouped(first_row + rows)} of ${grouped(total_rows)} by session, ${span}.`;
}

/** What a reader of these rows must know beside the filter. */
function rowRemarks({ facts, texts, scope }: Content, pages: readonly PageRows[], shown: number): string[] {
  const inexact = pages.reduce((sum, page) => sum + page.inexact, 0);
  const elsewhere = facts.findings.length - shown;
  return [
    ...(texts ? [] : ['Made without texts (--no-text): commands, times, decisions and places are here, the words are in the timeline.']),
    ...(inexact > 0
      ? [`Texts with half a character, which a page cannot hold exactly: ${grouped(inexact)}; the timeline has them as stored.`]
      : []),
    ...(scope === '' ? [] : ['Sessions and findings were made from all rows of the timeline, also those that are not here.']),
    ...(elsewhere > 0 ? [`Findings without a row in this page, not listed here: ${grouped(elsewhere)}.`] : []),
  ];
}

function sizes({ figures, findings_total }: ReportSummary): Pick<Written, 'sessions' | 'findings'> {
  return { sessions: figures.sessions, findings: findings_total };
}
