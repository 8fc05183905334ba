import type { SimpleCommand } from '../../commands/types.js';
import type { Column, Row } from '../../rows/row.js';
import type { RowType } from '../../rows/row-types.js';
import type { RowView } from '../view.js';
import type { Lists } from './lists.js';
import type { CheckName, Level, SameKey } from './schema.js';

/** What a row must have for a condition to hold: it holds for no row without one of these marks. Undefined: for any row. */
export type Needs = ReadonlySet<string> | undefined;

/** A condition made ready: asks no YAML any more. */
export interface CompiledCondition {
  /** Types of the rows it can hold for; undefined: all. */
  readonly rowTypes: ReadonlySet<RowType> | undefined;
  readonly needs: Needs;
  matches(view: RowView): boolean;
  /** The simple commands that met the condition, for showing; empty where it speaks of no command. */
  matchedCommands(view: RowView): readonly SimpleCommand[];
}

export interface RuleHead {
  readonly id: string;
  readonly version: number;
  /** What the rows show. */
  readonly title: string;
  readonly level: Level;
  /** What it means, with its limits. */
  readonly means: string;
  /** What else explains it. */
  readonly otherwise: readonly string[];
  readonly attack: readonly string[];
  readonly atlas: readonly string[];
  readonly author: string;
  readonly source: string;
}

export interface MatchRule extends RuleHead {
  readonly kind: 'match';
  readonly rowTypes: ReadonlySet<RowType> | undefined;
  readonly condition: CompiledCondition;
}

export interface SequenceRule extends RuleHead {
  readonly kind: 'sequence';
  readonly rowTypes: ReadonlySet<RowType> | undefined;
  readonly by: Column;
  readonly withinRows: number;
  readonly steps: readonly CompiledCondition[];
  readonly same: readonly SameKey[];
  readonly until: CompiledCondition | undefined;
}

export interface GroupRule extends RuleHead {
  readonly kind: 'group';
  readonly rowTypes: ReadonlySet<RowType> | undefined;
  readonly by: Column | 'secret';
  readonly when: CompiledCondition;
  readonly distinct: keyof Row | undefined;
  readonly atLeast: number;
}

export interface CheckRule extends RuleHead {
  readonly kind: 'check';
  readonly rowTypes: undefined;
  readonly check: CheckName;
}

export type CompiledRule = MatchRule | SequenceRule | GroupRule | CheckRule;

/** Rules ready to be shown rows. */
export interface RuleSet {
  readonly rules: readonly CompiledRule[];
  readonly lists: Lists;
  /** Rules of the kind `match` that may hold for a row: a cheap first choice, never one too few. */
  candidates(view: RowView): readonly MatchRule[];
}
