import type { Hit, Scope } from './hits.js';
import { addRow, newHit } from './hits.js';
import type { CompiledRule } from './rules/index.js';
import type { RowView } from './view.js';

type Group = Extract<CompiledRule, { kind: 'group' }>;

interface Gathered {
  readonly hit: Hit;
  readonly distinct: Set<string>;
}

/** Gathers the rows of one rule of the group kind; a group counts once it is large enough. */
export class GroupTracker {
  private readonly groups = new Map<string, Gathered>();

  /** Whether rows that say what another says count as well: yes for groups over files, users and the like. */
  readonly countsCopies: boolean;

  constructor(private readonly rule: Group) {
    this.countsCopies = rule.distinct !== undefined;
  }

  take(view: RowView): void {
    if (!this.rule.when.matches(view)) return;
    for (const value of this.valuesOf(view)) {
      let gathered = this.groups.get(value);
      if (gathered === undefined) {
        gathered = { hit: newHit(this.rule, this.scope(value), view.row), distinct: new Set() };
        this.groups.set(value, gathered);
      }
      addRow(gathered.hit, view, this.rule.when.matchedCommands(view));
      gathered.distinct.add(this.rule.distinct === undefined ? view.row.row_id : textOf(view.row[this.rule.distinct]));
    }
  }

  /** Groups that are large enough. */
  finish(): Hit[] {
    return [...this.groups.values()].filter(({ distinct }) => distinct.size >= this.rule.atLeast).map(({ hit }) => hit);
  }

  private valuesOf({ row }: RowView): readonly string[] {
    if (this.rule.by === 'secret') return [...new Set(row.secrets.map((secret) => secret.fingerprint))];
    const value = textOf(row[this.rule.by]);
    return value === '' ? [] : [value];
  }

  private scope(value: string): Scope {
    const { by } = this.rule;
    return { kind: by === 'secret' ? 'secret' : by === 'session_id' ? 'session' : 'value', key: value };
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value));
