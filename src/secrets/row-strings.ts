import { step } from '../rows/pointer.js';
import type { Row } from '../rows/row.js';
import type { ExactValues } from './exact.js';
import type { Fingerprinter } from './fingerprint.js';
import { type MaskPolicy, maskText } from './mask.js';
import type { Hit, RowString } from './types.js';

/** Columns of free text. The others are ids, hashes, times and words of a fixed list. */
const TEXTS = [
  'text',
  'command',
  'project_path',
  'git_branch',
  'source_file',
  'source_pointer',
  'session_id',
  'tool_name',
  'decided_by',
  'problem',
] as const;

/** Sees one string of a row. Its place is asked for when something was found there. */
type Visit = (column: string, text: string, key: string, pointer: () => string | undefined) => void;

/** Visits the strings of a row that may hold a secret. Nothing is made for a string in which there is none, as is the rule. */
export function eachString(row: Row, visit: Visit): void {
  for (const column of TEXTS) if (row[column] !== '') visit(column, row[column], '', noPointer);
  row.file_paths.forEach((text, i) => {
    visit('file_paths', text, '', () => `/${i}`);
  });
  const steps: (string | number)[] = [];
  const pointer = () => steps.reduce<string>(step, '');
  walk(row.details, '', steps, (text, key) => visit('details', text, key, pointer));
}

const noPointer = () => undefined;

function walk(value: unknown, key: string, steps: (string | number)[], visit: (text: string, key: string) => void): void {
  if (typeof value === 'string') {
    if (value !== '') visit(value, key);
  } else if (Array.isArray(value)) {
    let before: unknown;
    for (const [i, item] of value.entries()) {
      steps.push(i);
      walk(item, typeof before === 'string' && before.startsWith('-') ? before : key, steps, visit);
      steps.pop();
      before = item;
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      steps.push(name);
      walk(member, name.toLowerCase() === 'value' ? labelOf(value) || name : name, steps, visit);
      steps.pop();
    }
  }
}

/** The strings of a row, each with its place. */
export function rowStrings(row: Row): RowString[] {
  const strings: RowString[] = [];
  eachString(row, (column, text, key, pointer) => strings.push(placed(column, text, key, pointer())));
  return strings;
}

export function placed(column: string, text: string, key: string, pointer: string | undefined): RowString {
  return { column, text, ...(pointer === undefined ? {} : { pointer }), ...(key === '' ? {} : { key }) };
}

/** `{ key: 'DB_PASSWORD', value: 'x' }` names its value. */
function labelOf(value: object): string {
  for (const [name, member] of Object.entries(value)) if (/^(?:key|name)$/i.test(name) && typeof member === 'string') return member;
  return '';
}

type MaskOne = (column: string, pointer: string | undefined, text: string) => string;

/** The row with all of its strings masked: the ranges found in it, then every value known from elsewhere. */
export function maskRow(row: Row, hits: readonly Hit[], policy: MaskPolicy, mark: Fingerprinter, exact?: ExactValues): Row {
  const one: MaskOne = (column, pointer, text) => {
    const own = hits.filter(({ finding }) => finding.column === column && (pointer === undefined || finding.pointer === pointer));
    const masked = own.length > 0 ? maskText(text, own, policy, mark).text : text;
    return exact ? exact.maskExact(masked).text : masked;
  };
  const masked: Row = {
    ...row,
    host: one('host', undefined, row.host),
    user: one('user', undefined, row.user),
    timestamp_original: one('timestamp_original', undefined, row.timestamp_original),
    message_id: one('message_id', undefined, row.message_id),
    request_id: one('request_id', undefined, row.request_id),
    tool_use_id: one('tool_use_id', undefined, row.tool_use_id),
    parent_session_id: one('parent_session_id', undefined, row.parent_session_id),
    file_paths: row.file_paths.map((path, i) => one('file_paths', `/${i}`, path)),
    details: Object.fromEntries(Object.entries(row.details).map(([name, value]) => [name, rebuilt(value, step('', name), one)])),
  };
  for (const column of TEXTS) masked[column] = one(column, undefined, row[column]);
  return masked;
}

function rebuilt(value: unknown, pointer: string, one: MaskOne): unknown {
  if (typeof value === 'string') return one('details', pointer, value);
  if (Array.isArray(value)) return value.map((item: unknown, i) => rebuilt(item, step(pointer, i), one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [one('details', `${pointer}\u0000`, name), rebuilt(member, step(pointer, name), one)]),
  );
}
