import type { ReportResult } from '../pipeline/report.js';
import type { Written } from '../pipeline/report-write.js';
import { grouped } from '../report/write/escape.js';
import { megabytes, memoryFor } from '../report/write/limits.js';
import { levelsIn } from '../report/write/summary.js';
import { escapeUnsafe } from '../rows/problem.js';

const MOST_REMARKS = 10;
const MOST_PARTS = 20;

/** The end of a report in a few lines: what was written, what it leaves out, what to know of it. */
export function reportLines(result: ReportResult): string[] {
  const { written, remarks, scope } = result;
  const lines = written === undefined ? nothingLines(result) : [...writtenLines(result, written), ...(scope === '' ? [] : [`  ${scope}`])];
  const shown = remarks.slice(0, MOST_REMARKS).map((remark) => `  ${remark}`);
  const more = remarks.length > shown.length ? [`  and ${remarks.length - shown.length} more remarks, in the page`] : [];
  return [...lines, ...shown, ...more].map(escapeUnsafe);
}

function nothingLines({ run, total, scope }: ReportResult): string[] {
  if (total > 0) return ['no row is left by the filter, no page was written', `  ${scope}`];
  if (run === undefined) return ['the timeline holds no rows, no page was written'];
  if (!run.nothing) return [`no row in the ${run.inputs.length} sources read, no page was written`];
  const { walked, unrecognised } = run.collection;
  return [
    `nothing found in ${walked.files} files, no page was written`,
    ...unrecognised.slice(0, MOST_REMARKS).map((file) => `not recognised: ${file}`),
  ];
}

function writtenLines(
  { counts, listed, run }: ReportResult,
  { path, folder, parts, bytes, oversized, sessions, findings }: Written,
): string[] {
  const levels = levelsIn(listed.filter((finding) => finding.suppressed_by.length === 0));
  const where = folder === '' ? path : `${path} and ${parts.length} parts in ${folder}/`;
  const lines = [
    `${grouped(counts.rows)} rows, ${grouped(sessions)} sessions, ${grouped(findings)} findings${levels === '' ? '' : ` (${levels})`} written to ${where}, ${megabytes(bytes)}`,
  ];
  for (const { number, rows, sessions: held, first_utc, last_utc } of parts.slice(0, MOST_PARTS))
    lines.push(
      `  part ${number}: ${grouped(rows)} rows, ${grouped(held)} sessions, ${first_utc === '' ? 'undated' : `${first_utc} to ${last_utc}`}`,
    );
  if (parts.length > MOST_PARTS) lines.push(`  and ${parts.length - MOST_PARTS} more parts`);
  if (oversized > 0) {
    const what = parts.length === 0 ? 'the page is' : `${oversized} of the parts ${oversized === 1 ? 'is' : 'are'}`;
    const need = parts.length === 0 ? `: a browser needs about ${memoryFor(counts)} of memory for it` : ', since a session is never cut';
    lines.push(`  ${what} larger than pages are meant to be${need}`);
  }
  if (run?.manifest.secrets.policy === 'show') lines.push('  warning: the page holds secrets as stored (--secrets show)');
  return lines;
}
