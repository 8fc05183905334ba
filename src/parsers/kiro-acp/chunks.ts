import { isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import type { Instant } from '../../rows/time.js';
import { toUtcText } from '../../rows/time.js';
import type { Frame } from './frame.js';

const KINDS = new Map<unknown, Pick<Draft, 'row_type' | 'origin'>>([
  ['agent_message_chunk', { row_type: 'assistant', origin: 'agent' }],
  ['agent_thought_chunk', { row_type: 'thinking', origin: 'agent' }],
  ['user_message_chunk', { row_type: 'prompt', origin: 'unknown' }],
]);
const LIMIT = 1 << 20;

/** A message is sent in many small pieces; those that follow each other are one row, at the time of the first. */
export interface ChunkJoiner {
  /** Takes a piece and says so, or leaves it. Rows that are full come out. */
  take(frame: Frame, session: string, update: JsonObject): Generator<Draft, boolean>;
  flush(): Generator<Draft>;
}

interface Open {
  readonly session: string;
  readonly kind: unknown;
  readonly frame: Frame;
  readonly parts: string[];
  size: number;
  last: Instant | undefined;
}

export function joinChunks(): ChunkJoiner {
  let open: Open | undefined;

  function* flush(): Generator<Draft> {
    const kind = KINDS.get(open?.kind);
    if (open === undefined || kind === undefined) return;
    const { session, frame, parts, last } = open;
    open = undefined;
    yield {
      ...kind,
      text: parts.join(''),
      session_id: session,
      ...frame.columns,
      problem: frame.problem,
      details: { chunks: parts.length, ...(last && last !== frame.time ? { last_chunk: toUtcText(last.ms) } : {}) },
    };
  }

  return {
    flush,
    *take(frame, session, update) {
      const { sessionUpdate: kind, content, ...rest } = update;
      const plain = isObject(content) && content.type === 'text' && typeof content.text === 'string' && Object.keys(content).length === 2;
      if (!KINDS.has(kind) || !plain || Object.keys(rest).length > 0 || typeof content.text !== 'string') return false;
      const fits = open !== undefined && open.session === session && open.kind === kind && !frame.columns.recovered && open.size < LIMIT;
      if (!fits) yield* flush();
      open ??= { session, kind, frame, parts: [], size: 0, last: frame.time };
      open.parts.push(content.text);
      open.size += content.text.length;
      open.last = frame.time;
      return true;
    },
  };
}
