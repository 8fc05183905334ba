/** How a row is cited: its id, then where it lies, so that anybody can find it again in the evidence. */
import { plain } from '../text/pieces.js';
import { originalOf, type Raw } from '../text/raw.js';
import type { ColdRow } from './cold-row.js';
import type { Timeline } from './timeline.js';

const ANY = 4000;

/** Table and row, or line; pointer; byte offset. */
export function spotOf(timeline: Timeline, row: number, cold: ColdRow | null): string {
  const table = plain(timeline.word('source_table', row), ANY);
  const line = timeline.number('source_line', row);
  const at = table === '' ? (line > 0 ? `line ${line}` : '') : `table ${table}${line > 0 ? ` row ${line}` : ''}`;
  const named = (label: string, value: Raw | undefined) =>
    value === undefined || originalOf(value) === '' ? '' : `${label} ${plain(value, ANY)}`;
  return [at, named('pointer', cold?.text('source_pointer')), named('offset', cold?.text('source_offset'))].filter(Boolean).join(', ');
}

export function citationOf(timeline: Timeline, row: number, cold: ColdRow | null): string {
  const file = plain(timeline.word('source_file', row), ANY);
  const sha256 = cold === null ? '' : plain(cold.text('source_sha256'));
  const place = [file, spotOf(timeline, row, cold), sha256 === '' ? '' : `SHA-256 ${sha256}`].filter(Boolean).join(', ');
  return `${timeline.rowId(row)} (${place})`;
}
