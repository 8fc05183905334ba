import type { Row } from '../../rows/row.js';
import { type Counts, count, noCounts, sumOf } from './figures.js';

/** Rows that stay together in one page: a session, or a stretch of rows that belong to none. */
export interface Unit {
  /** '' for rows without a session. */
  readonly session: string;
  readonly counts: Counts;
}

export interface PageLimits {
  readonly rows: number;
  readonly textBytes: number;
}

/** Rows without a session stay together up to this many, or this much text. */
const LOOSE: PageLimits = { rows: 5_000, textBytes: 4_000_000 };

/** Length of the texts that a page holds of a row in one piece. */
export function textBytesOf(row: Row, withTexts: boolean): number {
  return (withTexts ? Buffer.byteLength(row.text) : 0) + Buffer.byteLength(row.command);
}

/** Gathers what the rows amount to, by unit in the order of their first rows. A session id is one unit, also in two homes. */
export class Plan {
  readonly units: Unit[] = [];
  private readonly sessions = new Map<string, Unit>();
  private loose: Unit | undefined;

  constructor(private readonly withTexts: boolean) {}

  add(row: Row, decided: boolean): void {
    const bytes = textBytesOf(row, this.withTexts);
    count(this.unitOf(row.session_id, bytes).counts, row, bytes, decided);
  }

  get total(): Counts {
    return sumOf(this.units.map(({ counts }) => counts));
  }

  /** Whole units in their order, as many to a page as the limits let in; a unit beyond the limits has a page of its own. */
  pages(limits: PageLimits): Unit[][] {
    const pages: Unit[][] = [];
    let page: Unit[] = [];
    let rows = 0;
    let textBytes = 0;
    for (const unit of this.units) {
      if (page.length > 0 && (rows + unit.counts.rows > limits.rows || textBytes + unit.counts.textBytes > limits.textBytes)) {
        pages.push(page);
        page = [];
        rows = 0;
        textBytes = 0;
      }
      page.push(unit);
      rows += unit.counts.rows;
      textBytes += unit.counts.textBytes;
    }
    if (page.length > 0) pages.push(page);
    return pages;
  }

  private unitOf(session: string, bytes: number): Unit {
    const known = session === '' ? this.loose : this.sessions.get(session);
    if (known !== undefined && !(session === '' && isFull(known.counts, bytes))) return known;
    const unit: Unit = { session, counts: noCounts() };
    this.units.push(unit);
    if (session === '') this.loose = unit;
    else this.sessions.set(session, unit);
    return unit;
  }
}

const isFull = (counts: Counts, bytes: number) =>
  counts.rows >= LOOSE.rows || (counts.rows > 0 && counts.textBytes + bytes > LOOSE.textBytes);

/** Tells the page of each row when the same rows go by again in the same order. */
export class PageFinder {
  private readonly sessions = new Map<string, number>();
  private readonly loose: { readonly page: number; left: number }[] = [];
  private at = 0;

  constructor(pages: readonly (readonly Unit[])[]) {
    for (const [page, units] of pages.entries()) {
      for (const { session, counts } of units) {
        if (session === '') this.loose.push({ page, left: counts.rows });
        else this.sessions.set(session, page);
      }
    }
  }

  pageOf(row: Row): number {
    if (row.session_id !== '') return this.known(this.sessions.get(row.session_id));
    while (this.loose[this.at]?.left === 0) this.at += 1;
    const unit = this.loose[this.at];
    if (unit !== undefined) unit.left -= 1;
    return this.known(unit?.page);
  }

  private known(page: number | undefined): number {
    if (page === undefined) throw new Error('the timeline changed while it was read');
    return page;
  }
}
