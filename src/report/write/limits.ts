import { grouped } from './escape.js';
import type { Counts } from './figures.js';
import type { PageLimits } from './plan.js';

/** Beyond these a page grows too slow to work with (measured), or is not made at all. */
export interface ReportLimits {
  readonly page: PageLimits;
  /** Bytes of one HTML file. */
  readonly fileBytes: number;
  /** Over all pages. */
  readonly total: PageLimits;
  /** Pages are made side by side, each with buffers of its own. */
  readonly parts: number;
}

const MB = 1_000_000;

export const REPORT_LIMITS: ReportLimits = {
  page: { rows: 250_000, textBytes: 250 * MB },
  fileBytes: 110 * MB,
  total: { rows: 1_000_000, textBytes: 600 * MB },
  parts: 99,
};

/** Why a report is not made, in one sentence with the ways out; undefined where it is. */
export function refusalOf({ rows, textBytes }: Counts, { total }: ReportLimits, withTexts: boolean): string | undefined {
  if (rows <= total.rows && textBytes <= total.textBytes) return undefined;
  const most = `${grouped(total.rows)} rows and ${megabytes(total.textBytes)} of text`;
  const ways = '--since, --until, --session or --project';
  const lighter = rows <= total.rows && withTexts ? ', or leave the texts out with --no-text' : '';
  return `too large for a report: ${grouped(rows)} rows and ${megabytes(textBytes)} of text, at most ${most}: take a part of it with ${ways}${lighter}`;
}

/** What a browser needs for a page of this size, from what was measured: about 380 MB for 200,000 rows with 60 MB of text. */
export function memoryFor({ rows, textBytes }: Counts): string {
  return megabytes(200 * MB + textBytes * 1.3 + rows * 500);
}

export const megabytes = (bytes: number) => (bytes < MB ? `${(bytes / MB).toFixed(1)} MB` : `${grouped(Math.round(bytes / MB))} MB`);
