import { expect } from 'vitest';
import { Copies, type RowsPart, TEXT_WIDTH } from '../../src/enrich/copies.js';
import { type EventMark, MARK_WIDTH, putMark, type SessionLink } from '../../src/enrich/events.js';
import { IndexedRows } from '../../src/enrich/indexed-rows.js';
import { RowIndex } from '../../src/enrich/row-index.js';
import type { Limits, Store } from '../../src/enrich/store.js';
import { Table } from '../../src/enrich/table.js';
import type { TextMatch } from '../../src/enrich/text-matches.js';

/** A scratch file in memory. */
export class MemoryStore implements Store {
  private bytes = new Uint8Array(1 << 12);
  size = 0;

  append(bytes: Uint8Array): number {
    const offset = this.size;
    while (offset + bytes.length > this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.size += bytes.length;
    this.rewrite(offset, bytes);
    return offset;
  }

  rewrite(offset: number, bytes: Uint8Array): void {
    if (offset + bytes.length > this.size) throw new Error('behind the end');
    this.bytes.set(bytes, offset);
  }

  readInto(offset: number, bytes: Uint8Array): void {
    if (offset + bytes.length > this.size) throw new Error('behind the end');
    bytes.set(this.bytes.subarray(offset, offset + bytes.length));
  }
}

/** All in memory, a few rows in memory, and hardly any. */
export const ALL_LIMITS: readonly Limits[] = [{ rowsAtOnce: 1 << 17 }, { rowsAtOnce: 7 }, { rowsAtOnce: 1 }];

export interface IndexItem {
  readonly unit: number;
  readonly ms?: number | undefined;
  readonly ns?: number;
  readonly newRun?: boolean;
  readonly leads?: boolean;
  readonly high?: number;
  readonly low?: number;
  readonly rank?: number;
  readonly agent?: string;
}

/** Rows as they come out of reading, and the number that each has among the items, by its place. */
export function indexed(items: readonly IndexItem[]): { readonly rows: IndexedRows; readonly numbers: readonly number[] } {
  return { rows: new IndexedRows([partOf(items, [], [], [])]), numbers: numbersOf(items) };
}

/** What is found for rows, marks and texts that name their rows by number: the primary of each item, -1 for none, with any limits. */
export function copiesOf(
  items: readonly IndexItem[],
  { marks = [], texts = [], links = [] }: { marks?: readonly EventMark[]; texts?: readonly TextMatch[]; links?: readonly SessionLink[] },
): number[] {
  const numbers = numbersOf(items);
  const [first = [], ...others] = ALL_LIMITS.map((limits) => {
    const part = partOf(items, marks, texts, links);
    const primaries = new Copies(new IndexedRows([part]), [part], limits, new MemoryStore()).find();
    const found = items.map(() => -1);
    for (const [place, number] of numbers.entries()) found[number] = numbers[primaries.get(place)] ?? -1;
    return found;
  });
  for (const other of others) expect(other).toEqual(first);
  return first;
}

const numbersOf = (items: readonly IndexItem[]) =>
  items.map((_, i) => i).sort((a, b) => (items[a]?.unit ?? 0) - (items[b]?.unit ?? 0) || a - b);

function partOf(
  items: readonly IndexItem[],
  marks: readonly EventMark[],
  texts: readonly TextMatch[],
  links: readonly SessionLink[],
): RowsPart {
  const store = new MemoryStore();
  const index = new RowIndex(store);
  for (const [
    i,
    { unit, ms = Number.NaN, ns = 0, newRun = false, leads = false, high = 0, low = 0, rank = 0, agent = '' },
  ] of items.entries()) {
    const rowId = i.toString(16).padStart(16, '0');
    index.add({ ms, ns, offset: i, length: 1, high, low, rank, rowId, newRun, leads, agent }, unit);
  }
  const marked = new Table(MARK_WIDTH, 2, store);
  for (const mark of marks) putMark(marked, mark);
  marked.flush();
  const said = new Table(TEXT_WIDTH, 2, store);
  for (const { key, row, secondary } of texts) {
    const at = said.add();
    said.words.set([Number(key >> 32n), Number(key & 0xffffffffn), row, secondary ? 1 : 0], at);
  }
  said.flush();
  const remembered = {
    texts: said,
    textsAlone: texts.some(({ secondary }) => secondary),
    marks: marked,
    retold: marks.some(({ echo }) => echo === 'retold'),
    links,
  };
  return { ...index.finish(), ...remembered, file: 0, store };
}
