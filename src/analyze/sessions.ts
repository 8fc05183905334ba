import type { Row } from '../rows/row.js';
import type { Finding } from './finding.js';
import { SESSION_SCHEMA, type Session } from './session.js';
import type { RowView } from './view.js';

const MOST_FILES = 1000;

interface Gathered {
  readonly session: Session;
  readonly agents: Set<string>;
  readonly projects: Set<string>;
  readonly models: Set<string>;
  readonly files: Set<string>;
  readonly written: Set<string>;
  readonly read: Set<string>;
  readonly secrets: Set<string>;
  readonly parents: Set<string>;
}

/** Gathers one record for each session of each user while the rows go by. Memory: the sessions, and the paths they touch. */
export class Sessions {
  private readonly gathered = new Map<string, Gathered>();
  /** Rows that belong to no session: settings, logs, histories. */
  outside = 0;

  constructor(private readonly toolVersion: string) {}

  add(view: RowView): void {
    const { row } = view;
    if (row.session_id === '') {
      this.outside += 1;
      return;
    }
    const gathered = this.of(row);
    const { session } = gathered;
    gathered.agents.add(row.agent);
    gathered.files.add(row.source_file);
    if (row.project_path !== '') gathered.projects.add(row.project_path);
    if (row.parent_session_id !== '') gathered.parents.add(row.parent_session_id);
    noteTime(session, row);
    if (row.duplicate_of !== '') {
      session.duplicates += 1;
      return;
    }
    session.rows += 1;
    raise(session.by_type, row.row_type);
    if (row.model !== '') gathered.models.add(row.model);
    if (row.recovered !== '') session.recovered += 1;
    if (row.timestamp_utc === '') session.undated += 1;
    session.secrets.occurrences += row.secret_count ?? 0;
    for (const secret of row.secrets) gathered.secrets.add(secret.fingerprint);
    this.noteKind(gathered, view);
  }

  /** Sessions in order: first time (undated last), host, user, id. */
  finish(findings: readonly Finding[]): Session[] {
    const children = new Map<string, Set<string>>();
    for (const { session, parents } of this.gathered.values()) {
      for (const parent of parents) children.set(parent, (children.get(parent) ?? new Set()).add(session.session_id));
    }
    const byId = new Map<string, Session[]>();
    const sessions = [...this.gathered.values()].map((gathered) => {
      const { session } = gathered;
      const complete: Session = {
        ...session,
        agents: sorted(gathered.agents),
        project_paths: sorted(gathered.projects),
        models: sorted(gathered.models),
        files_touched: sorted(gathered.written).slice(0, MOST_FILES),
        files_touched_count: gathered.written.size,
        files_read_count: gathered.read.size,
        secrets: { ...session.secrets, distinct: gathered.secrets.size },
        parent_session_ids: sorted(gathered.parents),
        child_session_ids: sorted(children.get(session.session_id) ?? new Set()),
        source_files: sorted(gathered.files),
      };
      byId.set(session.session_id, [...(byId.get(session.session_id) ?? []), complete]);
      return complete;
    });
    for (const finding of findings) for (const session of byId.get(finding.session_id) ?? []) countFinding(session, finding);
    return sessions.sort(before);
  }

  /** Parent of each session that has one. */
  parents(): Map<string, string> {
    const parents = new Map<string, string>();
    for (const { session, parents: of } of this.gathered.values()) {
      const [first] = sorted(of);
      if (first !== undefined) parents.set(session.session_id, first);
    }
    return parents;
  }

  private noteKind(gathered: Gathered, view: RowView): void {
    const { session } = gathered;
    const { row } = view;
    if (row.row_type === 'prompt') session.prompts[row.origin === '' ? 'unknown' : row.origin] += 1;
    else if (row.row_type === 'gap') session.gaps += 1;
    else if (row.row_type === 'error') session.errors += 1;
    else if (row.row_type === 'permission') noteDecision(session, row);
    else if (row.row_type === 'usage') noteCredits(session, row);
    else if (row.row_type === 'tool_use') this.noteCall(gathered, view);
  }

  private noteCall({ session, written, read }: Gathered, view: RowView): void {
    const { row, joined } = view;
    raise(session.tools, row.tool_name === '' ? '(unnamed)' : row.tool_name);
    if (joined.decision === '') session.decisions.not_recorded += 1;
    const end = endOf(view);
    if (end !== 'not_run') {
      for (const path of view.touches.write) written.add(path);
      for (const path of view.touches.delete) written.add(path);
      for (const path of view.touches.read) read.add(path);
    }
    if (row.command === '') return;
    session.commands.total += 1;
    session.commands[end] += 1;
    if (view.commandProblem !== '') session.commands.partly_understood += 1;
  }

  private of(row: Row): Gathered {
    const key = `${row.host}\u0000${row.user}\u0000${row.session_id}`;
    let gathered = this.gathered.get(key);
    if (gathered === undefined) {
      gathered = {
        session: emptySession(row, this.toolVersion),
        agents: new Set(),
        projects: new Set(),
        models: new Set(),
        files: new Set(),
        written: new Set(),
        read: new Set(),
        secrets: new Set(),
        parents: new Set(),
      };
      this.gathered.set(key, gathered);
    }
    return gathered;
  }
}

function endOf({ joined }: RowView): 'completed' | 'failed' | 'not_run' | 'unknown' {
  if (joined.not_run || joined.decision === 'denied' || joined.status === 'blocked') return 'not_run';
  if (joined.status === 'failed' || (joined.exit_code ?? 0) !== 0) return 'failed';
  return joined.status === 'completed' ? 'completed' : 'unknown';
}

function noteTime(session: Session, row: Row): void {
  const time = row.timestamp_utc;
  if (time === '' || row.timestamp_source === 'file_mtime') return;
  if (session.first_utc === '' || time < session.first_utc) session.first_utc = time;
  if (time > session.last_utc) session.last_utc = time;
}

function noteDecision({ decisions }: Session, { decision }: Row): void {
  if (decision === 'approved' || decision === 'denied' || decision === 'cancelled' || decision === 'abandoned') decisions[decision] += 1;
  else if (decision === 'granted' || decision === 'requested') decisions[decision] += 1;
}

/** Credits as the usage rows give them: `credits=0.12` of a turn, or `usage=0.42` with `unit=credit`. */
function noteCredits(session: Session, { text }: Row): void {
  const found =
    /(?:^|\s)credits=(\d+(?:\.\d+)?)/.exec(text) ?? (/\bunit=credit\b/.test(text) ? /\busage=(\d+(?:\.\d+)?)/.exec(text) : null);
  if (found?.[1] !== undefined) session.credits = Math.round(((session.credits ?? 0) + Number(found[1])) * 1e6) / 1e6;
}

function countFinding(session: Session, finding: Finding): void {
  if (finding.level === 'info') session.info[finding.rule] = finding.count;
  else if (finding.suppressed_by.length === 0) session.findings[finding.level] = (session.findings[finding.level] ?? 0) + 1;
}

function before(a: Session, b: Session): number {
  if (a.first_utc !== b.first_utc) return a.first_utc === '' ? 1 : b.first_utc === '' ? -1 : a.first_utc < b.first_utc ? -1 : 1;
  for (const key of ['host', 'user', 'session_id'] as const) if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
  return 0;
}

function raise(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

const sorted = (set: ReadonlySet<string>) => [...set].sort();

function emptySession(row: Row, toolVersion: string): Session {
  return {
    session_id: row.session_id,
    agents: [],
    host: row.host,
    user: row.user,
    project_paths: [],
    first_utc: '',
    last_utc: '',
    rows: 0,
    undated: 0,
    duplicates: 0,
    recovered: 0,
    by_type: {},
    prompts: { typed: 0, automatic: 0, injected: 0, agent: 0, unknown: 0 },
    models: [],
    tools: {},
    decisions: { approved: 0, denied: 0, cancelled: 0, abandoned: 0, granted: 0, requested: 0, not_recorded: 0 },
    commands: { total: 0, completed: 0, failed: 0, not_run: 0, unknown: 0, partly_understood: 0 },
    files_touched: [],
    files_touched_count: 0,
    files_read_count: 0,
    credits: null,
    gaps: 0,
    errors: 0,
    secrets: { occurrences: 0, distinct: 0 },
    parent_session_ids: [],
    child_session_ids: [],
    findings: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
    info: {},
    source_files: [],
    schema: SESSION_SCHEMA,
    tool_version: toolVersion,
  };
}
