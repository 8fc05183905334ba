import { indexJson, type JsonNode, member, nodeBytes, type Wanted } from '../../evidence/big-json.js';
import { type JsonObject, parseJson } from '../../evidence/json.js';
import type { ByteSource } from '../../evidence/source.js';
import { step } from '../../rows/pointer.js';
import { excerpt, messageOf } from '../../rows/problem.js';
import { tameJson } from '../tame-json.js';
import { tooDeep } from './nesting.js';
import { type Assistant, type EntryResult, readAssistant, readEntry } from './schema.js';
import { type ConversationValue, type Copy, type EntryList, NOT_UTF8, type ValueFault } from './value.js';

const ENTRIES: Wanted = { '*': { assistant: true } };
const WANTED: Wanted = {
  history: ENTRIES,
  transcript: { '*': true },
  checkpoint_manager: { checkpoints: { '*': { history_snapshot: ENTRIES } } },
  tangent_state: { main_history: ENTRIES },
};

/**
 * A conversation read from its bytes piece by piece: only the places of its members are held, an entry is parsed when it is
 * asked for. The document may be cut or damaged: what is whole is read, the rest becomes a fault with its offset.
 */
export function valueFromBytes(source: ByteSource, known: readonly ValueFault[], damage?: string): ConversationValue {
  const faults: ValueFault[] = [...known];
  const { root, problem } = indexJson(source, WANTED);
  const found = damage ?? problem?.what;
  if (found !== undefined) {
    const offset = problem?.offset ?? null;
    faults.push({ what: `conversation value is damaged: ${found}`, pointer: '', offset, excerpt: around(source, offset) });
  }
  if (root !== undefined && root.kind !== 'object') {
    faults.push({ what: 'conversation value is not a JSON object', pointer: '', offset: null, excerpt: around(source, 0) });
  }
  const top = root?.kind === 'object' ? root : undefined;
  const reader = new NodeReader(source, faults);
  const manager = member(top, 'checkpoint_manager');
  const tangent = member(top, 'tangent_state');
  // What has not the shape that is read piece by piece stays a member like any other.
  const apart = ['history', 'transcript', ...(manager?.kind === 'object' ? ['checkpoint_manager'] : [])];
  const members = reader.members(top, '', tangent?.kind === 'object' ? [...apart, 'tangent_state'] : apart);
  if (manager?.kind === 'object') {
    const value = reader.members(manager, '/checkpoint_manager', ['checkpoints']);
    Object.defineProperty(members, 'checkpoint_manager', { value, enumerable: true, configurable: true, writable: true });
  }
  const history = member(top, 'history');
  if (history?.kind !== 'array') faults.push({ what: 'conversation without history list', pointer: '/history', offset: null, excerpt: '' });
  const checkpoints = reader.checkpoints(member(manager, 'checkpoints'), '/checkpoint_manager/checkpoints');
  const main = tangent?.kind === 'object' ? reader.copy(tangent, '/tangent_state', 'main_history') : undefined;
  return {
    members,
    history: reader.list(history?.kind === 'array' ? history : undefined, '/history'),
    transcript: reader.elements(reader.listNode(member(top, 'transcript'), '/transcript'), '/transcript'),
    checkpoints,
    tangent: main,
    faults,
  };
}

/** A little of what stands before and behind a place. */
function around(source: ByteSource, offset: number | null): string {
  if (offset === null) return '';
  const from = Math.max(0, offset - 60);
  return excerpt(source.read(from, Math.min(120, source.size - from)));
}

function placeAt(nodes: readonly JsonNode[], fraction: number): number {
  const start = nodes[0]?.start ?? 0;
  const end = nodes.at(-1)?.end ?? 0;
  const offset = start + (end - start) * fraction;
  let low = 0;
  for (let high = nodes.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((nodes[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

class NodeReader {
  private readonly told = new Set<string>();
  private readonly utf8Told: boolean;

  constructor(
    private readonly source: ByteSource,
    private readonly faults: ValueFault[],
  ) {
    this.utf8Told = faults.some(({ what }) => what === NOT_UTF8);
  }

  /** The value of a node, or undefined with a fault when it cannot be read. */
  value(node: JsonNode, pointer: string): unknown {
    if (!node.complete) {
      const head = this.source.read(node.start, Math.min(240, node.end - node.start));
      this.faults.push({ what: 'value is cut off', pointer, offset: node.start, excerpt: excerpt(head) });
      return undefined;
    }
    const bytes = nodeBytes(this.source, node);
    const parsed = parseJson(bytes);
    if (parsed.ok) {
      if (!parsed.validUtf8 && !this.utf8Told) this.tellOnce(NOT_UTF8, pointer, node);
      return this.tamed(parsed.value, pointer, node);
    }
    this.faults.push({ what: parsed.problem, pointer, offset: node.start, excerpt: excerpt(bytes.subarray(0, 240)) });
    return undefined;
  }

  private tamed(value: unknown, pointer: string, node: JsonNode): unknown {
    const cut = tameJson(value);
    if (cut === 0) return value;
    this.tellOnce(tooDeep(cut), pointer, node);
    return value;
  }

  /** An entry can be read more than once; what is wrong with it is told once. */
  private tellOnce(what: string, pointer: string, node: JsonNode): void {
    const key = `${node.start} ${what}`;
    if (this.told.has(key)) return;
    this.told.add(key);
    this.faults.push({ what, pointer, offset: node.start, excerpt: '' });
  }

  /** A member that should be a list: nothing and a fault when it is something else. */
  listNode(node: JsonNode | undefined, pointer: string): JsonNode | undefined {
    if (node === undefined || node.kind === 'array') return node;
    if (node.kind !== 'scalar' || this.value(node, pointer) !== null) {
      this.faults.push({ what: 'not a list', pointer, offset: null, excerpt: '' });
    }
    return undefined;
  }

  checkpoints(node: JsonNode | undefined, pointer: string): Copy[] {
    return (this.listNode(node, pointer)?.children ?? []).flatMap((child, i) => {
      if (child.kind === 'object') return [this.copy(child, `${pointer}/${i}`, 'history_snapshot')];
      this.faults.push({ what: 'checkpoint is not a JSON object', pointer: `${pointer}/${i}`, offset: null, excerpt: '' });
      return [];
    });
  }

  /** Members of an object except the named ones; of a repeated key the last, as every JSON reader takes it. */
  members(node: JsonNode | undefined, pointer: string, except: readonly string[]): JsonObject {
    const result: JsonObject = {};
    for (const child of node?.children ?? []) {
      const key = String(child.key);
      const at = step(pointer, key);
      if (child.duplicate)
        this.faults.push({ what: 'key occurs twice in one object; the last one is used', pointer: at, offset: child.start, excerpt: '' });
      if (except.includes(key)) continue;
      const value = this.value(child, at);
      if (value !== undefined) Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return result;
  }

  elements(node: JsonNode | undefined, pointer: string): unknown[] {
    return (node?.children ?? []).flatMap((child, i) => {
      const value = this.value(child, `${pointer}/${i}`);
      return value === undefined ? [] : [value];
    });
  }

  copy(node: JsonNode, pointer: string, entries: string): Copy {
    const at = `${pointer}/${entries}`;
    return { meta: this.members(node, pointer, [entries]), pointer, entries: this.list(this.listNode(member(node, entries), at), at) };
  }

  list(node: JsonNode | undefined, pointer: string): EntryList {
    const nodes = node?.children ?? [];
    return {
      length: nodes.length,
      pointer,
      entry: (index) => this.entry(nodes[index], `${pointer}/${index}`),
      placeAt: (fraction) => placeAt(nodes, fraction),
      answer: (index) => this.answer(nodes[index], `${pointer}/${index}`),
      hasTime: (index) => this.hasTime(nodes[index], `${pointer}/${index}`),
      model: (index) => this.model(nodes[index], `${pointer}/${index}`),
    };
  }

  private entry(node: JsonNode | undefined, pointer: string): EntryResult {
    if (node === undefined) return { ok: false, problem: 'no such entry' };
    if (!node.complete) return { ok: false, problem: `cut off at offset ${node.end}` };
    try {
      const parsed = parseJson(nodeBytes(this.source, node));
      if (!parsed.ok) return { ok: false, problem: `${parsed.problem}, entry at offset ${node.start}` };
      if (!parsed.validUtf8 && !this.utf8Told) this.tellOnce(NOT_UTF8, pointer, node);
      return readEntry(this.tamed(parsed.value, pointer, node));
    } catch (error) {
      return { ok: false, problem: messageOf(error) };
    }
  }

  private answer(node: JsonNode | undefined, pointer: string): Assistant | undefined {
    const part = node?.kind === 'array' ? node.children?.[1] : member(node, 'assistant');
    if (part === undefined || !part.complete) return undefined;
    const parsed = parseJson(nodeBytes(this.source, part));
    const answer = parsed.ok ? readAssistant(parsed.value) : undefined;
    if (answer !== undefined) return answer;
    // With a field set aside it may still be read.
    const result = this.entry(node, pointer);
    return result.ok ? result.entry.assistant : undefined;
  }

  /** A key of this name can also stand in a tool's result: only the entry tells. */
  private hasTime(node: JsonNode | undefined, pointer: string): boolean {
    const part = node?.kind === 'array' ? node.children?.[0] : member(node, 'user');
    if (part === undefined || !part.complete || !nodeBytes(this.source, part).includes(TIMESTAMP)) return false;
    const result = this.entry(node, pointer);
    return result.ok && Boolean(result.entry.user.timestamp);
  }

  private model(node: JsonNode | undefined, pointer: string): string {
    const part = node?.kind === 'array' ? node.children?.[2] : member(node, 'request_metadata');
    if (part?.kind !== 'object' || !part.complete || !nodeBytes(this.source, part).includes(MODEL)) return '';
    const result = this.entry(node, pointer);
    return (result.ok && result.entry.metadata?.model_id) || '';
  }
}

const TIMESTAMP = '"timestamp"';
const MODEL = '"model_id"';
