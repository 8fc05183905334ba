import type { RowType } from '../../rows/row-types.js';
import { compiledCondition } from './condition.js';
import type { Lists } from './lists.js';
import type { Rule } from './schema.js';
import type { CompiledCondition, CompiledRule, RuleHead } from './types.js';

/** Makes a checked rule ready. Throws with the reason where its lists or regular expressions are refused. */
export function compiledRule(rule: Rule, lists: Lists): CompiledRule {
  const { match, sequence, group, check, rows } = rule;
  const head = headOf(rule);
  const compiled = (condition: Parameters<typeof compiledCondition>[0]) => compiledCondition(condition, lists, rows);
  if (match !== undefined) {
    const condition = compiled(match);
    return { ...head, kind: 'match', rowTypes: condition.rowTypes, condition };
  }
  if (sequence !== undefined) {
    const steps = sequence.steps.map(compiled);
    const until = sequence.until === undefined ? undefined : compiledCondition(sequence.until, lists);
    const { by, within_rows: withinRows, same } = sequence;
    return { ...head, kind: 'sequence', rowTypes: typesOf(steps), by, withinRows, steps, same, until };
  }
  if (group !== undefined) {
    const when = compiled(group.when);
    return { ...head, kind: 'group', rowTypes: when.rowTypes, by: group.by, when, distinct: group.distinct, atLeast: group.at_least };
  }
  if (check !== undefined) return { ...head, kind: 'check', rowTypes: undefined, check };
  throw new Error('exactly one of match, sequence, group, check');
}

function headOf({ id, version, title, level, means, otherwise, attack, atlas, author, source }: Rule): RuleHead {
  return { id, version, title, level, means, otherwise, attack, atlas, author, source };
}

/** Row types of one of several steps. */
function typesOf(steps: readonly CompiledCondition[]): ReadonlySet<RowType> | undefined {
  const types = steps.map((step) => step.rowTypes);
  return types.every((type) => type !== undefined) ? new Set(types.flatMap((type) => [...type])) : undefined;
}
