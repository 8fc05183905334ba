import type { SimpleCommand } from '../commands/types.js';
import { escapeUnsafe } from '../rows/problem.js';
import type { Row } from '../rows/row.js';
import type { CompiledRule } from './rules/index.js';
import type { RowView } from './view.js';

/** What a finding is about: all rows of one rule within one scope. */
export interface Scope {
  readonly kind: 'session' | 'secret' | 'file' | 'value';
  readonly key: string;
}

export const LEVELS = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Level = (typeof LEVELS)[number];

/** Outcome and permission of the calls of a finding. */
export interface Ran {
  completed: number;
  failed: number;
  canceled: number;
  unknown: number;
}

export interface Allowed {
  approved: number;
  denied: number;
  standing: number;
  unasked: number;
  unknown: number;
}

/** The rows that one rule matched within one scope, gathered. */
export interface Hit {
  readonly rule: CompiledRule;
  readonly scope: Scope;
  readonly host: string;
  readonly user: string;
  readonly agent: string;
  readonly session_id: string;
  readonly project_path: string;
  first: string;
  last: string;
  readonly rows: Set<string>;
  readonly also: string[];
  readonly ran: Ran;
  readonly allowed: Allowed;
  /** Calls that the store says did not run. */
  notRun: number;
  calls: number;
  readonly excerpts: string[];
  readonly files: Set<string>;
  readonly recovered: Set<Row['recovered']>;
  live: boolean;
  /** Every time so far is that of a file, not of an event. */
  fileTimes: boolean;
  readonly confidence: Set<Row['confidence']>;
  /** Entries of the suppression file that took rows out, with the rows they took. */
  readonly suppressed: Map<string, string[]>;
  /** What was not understood of the commands. */
  readonly problems: Set<string>;
}

const MOST_EXCERPTS = 3;
const EXCERPT = 200;

/** Where the finding of a rule about this row belongs: its session, or else its file. */
export function scopeOf(row: Row): Scope {
  return row.session_id === '' ? { kind: 'file', key: row.source_sha256 || row.source_file } : { kind: 'session', key: row.session_id };
}

export function newHit(rule: CompiledRule, scope: Scope, row: Row): Hit {
  return {
    rule,
    scope,
    host: row.host,
    user: row.user,
    agent: row.agent,
    session_id: scope.kind === 'session' ? row.session_id : '',
    project_path: row.project_path,
    first: '',
    last: '',
    rows: new Set(),
    also: [],
    ran: { completed: 0, failed: 0, canceled: 0, unknown: 0 },
    allowed: { approved: 0, denied: 0, standing: 0, unasked: 0, unknown: 0 },
    notRun: 0,
    calls: 0,
    excerpts: [],
    files: new Set(),
    recovered: new Set(),
    live: false,
    fileTimes: true,
    confidence: new Set(),
    suppressed: new Map(),
    problems: new Set(),
  };
}

/** Takes a row into a hit. */
export function addRow(hit: Hit, view: RowView, commands: readonly SimpleCommand[]): void {
  const { row } = view;
  hit.rows.add(row.row_id);
  hit.files.add(row.source_file);
  const time = row.timestamp_utc;
  if (time !== '') {
    if (hit.first === '' || time < hit.first) hit.first = time;
    if (time > hit.last) hit.last = time;
    if (row.timestamp_source !== 'file_mtime') hit.fileTimes = false;
  }
  if (row.recovered === '') hit.live = true;
  else {
    hit.recovered.add(row.recovered);
    hit.confidence.add(row.confidence);
  }
  if (row.row_type === 'tool_use') countCall(hit, view);
  if (view.commandProblem !== '') hit.problems.add(view.commandProblem);
  if (hit.excerpts.length < MOST_EXCERPTS) noteExcerpts(hit, row, commands);
}

function countCall(hit: Hit, { joined }: RowView): void {
  hit.calls += 1;
  if (joined.not_run || joined.decision === 'denied' || joined.status === 'blocked') hit.notRun += 1;
  if (joined.status === 'completed' && (joined.exit_code ?? 0) === 0) hit.ran.completed += 1;
  else if (joined.status === 'failed' || joined.status === 'completed') hit.ran.failed += 1;
  else if (joined.status === 'canceled' || joined.status === 'blocked') hit.ran.canceled += 1;
  else hit.ran.unknown += 1;
  if (joined.decision === 'approved') hit.allowed.approved += 1;
  else if (joined.decision === 'denied' || joined.decision === 'cancelled' || joined.decision === 'abandoned') hit.allowed.denied += 1;
  else if (joined.decision === 'granted') hit.allowed.standing += 1;
  else if (joined.decision === '' && joined.approvals_recorded) hit.allowed.unasked += 1;
  else hit.allowed.unknown += 1;
}

function noteExcerpts(hit: Hit, row: Row, commands: readonly SimpleCommand[]): void {
  // A short line is shown whole: what is handed to whom is seen only there.
  const parts = row.command.length > EXCERPT && commands.length > 0;
  const texts = parts ? commands.map((command) => command.text || command.line) : [row.command || row.text];
  for (const text of texts) {
    const shown = excerptOf(text);
    if (shown !== '' && hit.excerpts.length < MOST_EXCERPTS && !hit.excerpts.includes(shown)) hit.excerpts.push(shown);
  }
}

// Unicode tag characters say ASCII that no screen shows.
const TAGS = /[\u{e0020}-\u{e007e}]+/gu;

function excerptOf(text: string): string {
  const head = text.slice(0, EXCERPT * 4);
  const said = [...head.matchAll(TAGS)].map(([tags]) =>
    [...tags].map((c) => String.fromCodePoint((c.codePointAt(0) ?? 0) - 0xe0000)).join(''),
  );
  const shown = escapeUnsafe(head.replace(TAGS, '')).replace(/\s+/g, ' ').trim();
  const cut = shown.length > EXCERPT ? `${shown.slice(0, EXCERPT)}\u2026` : shown;
  return said.length === 0 ? cut : `${cut} hidden text: ${escapeUnsafe(said.join(' ')).slice(0, EXCERPT)}`;
}
