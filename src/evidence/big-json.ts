import { byteAt, type Cursor, createCursor, peek, position, readString, skipContainer, skipScalar, skipString } from './json-cursor.js';
import { type ByteSource, TooLargeError } from './source.js';

/**
 * What to look into: an object names the members that are opened in turn (`*` stands for every member and element),
 * `true` ends the path. All members of an opened value are listed; those not named are not looked into.
 */
export type Wanted = true | { readonly [key: string]: Wanted };

export interface JsonNode {
  /** Key in the object, index in the array; empty for the document itself. */
  readonly key: string | number;
  readonly kind: 'object' | 'array' | 'string' | 'scalar';
  /** First byte of the value. */
  readonly start: number;
  /** Behind its last byte; where the data ended, for an incomplete value. */
  readonly end: number;
  /** False for a value that the end of the data or a fault cut off. */
  readonly complete: boolean;
  /** True when the object has this key already: programs that read the document see only the last one. */
  readonly duplicate: boolean;
  /** In the order of the source; present when the value was opened. */
  readonly children?: readonly JsonNode[];
}

export interface JsonIndex {
  readonly root: JsonNode | undefined;
  /** Why and where reading ended before the end of a sound document, or what stands behind it. */
  readonly problem: { readonly what: string; readonly offset: number } | undefined;
}

type Mutable = { -readonly [K in Exclude<keyof JsonNode, 'children'>]: JsonNode[K] } & { children?: Mutable[] };

/** A value whose members are being listed. The number of these is bound by the depth of `wanted`, not by the document. */
interface Frame {
  readonly node: Mutable & { children: Mutable[] };
  readonly wanted: Exclude<Wanted, true>;
  /** Keys seen, once there are too many to compare one by one. */
  keys: Set<string> | undefined;
}

/** Nodes of one document; beyond it the rest is left unread, and that is said. */
const NODE_LIMIT = 2_000_000;
const FEW = 16;
/** A value above this is not taken out as a whole. */
const VALUE_LIMIT = 256 << 20;

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * Finds where the values of a JSON document lie, without decoding or parsing them, in memory for the listed members
 * only. The document need not be whole: everything before the fault is listed. Whether the inside of a value is sound
 * JSON shows when it is parsed. A complete number at the very end of the data may have lost digits.
 */
export function indexJson(source: ByteSource, wanted: Wanted, nodeLimit: number = NODE_LIMIT): JsonIndex {
  const cursor = createCursor(source);
  const frames: Frame[] = [];
  const known = new Map<string, string>();
  // The same few keys come back in every entry: one copy of each is enough.
  const shared = (text: string) => {
    const first = known.get(text);
    if (first === undefined && known.size < 1000) known.set(text, text);
    return first ?? text;
  };
  let nodes = 0;
  let root: Mutable | undefined;
  const stop = (what: string): JsonIndex => {
    // What is still open ends where the data or our understanding of it ended.
    for (const { node } of frames) node.end = position(cursor);
    return { root, problem: { what, offset: position(cursor) } };
  };
  const unexpected = (byte: number) => stop(byte < 0 ? 'unexpected end' : `unexpected byte 0x${byte.toString(16).padStart(2, '0')}`);

  let byte = peek(cursor);
  if (byte < 0) return stop('empty JSON document');
  for (let parent: Frame | undefined; ; ) {
    // Here `byte` is the first of a value, or of a key.
    let key: string | number = parent === undefined ? '' : parent.node.children.length;
    if (parent?.node.kind === 'object') {
      if (byte !== QUOTE) return unexpected(byte);
      const text = readString(cursor);
      if (text === undefined) return stop('unexpected end');
      key = shared(text);
      byte = peek(cursor);
      if (byte !== COLON) return unexpected(byte);
      cursor.at += 1;
      byte = peek(cursor);
      if (byte < 0) return stop('unexpected end');
    }
    const kind = kindOf(byte);
    if (kind === undefined) return unexpected(byte);
    if (nodes >= nodeLimit) return stop(`more than ${nodeLimit} members`);
    nodes += 1;
    const node: Mutable = { key, kind, start: position(cursor), end: 0, complete: false, duplicate: isDuplicate(parent, key) };
    if (parent === undefined) root = node;
    else parent.node.children.push(node);

    const inner = kind === 'object' || kind === 'array' ? wantedAt(wanted, parent, key) : undefined;
    if (inner !== undefined) {
      cursor.at += 1;
      parent = { node: Object.assign(node, { children: [] }), wanted: inner, keys: undefined };
      frames.push(parent);
      byte = peek(cursor);
      if (byte !== closing(parent)) continue;
    } else {
      node.complete = skipValue(cursor, kind);
      node.end = position(cursor);
      // A scalar that ends with the data may go on in the part that is missing; only a document that is nothing else ends so.
      if (!node.complete || (kind === 'scalar' && parent !== undefined && byteAt(cursor) < 0)) {
        node.complete = false;
        return stop('unexpected end');
      }
      byte = peek(cursor);
    }
    // A value has ended, or an empty one is about to: close what closes, up to the next comma.
    while (parent !== undefined && byte === closing(parent)) {
      cursor.at += 1;
      parent.node.end = position(cursor);
      parent.node.complete = true;
      // A list that grew by pushing keeps room for more; there may be a hundred thousand of them.
      if (parent.node.children.length < FEW) parent.node.children = parent.node.children.slice();
      frames.pop();
      parent = frames.at(-1);
      byte = peek(cursor);
    }
    if (parent === undefined) {
      const rest = byte < 0 ? undefined : { what: 'further bytes behind the document', offset: position(cursor) };
      return { root, problem: rest };
    }
    if (byte !== COMMA) return unexpected(byte);
    cursor.at += 1;
    byte = peek(cursor);
    if (byte < 0) return stop('unexpected end');
  }
}

/** The bytes of a listed value. They must not be kept over the next read of the source. */
export function nodeBytes(source: ByteSource, node: JsonNode): Buffer {
  const length = node.end - node.start;
  if (length > VALUE_LIMIT) throw new TooLargeError(`the value at offset ${node.start} has ${length} bytes`);
  return source.read(node.start, length);
}

/** The member that programs see: the last of its name. */
export function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.children?.findLast((child) => child.key === key);
}

const closing = (frame: Frame) => (frame.node.kind === 'object' ? CLOSE_OBJECT : CLOSE_ARRAY);

function kindOf(byte: number): JsonNode['kind'] | undefined {
  if (byte === OPEN_OBJECT) return 'object';
  if (byte === OPEN_ARRAY) return 'array';
  if (byte === QUOTE) return 'string';
  // Minus, digits, and the first letters of true, false and null.
  return byte === 0x2d || (byte >= 0x30 && byte <= 0x39) || byte === 0x74 || byte === 0x66 || byte === 0x6e ? 'scalar' : undefined;
}

function isDuplicate(parent: Frame | undefined, key: string | number): boolean {
  if (parent === undefined || typeof key === 'number') return false;
  const { children } = parent.node;
  if (children.length < FEW) return children.some((child) => child.key === key);
  parent.keys ??= new Set(children.map((child) => String(child.key)));
  if (parent.keys.has(key)) return true;
  parent.keys.add(key);
  return false;
}

function wantedAt(whole: Wanted, parent: Frame | undefined, key: string | number): Exclude<Wanted, true> | undefined {
  const found = parent === undefined ? whole : (own(parent.wanted, String(key)) ?? own(parent.wanted, '*'));
  return found === true ? undefined : found;
}

/** A key of the evidence may be `constructor` or `__proto__`. */
function own(wanted: Exclude<Wanted, true>, key: string): Wanted | undefined {
  return Object.hasOwn(wanted, key) ? wanted[key] : undefined;
}

function skipValue(cursor: Cursor, kind: JsonNode['kind']): boolean {
  if (kind === 'scalar') return skipScalar(cursor);
  cursor.at += 1;
  return kind === 'string' ? skipString(cursor) : skipContainer(cursor);
}
