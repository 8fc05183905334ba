import { type Cell, cellsOf, childrenOf, headerAt, INDEX_INTERIOR, INDEX_LEAF, INTERIOR, LEAF, localValues } from './btree.js';
import { u32 } from './bytes.js';
import { markFreelist } from './freelist.js';
import { cellName, type PageMap, ROLE } from './roles.js';
import type { PageView } from './view.js';

/** Walks schema, tables, overflow chains and freelist. A page gets its first role only, so that cycles and cross-links end. */
export function mapPages(view: PageView): PageMap {
  const size = view.pageCount + 1;
  const map: PageMap = {
    roles: new Uint8Array(size),
    owners: new Uint8Array(size),
    order: new Uint32Array(size),
    tables: [],
    broken: new Set(),
    freePages: 0,
    trunks: 0,
    freelistErrors: 0,
    treeErrors: 0,
  };
  markFixedPages(view, map);
  if (view.pageCount >= 1) {
    map.tables.push({ name: 'sqlite_schema', table: 'sqlite_schema', root: 1, sql: '' });
    walkTree(view, map, 1, 1, (bytes, cell) => {
      const [type, name, table, root, sql] = localValues(bytes, cell);
      if (typeof root !== 'number' || root < 2 || (type !== 'table' && type !== 'index') || map.tables.length >= 250) return;
      map.tables.push({ name: String(name), table: String(table), root, sql: typeof sql === 'string' ? sql : '' });
    });
    for (let i = 1; i < map.tables.length; i++) walkTree(view, map, map.tables[i]?.root ?? 0, i + 1);
  }
  markFreelist(view, map);
  return map;
}

/** Lock-byte page and, with auto-vacuum, pointer-map pages (sections 1.4, 1.8). */
function markFixedPages({ geometry, pageCount }: PageView, { roles }: PageMap): void {
  const lock = 0x40000000 / geometry.pageSize + 1;
  if (lock <= pageCount) roles[lock] = ROLE.lockByte;
  if (!geometry.autoVacuum) return;
  const step = Math.floor(geometry.usable / 5) + 1;
  for (let page = 2; page <= pageCount; page += step) roles[page === lock ? page + 1 : page] = ROLE.pointerMap;
}

type OnLeafCell = (bytes: Buffer, cell: Cell) => void;

function walkTree(view: PageView, map: PageMap, root: number, owner: number, onCell?: OnLeafCell): void {
  const stack = [root];
  for (let page = stack.pop(); page !== undefined; page = stack.pop()) {
    if (page < 1 || page > view.pageCount || map.roles[page] !== ROLE.unowned) {
      map.treeErrors += 1;
      continue;
    }
    const bytes = view.read(page);
    const header = headerAt(page);
    const type = bytes[header] ?? 0;
    const role = type === LEAF ? ROLE.leaf : type === INTERIOR ? ROLE.interior : ROLE.indexPage;
    if (role === ROLE.indexPage && type !== INDEX_LEAF && type !== INDEX_INTERIOR) {
      map.treeErrors += 1;
      continue;
    }
    map.roles[page] = role;
    map.owners[page] = owner;
    const { usable } = view.geometry;
    const cells = type === INTERIOR ? [] : cellsOf(bytes, header, usable);
    if (type === INTERIOR || type === INDEX_INTERIOR) stack.push(...childrenOf(bytes, header, usable).reverse());
    if (onCell !== undefined && type === LEAF) for (const cell of cells) onCell(bytes, cell);
    for (const cell of cells)
      if (cell.local < cell.payload && !markChain(view, map, cell, owner)) map.broken.add(cellName(page, cell.start));
  }
}

/** False where the chain ends before the payload does. */
function markChain(view: PageView, map: PageMap, cell: Cell, owner: number): boolean {
  let left = Math.ceil((cell.payload - cell.local) / (view.geometry.usable - 4));
  for (let page = cell.overflow; left > 0; left -= 1) {
    const inRange = page >= 2 && page <= view.pageCount;
    if (!inRange || map.roles[page] !== ROLE.unowned) {
      map.treeErrors += 1;
      return inRange;
    }
    map.roles[page] = ROLE.overflow;
    map.owners[page] = owner;
    const next = view.part(page, 0, 4);
    page = next.length === 4 ? u32(next, 0) : 0;
  }
  return true;
}
