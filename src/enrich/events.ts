import type { Draft } from '../rows/draft.js';
import type { Row } from '../rows/row.js';
import { fingerprint } from './fingerprint.js';

/** A row, told so that the row of another store about the same event can be found. Zero stands for "not known". */
export interface EventMark {
  readonly row: number;
  readonly kind: EventKind;
  /** What was said or run, and in which home. A result has it from its call. */
  readonly what: bigint;
  /** Id of the call. */
  readonly call: bigint;
  readonly session: bigint;
  readonly echo: Echo;
  readonly exitCode: number | null;
}

/**
 * Why a store may tell of what another holds: `retold`, it tells again of conversations; `migrated`, its conversations may
 * have been taken over into another store; `` when it does not.
 */
export type Echo = 'retold' | 'migrated' | '';

/** Two ids of one conversation. */
export interface SessionLink {
  readonly from: bigint;
  readonly to: bigint;
}

/** What is remembered of rows so that those about one event can be joined. */
export interface Events {
  readonly marks: EventMark[];
  readonly links: SessionLink[];
}

export type EventKind = 'prompt' | 'assistant' | 'tool_use' | 'tool_result';

const KINDS: ReadonlySet<string> = new Set<EventKind>(['prompt', 'assistant', 'tool_use', 'tool_result']);
const isEvent = (type: string): type is EventKind => KINDS.has(type);
const MOST = 4096;

/** Undefined for a row that is no event, or of which nothing could be found elsewhere. */
export function eventOf(row: Row, draft: Draft, echo: Echo, home: string): Omit<EventMark, 'row'> | undefined {
  const { row_type: kind, session_id, tool_use_id, exit_code } = row;
  // A history of prompts is matched by text alone; a recovered row is a copy of its own kind.
  if (!isEvent(kind) || row.recovered !== '' || draft.textOnly === true) return undefined;
  const said = saying(kind, row, draft);
  // The engine of 1.x puts the kind of call ahead of the id the service gave.
  const call = tool_use_id === '' ? 0n : mark('call', tool_use_id.replace(/^run_command_/, ''));
  if (said === '' && (kind !== 'tool_result' || call === 0n)) return undefined;
  return {
    kind,
    what: said === '' ? 0n : mark(home, said),
    call,
    session: sessionMark(session_id, home),
    echo,
    exitCode: exit_code,
  };
}

export function linkOf(session: string, same: string, home: string): SessionLink {
  return { from: sessionMark(session, home), to: sessionMark(same, home) };
}

/** A copy of a home has the same ids: what belongs to one must not be told by the other. */
const sessionMark = (session: string, home: string) => (session === '' ? 0n : mark(`session\u0000${home}`, session));

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
