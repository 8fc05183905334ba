import { isText, localSize, serialSize, u32, varint } from './bytes.js';
import type { ValueHead } from './carved.js';
import { textEnd } from './text-run.js';

/** How a conversation value begins; serde keeps the order of its fields. */
export const VALUE_START = Buffer.from('{"conversation_id":"');

/** Key texts are paths: longer ones are not looked for. */
const LONGEST_KEY = 4200;

/** A conversation value whose cell is no longer one, or lies in a page that is free. */
export interface DeadHead {
  readonly head: ValueHead;
  /** The part of the value in this page. */
  readonly from: number;
  readonly to: number;
  /** First overflow page; 0 where there is none, or the end of the cell is gone. */
  readonly pointer: number;
  /** Number of overflow pages. */
  readonly overflowPages: number;
  /** The cell is cut by something written later. */
  readonly clipped: boolean;
  /** Behind the cell. */
  readonly end: number;
}

/** Reads the record header backwards from the beginning of the value at `at` (section 2.1), within `from`..`to`. */
export function readDeadHead(bytes: Buffer, from: number, at: number, to: number, usable: number): DeadHead | undefined {
  const record = recordBefore(bytes, from, at);
  if (record === undefined) return undefined;
  const { bodyAt, payload, size, key } = record;
  const local = localSize(payload, usable, true);
  const localEnd = bodyAt + local;
  const spills = payload > local;
  const wanted = Math.min(localEnd, at + size);
  const here = textEnd(bytes, at, Math.min(wanted, to));
  const clipped = here < wanted || (spills && localEnd + 4 > to);
  return {
    head: { key, size },
    from: at,
    to: here,
    pointer: clipped || !spills ? 0 : u32(bytes, localEnd),
    overflowPages: spills ? Math.ceil((payload - local) / (usable - 4)) : 0,
    clipped,
    end: clipped ? here : localEnd + (spills ? 4 : 0),
  };
}

interface RecordStart {
  readonly bodyAt: number;
  readonly payload: number;
  readonly size: number;
  readonly key: string;
}

function recordBefore(bytes: Buffer, from: number, at: number): RecordStart | undefined {
  const lowest = Math.max(from, at - LONGEST_KEY);
  for (let bodyAt = at - 3; bodyAt >= lowest; bodyAt--) {
    const found = recordAt(bytes, bodyAt, at);
    if (found !== undefined) return found;
  }
  // The first four bytes of a freed cell are overwritten (section 1.6): with short numbers before it, the header size is lost too.
  for (let types = at - 2; types >= lowest; types--) {
    const found = typesAt(bytes, types, types - 1, [2, 5], at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function recordAt(bytes: Buffer, bodyAt: number, valueAt: number): RecordStart | undefined {
  const size = bytes[bodyAt] ?? 0;
  if (size < 3 || size > 40 || bodyAt + size > valueAt) return undefined;
  let count = 0;
  let at = bodyAt + 1;
  while (at < bodyAt + size && count <= 8) {
    at = varint(bytes, at).next;
    if (at < 0) return undefined;
    count += 1;
  }
  if (at !== bodyAt + size || count < 2 || count > 8) return undefined;
  return typesAt(bytes, bodyAt + 1, bodyAt, [count], valueAt);
}

/** Serial types at `typesAt` that make a column begin at the value. */
function typesAt(bytes: Buffer, start: number, bodyAt: number, counts: readonly number[], valueAt: number): RecordStart | undefined {
  for (const count of counts) {
    const types: number[] = [];
    let at = start;
    for (let i = 0; i < count && at >= 0 && at <= valueAt; i++) {
      const type = varint(bytes, at);
      types.push(type.value);
      at = type.next;
    }
    const key = types[0] ?? 0;
    if (at < 0 || at > valueAt || types.length < count || !isText(key)) continue;
    let body = at;
    let size = 0;
    for (const type of types) {
      if (body === valueAt && size === 0 && isText(type)) size = serialSize(type);
      body += serialSize(type);
    }
    if (size < 20 || types.some((type) => serialSize(type) < 0)) continue;
    const keyText = bytes.subarray(at, at + serialSize(key));
    if (keyText.length === 0 || keyText.some((byte) => byte < 0x20)) continue;
    return { bodyAt, payload: body - bodyAt, size, key: keyText.toString('utf8') };
  }
  return undefined;
}
