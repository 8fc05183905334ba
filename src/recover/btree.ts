import { integerOf, isText, localSize, serialSize, u16, u32, varint } from './bytes.js';

/** A cell as far as it lies in its page (section 1.6). */
export interface Cell {
  readonly start: number;
  /** Behind the cell, its overflow pointer included. */
  readonly end: number;
  /** Size of the whole payload, and where its first bytes lie. */
  readonly payload: number;
  readonly bodyAt: number;
  readonly local: number;
  readonly rowid: number;
  /** First overflow page, 0 for none. */
  readonly overflow: number;
}

export const LEAF = 0x0d;
export const INTERIOR = 0x05;
export const INDEX_LEAF = 0x0a;
export const INDEX_INTERIOR = 0x02;

export const headerAt = (page: number): number => (page === 1 ? 100 : 0);

/** Cells that the page's pointer array names and that lie inside it. Anything else is left out. */
export function cellsOf(bytes: Uint8Array, header: number, usable: number): Cell[] {
  const type = bytes[header] ?? 0;
  const interior = type === INTERIOR || type === INDEX_INTERIOR;
  const array = header + (interior ? 12 : 8);
  const count = Math.min(u16(bytes, header + 3), Math.floor((usable - array) / 2));
  const cells: Cell[] = [];
  for (let i = 0; i < count; i++) {
    const start = u16(bytes, array + i * 2);
    if (start < array || start >= bytes.length) continue;
    const cell = cellAt(bytes, start, type, usable);
    if (cell !== undefined) cells.push(cell);
  }
  return cells;
}

/** Table interior cells have no payload; their rowid is kept and the rest is zero. */
function cellAt(bytes: Uint8Array, start: number, type: number, usable: number): Cell | undefined {
  const from = type === INTERIOR || type === INDEX_INTERIOR ? start + 4 : start;
  const first = varint(bytes, from);
  if (first.next < 0) return undefined;
  if (type === INTERIOR) {
    return { start, end: first.next, payload: 0, bodyAt: first.next, local: 0, rowid: first.value, overflow: 0 };
  }
  const rowid = type === LEAF ? varint(bytes, first.next) : { value: 0, next: first.next };
  if (rowid.next < 0) return undefined;
  const local = localSize(first.value, usable, type === LEAF);
  const spills = local < first.value;
  const end = rowid.next + local + (spills ? 4 : 0);
  if (end > usable) return undefined;
  return {
    start,
    // The smallest cell takes four bytes, whatever it holds.
    end: Math.max(end, start + 4),
    payload: first.value,
    bodyAt: rowid.next,
    local,
    rowid: rowid.value,
    overflow: spills && end <= bytes.length ? u32(bytes, end - 4) : 0,
  };
}

/** Children of an interior page, the right-most one last. */
export function childrenOf(bytes: Uint8Array, header: number, usable: number): number[] {
  const children: number[] = [];
  const array = header + 12;
  const count = Math.min(u16(bytes, header + 3), Math.floor((usable - array) / 2));
  for (let i = 0; i < count; i++) {
    const start = u16(bytes, array + i * 2);
    if (start >= array && start + 4 <= bytes.length) children.push(u32(bytes, start));
  }
  if (bytes.length >= header + 12) children.push(u32(bytes, header + 8));
  return children;
}

export interface Column {
  readonly type: number;
  /** Offset from the beginning of the payload. */
  readonly at: number;
  readonly size: number;
}

/** Columns of a record by its header (section 2.1); undefined when the header does not fit. */
export function columnsOf(bytes: Uint8Array, bodyAt: number, end: number): Column[] | undefined {
  const size = varint(bytes, bodyAt);
  const headerEnd = bodyAt + size.value;
  if (size.next < 0 || headerEnd > Math.min(end, bytes.length) || headerEnd <= bodyAt) return undefined;
  const columns: Column[] = [];
  let body = size.value;
  for (let at = size.next; at < headerEnd; ) {
    const type = varint(bytes, at);
    const width = type.next < 0 ? -1 : serialSize(type.value);
    if (width < 0 || columns.length >= 64) return undefined;
    columns.push({ type: type.value, at: body, size: width });
    body += width;
    at = type.next;
    if (at > headerEnd) return undefined;
  }
  return columns;
}

/** The columns of a local record as values: texts and integers; undefined for what is neither or is not all in the page. */
export function localValues(bytes: Buffer, cell: Cell): (string | number | undefined)[] {
  const end = cell.bodyAt + cell.local;
  return (columnsOf(bytes, cell.bodyAt, end) ?? []).map(({ type, at, size }) => {
    const from = cell.bodyAt + at;
    if (isText(type)) return bytes.toString('utf8', from, Math.min(from + size, end));
    return from + size <= end ? integerOf(bytes, from, type) : undefined;
  });
}
