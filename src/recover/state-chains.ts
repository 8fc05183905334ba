import { type Cell, cellsOf, columnsOf, headerAt, LEAF } from './btree.js';
import { isText, u32 } from './bytes.js';
import type { Chain, Segment } from './carved.js';
import { VALUE_START } from './heads.js';
import { cellName, type PageMap, pageOfCell } from './roles.js';
import type { Proof, Region, Stop } from './types.js';
import type { Image, PageView } from './view.js';

/** How a state of the database is told in what is found in it. */
export interface StateLabel {
  readonly region: Region;
  readonly generation: number;
  readonly commit: number;
  /** Pages that may still be followed: values that share their chains could ask for more than any file holds. */
  readonly budget: { pages: number };
  /** Proof of a join between two page images of this state. */
  proof(from: Image, fromPage: number, to: Image, toPage: number): Proof;
}

/** Values of rows that SQLite cannot read, because their chains end too early: as much of them as is there. */
export function* brokenChains(view: PageView, map: PageMap, limit: number): Generator<Chain> {
  const budget = budgetFor(view.pageCount);
  const label: StateLabel = { region: 'damaged-row', generation: 0, commit: 0, budget, proof: () => 'pointer' };
  const pages = new Set([...map.broken].map(pageOfCell));
  for (const page of pages) yield* valueChains(view, page, label, limit, ({ start }) => map.broken.has(cellName(page, start)));
}

/** Enough for every state of a log to be followed anew, many times over. */
export const budgetFor = (pages: number): { pages: number } => ({ pages: 1_000_000 + 200 * pages });

/** Conversation values whose cells lie in a leaf page of a state, each with its overflow chain followed in that state. */
export function valueChains(view: PageView, page: number, label: StateLabel, limit: number, wanted = (_: Cell): boolean => true): Chain[] {
  const image = view.locate(page);
  const header = headerAt(page);
  const { usable } = view.geometry;
  const bytes = Buffer.from(view.read(page));
  if (image === undefined || bytes[header] !== LEAF) return [];
  const chains: Chain[] = [];
  for (const cell of cellsOf(bytes, header, usable)) {
    const value = wanted(cell) ? conversationIn(bytes, cell) : undefined;
    if (value !== undefined) chains.push(followValue(view, page, image, cell, value, label, limit));
  }
  return chains;
}

interface StoredValue {
  readonly key: string;
  readonly at: number;
  readonly size: number;
}

/** The column that holds a conversation, whatever the table: its local part begins as every such value does. */
function conversationIn(bytes: Buffer, cell: Cell): StoredValue | undefined {
  const end = cell.bodyAt + cell.local;
  const columns = columnsOf(bytes, cell.bodyAt, end);
  const found = columns?.find(({ type, at, size }) => {
    const from = cell.bodyAt + at;
    return isText(type) && size >= 20 && bytes.subarray(from, Math.min(from + VALUE_START.length, end)).equals(VALUE_START);
  });
  const key = columns?.[0];
  if (found === undefined || key === undefined || key === found) return undefined;
  const keyAt = cell.bodyAt + key.at;
  return { key: bytes.toString('utf8', keyAt, keyAt + key.size), at: cell.bodyAt + found.at, size: found.size };
}

function followValue(view: PageView, page: number, image: Image, cell: Cell, value: StoredValue, label: StateLabel, limit: number): Chain {
  const { usable } = view.geometry;
  const { region, generation, commit, budget } = label;
  const localEnd = Math.min(cell.bodyAt + cell.local, value.at + value.size);
  const segments: Segment[] = [{ ...image, offset: image.offset + value.at, length: localEnd - value.at, page, proof: undefined, region }];
  let left = value.size - (localEnd - value.at);
  let stop: Stop = 'end';
  let before = image;
  let beforePage = page;
  const seen = new Set<number>();
  let next = cell.overflow;
  for (let bytes = 0; left > 0; ) {
    const found = view.locate(next);
    const spent = bytes > limit || budget.pages <= 0;
    if (found === undefined || seen.has(next) || spent) {
      stop = next === 0 || next > view.pageCount ? 'out-of-range' : found === undefined ? 'missing-page' : spent ? 'limit' : 'cycle';
      break;
    }
    seen.add(next);
    budget.pages -= 1;
    const start = view.part(next, 0, 4);
    if (start.length < 4) {
      stop = 'missing-page';
      break;
    }
    const pointer = u32(start, 0);
    const length = Math.min(usable - 4, left);
    segments.push({ ...found, offset: found.offset + 4, length, page: next, proof: label.proof(before, beforePage, found, next), region });
    left -= length;
    bytes += length;
    before = found;
    beforePage = next;
    next = pointer;
  }
  const head = { key: value.key, size: value.size };
  return { segments, head, closed: left === 0 && (segments.length === 1 || next === 0), stop, generation, commit };
}
