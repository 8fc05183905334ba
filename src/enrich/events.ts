import type { Draft } from '../rows/draft.js';
import type { Row } from '../rows/row.js';
import { fingerprint } from './fingerprint.js';
import type { Table } from './table.js';

/** A row, told so that the row of another store about the same event can be found. Zero stands for "not known". */
export interface EventMark {
  readonly row: number;
  readonly unit: number;
  /** NaN for an undated row. */
  readonly ms: number;
  readonly rank: number;
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

export type EventKind = 'prompt' | 'assistant' | 'tool_use' | 'tool_result';

const KINDS: readonly EventKind[] = ['prompt', 'assistant', 'tool_use', 'tool_result'];
const KNOWN: ReadonlySet<string> = new Set(KINDS);
const ECHOES: readonly Echo[] = ['', 'retold', 'migrated'];
const isEvent = (type: string): type is EventKind => KNOWN.has(type);
const MOST = 4096;

/** Undefined for a row that is no event, or of which nothing could be found elsewhere. */
export function eventOf(row: Row, draft: Draft, echo: Echo, home: string): Omit<EventMark, 'row' | 'unit'> | undefined {
  const { row_type: kind, session_id, tool_use_id, exit_code } = row;
  // A history of prompts is matched by text alone; a recovered row is a copy of its own kind.
  if (!isEvent(kind) || row.recovered !== '' || draft.textOnly === true) return undefined;
  const said = saying(kind, row, draft);
  // The engine of 1.x puts the kind of call ahead of the id the service gave.
  const call = tool_use_id === '' ? 0n : mark('call', tool_use_id.replace(/^run_command_/, ''));
  if (said === '' && (kind !== 'tool_result' || call === 0n)) return undefined;
  return {
    ms: draft.time?.ms ?? Number.NaN,
    rank: draft.rank ?? 0,
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

// Marks lie in tables: time, exit code, what, call, session, row, unit, and the rest in one word.
export const MARK_WIDTH = 14;
export const MARK = { what: 4, call: 6, session: 8, row: 10, unit: 11, about: 12 } as const;
const RANK_SHIFT = 8;
const HAS_EXIT = 1 << 4;

export function putMark(table: Table, event: EventMark): void {
  const at = table.add();
  const { words, doubles } = table;
  doubles[at / 2] = event.ms;
  // An exit code is any whole number that a file can hold.
  doubles[at / 2 + 1] = event.exitCode ?? 0;
  putWide(words, at + MARK.what, event.what);
  putWide(words, at + MARK.call, event.call);
  putWide(words, at + MARK.session, event.session);
  words[at + MARK.row] = event.row;
  words[at + MARK.unit] = event.unit;
  const exit = event.exitCode === null ? 0 : HAS_EXIT;
  words[at + MARK.about] = KINDS.indexOf(event.kind) | (ECHOES.indexOf(event.echo) << 2) | exit | (event.rank << RANK_SHIFT);
}

/** The mark at a place of a table. */
export function markAt({ words, doubles }: Pick<Table, 'words' | 'doubles'>, at: number): EventMark {
  const about = words[at + MARK.about] ?? 0;
  return {
    row: words[at + MARK.row] ?? 0,
    unit: words[at + MARK.unit] ?? 0,
    ms: doubles[at / 2] ?? Number.NaN,
    rank: about >>> RANK_SHIFT,
    kind: KINDS[about & 3] ?? 'prompt',
    what: wideAt(words, at + MARK.what),
    call: wideAt(words, at + MARK.call),
    session: wideAt(words, at + MARK.session),
    echo: echoAt(words, at),
    exitCode: (about & HAS_EXIT) === 0 ? null : (doubles[at / 2 + 1] ?? 0),
  };
}

export const echoAt = (words: Uint32Array, at: number): Echo => ECHOES[((words[at + MARK.about] ?? 0) >> 2) & 3] ?? '';

export function wideAt(words: Uint32Array, at: number): bigint {
  return (BigInt(words[at] ?? 0) << 32n) | BigInt(words[at + 1] ?? 0);
}

export function putWide(words: Uint32Array, at: number, value: bigint): void {
  words[at] = Number(value >> 32n);
  words[at + 1] = Number(value & 0xffffffffn);
}
