import { type RememberedRows, TEXT_WIDTH } from '../enrich/copies.js';
import { eventOf, linkOf, MARK_WIDTH, putMark, type SessionLink } from '../enrich/events.js';
import { fingerprint, textDigest } from '../enrich/fingerprint.js';
import { type IndexPart, RowIndex } from '../enrich/row-index.js';
import { Table } from '../enrich/table.js';
import type { Draft } from '../rows/draft.js';
import type { Row } from '../rows/row.js';
import type { RowType } from '../rows/row-types.js';
import { placeKey, stampRow, type UnitStamp } from '../rows/stamp.js';
import type { RunFile } from '../write/run-file.js';
import type { Filter } from './filter.js';
import type { RowSecrets } from './row-secrets.js';

/** What is kept of rows besides their lines: plain data, the tables themselves lie in the run file. */
export type RowTables = IndexPart & RememberedRows;

const TEXTS = 256;
const MARKS = 256;

export interface SinkCounts {
  rows: number;
  undated: number;
  recovered: number;
  readonly byType: Map<RowType, number>;
  readonly filtered: Map<string, number>;
  first: string;
  last: string;
}

/** Takes the drafts of all units: completes them to rows, filters, encodes them into the run file and keeps the index. */
export class RowSink {
  private readonly index: RowIndex;
  private readonly texts: Table;
  private textsAlone = false;
  private readonly marks: Table;
  private retold = false;
  private readonly links: SessionLink[] = [];
  readonly counts: SinkCounts = { rows: 0, undated: 0, recovered: 0, byType: new Map(), filtered: new Map(), first: '', last: '' };
  /** Unit the next rows belong to. */
  unit = 0;

  constructor(
    private readonly encode: (row: Row, fileTime: number | undefined) => string,
    private readonly runFile: RunFile,
    private readonly filter: Filter,
    /** Absent: no scan for secrets. */
    readonly secrets: RowSecrets | undefined,
    /** Some store tells again of what others hold: rows are remembered so that they can be joined. */
    private readonly echoes: boolean,
    /** Ends reading between two rows. */
    readonly signal?: AbortSignal | undefined,
  ) {
    this.index = new RowIndex(runFile);
    this.texts = new Table(TEXT_WIDTH, TEXTS, runFile);
    this.marks = new Table(MARK_WIDTH, MARKS, runFile);
  }

  add(draft: Draft, stamp: UnitStamp): void {
    const stamped = stampRow(draft, stamp);
    const dropped = this.filter(stamped);
    if (dropped !== undefined) {
      this.counts.filtered.set(dropped, (this.counts.filtered.get(dropped) ?? 0) + 1);
      return;
    }
    const digest = textDigest(draft.text);
    const row = this.secrets === undefined ? stamped : this.secrets.apply(stamped, draft, digest);
    const { offset, length } = this.runFile.appendLine(this.encode(row, stamp.fileTime));
    const identity = fingerprint(draft.identity ?? placeIdentity(stamped, stamp), digest ?? draft.text);
    if (draft.textKey !== undefined) this.rememberText(draft.textKey, stamp.home, draft.textOnly === true);
    if (this.echoes) this.rememberEvent(stamped, draft, stamp);
    const { time } = draft;
    this.index.add(
      {
        ms: time === undefined ? Number.NaN : time.ms,
        ns: time === undefined ? 0 : time.ns,
        offset,
        length,
        high: identity.high,
        low: identity.low,
        rank: draft.rank ?? 0,
        rowId: row.row_id,
        newRun: draft.newRun === true,
        leads: draft.leads === true,
        agent: row.agent,
      },
      this.unit,
    );
    this.count(row);
  }

  /** What is known of the rows, when all have come. */
  finish(): RowTables {
    const { textsAlone, retold, links, texts, marks } = this;
    texts.flush();
    marks.flush();
    const tables = { texts: partOf(texts), textsAlone, marks: partOf(marks), retold, links };
    return { ...this.index.finish(), ...tables };
  }

  private rememberEvent(row: Row, draft: Draft, { echo, home }: UnitStamp): void {
    if (draft.sameSession !== undefined) this.links.push(linkOf(row.session_id, draft.sameSession, home));
    const event = eventOf(row, draft, echo === undefined || echo === 'marker' ? '' : echo, home);
    if (event === undefined) return;
    putMark(this.marks, { ...event, row: this.index.length, unit: this.unit });
    this.retold ||= event.echo === 'retold';
  }

  private rememberText(text: string, home: string, secondary: boolean): void {
    const { high, low } = fingerprint(home, text);
    const { texts } = this;
    const at = texts.add();
    texts.words.set([high, low, this.index.length, secondary ? 1 : 0], at);
    this.textsAlone ||= secondary;
  }

  private count(row: Row): void {
    const { counts } = this;
    counts.rows += 1;
    counts.byType.set(row.row_type, (counts.byType.get(row.row_type) ?? 0) + 1);
    if (row.recovered !== '') counts.recovered += 1;
    const time = row.timestamp_utc;
    if (time === '') counts.undated += 1;
    else if (row.timestamp_source !== 'file_mtime') {
      // The span is that of recorded events; a file time says when a copy was last written.
      if (counts.first === '' || time < counts.first) counts.first = time;
      if (time > counts.last) counts.last = time;
    }
  }
}

const partOf = ({ blocks, capacity }: Table) => ({ blocks, capacity });

/** Identity of a row that has no other: its place in a file of these bytes. Equal only in a byte-identical copy. */
function placeIdentity(row: Row, stamp: UnitStamp): string {
  const ordinal = stamp.used.get(placeKey(row)) ?? 0;
  return `${row.source_sha256}\u0000${row.source_table}\u0000${placeKey(row)}\u0000${ordinal}`;
}
