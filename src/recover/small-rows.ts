import { cellsOf, columnsOf, headerAt, LEAF } from './btree.js';
import { serialSize, varint } from './bytes.js';
import { findIn } from './json-scan.js';
import { sha256Of, textKey } from './keys.js';
import { type PageMap, ROLE, tableOf } from './roles.js';
import { type SmallRow, shellColumns, shellRowAt } from './shell-row.js';
import { deadRanges } from './slack.js';
import type { PageView } from './view.js';

/** Keys of `auth_kv` and `state` (crates/chat-cli/src/database/mod.rs, auth/builder_id.rs; `kirocli` in Kiro CLI). */
const KEY_BEGINNINGS = [
  'codewhisperer:',
  'kirocli:',
  'telemetry',
  'api.',
  'auth.idc.',
  'profile.',
  'changelog.',
  'kiroUpgrade.',
  'chat.greeting',
].map((text) => Buffer.from(text));
/** How a stored login begins, for a row whose key is gone. */
const SECRET_BEGINNINGS = ['{"access_token":"', '{"access_key_id":"', '{"client_id":"'].map((text) => Buffer.from(text));
const KEY = /^[A-Za-z][\w.:-]{2,79}$/;
const CREDENTIAL = /^codewhisperer:|^kirocli:|credential|token|secret|password|private|api[-_.]?key/i;

/** Small rows of a page: those its cells hold, or those that lie between them or in a page that is free. */
export function smallRowsIn(view: PageView, map: PageMap, page: number, which: 'live' | 'dead'): SmallRow[] {
  const role = map.roles[page];
  if (which === 'live') return liveRows(view, map, page);
  if (role !== ROLE.leaf && role !== ROLE.freeLeaf && role !== ROLE.unowned) return [];
  const bytes = view.read(page);
  const header = headerAt(page);
  if (bytes[header] !== LEAF) return [];
  const ranges: [number, number][] = role === ROLE.leaf ? deadRanges(bytes, page, view.geometry.usable) : [[header, bytes.length]];
  const rows: SmallRow[] = [];
  const columns = shellColumns(map);
  for (const [from, to] of ranges) {
    const stored = storedValues(bytes, from, to);
    rows.push(...stored, ...keylessSecrets(bytes, from, to, stored));
    for (let at = from; at + 12 < to; at++) {
      const row = shellRowAt(bytes, at, to, columns);
      if (row === undefined) continue;
      rows.push(row);
      at = row.to - 1;
    }
  }
  return rows;
}

function liveRows(view: PageView, map: PageMap, page: number): SmallRow[] {
  const table = tableOf(map, page);
  if (table !== 'history' && table !== 'state' && table !== 'auth_kv') return [];
  const bytes = view.read(page);
  const rows: SmallRow[] = [];
  const columns = shellColumns(map);
  for (const cell of cellsOf(bytes, headerAt(page), view.geometry.usable)) {
    const end = cell.bodyAt + cell.local;
    if (table === 'history') {
      const size = varint(bytes, cell.bodyAt);
      const row = size.next < 0 ? undefined : shellRowAt(bytes, size.next, end, columns);
      if (row !== undefined) rows.push(row);
      continue;
    }
    const [key, value] = columnsOf(bytes, cell.bodyAt, end) ?? [];
    if (key === undefined || value === undefined) continue;
    const name = bytes.toString('utf8', cell.bodyAt + key.at, cell.bodyAt + key.at + key.size);
    const at = cell.bodyAt + value.at;
    rows.push(valueRow(bytes, name, at, Math.min(at + value.size, end), true));
  }
  return rows;
}

/** The key is looked for by its text: the first bytes of a freed cell, and with them its header, may be gone (section 1.6). */
function storedValues(bytes: Buffer, from: number, to: number): SmallRow[] {
  const rows: SmallRow[] = [];
  for (const beginning of KEY_BEGINNINGS) {
    for (let at = findIn(bytes, beginning, from, to); at >= 0; at = findIn(bytes, beginning, at + 1, to)) {
      const row = valueBehind(bytes, from, at, to);
      if (row !== undefined) rows.push(row);
    }
  }
  return rows;
}

function valueBehind(bytes: Buffer, from: number, keyAt: number, to: number): SmallRow | undefined {
  const readings: SmallRow[] = [];
  // The serial type of the value stands before the key, that of the key before it unless the free block has taken it.
  for (let width = 3; width >= 1; width--) {
    const type = keyAt - width < from ? { value: 0, next: -1 } : varint(bytes, keyAt - width);
    if (type.next !== keyAt || type.value < 12) continue;
    const size = serialSize(type.value);
    const before = bytes[keyAt - width - 1] ?? 0;
    const lengths = keyAt - width - 1 >= from && before >= 13 && before % 2 === 1 ? [(before - 13) / 2] : [];
    for (const length of [...lengths, keyLength(bytes, keyAt, to)]) {
      const name = bytes.toString('latin1', keyAt, keyAt + length);
      const valueAt = keyAt + length;
      if (length < 3 || !KEY.test(name) || valueAt + size > to || size < 1) continue;
      readings.push(valueRow(bytes, name, valueAt, valueAt + size, lengths.length > 0));
    }
  }
  // The last byte of a longer number looks like a number of its own, and the size of a free block like its first one.
  return readings.find((row) => isClosed(bytes, row)) ?? readings[0];
}

const OPEN_TO_CLOSE: ReadonlyMap<number, number> = new Map([
  [0x7b, 0x7d],
  [0x22, 0x22],
]);

const isClosed = (bytes: Buffer, { from, to }: SmallRow): boolean => OPEN_TO_CLOSE.get(bytes[from] ?? 0) === bytes[to - 1];

/** Where the key's own length is gone: stored values begin with a brace, a quote or a digit. */
function keyLength(bytes: Buffer, at: number, to: number): number {
  let end = at;
  while (end < to && /[\w.:-]/.test(String.fromCharCode(bytes[end] ?? 0))) end += 1;
  return end - at;
}

function keylessSecrets(bytes: Buffer, from: number, to: number, known: readonly SmallRow[]): SmallRow[] {
  const rows: SmallRow[] = [];
  for (const beginning of SECRET_BEGINNINGS) {
    for (let at = findIn(bytes, beginning, from, to); at >= 0; at = findIn(bytes, beginning, at + 1, to)) {
      if (known.some((row) => row.from <= at && at < row.to)) continue;
      let end = at;
      while (end < to && (bytes[end] ?? 0) >= 0x20) end += 1;
      rows.push(valueRow(bytes, '', at, end, false));
    }
  }
  return rows;
}

function valueRow(bytes: Buffer, name: string, from: number, to: number, sound: boolean): SmallRow {
  const secret = name === '' || CREDENTIAL.test(name);
  const kind = secret ? 'credential' : 'state';
  const rule = name === '' ? 'stored-login-by-content' : name.includes(':') ? 'auth_kv-value' : secret ? 'state-credential' : 'state-value';
  return { kind, key: textKey(kind, sha256Of(bytes.subarray(from, to))), from, to, value: undefined, name, rule, sound };
}
