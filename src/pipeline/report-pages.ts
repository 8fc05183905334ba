import { sumOf } from '../report/write/figures.js';
import type { ReportLimits } from '../report/write/limits.js';
import { PageRows } from '../report/write/page-rows.js';
import { PageFinder, type PageLimits, type Plan, type Unit } from '../report/write/plan.js';
import type { Row } from '../rows/row.js';
import { UsageError } from '../write/usage-error.js';
import { breathe } from './signals.js';

/** Rows of one page and what they are. */
export interface EncodedPage {
  readonly units: readonly Unit[];
  readonly rows: PageRows;
}

export interface PageOptions {
  readonly scratch: string;
  readonly limits: ReportLimits;
  /** All rows in one page, whatever its size. */
  readonly single: boolean;
  readonly withTexts: boolean;
  /** Bytes of a page beside its rows. */
  readonly besides: number;
}

/**
 * Encodes all rows into pages. How far texts deflate is known only afterwards: where a page of several units came out larger than
 * a file may be, all are made again with less in each.
 */
export async function encodePages(rows: () => AsyncIterable<readonly Row[]>, plan: Plan, options: PageOptions): Promise<EncodedPage[]> {
  const { limits, single } = options;
  for (let page = limits.page; ; ) {
    const units = single ? [plan.units] : plan.pages(page);
    if (units.length > limits.parts)
      throw new UsageError(
        `the report would have ${units.length} parts, at most ${limits.parts}: give it more with --max-size, or take a part of the rows`,
      );
    const pages = await encode(rows(), units, options);
    const smaller = single ? undefined : smallerPages(pages, page, options);
    if (smaller === undefined) return pages;
    for (const made of pages) made.rows.remove();
    page = smaller;
  }
}

async function encode(
  rows: AsyncIterable<readonly Row[]>,
  units: readonly (readonly Unit[])[],
  { scratch, withTexts }: PageOptions,
): Promise<EncodedPage[]> {
  const pages = units.map((of, i) => ({ units: of, rows: new PageRows(scratch, `page-${i}`, withTexts) }));
  const finder = new PageFinder(units);
  for await (const batch of rows) {
    for (const row of batch) pages[finder.pageOf(row)]?.rows.add(row);
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  for (const page of pages) page.rows.close();
  return pages;
}

/** A tenth is kept in hand: the next cut falls elsewhere, and other texts deflate less. */
const MARGIN = 0.9;

function smallerPages(pages: readonly EncodedPage[], now: PageLimits, { limits, besides }: PageOptions): PageLimits | undefined {
  let { rows, textBytes } = now;
  let again = false;
  for (const { units, rows: made } of pages) {
    const size = made.htmlBytes + besides;
    if (units.length < 2 || size <= limits.fileBytes) continue;
    const part = Math.max(0.01, (limits.fileBytes - besides) / made.htmlBytes) * MARGIN;
    const counts = sumOf(units.map((unit) => unit.counts));
    rows = Math.min(rows, Math.floor(counts.rows * part));
    textBytes = Math.min(textBytes, Math.floor(counts.textBytes * part));
    again = true;
  }
  return again ? { rows, textBytes } : undefined;
}
