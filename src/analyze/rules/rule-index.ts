import { RowSchema } from '../../rows/row.js';
import type { RowType } from '../../rows/row-types.js';
import type { RowView } from '../view.js';
import { eachMark } from './needs.js';
import type { CompiledRule, MatchRule } from './types.js';

/** Rules for one type of row: those that any row may meet, and those that need a mark. */
interface Shelf {
  readonly always: readonly MatchRule[];
  readonly byMark: ReadonlyMap<string, readonly MatchRule[]>;
}

/** Finds for a row the rules of the kind `match` that may hold for it, without trying each. */
export function ruleIndex(rules: readonly CompiledRule[]): (view: RowView) => readonly MatchRule[] {
  const shelves = new Map(TYPES.map((type) => [type, shelf(rules, type)]));
  return (view) => {
    const own = shelves.get(view.row.row_type);
    if (own === undefined) return [];
    if (own.byMark.size === 0 || (view.row.command === '' && view.row.file_paths.length === 0)) return own.always;
    const found = new Set<MatchRule>();
    eachMark(view, (mark) => {
      for (const rule of own.byMark.get(mark) ?? []) found.add(rule);
    });
    return found.size === 0 ? own.always : [...own.always, ...found];
  };
}

const TYPES: readonly RowType[] = RowSchema.shape.row_type.options;

function shelf(rules: readonly CompiledRule[], type: RowType): Shelf {
  const always: MatchRule[] = [];
  const byMark = new Map<string, MatchRule[]>();
  for (const rule of rules) {
    if (rule.kind !== 'match' || rule.rowTypes?.has(type) === false) continue;
    if (rule.condition.needs === undefined) always.push(rule);
    else for (const mark of rule.condition.needs) byMark.set(mark, [...(byMark.get(mark) ?? []), rule]);
  }
  return { always, byMark };
}
