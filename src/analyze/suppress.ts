import { createHash } from 'node:crypto';
import type { Hit, Scope } from './hits.js';
import type { CompiledCondition } from './rules/index.js';
import type { RowView } from './view.js';

/** One entry of a suppression file: known-good work that need not be read again. */
export interface Suppression {
  /** Exact id, or `family.*`. */
  readonly rule: string;
  readonly where: CompiledCondition | undefined;
  readonly finding_id: string | undefined;
  readonly session_id: string | undefined;
  readonly project_path: string | undefined;
  readonly user: string | undefined;
  /** `source_file`. */
  readonly source: string | undefined;
  readonly reason: string;
  readonly by: string;
}

interface Entry extends Suppression {
  /** How the entry is named in findings: its rule and reason. */
  readonly name: string;
  used: boolean;
}

/** Judges the rows of findings against a suppression file. A finding is suppressed when every one of its rows is. */
export class Suppressions {
  private readonly entries: readonly Entry[];

  constructor(entries: readonly Suppression[]) {
    this.entries = entries.map((entry) => ({ ...entry, name: `${entry.rule}: ${entry.reason}`, used: false }));
  }

  /** Notes whether an entry speaks of a row that was just taken into a hit. */
  note(hit: Hit, view: RowView): void {
    const { row } = view;
    const entry = this.entries.find(
      (entry) =>
        this.speaksOf(entry, hit) &&
        (entry.session_id ?? row.session_id) === row.session_id &&
        (entry.project_path ?? row.project_path) === row.project_path &&
        (entry.user ?? row.user) === row.user &&
        (entry.source ?? row.source_file) === row.source_file &&
        (entry.where === undefined || entry.where.matches(view)),
    );
    if (entry !== undefined) this.mark(hit, entry, row.row_id);
  }

  /** Judges a whole group, whose rows are no longer at hand: only entries without a condition on rows can speak of it. */
  judge(hit: Hit): void {
    const entry = this.entries.find(
      (entry) =>
        this.speaksOf(entry, hit) &&
        entry.where === undefined &&
        entry.project_path === undefined &&
        entry.user === undefined &&
        entry.source === undefined &&
        (entry.session_id ?? hit.session_id) === hit.session_id,
    );
    if (entry !== undefined) for (const row of hit.rows) this.mark(hit, entry, row);
  }

  /** Entries that spoke of nothing: a typing error, or work that is over. */
  unused(): string[] {
    return this.entries.filter((entry) => !entry.used).map((entry) => entry.name);
  }

  private speaksOf(entry: Entry, hit: Hit): boolean {
    const { id } = hit.rule;
    const named = entry.rule.endsWith('.*') ? id.startsWith(entry.rule.slice(0, -1)) : id === entry.rule;
    return named && (entry.finding_id === undefined || entry.finding_id === findingId(hit.rule.id, hit.scope, hit.host, hit.user));
  }

  private mark(hit: Hit, entry: Entry, row: string): void {
    entry.used = true;
    const rows = hit.suppressed.get(entry.name);
    if (rows === undefined) hit.suppressed.set(entry.name, [row]);
    else rows.push(row);
  }
}

/**
 * Name of a finding: the same for the same rule and scope in every run, whatever more evidence says. Host and user enter only
 * where the scope is not unique by itself.
 */
export function findingId(rule: string, scope: Scope, host: string, user: string): string {
  const owner = scope.kind === 'file' || scope.kind === 'value' ? `\u0000${host}\u0000${user}` : '';
  return createHash('sha256').update(`${rule}\u0000${scope.kind}\u0000${scope.key}${owner}`).digest('hex').slice(0, 16);
}
