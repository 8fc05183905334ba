import type { Column, Row } from '../rows/row.js';
import type { RowType } from '../rows/row-types.js';
import type { Joined } from './joined.js';

/** What the rows of one call say about it: the decision on it and how it ended. */
interface Call {
  decision: Row['decision'];
  decided_by: string;
  /** The store says that it did not run. */
  notRun: boolean;
  status: Row['status'];
  exit_code: number | null;
}

interface SessionFacts {
  /** The store of this session writes approvals. */
  approvals: boolean;
  gap: boolean;
  firstPrompt: string;
  readonly files: Set<string>;
}

/** Decisions that settle a call, later ones over earlier ones of lesser weight: a question is only a question until it is answered. */
const WEIGHT: Readonly<Record<Row['decision'], number>> = {
  '': 0,
  requested: 1,
  unknown: 2,
  granted: 3,
  revoked: 3,
  approved: 4,
  abandoned: 5,
  cancelled: 6,
  denied: 7,
};

/** What a row says to others. It is read off its line without the text, which is most of it. */
export const SURVEYED_COLUMNS = [
  'timestamp_utc',
  'host',
  'user',
  'agent',
  'session_id',
  'tool_use_id',
  'source_file',
  'row_type',
  'timestamp_source',
  'status',
  'exit_code',
  'decision',
  'decided_by',
  'duplicate_of',
  'row_id',
  'details',
] as const satisfies readonly Column[];

export type SurveyedRow = Pick<Row, (typeof SURVEYED_COLUMNS)[number]>;

/** Types of the rows that other rows need to know of. What a copy can be is seen by prompts and answers. */
export const SURVEYED: ReadonlySet<RowType> = new Set(['prompt', 'assistant', 'tool_result', 'permission', 'gap', 'session']);

/**
 * First reading of a timeline: what rows know of each other. A decision and a result stand behind the call they belong to, so
 * rules need them before they see it. Holds an entry for each call and each session, none for other rows.
 */
export class Survey {
  private readonly calls = new Map<string, Call>();
  private readonly sessions = new Map<string, SessionFacts>();
  private readonly earliest = new Map<string, string>();

  add(row: SurveyedRow): void {
    if (!SURVEYED.has(row.row_type)) return;
    this.noteTime(row);
    if (row.session_id !== '') this.noteSession(row);
    if (row.tool_use_id === '') return;
    if (row.row_type === 'permission') this.noteDecision(row);
    if (row.row_type === 'tool_result') this.noteResult(row);
  }

  /** What other rows say about the call of this row. */
  joined(row: Row): Joined {
    const call = row.tool_use_id === '' ? undefined : this.calls.get(keyOf(row));
    const session = this.sessions.get(row.session_id);
    return {
      decision: call?.decision ?? '',
      decided_by: call?.decided_by ?? '',
      status: call?.status ?? '',
      exit_code: call?.exit_code ?? null,
      not_run: call?.notRun ?? false,
      approvals_recorded: session !== undefined && session.approvals && !session.gap,
    };
  }

  /** Earliest recorded time of these rows of the same agent and user, or ''. */
  earliestOf(row: Row): string {
    return this.earliest.get(ownerOf(row)) ?? '';
  }

  isFirstPrompt(row: Row): boolean {
    return this.sessions.get(row.session_id)?.firstPrompt === row.row_id;
  }

  /** Whether rows of this session lie in more than one file. */
  hasCopies(sessionId: string): boolean {
    return (this.sessions.get(sessionId)?.files.size ?? 0) > 1;
  }

  private noteTime(row: SurveyedRow): void {
    if (row.timestamp_utc === '' || row.timestamp_source === 'file_mtime') return;
    const owner = ownerOf(row);
    const known = this.earliest.get(owner);
    if (known === undefined || row.timestamp_utc < known) this.earliest.set(owner, row.timestamp_utc);
  }

  private noteSession(row: SurveyedRow): void {
    let facts = this.sessions.get(row.session_id);
    if (facts === undefined) {
      facts = { approvals: false, gap: false, firstPrompt: '', files: new Set() };
      this.sessions.set(row.session_id, facts);
    }
    facts.files.add(row.source_file);
    if (row.row_type === 'gap') facts.gap = true;
    if (row.row_type === 'permission' && row.decision === 'approved') facts.approvals = true;
    if (row.row_type === 'prompt' && facts.firstPrompt === '' && row.duplicate_of === '') facts.firstPrompt = row.row_id;
  }

  private noteDecision(row: SurveyedRow): void {
    const call = this.call(row);
    if (WEIGHT[row.decision] < WEIGHT[call.decision]) return;
    call.decision = row.decision;
    call.decided_by = row.decided_by;
    if (row.details.execution === 'no') call.notRun = true;
  }

  private noteResult(row: SurveyedRow): void {
    const call = this.call(row);
    if (row.status !== '' && row.status !== 'running') call.status = row.status;
    if (row.exit_code !== null) call.exit_code = row.exit_code;
  }

  private call(row: SurveyedRow): Call {
    const key = keyOf(row);
    let call = this.calls.get(key);
    if (call === undefined) {
      call = { decision: '', decided_by: '', notRun: false, status: '', exit_code: null };
      this.calls.set(key, call);
    }
    return call;
  }
}

/** Ids of calls are unique within a session at best: some stores count them from one. */
const keyOf = (row: SurveyedRow) => `${row.session_id}\u0000${row.tool_use_id}`;
const ownerOf = (row: SurveyedRow) => `${row.host}\u0000${row.user}\u0000${row.agent}`;
