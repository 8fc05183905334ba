import { indexJson, type JsonIndex, type JsonNode, member, nodeBytes, type Wanted } from '../../evidence/big-json.js';
import { type JsonObject, parseJson } from '../../evidence/json.js';
import { type ByteSource, type FileSource, TooLargeError } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { errorDraft } from '../../rows/problem.js';
import { problems } from '../json-store.js';
import { tameJson } from '../tame-json.js';
import { withoutData } from './data-urls.js';

// The IDE writes each session and each execution as one line of JSON, megabytes long (11 MB in kirodotdev/Kiro#8316), and writes it
// anew at each change, so that a crash leaves half of one. Such a file is read value by value from where its values lie: one
// element is in memory at a time, and what stands ahead of the place where the file was cut still comes out.

/** A value of a list, or of an object that was opened, with its place. */
export interface Element {
  readonly key: string | number;
  readonly pointer: string;
  readonly value: unknown;
  readonly problem: string;
}

export interface Document {
  /** Members of the root that were not opened. */
  readonly head: JsonObject;
  readonly kind: 'object' | 'array';
  /** False for a document that was cut off, or is at fault somewhere: then more may have stood in it. */
  readonly complete: boolean;
  /** What is wrong with single members. */
  readonly problem: string;
  kindOf(...path: readonly string[]): JsonNode['kind'] | undefined;
  /** Number of values in an opened list or object. */
  lengthOf(...path: readonly string[]): number;
  /** Values in an opened list or object; an error row in the place of one that cannot be read. */
  elements(...path: readonly string[]): Generator<Element | { readonly error: Draft }>;
}

const HEAD = 4096;
/** Lists of a document up to this size are held, for some are gone through several times; a larger one is read again each time. */
const HELD_BYTES = 4 << 20;

/** Opens a document; what cannot be read is yielded as error rows, and `undefined` means that nothing can be. */
export function* openDocument(
  source: FileSource,
  wanted: Wanted,
  what: string,
  columns: Partial<Draft>,
): Generator<Draft, Document | undefined> {
  const bytes = asUtf8(source);
  const index = indexJson(bytes, wanted);
  const { root } = index;
  const fault = faultOf(index);
  if (fault !== '') {
    const shown = Buffer.from(source.read(0, HEAD));
    const details = { size: source.size, ...(index.problem ? { offset: index.problem.offset } : {}) };
    yield { ...errorDraft(`${what}: ${fault}`, shown), ...columns, details };
  }
  if (root === undefined || (root.kind !== 'object' && root.kind !== 'array')) {
    if (fault === '') yield { ...errorDraft(`${what} is not a JSON object or list`, Buffer.from(source.read(0, HEAD))), ...columns };
    return undefined;
  }
  const head: JsonObject = {};
  const notes: string[] = [];
  for (const child of root.kind === 'object' ? (root.children ?? []) : []) {
    if (child.duplicate) notes.push(`the key ${JSON.stringify(child.key).slice(0, 80)} stands more than once`);
    if (child.children !== undefined) continue;
    const read = valueOf(bytes, child);
    if ('fault' in read) yield { ...errorDraft(`${what}: ${read.fault}`, read.shown), ...columns, source_pointer: step('', child.key) };
    else {
      if (read.problem !== '') notes.push(`${JSON.stringify(child.key).slice(0, 80)}: ${read.problem}`);
      put(head, String(child.key), read.value);
    }
  }
  const nodeAt = (path: readonly string[]) => path.reduce<JsonNode | undefined>((node, key) => member(node, key), root);
  const read: Elements = function* (...path) {
    const pointer = path.reduce(step, '');
    for (const child of nodeAt(path)?.children ?? []) {
      if (child.children !== undefined) continue;
      const place = step(pointer, child.key);
      const value = valueOf(bytes, child);
      if ('fault' in value) yield { error: { ...errorDraft(`${what}: ${value.fault}`, value.shown), ...columns, source_pointer: place } };
      else yield { key: child.key, pointer: place, value: value.value, problem: value.problem };
    }
  };
  return {
    head,
    kind: root.kind,
    complete: fault === '',
    problem: problems(...notes),
    kindOf: (...path) => nodeAt(path)?.kind,
    lengthOf: (...path) => nodeAt(path)?.children?.length ?? 0,
    elements: source.size > HELD_BYTES ? read : held(read),
  };
}

type Elements = Document['elements'];

/** Nobody changes what a list holds, so that it can be given again. */
function held(read: Elements): Elements {
  const lists = new Map<string, (Element | { readonly error: Draft })[]>();
  return function* (...path) {
    const key = path.join('/');
    let list = lists.get(key);
    if (list === undefined) {
      list = [...read(...path)];
      lists.set(key, list);
    }
    yield* list;
  };
}

function faultOf({ problem }: JsonIndex): string {
  return problem === undefined ? '' : `${problem.what} at byte ${problem.offset}`;
}

type Read = { readonly value: unknown; readonly problem: string } | { readonly fault: string; readonly shown: Buffer };

function valueOf(source: ByteSource, node: JsonNode): Read {
  let bytes: Buffer;
  try {
    bytes = nodeBytes(source, node);
  } catch (error) {
    if (error instanceof TooLargeError) return { fault: error.message, shown: Buffer.from(source.read(node.start, HEAD)) };
    throw error;
  }
  const parsed = parseJson(bytes);
  if (!parsed.ok) {
    const why = node.complete ? parsed.problem : 'the value is cut off';
    return { fault: why, shown: Buffer.from(bytes.subarray(0, HEAD)) };
  }
  const cut = tameJson(parsed.value);
  return {
    value: withoutData(parsed.value),
    problem: problems(
      cut > 0 && `${cut} values are nested too deeply to be read`,
      !parsed.validUtf8 && 'not valid UTF-8: each damaged byte is read as U+FFFD',
    ),
  };
}

/** UTF-16 with a byte order mark is turned into UTF-8; everything else is read as it is. */
function asUtf8(source: FileSource): ByteSource {
  const [a, b] = source.read(0, 2);
  const little = a === 0xff && b === 0xfe;
  if (!little && !(a === 0xfe && b === 0xff)) return source;
  let stored: Buffer;
  try {
    stored = Buffer.from(source.bytes().subarray(2));
  } catch (error) {
    if (error instanceof TooLargeError) return source;
    throw error;
  }
  const even = stored.subarray(0, stored.length - (stored.length % 2));
  const bytes = Buffer.from((little ? even : even.swap16()).toString('utf16le'), 'utf8');
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

// Not an assignment: a stored key may be `__proto__`.
function put(holder: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}
