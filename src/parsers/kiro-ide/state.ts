import { isObject, type JsonObject, parseJson } from '../../evidence/json.js';
import type { Snapshot, SnapshotRow } from '../../evidence/sqlite.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { messageOf } from '../../rows/problem.js';
import { pairs } from '../json-store.js';
import type { DatabaseParser } from '../parser.js';
import { tableFault } from '../q-state.js';
import { tameJson } from '../tame-json.js';
import { cellText } from './cells.js';
import { withoutData } from './data-urls.js';
import { details, listOf, objectOf, textOf } from './fields.js';
import { isSecretName, withheld } from './withhold.js';

// User/globalStorage/state.vscdb, its `.backup`, and the one of each workspace: what the editor and its extensions remember.
// It proves which folders were opened (most recent first, without times), credits used as last shown, and which extensions keep
// secrets. Secrets are told by key and size alone. All values are as of the last write; nothing in it is dated by row.
// Versions: all. Evidence: L4 for the keys of Kiro (three readers), microsoft/vscode for the table and the list of recent paths.

const TABLE = 'ItemTable';
const RECENT = 'history.recentlyOpenedPathsList';
const OURS = /^(?:kiro|aws|amazonq|continue)[.-]|kiro/i;
const USAGE = 'kiro.resourceNotifications.usageState';
const SECRET_PREFIX = 'secret://';
const VALUE_LIMIT = 64 << 20;

export const kiroIdeState: DatabaseParser = {
  id: 'kiro-ide-state',
  container: 'sqlite',
  units: () => [{ table: '', rowid: null, size: 0 }],
  *parse(database) {
    if (database.table(TABLE) === undefined) {
      if (database.tables().length > 0)
        yield { row_type: 'config', text: 'state database without its table', problem: `no table ${TABLE}` };
      return;
    }
    yield* itemRows(database);
  },
};

function* itemRows(database: Snapshot): Generator<Draft> {
  const others: Record<string, number> = {};
  for (const item of database.iterate(TABLE, ['key'])) {
    if (item.fault !== undefined) {
      yield tableFault(TABLE, item.fault, item.rowid);
      continue;
    }
    const key = cellText(item.values[0]);
    const bytes = sizeOf(database, item.rowid);
    if (bytes === undefined) {
      yield tableFault(TABLE, 'damaged value', item.rowid);
      continue;
    }
    if (key.startsWith(SECRET_PREFIX) || isSecretName(key)) yield secretRow(key, bytes, item);
    else if (key === RECENT || OURS.test(key)) yield* valueRows(database, item, key, bytes);
    else Object.defineProperty(others, key, { value: bytes, enumerable: true, configurable: true, writable: true });
  }
  const count = Object.keys(others).length;
  if (count > 0)
    yield {
      row_type: 'config',
      text: `state: other keys of the editor, not read:${pairs({ keys: count })}`,
      details: { bytes_by_key: others },
    };
}

function sizeOf(database: Snapshot, rowid: number): number | undefined {
  try {
    return database.sizeOf(TABLE, rowid, 'value');
  } catch {
    return undefined;
  }
}

function secretRow(key: string, bytes: number, { rowid }: SnapshotRow): Draft {
  return {
    row_type: 'config',
    text: `credential stored: table=${TABLE} key=${key} bytes=${bytes}`,
    source_line: rowid,
    details: { key, bytes },
  };
}

function* valueRows(database: Snapshot, { rowid }: SnapshotRow, key: string, bytes: number): Generator<Draft> {
  const place = { source_line: rowid };
  const base = { row_type: 'config', text: `state: ${key}`, ...place } as const;
  if (bytes > VALUE_LIMIT) {
    yield { ...base, problem: 'the value is too large to be read', details: { key, bytes } };
    return;
  }
  let stored: Buffer;
  try {
    stored = database.blob(TABLE, rowid, 'value');
  } catch (error) {
    yield { ...base, problem: messageOf(error), details: { key, bytes } };
    return;
  }
  const parsed = parseJson(stored);
  if (!parsed.ok) {
    yield { ...base, text: `state: ${key}=${stored.toString('utf8')}`, details: { key } };
    return;
  }
  tameJson(parsed.value);
  const value = withoutData(parsed.value);
  if (key === RECENT) yield* recentRows(value, place);
  else if (key === USAGE) yield* usageStateRows(value, '', place);
  else if (isObject(value)) yield* memberRows(key, value, place);
  else yield { ...base, text: `state: ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`, details: { key } };
}

type Place = { readonly source_line: number };

/** One row for each member: the extension keeps all it remembers under one key. */
function* memberRows(key: string, value: JsonObject, place: Place): Generator<Draft> {
  for (const [name, member] of Object.entries(value)) {
    const pointer = step('', name);
    if (name === USAGE) yield* usageStateRows(member, pointer, place);
    else if (isSecretName(name)) {
      const bytes = Buffer.byteLength(typeof member === 'string' ? member : JSON.stringify(member));
      yield {
        row_type: 'config',
        text: `credential stored: table=${TABLE} key=${key}/${name} bytes=${bytes}`,
        source_pointer: pointer,
        ...place,
      };
    } else {
      const shown = withheld(member);
      const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
      yield {
        row_type: 'config',
        text: `state: ${key}/${name}=${text}`,
        source_pointer: pointer,
        ...place,
        details: { key: name, value: shown },
      };
    }
  }
}

/** Credits as last shown to the user: a state, not an event. */
function* usageStateRows(state: unknown, pointer: string, place: Place): Generator<Draft> {
  const breakdowns = listOf(state, 'usageBreakdowns');
  for (const [i, stored] of breakdowns.entries()) {
    const used = isObject(stored)
      ? pairs({ used: stored.currentUsage, limit: stored.usageLimit, percent: stored.percentageUsed, reset: stored.resetDate })
      : '';
    yield {
      row_type: 'usage',
      text: `usage: as last shown${used}`,
      source_pointer: step(`${pointer}/usageBreakdowns`, i),
      ...place,
      details: details({ breakdown: stored }),
    };
  }
  const others = isObject(state) ? details({ ...state, usageBreakdowns: undefined }) : { value: state };
  if (breakdowns.length === 0 || Object.keys(others).length > 0) {
    yield { row_type: 'usage', text: 'usage: state as last shown', source_pointer: pointer, ...place, details: others };
  }
}

/** Folders, workspaces and files that were opened, the most recent first; when is not recorded. */
function* recentRows(value: unknown, place: Place): Generator<Draft> {
  for (const [i, entry] of listOf(value, 'entries').entries()) {
    const uri = textOf(entry, 'folderUri') || textOf(entry, 'fileUri') || textOf(objectOf(entry, 'workspace'), 'configPath');
    const kind = textOf(entry, 'folderUri') !== '' ? 'folder' : textOf(entry, 'fileUri') !== '' ? 'file' : 'workspace';
    yield {
      row_type: 'config',
      text: `recently opened: ${kind}=${uri}`,
      project_path: kind === 'folder' ? pathOfUri(uri) : '',
      source_pointer: step('/entries', i),
      ...place,
      details: details({ place: i + 1, entry }),
    };
  }
  const others = isObject(value) ? details({ ...value, entries: undefined }) : { value };
  if (Object.keys(others).length > 0) yield { row_type: 'config', text: `state: ${RECENT}`, ...place, details: others };
}

/** Path of a `file:` URI, with the separators of its system; empty for anything else. */
export function pathOfUri(uri: string): string {
  const stored = /^file:\/\/(\/.*)$/s.exec(uri)?.[1];
  if (stored === undefined) return '';
  try {
    const path = decodeURIComponent(stored);
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1).replaceAll('/', '\\') : path;
  } catch {
    return '';
  }
}
