/** The rows of a session as the blocks of a conversation: a call stands with its decisions and results, wherever those were stored. */
import type { Mode } from '../data/place.js';
import type { Timeline } from '../data/timeline.js';
import { originalOf } from '../text/raw.js';

export type BlockKind = 'prompt' | 'injected' | 'answer' | 'call' | 'gap' | 'error' | 'other';

export interface Block {
  readonly kind: BlockKind;
  /** The row that the block stands for. */
  readonly row: number;
  readonly decisions: readonly number[];
  readonly results: readonly number[];
}

export interface Conversation {
  readonly blocks: readonly Block[];
  /** Rows that repeat others, left out unless asked for. */
  readonly copies: number;
}

export function conversationOf(timeline: Timeline, rows: Uint32Array, withCopies: boolean): Conversation {
  const kind = (row: number) => originalOf(timeline.word('row_type', row));
  const duplicate = timeline.words('duplicate').of;
  const shown = withCopies ? [...rows] : [...rows].filter((row) => duplicate[row] === 0);
  const calls = new Map<number, { decisions: number[]; results: number[] }>();
  const heads = new Map<number, number>();
  for (const row of shown) {
    const call = timeline.number('call', row);
    if (call !== 0 && kind(row) === 'tool_use' && !heads.has(call)) heads.set(call, row);
  }
  const blocks: Block[] = [];
  for (const row of shown) {
    const call = timeline.number('call', row);
    const head = heads.get(call);
    const parts = calls.get(call) ?? { decisions: [], results: [] };
    if (head !== undefined) calls.set(call, parts);
    const type = kind(row);
    if (head !== undefined && type === 'permission') parts.decisions.push(row);
    else if (head !== undefined && type === 'tool_result') parts.results.push(row);
    else if (head === row) blocks.push({ kind: 'call', row, ...parts });
    else blocks.push({ kind: blockKind(type, originalOf(timeline.word('origin', row))), row, decisions: [], results: [] });
  }
  return { blocks, copies: rows.length - shown.length };
}

function blockKind(type: string, origin: string): BlockKind {
  if (type === 'prompt') return origin === 'injected' ? 'injected' : 'prompt';
  if (type === 'assistant' || type === 'thinking') return 'answer';
  if (type === 'tool_use' || type === 'tool_result') return 'call';
  return type === 'gap' || type === 'error' ? type : 'other';
}

/** Gaps and unreadable pieces stand in every mode: they say that something may be missing right here. */
export function inMode({ kind }: Block, mode: Mode): boolean {
  if (mode === 'all' || kind === 'prompt' || kind === 'injected' || kind === 'gap' || kind === 'error') return true;
  return kind === (mode === 'answers' ? 'answer' : 'call');
}

export const rowsOf = ({ row, decisions, results }: Block): number[] => [row, ...decisions, ...results];
