import type { Row } from '../../rows/row.js';
import type { ReportSummary } from '../format.js';

type Figures = ReportSummary['figures'];

/** What is counted of some rows. */
export interface Counts {
  rows: number;
  /** Length in UTF-8 of texts and commands. */
  textBytes: number;
  undated: number;
  /** Recorded times; that of a file says only when a copy was last written. */
  first: string;
  last: string;
  readonly figures: { -readonly [Name in Exclude<keyof Figures, 'sessions'>]: number };
}

export function noCounts(): Counts {
  return {
    rows: 0,
    textBytes: 0,
    undated: 0,
    first: '',
    last: '',
    figures: {
      prompts_typed: 0,
      prompts_injected: 0,
      tool_calls: 0,
      approved: 0,
      denied_or_cancelled: 0,
      not_recorded: 0,
      recovered: 0,
      gaps: 0,
      errors: 0,
      secrets: 0,
    },
  };
}

/** `decided`: some row of the same call tells of a decision. */
export function count(counts: Counts, row: Row, textBytes: number, decided: boolean): void {
  counts.rows += 1;
  counts.textBytes += textBytes;
  if (row.timestamp_utc === '') counts.undated += 1;
  else if (row.timestamp_source !== 'file_mtime') widen(counts, row.timestamp_utc, row.timestamp_utc);
  if (row.duplicate_of === '') countFigures(counts.figures, row, decided);
}

function countFigures(figures: Counts['figures'], row: Row, decided: boolean): void {
  if (row.recovered !== '') figures.recovered += 1;
  figures.secrets += row.secret_count ?? 0;
  if (row.row_type === 'prompt') {
    if (row.origin === 'typed') figures.prompts_typed += 1;
    else if (row.origin === 'injected') figures.prompts_injected += 1;
  } else if (row.row_type === 'tool_use') {
    figures.tool_calls += 1;
    if (!decided) figures.not_recorded += 1;
  } else if (row.row_type === 'permission') {
    if (row.decision === 'approved') figures.approved += 1;
    else if (row.decision === 'denied' || row.decision === 'cancelled') figures.denied_or_cancelled += 1;
  } else if (row.row_type === 'gap') figures.gaps += 1;
  else if (row.row_type === 'error') figures.errors += 1;
}

function widen(counts: Counts, first: string, last: string): void {
  if (first === '') return;
  if (counts.first === '' || first < counts.first) counts.first = first;
  if (last > counts.last) counts.last = last;
}

export function sumOf(all: Iterable<Counts>): Counts {
  const sum = noCounts();
  for (const one of all) {
    sum.rows += one.rows;
    sum.textBytes += one.textBytes;
    sum.undated += one.undated;
    widen(sum, one.first, one.last);
    for (const name of NAMES) sum.figures[name] += one.figures[name];
  }
  return sum;
}

const NAMES = Object.keys(noCounts().figures).filter((name): name is keyof Counts['figures'] => name in noCounts().figures);
