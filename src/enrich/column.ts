import type { Limits, Store } from './store.js';

/** The primary row of each row that is a copy, by their places. */
export interface Primaries {
  /** -1: the row is no copy. */
  get(row: number): number;
  set(row: number, primary: number): void;
}

interface Page {
  /** Undefined while it lies in the store. */
  values: Uint32Array<ArrayBuffer> | undefined;
  /** Where it lies, -1 before it has been there. */
  offset: number;
  changed: boolean;
}

/** Pages in memory: half as many values as rows are worked on at a time, times this. */
const PAGES_HELD = 32;
const LEAST_BITS = 3;

/**
 * A row number for each row, -1 at first. Pages that were never written take no room; of the others the ones used first make
 * room for those that are used now.
 */
export class Column implements Primaries {
  private readonly pages: (Page | undefined)[] = [];
  private readonly held: Page[] = [];
  private readonly bits: number;
  private readonly mask: number;

  constructor(
    private readonly store: Store,
    { rowsAtOnce }: Limits,
  ) {
    // Thirty-two pages of an eighth: four values for each row that is worked on at a time.
    this.bits = Math.max(LEAST_BITS, Math.floor(Math.log2(rowsAtOnce)) - 3);
    this.mask = (1 << this.bits) - 1;
  }

  get(row: number): number {
    const page = this.pages[row >>> this.bits];
    return page === undefined ? -1 : ((page.values ?? this.load(page))[row & this.mask] ?? 0) - 1;
  }

  set(row: number, primary: number): void {
    const page = this.pages[row >>> this.bits] ?? this.open(row >>> this.bits);
    const values = page.values ?? this.load(page);
    values[row & this.mask] = primary + 1;
    page.changed = true;
  }

  /** A row whose primary has just become a copy itself is a copy of what that one is a copy of. */
  nameFinal(): void {
    for (const [number, page] of this.pages.entries()) {
      if (page === undefined) continue;
      for (let row = number << this.bits; row < (number + 1) << this.bits; row++) {
        const primary = this.get(row);
        const final = primary < 0 ? -1 : this.get(primary);
        if (final >= 0) this.set(row, final);
      }
    }
  }

  private open(number: number): Page {
    const page: Page = { values: undefined, offset: -1, changed: false };
    this.pages[number] = page;
    return page;
  }

  private load(page: Page): Uint32Array<ArrayBuffer> {
    const values = this.spare() ?? new Uint32Array(1 << this.bits);
    if (page.offset < 0) values.fill(0);
    else this.store.readInto(page.offset, new Uint8Array(values.buffer));
    page.values = values;
    this.held.push(page);
    return values;
  }

  /** The memory of a page that has to make room. */
  private spare(): Uint32Array<ArrayBuffer> | undefined {
    const page = this.held.length < PAGES_HELD ? undefined : this.held.shift();
    const values = page?.values;
    if (page === undefined || values === undefined) return undefined;
    const bytes = new Uint8Array(values.buffer);
    if (page.offset < 0) page.offset = this.store.append(bytes);
    else if (page.changed) this.store.rewrite(page.offset, bytes);
    page.values = undefined;
    page.changed = false;
    return values;
  }
}
