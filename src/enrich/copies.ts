import { Column } from './column.js';
import { findDuplicates } from './duplicates.js';
import { pairEchoes } from './echoes.js';
import { type EventMark, echoAt, MARK, MARK_WIDTH, markAt, putMark, type SessionLink, wideAt } from './events.js';
import type { FiledPart, IndexedRows } from './indexed-rows.js';
import { knownBy, MigratedSessions, pairMigrated } from './migrated.js';
import { Partitions } from './partitions.js';
import type { Limits, Store } from './store.js';
import { type Block, type Records, recordsOf, type Table } from './table.js';
import { pairByText, type TextMatch } from './text-matches.js';

/** A table that lies in a run file. */
export type TablePart = Pick<Table, 'blocks' | 'capacity'>;

/** What is remembered of rows besides their index, so that those about one event can be joined. Rows have their number in the index. */
export interface RememberedRows {
  readonly texts: TablePart;
  /** Some text is of a source that holds nothing else. */
  readonly textsAlone: boolean;
  readonly marks: TablePart;
  /** Some mark is that of an echo. */
  readonly retold: boolean;
  readonly links: readonly SessionLink[];
}

export type RowsPart = FiledPart & RememberedRows;

/** Words of a text: its key, the row, and whether the row has nothing but text. */
export const TEXT_WIDTH = 4;
/** Marks become objects, which are larger than their records. */
const MARK_SIZE = 4;

/** Finds the rows that say what another row says, and which that is. Rows are told by their places. */
export class Copies {
  private readonly primaries: Column;
  private readonly marksAtOnce: Limits;

  constructor(
    private readonly rows: IndexedRows,
    private readonly parts: readonly RowsPart[],
    private readonly limits: Limits,
    private readonly store: Store,
  ) {
    this.primaries = new Column(store, limits);
    this.marksAtOnce = { rowsAtOnce: Math.max(1, Math.floor(limits.rowsAtOnce / MARK_SIZE)) };
  }

  find(): Column {
    const { primaries } = this;
    findDuplicates(this.rows, this.limits, this.store, (row, primary) => primaries.set(row, primary));
    if (this.parts.some((part) => part.textsAlone)) this.joinTexts();
    const links = this.parts.flatMap((part) => part.links);
    if (links.length > 0) this.joinMigrated(new MigratedSessions(links));
    if (this.parts.some((part) => part.retold)) this.joinEchoes();
    return primaries;
  }

  private joinTexts(): void {
    const partitions = new Partitions(TEXT_WIDTH, countOf(this.parts.map((part) => part.texts)), this.limits, this.store);
    for (const part of this.parts) {
      const placeOf = this.rows.placer(part);
      for (const records of recordsOf({ ...part.texts, width: TEXT_WIDTH, store: part.store })) {
        for (let at = 0; at < records.count * TEXT_WIDTH; at += TEXT_WIDTH) {
          records.words[at + 2] = placeOf(records.words[at + 2] ?? 0);
          partitions.of(records.words[at + 1] ?? 0).copy(records, at);
        }
      }
    }
    for (const records of partitions) pairByText(textsToPair(records), this.primaries);
    this.primaries.nameFinal();
  }

  private joinMigrated(sessions: MigratedSessions): void {
    const partitions = this.forMarks();
    for (const { records, at } of this.marks()) {
      const mark = markAt(records, at);
      if (sessions.keyOf(mark) !== undefined) partitions.of(Number(knownBy(mark) & 0xfffn)).copy(records, at);
    }
    for (const records of partitions) pairMigrated(marksIn(records), sessions, this.primaries);
    this.primaries.nameFinal();
  }

  private joinEchoes(): void {
    const calls = this.forMarks();
    const said = this.forMarks();
    for (const { records, at } of this.marks()) {
      const { words } = records;
      const call = words[at + MARK.call + 1] ?? 0;
      if (wideAt(words, at + MARK.what) !== 0n) said.of(words[at + MARK.what + 1] ?? 0).copy(records, at);
      if (wideAt(words, at + MARK.call) !== 0n) calls.of(call).copy(records, at);
    }
    for (const records of calls) {
      for (const mark of namedByCalls(records)) putMark(said.of(Number(mark.what & 0xfffn)), mark);
    }
    for (const records of said) pairEchoes(marksToPair(records), this.primaries);
    this.primaries.nameFinal();
  }

  private forMarks(): Partitions {
    return new Partitions(MARK_WIDTH, countOf(this.parts.map((part) => part.marks)), this.marksAtOnce, this.store);
  }

  /** All marks, their rows by place. */
  private *marks(): Generator<{ readonly records: Records; readonly at: number }> {
    for (const part of this.parts) {
      const placeOf = this.rows.placer(part);
      for (const records of recordsOf({ ...part.marks, width: MARK_WIDTH, store: part.store })) {
        for (let at = 0; at < records.count * MARK_WIDTH; at += MARK_WIDTH) {
          records.words[at + MARK.row] = placeOf(records.words[at + MARK.row] ?? 0);
          yield { records, at };
        }
      }
    }
  }
}

const countOf = (tables: readonly { readonly blocks: readonly Block[] }[]) =>
  tables.reduce((sum, { blocks }) => blocks.reduce((all, { count }) => all + count, sum), 0);

/** Texts of which some row has nothing else. */
function textsToPair({ words, count }: Records): TextMatch[] {
  const places = Array.from({ length: count }, (_, i) => i * TEXT_WIDTH);
  const asked = new Set(places.filter((at) => words[at + 3] === 1).map((at) => wideAt(words, at)));
  return places.flatMap((at) => {
    const key = wideAt(words, at);
    return asked.has(key) ? [{ key, row: words[at + 2] ?? 0, secondary: words[at + 3] === 1 }] : [];
  });
}

function marksIn(records: Records): EventMark[] {
  return Array.from({ length: records.count }, (_, i) => markAt(records, i * MARK_WIDTH));
}

/** Marks that say what an echo says. */
function marksToPair(records: Records): EventMark[] {
  const { words } = records;
  const places = Array.from({ length: records.count }, (_, i) => i * MARK_WIDTH);
  const asked = new Set(places.filter((at) => echoAt(words, at) === 'retold').map((at) => wideAt(words, at + MARK.what)));
  return places.flatMap((at) => (asked.has(wideAt(words, at + MARK.what)) ? [markAt(records, at)] : []));
}

/** Results that do not say what was run, with what their calls say; of several calls of one id the last. */
function namedByCalls(records: Records): EventMark[] {
  const marks = marksIn(records);
  const keyOf = ({ session, call }: EventMark) => `${session} ${call}`;
  const silent = marks.filter(({ what }) => what === 0n);
  const asked = new Set(silent.map(keyOf));
  const calls = new Map<string, EventMark>();
  for (const mark of marks) {
    if (mark.kind !== 'tool_use' || mark.what === 0n || !asked.has(keyOf(mark))) continue;
    if (mark.row >= (calls.get(keyOf(mark))?.row ?? 0)) calls.set(keyOf(mark), mark);
  }
  return silent.flatMap((mark) => {
    const call = calls.get(keyOf(mark));
    return call === undefined ? [] : [{ ...mark, what: call.what }];
  });
}
