import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import type { Row } from '../../rows/row.js';
import { names, pairs, problems, type StoreColumns } from '../json-store.js';
import { settingRow } from '../q-standing-grant.js';

// `{rules: [{capability, match?, exclude?, effect}], policies: [name]}` of permission files and of v3 agents. Of all scopes the
// most restrictive effect wins, so that one rule alone does not prove what happened. Names and effects: L4, a list made
// by others; kirodotdev/Kiro#11037 (a rule with an unknown capability is skipped with a warning).

const CAPABILITIES = new Set(
  (
    'fs_read fs_write shell web_fetch web_search mcp subagent skill power context diagnostics sandbox_network ' + 'all builtin filesystem'
  ).split(' '),
);
const EFFECTS: Readonly<Record<string, Row['decision']>> = { allow: 'granted', deny: 'denied', ask: 'requested' };
const RULE_KEYS = new Set(['capability', 'match', 'exclude', 'effect']);
const KEYS = new Set(['rules', 'policies']);

export interface RuleContext {
  readonly file: string;
  readonly columns: StoreColumns;
  /** Whose rules they are: `user`, `workspace`, `agent`, ... */
  readonly scope: string;
  /** Why the program does not use them, or empty. */
  readonly verdict: string;
}

/** One row per rule, per preset, and per field that is not known. */
export function* ruleRows(stored: JsonObject, pointer: string, context: RuleContext): Generator<Draft> {
  const { rules, policies } = stored;
  for (const [i, rule] of listOf(rules).entries()) yield ruleRow(rule, Array.isArray(rules), step(`${pointer}/rules`, i), context);
  for (const [i, policy] of listOf(policies).entries()) {
    const sound = Array.isArray(policies) && typeof policy === 'string';
    yield {
      ...settingRow(`policy=${compact(policy)}${pairs({ scope: context.scope })}`, step(`${pointer}/policies`, i), context),
      decision: 'unknown',
      problem: problems(sound ? 'what the preset allows is not recorded here' : 'not a text in a list: no effect', context.verdict),
      details: { value: policy, scope: context.scope },
    };
  }
  for (const [key, value] of Object.entries(stored)) {
    if (KEYS.has(key)) continue;
    yield {
      ...settingRow(`${key}=${compact(value)}${pairs({ scope: context.scope })}`, step(pointer, key), context),
      decision: 'unknown',
      problem: problems('a field that is not documented', context.verdict),
      details: { key, value, scope: context.scope },
    };
  }
}

/** A single value that stands where a list should be is shown as one. */
function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function ruleRow(rule: unknown, inList: boolean, pointer: string, context: RuleContext): Draft {
  const { capability, match, exclude, effect } = isObject(rule) ? rule : {};
  const shown = isObject(rule) ? pairs({ capability, match, exclude, effect, scope: context.scope }) : ` ${compact(rule)}`;
  const known = typeof capability === 'string' && CAPABILITIES.has(capability);
  const decision = typeof effect === 'string' && Object.hasOwn(EFFECTS, effect) ? EFFECTS[effect] : undefined;
  const others = isObject(rule) ? Object.keys(rule).filter((key) => !RULE_KEYS.has(key)) : [];
  return {
    ...settingRow(`rule${shown}`, pointer, context),
    decision: (known && inList && decision) || 'unknown',
    problem: problems(
      !(inList && isObject(rule)) && 'not an object in a list: no effect',
      isObject(rule) && !known && `inert: Kiro knows no capability ${names([compact(capability)])} and skips the rule`,
      known && decision === undefined && 'no effect that Kiro knows (allow, ask, deny)',
      others.length > 0 && `fields that are not documented: ${names(others)}`,
      context.verdict,
    ),
    details: { rule, scope: context.scope },
  };
}
