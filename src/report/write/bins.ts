import { BIN_GROUP_OF, BIN_GROUPS, MOST_BINS, type ReportSummary } from '../format.js';
import type { HotColumns } from './hot.js';

const OTHER = BIN_GROUPS.length - 1;

/** Rows over time, of one page or of several. */
export function activityOf(pages: readonly HotColumns[]): ReportSummary['activity'] {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { time, rows } of pages) {
    for (let row = 0; row < rows; row++) {
      const at = time.at(row);
      if (at < from) from = at;
      if (at > to) to = at;
    }
  }
  if (from > to) return null;
  const bins = Array.from({ length: Math.min(MOST_BINS, to - from + 1) }, () => BIN_GROUPS.map(() => 0));
  for (const page of pages) {
    for (let row = 0; row < page.rows; row++) {
      const at = page.time.at(row);
      if (Number.isNaN(at)) continue;
      const bin = bins[Math.min(bins.length - 1, Math.floor(((at - from) * bins.length) / Math.max(1, to - from)))];
      const group = BIN_GROUP_OF.get(page.text('row_type', row)) ?? OTHER;
      if (bin !== undefined) bin[group] = (bin[group] ?? 0) + 1;
    }
  }
  return { from, to, bins };
}
