import { fingerprint } from '../enrich/fingerprint.js';
import type { Row } from '../rows/row.js';
import type { Files } from './files.js';
import { KnownRows } from './known-rows.js';

/**
 * Which rows say the same as a row of an earlier timeline: the same place in a file of the same bytes, or the same ids and the same
 * text. The earlier timeline keeps the primary row.
 */
export class Repeats {
  private readonly known = new KnownRows();
  /** Of primary rows that turned out to be copies: the primary row in an earlier timeline. */
  private readonly moved = new Map<string, string>();

  constructor(private readonly files: Files) {}

  /** Takes the primary rows of all timelines, one timeline after the other. `id`: in the whole case. */
  take(input: number, row: Row, id: string): void {
    const identity = identityOf(row) || this.files.placeOf(input, row);
    const first = this.known.take((nth) => markOf(identity, row, nth), BigInt(`0x${id}`), input);
    if (first !== undefined) this.moved.set(id, first.toString(16).padStart(16, '0'));
  }

  /** The primary row of a row, given the one in its own timeline ('' where it is primary there). */
  primaryOf(id: string, own: string): string {
    return own === '' ? (this.moved.get(id) ?? '') : (this.moved.get(own) ?? own);
  }

  get count(): number {
    return this.moved.size;
  }
}

/** Ids that the store gave; '' for a row without any. */
function identityOf(row: Row): string {
  const id = row.message_id || row.request_id || row.tool_use_id;
  if (row.session_id === '' || id === '') return '';
  return [row.row_type, row.session_id, row.message_id, row.request_id, row.tool_use_id, row.decision, row.decided_by].join('\u0000');
}

function markOf(identity: string, row: Row, nth: number): bigint {
  const { high, low } = fingerprint(`${identity}\u0000${nth}`, row.text);
  return (BigInt(high) << 32n) | BigInt(low);
}
