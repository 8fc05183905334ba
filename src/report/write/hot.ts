import type { Row } from '../../rows/row.js';
import { DUPLICATE_ELSEWHERE, FLAG, HOT_TEXTS, type HotColumn, type HotName, NOT_SCANNED } from '../format.js';
import { NumberColumn, TextColumn } from './columns.js';
import { previewOf } from './preview.js';
import { halvesOf, RowLookup } from './row-lookup.js';

type HotText = (typeof HOT_TEXTS)[number];

/** The columns of a page that are filtered, sorted and plotted, as the rows go by. */
export class HotColumns {
  readonly time = new NumberColumn('f64');
  private readonly texts: ReadonlyMap<HotText, TextColumn> = new Map(HOT_TEXTS.map((name) => [name, new TextColumn()]));
  private readonly secretRules = new TextColumn();
  private readonly preview = new TextColumn();
  private readonly exitCode = new NumberColumn('f64');
  private readonly sourceLine = new NumberColumn('f64');
  private readonly secretCount = new NumberColumn('u16');
  private readonly duplicate = new NumberColumn('u32');
  private readonly high = new NumberColumn('u32');
  private readonly low = new NumberColumn('u32');
  private readonly textBytes = new NumberColumn('u32');
  private readonly call = new NumberColumn('u32');
  private readonly flags = new NumberColumn('u8');
  private readonly calls = new Map<string, number>();
  private readonly copies: { readonly row: number; readonly primary: string }[] = [];
  private found: RowLookup | undefined;

  get rows(): number {
    return this.time.length;
  }

  add(row: Row, textBytes: number): void {
    if (row.duplicate_of !== '') this.copies.push({ row: this.rows, primary: row.duplicate_of });
    const [high, low] = halvesOf(row.row_id) ?? [0, 0];
    this.time.add(row.timestamp_utc === '' ? Number.NaN : Date.parse(row.timestamp_utc));
    for (const [name, column] of this.texts) column.add(row[name]);
    this.secretRules.add(row.secret_rules.join(' '));
    this.preview.add(previewOf(row));
    this.exitCode.add(row.exit_code ?? Number.NaN);
    this.sourceLine.add(row.source_line);
    this.secretCount.add(row.secret_count === null ? NOT_SCANNED : Math.min(row.secret_count, NOT_SCANNED - 1));
    this.duplicate.add(0);
    this.high.add(high);
    this.low.add(low);
    this.textBytes.add(textBytes);
    this.call.add(row.tool_use_id === '' ? 0 : this.callOf(row));
    this.flags.add(row.text.isWellFormed() ? 0 : FLAG.inexact);
  }

  text(name: HotText, row: number): string {
    return this.texts.get(name)?.at(row) ?? '';
  }

  /** Values of a column that occur, without the empty one. */
  valuesOf(name: HotText): readonly string[] {
    return this.texts.get(name)?.values.slice(1) ?? [];
  }

  /** To be asked when all rows are there. */
  get lookup(): RowLookup {
    this.found ??= new RowLookup(this.high, this.low);
    return this.found;
  }

  /** The block: length of the head, head, arrays. The head is padded with blanks, since the places in it depend on its own length. */
  encode(): Buffer {
    for (const { row, primary } of this.copies) {
      const at = this.lookup.rowOf(primary);
      this.duplicate.set(row, at < 0 ? DUPLICATE_ELSEWHERE : at + 1);
    }
    const dictionaries = this.dictionaries();
    const columns = this.columns();
    const opening = (places: readonly HotColumn[]) => `{"rows":${this.rows},"columns":${JSON.stringify(places)}`;
    const widest = columns.map(({ name, column }) => placed(name, column, 0xffffffff, dictionaries.names.has(name)));
    const room = opening(widest).length;
    const start = aligned(4 + room + dictionaries.size);
    let at = start;
    const places = columns.map(({ name, column }) => {
      const place = placed(name, column, at, dictionaries.names.has(name));
      at = aligned(at + column.bytes().length);
      return place;
    });
    const block = Buffer.alloc(at);
    block.writeUInt32LE(room + dictionaries.size, 0);
    block.write(opening(places).padEnd(room), 4, 'latin1');
    let to = 4 + room;
    for (const part of dictionaries.parts) to += part.copy(block, to);
    for (const [i, { column }] of columns.entries()) column.bytes().copy(block, places[i]?.at ?? 0);
    return block;
  }

  private columns(): readonly { readonly name: HotName; readonly column: NumberColumn }[] {
    return [
      { name: 'time', column: this.time },
      ...[...this.texts].map(([name, { codes }]) => ({ name, column: codes })),
      { name: 'secret_rules', column: this.secretRules.codes },
      { name: 'preview', column: this.preview.codes },
      { name: 'exit_code', column: this.exitCode },
      { name: 'source_line', column: this.sourceLine },
      { name: 'secret_count', column: this.secretCount },
      { name: 'duplicate', column: this.duplicate },
      { name: 'row_id_high', column: this.high },
      { name: 'row_id_low', column: this.low },
      { name: 'text_bytes', column: this.textBytes },
      { name: 'call', column: this.call },
      { name: 'flags', column: this.flags },
    ];
  }

  /** The rest of the head, value by value: all commands in one text could be longer than a text can be. */
  private dictionaries(): { readonly names: ReadonlySet<string>; readonly parts: readonly Buffer[]; readonly size: number } {
    const all: readonly (readonly [string, TextColumn])[] = [...this.texts, ['secret_rules', this.secretRules], ['preview', this.preview]];
    const parts: Buffer[] = [];
    for (const [i, [name, { values }]] of all.entries()) {
      parts.push(Buffer.from(`${i === 0 ? ',"dictionaries":{' : ','}"${name}":[`));
      for (const [j, value] of values.entries()) parts.push(Buffer.from(`${j === 0 ? '' : ','}${JSON.stringify(value)}`));
      parts.push(Buffer.from(']'));
    }
    parts.push(Buffer.from('}}'));
    return { names: new Set(all.map(([name]) => name)), parts, size: parts.reduce((sum, part) => sum + part.length, 0) };
  }

  private callOf(row: Row): number {
    const key = `${row.host}\u0000${row.user}\u0000${row.session_id}\u0000${row.tool_use_id}`;
    let call = this.calls.get(key);
    if (call === undefined) {
      call = this.calls.size + 1;
      this.calls.set(key, call);
    }
    return call;
  }
}

function placed(name: HotName, { kind }: NumberColumn, at: number, dictionary: boolean): HotColumn {
  return dictionary ? { name, kind, at, dictionary: name } : { name, kind, at };
}

const aligned = (place: number) => Math.ceil(place / 8) * 8;
