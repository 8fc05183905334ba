import { isUtf8 } from 'node:buffer';
import { integerOf, isText, serialSize, varint } from './bytes.js';
import { textKey } from './keys.js';
import type { PageMap } from './roles.js';
import type { RecoveredKind } from './types.js';

/** A row that lies wholly in one leaf page. */
export interface SmallRow {
  readonly kind: RecoveredKind;
  /** Compares it with live rows. */
  readonly key: string;
  readonly from: number;
  readonly to: number;
  /** Parsed columns of a shell row; the key of a stored value. */
  readonly value: unknown;
  readonly name: string;
  readonly rule: string;
  /** Its header is whole and fits. */
  readonly sound: boolean;
}

const TEXTS = new Set(['command', 'shell', 'session_id', 'cwd', 'hostname']);
/** The columns after the third migration (crates/fig_settings/src/history.rs). */
const COLUMNS = [
  'id',
  'command',
  'shell',
  'pid',
  'session_id',
  'cwd',
  'start_time',
  'hostname',
  'exit_code',
  'end_time',
  'duration',
] as const;
/** 2001 to 2100, in seconds. */
const EARLIEST = 1_000_000_000;
const LATEST = 4_102_444_800;

const known = new WeakMap<PageMap, readonly string[]>();

/** Columns of the shell history in this file, by its CREATE TABLE text; an older version has other ones. */
export function shellColumns(map: PageMap): readonly string[] {
  const cached = known.get(map);
  if (cached !== undefined) return cached;
  const sql = map.tables.find(({ name }) => name === 'history')?.sql ?? '';
  const inner = sql.slice(sql.indexOf('(') + 1);
  const names = sql === '' ? [] : inner.split(',').map((part) => /^\s*["'`[]?(\w+)/.exec(part)?.[1] ?? '');
  const columns = names.includes('command') && names[0] === 'id' ? names.filter((name) => name !== '') : COLUMNS;
  known.set(map, columns);
  return columns;
}

/**
 * A row whose serial types begin at `at`: the id is an alias of the rowid and so stored as null (type 0); every other column
 * must have the type its name asks for, and the start time must be one. Of a freed cell with short numbers the first four
 * bytes, the type of the id among them, are overwritten (section 1.6): then the types begin with that of the second column.
 */
export function shellRowAt(bytes: Buffer, at: number, to: number, columns: readonly string[]): SmallRow | undefined {
  const first = bytes[at] ?? 0;
  if (first !== 0 && (first < 13 || first % 2 === 0)) return undefined;
  const present = first === 0 ? columns : columns.slice(1);
  const types: number[] = [];
  let next = at;
  for (const column of present) {
    const type = varint(bytes, next);
    if (type.next < 0 || type.next > to) return undefined;
    const fits = column === 'id' ? type.value === 0 : type.value === 0 || (TEXTS.has(column) ? isText(type.value) : type.value <= 9);
    if (!fits) return undefined;
    types.push(type.value);
    next = type.next;
  }
  const headerSize = next - at + 1;
  let body = next;
  const row: Record<string, unknown> = {};
  for (const [i, column] of present.entries()) {
    const type = types[i] ?? 0;
    const size = serialSize(type);
    if (size < 0 || body + size > to) return undefined;
    if (isText(type)) {
      const raw = bytes.subarray(body, body + size);
      if (!isUtf8(raw) || raw.includes(0)) return undefined;
      row[column] = raw.toString('utf8');
    } else if (type !== 0) row[column] = integerOf(bytes, body, type);
    body += size;
  }
  const start = row.start_time ?? row.time;
  if (typeof row.command !== 'string' || row.command === '') return undefined;
  if (typeof start === 'number' ? start < EARLIEST || start > LATEST : typeof row.session_id !== 'string') return undefined;
  const key = textKey('shell', `${row.command}\u0000${String(start)}\u0000${String(row.session_id)}`);
  return { kind: 'shell', key, from: at, to: body, value: row, name: '', rule: '', sound: first === 0 && bytes[at - 1] === headerSize };
}
