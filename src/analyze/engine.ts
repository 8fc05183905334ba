import { CHECKS, type Check } from './checks/index.js';
import { GroupTracker } from './groups.js';
import { addRow, type Hit, newHit, type Scope, scopeOf } from './hits.js';
import type { CompiledRule, RuleSet } from './rules/index.js';
import { SequenceTracker } from './sequences.js';
import type { Suppressions } from './suppress.js';
import type { Survey } from './survey.js';
import type { RowView } from './view.js';

type Sequence = Extract<CompiledRule, { kind: 'sequence' }>;
type MatchRule = Extract<CompiledRule, { kind: 'match' }>;

/** A row that says what another row says already, and met a rule. */
interface Copy {
  readonly rule: MatchRule;
  readonly view: RowView;
}

/**
 * Second reading of a timeline: shows each row to the rules, in order, and gathers what they match. Holds the ids of matched
 * rows and a little for each session, never rows (but those of sequences that have begun).
 */
export class Engine {
  private readonly hits = new Map<string, Hit>();
  private readonly sequences = new Map<string, SequenceTracker[]>();
  private readonly rowsOf = new Map<string, number>();
  private readonly groups: readonly GroupTracker[];
  private readonly checks: readonly { readonly rule: CompiledRule; readonly check: Check }[];
  private readonly sequenceRules: readonly Sequence[];
  private readonly copies: Copy[] = [];

  constructor(
    private readonly rules: RuleSet,
    survey: Survey,
    private readonly suppressions: Suppressions,
  ) {
    this.sequenceRules = rules.rules.filter((rule): rule is Sequence => rule.kind === 'sequence');
    this.groups = rules.rules.flatMap((rule) => (rule.kind === 'group' ? [new GroupTracker(rule)] : []));
    this.checks = rules.rules.flatMap((rule) => (rule.kind === 'check' ? [{ rule, check: CHECKS[rule.check](survey) }] : []));
  }

  add(view: RowView): void {
    const { row } = view;
    const copy = row.duplicate_of !== '';
    for (const rule of this.rules.candidates(view)) {
      if (rule.kind !== 'match' || !rule.condition.matches(view)) continue;
      if (copy) this.copies.push({ rule, view });
      else this.take(rule, scopeOf(row), view);
    }
    if (copy) {
      // Copies are what some groups are about: one secret in many files, one session in two homes.
      for (const group of this.groups) if (group.countsCopies) group.take(view);
      for (const { rule, check } of this.checks) if (rule.id.startsWith('copy.')) this.takeAll(rule, check.take(view));
      return;
    }
    for (const group of this.groups) group.take(view);
    for (const { rule, check } of this.checks) this.takeAll(rule, check.take(view));
    if (row.session_id !== '') this.follow(view);
  }

  /** All findings, each with its rows; in no order. */
  finish(): Hit[] {
    this.placeCopies();
    const groups = this.groups.flatMap((group) => group.finish());
    for (const hit of groups) this.suppressions.judge(hit);
    return [...this.hits.values(), ...groups];
  }

  private follow(view: RowView): void {
    const { row } = view;
    const at = this.rowsOf.get(row.session_id) ?? 0;
    this.rowsOf.set(row.session_id, at + 1);
    let trackers = this.sequences.get(row.session_id);
    if (trackers === undefined) {
      trackers = this.sequenceRules.map((rule) => new SequenceTracker(rule));
      this.sequences.set(row.session_id, trackers);
    }
    for (const tracker of trackers) {
      const views = tracker.take(view, at);
      if (views !== undefined) this.takeAll(tracker.rule, views);
    }
  }

  private takeAll(rule: CompiledRule, views: readonly RowView[]): void {
    const [first] = views;
    if (first === undefined) return;
    const scope = scopeOf(first.row);
    for (const view of views) this.take(rule, scope, view);
  }

  private take(rule: CompiledRule, scope: Scope, view: RowView): void {
    const key = `${rule.id}\u0000${scope.kind}\u0000${scope.key}`;
    let hit = this.hits.get(key);
    if (hit === undefined) {
      hit = newHit(rule, scope, view.row);
      this.hits.set(key, hit);
    }
    if (hit.rows.has(view.row.row_id)) return;
    addRow(hit, view, rule.kind === 'match' ? rule.condition.matchedCommands(view) : []);
    this.suppressions.note(hit, view);
  }

  /** A copy belongs to the finding that its primary row is in; where that row met no rule, it counts for itself. */
  private placeCopies(): void {
    if (this.copies.length === 0) return;
    const owners = new Map<string, Hit>();
    for (const hit of this.hits.values()) for (const id of hit.rows) owners.set(`${hit.rule.id}\u0000${id}`, hit);
    for (const { rule, view } of this.copies) {
      const owner = owners.get(`${rule.id}\u0000${view.row.duplicate_of}`);
      if (owner === undefined) this.take(rule, scopeOf(view.row), view);
      else owner.also.push(view.row.row_id);
    }
  }
}
