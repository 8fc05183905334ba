import type { Draft } from '../rows/draft.js';
import type { Row } from '../rows/row.js';
import { fingerprint } from './fingerprint.js';

/** A row, told so that the row of another store about the same event can be found. Zero stands for "not known". */
export interface EventMark {
  readonly row: number;
  readonly kind: EventKind;
  /** What was said or run, and by which user. A result has it from its call. */
  readonly what: bigint;
  /** Session and id of the call. */
  readonly call: bigint;
  readonly session: bigint;
  /** From a store that tells again what a conversation holds. */
  readonly echo: boolean;
  readonly exitCode: number | null;
}

export type EventKind = 'prompt' | 'assistant' | 'tool_use' | 'tool_result';

const KINDS: ReadonlySet<string> = new Set<EventKind>(['prompt', 'assistant', 'tool_use', 'tool_result']);
const isEvent = (type: string): type is EventKind => KINDS.has(type);
const MOST = 4096;

/** Undefined for a row that is no event, or of which nothing could be found elsewhere. */
export function eventOf(row: Row, draft: Draft, echo: boolean): Omit<EventMark, 'row'> | undefined {
  const { row_type: kind, session_id, tool_use_id, exit_code } = row;
  // A history of prompts is matched by text alone; a recovered row is a copy of its own kind.
  if (!isEvent(kind) || row.recovered !== '' || draft.textOnly === true) return undefined;
  const said = saying(kind, row, draft);
  const call = tool_use_id === '' ? 0n : mark(session_id, tool_use_id);
  if (said === '' && (kind !== 'tool_result' || call === 0n)) return undefined;
  return {
    kind,
    what: said === '' ? 0n : mark(row.user, said),
    call,
    session: session_id === '' ? 0n : mark('', session_id),
    echo,
    exitCode: exit_code,
  };
}

/** The command of a shell call, as the log of commands keeps it; else the arguments, or the text. */
function saying(kind: EventKind, row: Row, draft: Draft): string {
  if (kind === 'prompt' || kind === 'assistant') return row.text;
  const command = (draft.eventCommand ?? row.command).replace(/\s+/g, ' ').trim().slice(0, MOST);
  if (command !== '') return `command\u0000${command}`;
  return kind === 'tool_use' && row.text !== '' && row.text !== '{}' ? `arguments\u0000${row.text}` : '';
}

function mark(scope: string, text: string): bigint {
  const { high, low } = fingerprint(scope, text);
  return (BigInt(high) << 32n) | BigInt(low);
}
