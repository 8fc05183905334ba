import type { Finding, Session } from '../../analyze/index.js';
import type { ReportFinding, ReportSession, ReportTables } from '../format.js';
import { type PageRows, sessionKey } from './page-rows.js';

/** What all pages of a report share. */
export interface ReportFacts {
  readonly sessions: readonly Session[];
  /** From the asked level on. */
  readonly findings: readonly Finding[];
  readonly inputs: ReportTables['inputs'];
  readonly notRead: ReportTables['not_read'];
  readonly titleOf: (session: Session) => string;
}

/** A page and its number; 0 for the only page of a report. */
export interface NumberedPage {
  readonly number: number;
  readonly rows: PageRows;
}

/** Sessions and findings of one page. */
export function tablesOf(facts: ReportFacts, { number, rows }: NumberedPage): ReportTables {
  const { lookup } = rows.hot;
  const numbersOf = (ids: readonly string[]) => ids.map((id) => lookup.rowOf(id)).filter((row) => row >= 0);
  const findings = facts.findings.map(
    (finding): ReportFinding => ({
      ...finding,
      rows: numbersOf(finding.row_ids),
      also: numbersOf(finding.also_row_ids),
      parts: number === 0 ? [] : [number],
    }),
  );
  return {
    sessions: facts.sessions.flatMap((session) => sessionIn(facts, session, { number, rows }) ?? []),
    findings: findings.filter((finding) => finding.rows.length > 0 || finding.also.length > 0),
    inputs: facts.inputs,
    not_read: facts.notRead,
  };
}

/** Sessions and findings over all pages, each with the number of the page that holds it. */
export function indexTables(facts: ReportFacts, pages: readonly NumberedPage[]): ReportTables {
  const holds = ({ rows }: NumberedPage, ids: readonly string[]) => ids.some((id) => rows.hot.lookup.rowOf(id) >= 0);
  const findings = facts.findings.map((finding): ReportFinding => {
    const parts = pages.filter((page) => holds(page, finding.row_ids) || holds(page, finding.also_row_ids));
    return { ...finding, rows: [], also: [], parts: parts.map(({ number }) => number) };
  });
  return {
    sessions: facts.sessions.flatMap((session) => pages.flatMap((page) => sessionIn(facts, session, page) ?? []).slice(0, 1)),
    findings: findings.filter((finding) => finding.parts.length > 0),
    inputs: facts.inputs,
    not_read: facts.notRead,
  };
}

function sessionIn({ titleOf }: ReportFacts, session: Session, { number, rows }: NumberedPage): ReportSession | undefined {
  const place = rows.sessions.get(sessionKey(session));
  return place && { ...session, title: titleOf(session), first_row: place.first, row_count: place.count, part: number };
}

/** As JSON, record by record: a list of a hundred thousand sessions is longer than one text may be. */
export function encodeTables({ sessions, findings, inputs, not_read }: ReportTables): Buffer {
  const parts: Buffer[] = [];
  const list = (opening: string, records: readonly object[]) => {
    parts.push(Buffer.from(opening));
    for (const [i, record] of records.entries()) parts.push(Buffer.from(`${i === 0 ? '' : ','}${JSON.stringify(record)}`));
    parts.push(Buffer.from(']'));
  };
  list('{"sessions":[', sessions);
  list(',"findings":[', findings);
  list(',"inputs":[', inputs);
  list(',"not_read":[', not_read);
  parts.push(Buffer.from('}'));
  return Buffer.concat(parts);
}
