/** What a page is used for in one state of the database. */
export const ROLE = {
  unowned: 0,
  interior: 1,
  leaf: 2,
  indexPage: 3,
  overflow: 4,
  trunk: 5,
  freeLeaf: 6,
  pointerMap: 7,
  lockByte: 8,
} as const;

export interface TableRoot {
  readonly name: string;
  readonly table: string;
  readonly root: number;
  readonly sql: string;
}

/** Roles of all pages of one state. Typed arrays, indexed by page number: 400 MB of 4 KiB pages take one megabyte. */
export interface PageMap {
  readonly roles: Uint8Array;
  /** Place of the page's table in `tables`, from 1; 0 for none. */
  readonly owners: Uint8Array;
  /** The page behind this one in the array of a freelist trunk, 0 for none. */
  readonly order: Uint32Array;
  readonly tables: TableRoot[];
  /** Cells (see `cellName`) whose overflow chain ends too early: SQLite gives an error for such a row. */
  readonly broken: Set<number>;
  freePages: number;
  trunks: number;
  freelistErrors: number;
  /** Pages that were claimed twice, lie outside, or are not what they should be. */
  treeErrors: number;
}

/** A cell by the page it lies in and its place there. */
export const cellName = (page: number, start: number): number => page * 0x10000 + start;
export const pageOfCell = (name: number): number => Math.floor(name / 0x10000);

/** Table of a page, empty for none. */
export function tableOf(map: PageMap, page: number): string {
  return map.tables[(map.owners[page] ?? 0) - 1]?.table ?? '';
}
