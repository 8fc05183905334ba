/**
 * JSON lines for Timesketch: every row with its columns, and ahead of them what the importer asks for. The importer drops an
 * event whose `datetime` is empty or not a date it can hold, so a row without a time of its own gets a stand-in that says so:
 * the time of its file, else that of the collection.
 *
 * `details` and `secrets` are JSON text here: an index gives each member the type it first sees, and refuses an event in which
 * another row has it as something else.
 */
import { escapeUnsafe } from '../rows/problem.js';
import type { Row } from '../rows/row.js';
import { toUtcText } from '../rows/time.js';
import { jsonText, type MaskText, maskStrings } from './json-text.js';

const MESSAGE_LENGTH = 250;

// What the importer can hold: its reader of dates counts nanoseconds in 64 bits, which ends in April 2262, and its index
// takes no year before 1700.
const EARLIEST = Date.UTC(1700, 0, 1);
const LATEST = Date.UTC(2262, 0, 1) - 1;

const holds = (ms: number) => ms >= EARLIEST && ms <= LATEST;

export interface TimesketchCounts {
  /** Rows whose `datetime` is a stand-in, for want of a time or because it cannot be held. */
  standIns: number;
  outOfRange: number;
}

/** `collected`: the stand-in where not even a file time is known, in milliseconds. */
export function timesketchEncoder(collected: number): {
  readonly line: (row: Row, fileTime: number | undefined) => string;
  readonly counts: TimesketchCounts;
} {
  const counts: TimesketchCounts = { standIns: 0, outOfRange: 0 };
  const last = holds(collected) ? collected : 0;
  const line = (row: Row, fileTime: number | undefined): string => {
    const time = timeOf(row, fileTime, last);
    if (time.note !== '') counts.standIns += 1;
    if (time.note === OUT_OF_RANGE) counts.outOfRange += 1;
    const { secrets, details, ...columns } = row;
    return jsonText({
      message: messageOf(row),
      datetime: toUtcText(time.ms),
      timestamp: time.ms * 1000,
      timestamp_desc: time.desc,
      data_type: dataTypeOf(row),
      tag: tagsOf(row, time.note),
      hostname: row.host,
      username: row.user,
      ...columns,
      secrets: JSON.stringify(secrets),
      details: JSON.stringify(details),
      timesketch_notes: time.note,
    });
  };
  return { line, counts };
}

const NO_TIME = 'stand-in:datetime';
const OUT_OF_RANGE = 'out-of-range:datetime';

interface ShownTime {
  readonly ms: number;
  readonly desc: string;
  readonly note: string;
}

function timeOf(row: Row, fileTime: number | undefined, collected: number): ShownTime {
  const own = row.timestamp_utc === '' ? undefined : Date.parse(row.timestamp_utc);
  if (own !== undefined && holds(own)) return { ms: own, desc: descriptionOf(row), note: '' };
  const note = own === undefined ? NO_TIME : OUT_OF_RANGE;
  return fileTime !== undefined && holds(fileTime)
    ? { ms: Math.floor(fileTime), desc: 'Not a time (file mtime shown)', note }
    : { ms: collected, desc: 'Not a time (collection time shown)', note };
}

/** In the words that other tools of the trade use for times. */
const BY_SOURCE: Readonly<Partial<Record<Row['timestamp_source'], string>>> = {
  file_mtime: 'Content Modification Time',
  launched_at: 'Start Time',
  completed_at: 'End Time',
  row_created: 'Creation Time',
  row_updated: 'Last Update Time',
};

function descriptionOf({ row_type, timestamp_source }: Row): string {
  const named = BY_SOURCE[timestamp_source];
  if (named !== undefined) return named;
  if (row_type === 'prompt') return 'Sent Time';
  if (timestamp_source === 'request_start') return 'Request Received Time';
  return timestamp_source === 'stream_end' ? 'Response Sent Time' : 'Recorded Time';
}

const FAMILIES: Readonly<Record<string, string>> = {
  'amazon-q-cli': 'amazonq:cli',
  'kiro-cli': 'kiro:cli',
  'kiro-ide': 'kiro:ide',
};

const dataTypeOf = ({ agent, row_type }: Row) => `${FAMILIES[agent] ?? (agent === '' ? 'kirotrail' : agent)}:${row_type}`;

/** What an analyst filters by with one click. */
function tagsOf(row: Row, note: string): string[] {
  const tags: string[] = [];
  if (row.row_type === 'gap' || row.row_type === 'error') tags.push(row.row_type);
  if (row.decision !== '') tags.push(row.decision);
  if (row.recovered !== '') tags.push('recovered');
  if ((row.secret_count ?? 0) > 0) tags.push('secret');
  if (note !== '') tags.push(note === NO_TIME ? 'undated' : 'out-of-range');
  return tags;
}

/** One short line; the whole text is in `text`. A row without one is named by what it is. */
function messageOf({
  text,
  row_type,
  tool_name,
}: {
  readonly text: string;
  readonly row_type: string;
  readonly tool_name: string;
}): string {
  if (text === '') return escapeUnsafe(tool_name === '' ? `(${row_type})` : `(${row_type} ${tool_name})`);
  if (text.length <= MESSAGE_LENGTH) return visible(text);
  const end = /[\ud800-\udbff]/.test(text.charAt(MESSAGE_LENGTH - 1)) ? MESSAGE_LENGTH - 1 : MESSAGE_LENGTH;
  return `${visible(text.slice(0, end))} \u2026`;
}

const visible = (text: string) => escapeUnsafe(text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t'));

const JSON_CELLS: ReadonlySet<string> = new Set(['secrets', 'details']);

/** A line masked: the message is made again, for it may hold the first half of what the text holds whole. */
export function maskTimesketch(line: string, mask: MaskText): string {
  const record: Record<string, unknown> = JSON.parse(line);
  const masked: Record<string, unknown> = Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      JSON_CELLS.has(name) ? JSON.stringify(maskStrings(JSON.parse(String(value)), mask)) : maskStrings(value, mask),
    ]),
  );
  const [text, row_type, tool_name] = [String(masked.text), String(masked.row_type), String(masked.tool_name)];
  return jsonText({ ...masked, message: messageOf({ text, row_type, tool_name }) });
}
