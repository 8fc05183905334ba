import { isObject, type JsonObject } from '../../evidence/json.js';
import { type Assistant, type EntryResult, readAssistant, readEntry } from './schema.js';

/** A list of history entries that are read one at a time. */
export interface EntryList {
  readonly length: number;
  /** RFC 6901 pointer of the list. */
  readonly pointer: string;
  entry(index: number): EntryResult;
  /** What alignment and checks need, without reading the whole entry. */
  answer(index: number): Assistant | undefined;
  hasTime(index: number): boolean;
  model(index: number): string;
  /** First entry of the part that begins at a fraction of the list (0 to 1), by bytes where they are known. */
  placeAt(fraction: number): number;
}

export interface Copy {
  /** Members of the copy besides its entries. */
  readonly meta: JsonObject;
  readonly pointer: string;
  readonly entries: EntryList;
}

/** A part of the value that could not be read. */
export interface ValueFault {
  readonly what: string;
  readonly pointer: string;
  readonly offset: number | null;
  readonly excerpt: string;
}

/** A conversation value, held in memory or read piece by piece from its bytes. */
export interface ConversationValue {
  /** Top members besides history, transcript, the entries of checkpoints and the entries of the tangent state. */
  readonly members: JsonObject;
  readonly history: EntryList;
  readonly transcript: readonly unknown[];
  readonly checkpoints: readonly Copy[];
  readonly tangent: Copy | undefined;
  readonly faults: readonly ValueFault[];
}

/** What a fault says of bytes that no text holds. */
export const NOT_UTF8 = 'value holds bytes that are not valid UTF-8; they are shown as U+FFFD';

/** Wraps a value that `JSON.parse` gave. */
export function valueInMemory(value: JsonObject, faults: readonly ValueFault[] = []): ConversationValue {
  const { history, transcript, checkpoint_manager, tangent_state, ...members } = value;
  const shapeFaults: ValueFault[] = [];
  const listOf = (list: unknown, pointer: string): unknown[] => {
    if (Array.isArray(list)) return list;
    if (list !== undefined && list !== null) shapeFaults.push({ what: 'not a list', pointer, offset: null, excerpt: '' });
    return [];
  };
  if (!Array.isArray(history))
    shapeFaults.push({ what: 'conversation without history list', pointer: '/history', offset: null, excerpt: '' });
  const checkpoints: Copy[] = [];
  if (isObject(checkpoint_manager)) {
    const { checkpoints: stored, ...rest } = checkpoint_manager;
    members.checkpoint_manager = rest;
    for (const [i, checkpoint] of listOf(stored, '/checkpoint_manager/checkpoints').entries()) {
      const pointer = `/checkpoint_manager/checkpoints/${i}`;
      if (!isObject(checkpoint)) {
        shapeFaults.push({ what: 'checkpoint is not a JSON object', pointer, offset: null, excerpt: '' });
        continue;
      }
      const { history_snapshot, ...meta } = checkpoint;
      checkpoints.push({
        meta,
        pointer,
        entries: listInMemory(listOf(history_snapshot, `${pointer}/history_snapshot`), `${pointer}/history_snapshot`),
      });
    }
  } else if (checkpoint_manager !== undefined) members.checkpoint_manager = checkpoint_manager;
  let tangent: Copy | undefined;
  if (isObject(tangent_state)) {
    const { main_history, ...meta } = tangent_state;
    tangent = {
      meta,
      pointer: '/tangent_state',
      entries: listInMemory(listOf(main_history, '/tangent_state/main_history'), '/tangent_state/main_history'),
    };
  } else if (tangent_state !== undefined) members.tangent_state = tangent_state;
  return {
    members,
    history: listInMemory(Array.isArray(history) ? history : [], '/history'),
    transcript: listOf(transcript, '/transcript'),
    checkpoints,
    tangent,
    faults: [...faults, ...shapeFaults],
  };
}

function listInMemory(raw: readonly unknown[], pointer: string): EntryList {
  const cache = new Map<number, EntryResult>();
  const entry = (index: number): EntryResult => {
    const known = cache.get(index);
    if (known !== undefined) return known;
    const result = readEntry(raw[index]);
    cache.set(index, result);
    return result;
  };
  return {
    length: raw.length,
    pointer,
    entry,
    placeAt: (fraction) => Math.floor(raw.length * fraction),
    answer: (index) => {
      const result = entry(index);
      if (result.ok) return result.entry.assistant;
      const stored = raw[index];
      return readAssistant(Array.isArray(stored) ? stored[1] : isObject(stored) ? stored.assistant : undefined);
    },
    hasTime: (index) => {
      const result = entry(index);
      return result.ok && Boolean(result.entry.user.timestamp);
    },
    model: (index) => {
      const result = entry(index);
      return (result.ok && result.entry.metadata?.model_id) || '';
    },
  };
}
