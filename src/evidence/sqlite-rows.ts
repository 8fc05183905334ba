import type Database from 'better-sqlite3';
import { faultText } from './fault.js';
import type { SnapshotItem } from './snapshot.js';
import { quote, type SchemaTable } from './sqlite-schema.js';

type Statement = Database.Statement<unknown[], unknown>;
export type Prepare = (sql: string) => Statement;

const FIRST = -(2n ** 63n);
const LAST = 2n ** 63n - 1n;
/** Damaged places after which a table is given up. */
const GAP_LIMIT = 10_000;
/** Where no rising rowid shows that pages of a forged file point at each other, reading ends here. */
const WALK_LIMIT = 20_000_000;

/**
 * Rows in rowid order. When SQLite stops at a damaged page, the rows behind it are sought in three ways: the next rowid;
 * the rowids an index still holds, one by one; and, without an index, the first rowid behind the damage that can be reached.
 */
export function* readRows(prepare: Prepare, table: SchemaTable, columns: readonly string[]): Generator<SnapshotItem> {
  const { rowid } = table;
  const list = columns.map((column) => columnOf(table, column)).join(', ');
  if (rowid === undefined) return yield* readInOrder(prepare, table, list);
  const from = `FROM ${quote(table.name)}`;
  const select = list === '' ? rowid : `${rowid}, ${list}`;
  const rows = `SELECT ${select} ${from} WHERE ${rowid} >= ? ORDER BY ${rowid}`;
  const one = prepare(`SELECT ${select} ${from} WHERE ${rowid} = ?`);
  const next = prepare(`SELECT ${rowid} ${from} WHERE ${rowid} >= ? ORDER BY ${rowid} LIMIT 1`);
  let indexTried = false;
  let gaps = 0;
  for (let start = FIRST; start <= LAST; ) {
    let fault: string;
    try {
      for (const row of prepare(rows).iterate(start)) {
        const { id, item } = toItem(row);
        // Only a damaged page gives a rowid that is lower than one before it.
        if (id < start) throw new Error(`rowid ${id} out of order`);
        yield item;
        start = id + 1n;
      }
      return;
    } catch (error) {
      fault = faultText(error);
    }
    const following = seek(next, start);
    if (following.id !== undefined) {
      yield readOne(one, following.id);
      start = following.id + 1n;
      continue;
    }
    if (following.readable) return yield { fault, rowid: null };
    if (!indexTried) {
      indexTried = true;
      const indexed = indexedRowids(prepare, table, rowid, start);
      for (const id of indexed.ids) {
        yield readOne(one, id);
        start = id + 1n;
      }
      if (indexed.complete) return;
      if (indexed.ids.length > 0) continue;
    }
    gaps += 1;
    const behind = gaps > GAP_LIMIT ? undefined : firstReadable(next, start);
    if (behind === undefined) return yield { fault: `rows ${range(start, undefined)}: ${fault}`, rowid: null };
    if (behind > start) yield { fault: `rows ${range(start, behind)}: ${fault}`, rowid: null };
    start = behind;
  }
}

const range = (start: bigint, end: bigint | undefined) =>
  `${start === FIRST ? 'from the first on' : `from rowid ${start} on`}${end === undefined ? '' : ` and before ${end}`}`;

export function columnOf(table: SchemaTable, column: string): string {
  const stored = table.columns.find((c) => c === column) ?? table.columns.find((c) => c.toLowerCase() === column.toLowerCase());
  return stored === undefined ? 'NULL' : quote(stored);
}

function* readInOrder(prepare: Prepare, table: SchemaTable, list: string): Generator<SnapshotItem> {
  let number = 0;
  try {
    for (const row of prepare(`SELECT ${list === '' ? 'NULL' : list} FROM ${quote(table.name)}`).iterate()) {
      number += 1;
      if (number > WALK_LIMIT) throw new Error('too many rows');
      yield { rowid: number, values: valuesOf(row) };
    }
  } catch (error) {
    yield { fault: `rows behind number ${number}: ${faultText(error)}`, rowid: null };
  }
}

function toItem(row: unknown): { readonly id: bigint; readonly item: SnapshotItem } {
  const [first, ...values] = valuesOf(row, true);
  const id = typeof first === 'bigint' ? first : 0n;
  const rowid = rowidOf(id);
  // The number of another row would stand for it: its values could not be found again, nor be told from that one's.
  if (rowid === null) return { id, item: { fault: `row ${id}: a number beyond 2^53, the row is not read`, rowid } };
  return { id, item: { rowid, values: values.map(narrow) } };
}

function rowidOf(id: bigint): number | null {
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : null;
}

function valuesOf(row: unknown, wide = false): unknown[] {
  const values: unknown[] = Array.isArray(row) ? row : [];
  return wide ? values : values.map(narrow);
}

/** Integers arrive as bigint so that none loses digits; those that fit become numbers. */
function narrow(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function readOne(statement: Statement, id: bigint): SnapshotItem {
  try {
    const row = statement.get(id);
    return row === undefined ? { fault: 'an index names this row, but the table does not have it', rowid: rowidOf(id) } : toItem(row).item;
  } catch (error) {
    return { fault: faultText(error), rowid: rowidOf(id) };
  }
}

/** First rowid at or behind a place; not readable when SQLite meets the damage on the way to it. */
function seek(next: Statement, start: bigint): { readonly readable: boolean; readonly id?: bigint } {
  try {
    const row = next.get(start);
    const id = Array.isArray(row) ? row[0] : undefined;
    if (typeof id !== 'bigint') return { readable: true };
    return id >= start ? { readable: true, id } : { readable: false };
  } catch {
    return { readable: false };
  }
}

interface Indexed {
  readonly ids: readonly bigint[];
  /** True when one index could be read to its end: then no row is missing from the list. */
  readonly complete: boolean;
}

function indexedRowids(prepare: Prepare, table: SchemaTable, rowid: string, start: bigint): Indexed {
  const found = new Set<bigint>();
  let complete = false;
  let walked = 0;
  for (const index of fullIndexes(prepare, table)) {
    try {
      for (const row of prepare(`SELECT ${rowid} FROM ${quote(table.name)} INDEXED BY ${quote(index)}`).iterate()) {
        const id = Array.isArray(row) ? row[0] : undefined;
        if (typeof id === 'bigint' && id >= start) found.add(id);
        walked += 1;
        if (walked > WALK_LIMIT) throw new Error('too many entries');
      }
      complete = true;
    } catch {
      // A damaged index: what it gave so far is of use.
    }
  }
  return { ids: [...found].sort((a, b) => (a < b ? -1 : 1)), complete };
}

function fullIndexes(prepare: Prepare, table: SchemaTable): string[] {
  try {
    return prepare(`PRAGMA index_list(${quote(table.name)})`)
      .all()
      .flatMap((entry) => {
        const [, name, , , partial] = valuesOf(entry);
        return typeof name === 'string' && partial === 0 ? [name] : [];
      });
  } catch {
    return [];
  }
}

/** Doubles the distance until a place can be reached, then halves it to come close behind the damage. */
function firstReadable(next: Statement, start: bigint): bigint | undefined {
  let bad = start;
  let good: bigint | undefined;
  // Rowids begin at 1 as a rule: the way from the lowest possible number to there is not worth walking.
  const origin = start === FIRST ? 0n : start;
  for (let step = 1n; good === undefined && origin + step <= LAST; step *= 2n) {
    if (seek(next, origin + step).readable) good = origin + step;
    else bad = origin + step;
  }
  while (good !== undefined && good - bad > 1n) {
    const middle = (good + bad) / 2n;
    if (seek(next, middle).readable) good = middle;
    else bad = middle;
  }
  return good;
}
