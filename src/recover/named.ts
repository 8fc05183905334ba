import { isUtf8 } from 'node:buffer';
import { cellsOf, headerAt, INDEX_INTERIOR, INDEX_LEAF, LEAF, localValues } from './btree.js';
import { varint } from './bytes.js';
import { type PageMap, ROLE, tableOf } from './roles.js';
import { deadRanges } from './slack.js';
import type { PageView } from './view.js';

/** A conversation that a deleted index entry names: its value may be gone altogether. */
export interface NamedSession {
  readonly id: string;
  /** Its directory. */
  readonly key: Key;
  readonly page: number;
  /** Where the id stands in the page. */
  readonly from: number;
  readonly to: number;
}

const TABLE = 'conversations_v2';
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const ID_TYPE = 13 + 2 * 36;
const LONGEST_KEY = 4200;

/**
 * The primary key of `conversations_v2` is an index of directories and ids. Entries of deleted rows stay in its gaps and in
 * pages it gave back; small as they are, they outlast the values.
 */
export function* deletedNames(view: PageView, map: PageMap): Generator<NamedSession> {
  if (!map.tables.some(({ table }) => table === TABLE)) return;
  let held: ReadonlySet<string> | undefined;
  for (let page = 2; page <= view.pageCount; page++) {
    const ranges = rangesOf(view, map, page);
    if (ranges.length === 0) continue;
    const bytes = Buffer.from(view.read(page));
    for (const [from, to] of ranges) {
      for (const { 0: id, index } of bytes.toString('latin1', from, to).matchAll(ID)) {
        const key = keyBefore(bytes, from, from + index);
        held ??= heldIds(view, map);
        if (key !== undefined && !held.has(id)) yield { id, key, page, from: from + index, to: from + index + id.length };
      }
    }
  }
}

function rangesOf(view: PageView, map: PageMap, page: number): [number, number][] {
  const role = map.roles[page];
  if (role === ROLE.indexPage) return tableOf(map, page) === TABLE ? deadRanges(view.read(page), page, view.geometry.usable) : [];
  if (role !== ROLE.freeLeaf && role !== ROLE.unowned) return [];
  const bytes = view.read(page);
  const type = bytes[headerAt(page)];
  return type === INDEX_LEAF || type === INDEX_INTERIOR ? [[8, bytes.length]] : [];
}

interface Key {
  readonly text: string;
  /** Its length agrees with the header of the record. */
  readonly sound: boolean;
}

/**
 * The key of a record `key, id, rowid` whose id begins at a place: their types stand before it, and say how long it is. Of a
 * freed cell the first four bytes are overwritten (section 1.6): the type of the rowid is left, and the key ends where it begins.
 */
function keyBefore(bytes: Buffer, from: number, idAt: number): Key | undefined {
  let at = idAt - 1;
  for (; at > Math.max(from, idAt - LONGEST_KEY) && (bytes[at] ?? 0) >= 0x20; at--) {
    if (bytes[at - 2] !== ID_TYPE || (bytes[at - 1] ?? 0) > 9) continue;
    for (let width = 1; width <= 2 && at - 2 - width >= from; width++) {
      const type = varint(bytes, at - 2 - width);
      if (type.next === at - 2 && type.value === 13 + 2 * (idAt - at)) return { text: bytes.toString('utf8', at, idAt), sound: true };
    }
  }
  const text = bytes.subarray(at + 1, idAt);
  return (bytes[at] ?? 255) <= 9 && text.length > 0 && isUtf8(text) ? { text: text.toString('utf8'), sound: false } : undefined;
}

/** Ids of the rows that are there. */
function heldIds(view: PageView, map: PageMap): ReadonlySet<string> {
  const ids = new Set<string>();
  for (let page = 2; page <= view.pageCount; page++) {
    if (map.roles[page] !== ROLE.leaf || tableOf(map, page) !== TABLE) continue;
    const bytes = view.read(page);
    if (bytes[headerAt(page)] !== LEAF) continue;
    for (const cell of cellsOf(bytes, headerAt(page), view.geometry.usable)) {
      const id = localValues(bytes, cell)[1];
      if (typeof id === 'string') ids.add(id);
    }
  }
  return ids;
}
