import { isUtf8 } from 'node:buffer';
import { indexJson, type JsonNode, member, nodeBytes, type Wanted } from '../../evidence/big-json.js';
import { isObject, type JsonObject, parseJson } from '../../evidence/json.js';
import type { ByteSource } from '../../evidence/source.js';
import { step } from '../../rows/pointer.js';
import { excerpt, messageOf } from '../../rows/problem.js';
import { type Assistant, type EntryResult, readAssistant, readEntry } from './schema.js';
import type { ConversationValue, Copy, EntryList, ValueFault } from './value.js';

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
export function valueFromBytes(source: ByteSource, known: readonly ValueFault[]): ConversationValue {
  const faults: ValueFault[] = [...known];
  const { root, problem } = indexJson(source, WANTED);
  if (problem !== undefined && known.length === 0) {
    faults.push({ what: `conversation value is damaged: ${problem.what}`, pointer: '', offset: problem.offset, excerpt: '' });
  }
  const reader = new NodeReader(source, faults);
  const { checkpoint_manager: manager, tangent_state: tangent } = topNodes(root);
  const members = reader.members(root, '', ['history', 'transcript', 'checkpoint_manager', 'tangent_state']);
  if (manager?.kind === 'object') members.checkpoint_manager = reader.members(manager, '/checkpoint_manager', ['checkpoints']);
  const history = member(root, 'history');
  if (history?.kind !== 'array')
    faults.push({ what: 'conversation without history list', pointer: '/history', offset: root?.start ?? null, excerpt: '' });
  return {
    members,
    history: reader.list(history, '/history'),
    transcript: reader.elements(member(root, 'transcript'), '/transcript'),
    checkpoints: (member(manager, 'checkpoints')?.children ?? []).map((node, i) =>
      reader.copy(node, `/checkpoint_manager/checkpoints/${i}`, 'history_snapshot'),
    ),
    tangent: tangent?.kind === 'object' ? reader.copy(tangent, '/tangent_state', 'main_history') : undefined,
    faults,
  };
}

function topNodes(root: JsonNode | undefined): Record<'checkpoint_manager' | 'tangent_state', JsonNode | undefined> {
  return { checkpoint_manager: member(root, 'checkpoint_manager'), tangent_state: member(root, 'tangent_state') };
}

class NodeReader {
  private utf8Faulted = false;

  constructor(
    private readonly source: ByteSource,
    private readonly faults: ValueFault[],
  ) {}

  /** The value of a node, or undefined with a fault when it cannot be read. */
  value(node: JsonNode, pointer: string): unknown {
    if (!node.complete) {
      const head = this.source.read(node.start, Math.min(240, node.end - node.start));
      this.faults.push({ what: 'value is cut off', pointer, offset: node.start, excerpt: excerpt(head) });
      return undefined;
    }
    const bytes = nodeBytes(this.source, node);
    if (!this.utf8Faulted && !isUtf8(bytes)) {
      this.utf8Faulted = true;
      this.faults.push({
        what: 'value holds bytes that are not valid UTF-8; they are shown as U+FFFD',
        pointer,
        offset: node.start,
        excerpt: '',
      });
    }
    const parsed = parseJson(bytes);
    if (parsed.ok) return parsed.value;
    this.faults.push({ what: parsed.problem, pointer, offset: node.start, excerpt: excerpt(bytes.subarray(0, 240)) });
    return undefined;
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
    return { meta: this.members(node, pointer, [entries]), pointer, entries: this.list(member(node, entries), `${pointer}/${entries}`) };
  }

  list(node: JsonNode | undefined, pointer: string): EntryList {
    const nodes = node?.children ?? [];
    return {
      length: nodes.length,
      pointer,
      entry: (index) => this.entry(nodes[index]),
      answer: (index) => this.answer(nodes[index]),
      hasTime: (index) => this.hasTime(nodes[index]),
      model: (index) => this.model(nodes[index]),
    };
  }

  private entry(node: JsonNode | undefined): EntryResult {
    if (node === undefined) return { ok: false, problem: 'no such entry' };
    if (!node.complete) return { ok: false, problem: `cut off at offset ${node.end}` };
    try {
      const parsed = parseJson(nodeBytes(this.source, node));
      return parsed.ok ? readEntry(parsed.value) : { ok: false, problem: `${parsed.problem}, entry at offset ${node.start}` };
    } catch (error) {
      return { ok: false, problem: messageOf(error) };
    }
  }

  private answer(node: JsonNode | undefined): Assistant | undefined {
    const part = node?.kind === 'array' ? node.children?.[1] : member(node, 'assistant');
    if (part === undefined || !part.complete) return undefined;
    const parsed = parseJson(nodeBytes(this.source, part));
    return parsed.ok ? readAssistant(parsed.value) : undefined;
  }

  /** Looks for the key in the bytes of the user message: inside text its quote would follow a backslash. */
  private hasTime(node: JsonNode | undefined): boolean {
    const part = node?.kind === 'array' ? node.children?.[0] : member(node, 'user');
    if (part === undefined || !part.complete) return false;
    const bytes = nodeBytes(this.source, part);
    for (let at = bytes.lastIndexOf(TIMESTAMP); at > 0; at = bytes.lastIndexOf(TIMESTAMP, at - 1)) {
      if (bytes[at - 1] === 0x5c) continue;
      return /^\s{0,64}:\s{0,64}"/.test(bytes.toString('latin1', at + TIMESTAMP.length, at + TIMESTAMP.length + 140));
    }
    return false;
  }

  private model(node: JsonNode | undefined): string {
    const part = node?.kind === 'array' ? node.children?.[2] : member(node, 'request_metadata');
    if (part?.kind !== 'object' || !part.complete) return '';
    const parsed = parseJson(nodeBytes(this.source, part));
    return parsed.ok && isObject(parsed.value) && typeof parsed.value.model_id === 'string' ? parsed.value.model_id : '';
  }
}

const TIMESTAMP = '"timestamp"';
