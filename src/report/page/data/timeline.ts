/** The rows of the page as far as they are filtered, sorted, plotted or listed: one typed array a column. */
import { FLAG, type HotName } from '../../format.js';
import { brandedJson, EMPTY, placeIn, type Raw } from '../text/raw.js';
import { type HotBlock, hotColumn, type Numbers } from './hot-block.js';

interface Dictionaries {
  readonly dictionaries: Readonly<Record<HotName, readonly string[]>>;
}

/** A column whose numbers stand for texts. */
export interface Words {
  readonly of: Numbers;
  readonly values: readonly Raw[];
}

export class Timeline {
  readonly rows: number;
  readonly time: Numbers;
  /** Number of the session of each row, counted over host, user and session id; 0 outside of every session. */
  readonly session: Uint32Array;
  private readonly sessionNumbers = new Map<string, number>();
  private readonly sessionStarts: Uint32Array;
  private readonly sessionRows: Uint32Array;
  private readonly dictionaries: ReadonlyMap<string, readonly Raw[]>;

  constructor(private readonly block: HotBlock) {
    this.rows = block.rows;
    this.time = hotColumn(block, 'time');
    this.dictionaries = new Map(Object.entries<readonly Raw[]>(brandedJson<Dictionaries>(block.head).dictionaries));
    this.session = this.numberSessions();
    [this.sessionStarts, this.sessionRows] = grouped(this.session, this.sessionNumbers.size + 1);
  }

  words(name: HotName): Words {
    return { of: hotColumn(this.block, name), values: this.dictionaries.get(name) ?? [] };
  }

  word(name: HotName, row: number): Raw {
    return this.dictionaries.get(name)?.[hotColumn(this.block, name)[row] ?? 0] ?? EMPTY;
  }

  number(name: HotName, row: number): number {
    return hotColumn(this.block, name)[row] ?? 0;
  }

  /** 16 hex digits: ours, whatever the evidence holds. */
  rowId(row: number): string {
    const hex = (name: HotName) => this.number(name, row).toString(16).padStart(8, '0');
    return hex('row_id_high') + hex('row_id_low');
  }

  /** The row with this id, or -1. */
  find(rowId: string): number {
    if (!/^[0-9a-f]{16}$/.test(rowId)) return -1;
    const high = hotColumn(this.block, 'row_id_high');
    const low = hotColumn(this.block, 'row_id_low');
    const wantedHigh = Number.parseInt(rowId.slice(0, 8), 16);
    const wantedLow = Number.parseInt(rowId.slice(8), 16);
    for (let row = 0; row < this.rows; row++) if (low[row] === wantedLow && high[row] === wantedHigh) return row;
    return -1;
  }

  exitCode(row: number): number | null {
    const code = this.number('exit_code', row);
    return Number.isNaN(code) ? null : code;
  }

  isInexact(row: number): boolean {
    return (this.number('flags', row) & FLAG.inexact) !== 0;
  }

  sessionNumber(host: Raw, user: Raw, sessionId: Raw): number {
    const place = (name: HotName, value: Raw) => placeIn(this.dictionaries.get(name) ?? [], value);
    return this.sessionNumbers.get(keyOf(place('host', host), place('user', user), place('session_id', sessionId))) ?? 0;
  }

  /** Rows of a session in their order. */
  rowsOfSession(session: number): Uint32Array {
    return session === 0 ? new Uint32Array() : this.sessionRows.subarray(this.sessionStarts[session], this.sessionStarts[session + 1]);
  }

  private numberSessions(): Uint32Array {
    const ids = hotColumn(this.block, 'session_id');
    const hosts = hotColumn(this.block, 'host');
    const users = hotColumn(this.block, 'user');
    const numbers = new Uint32Array(this.rows);
    let last = '';
    let number = 0;
    for (let row = 0; row < this.rows; row++) {
      const id = ids[row] ?? 0;
      if (id === 0) continue;
      const key = keyOf(hosts[row] ?? 0, users[row] ?? 0, id);
      if (key !== last) {
        number = this.sessionNumbers.get(key) ?? this.sessionNumbers.size + 1;
        this.sessionNumbers.set(key, number);
        last = key;
      }
      numbers[row] = number;
    }
    return numbers;
  }
}

const keyOf = (host: number, user: number, id: number): string => `${host} ${user} ${id}`;

/** Places of equal numbers, one group behind the other: where each group starts, and the places. */
function grouped(numbers: Uint32Array, groups: number): [starts: Uint32Array, places: Uint32Array] {
  const starts = new Uint32Array(groups + 1);
  for (const number of numbers) starts[number + 1] = (starts[number + 1] ?? 0) + 1;
  for (let group = 1; group <= groups; group++) starts[group] = (starts[group] ?? 0) + (starts[group - 1] ?? 0);
  const next = starts.slice();
  const places = new Uint32Array(numbers.length);
  for (let place = 0; place < numbers.length; place++) {
    const number = numbers[place] ?? 0;
    const at = next[number] ?? 0;
    places[at] = place;
    next[number] = at + 1;
  }
  return [starts, places];
}
