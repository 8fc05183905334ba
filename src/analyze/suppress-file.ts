import { parseDocument } from 'yaml';
import { z } from 'zod';
import { type CompiledCondition, compileCondition, type Lists } from './rules/index.js';
import type { Suppression } from './suppress.js';

const EntrySchema = z.strictObject({
  rule: z.string().regex(/^[a-z]+\.(?:[a-z][a-z0-9-]*|\*)$/, 'the id of a rule, or family.*'),
  where: z.unknown().optional(),
  finding_id: z.string().optional(),
  session_id: z.string().optional(),
  project_path: z.string().optional(),
  user: z.string().optional(),
  source: z.string().optional(),
  reason: z.string().min(1, 'a reason is required'),
  by: z.string().default(''),
  until: z.union([z.string(), z.date()]).optional(),
});

// What these rules show is about the evidence itself: to wave it through, an entry has to say which piece it means.
const NARROW = /^(?:evade\.agent-trace|gap\.|copy\.)/;

export interface ReadSuppressions {
  readonly entries: readonly Suppression[];
  /** Entries that are over. */
  readonly expired: readonly string[];
}

/** Reads a suppression file: a YAML list. Throws an error that names the entry and what is wrong with it. `today`: YYYY-MM-DD. */
export function readSuppressions(text: string, lists: Lists, today: string): ReadSuppressions {
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault !== undefined) throw new Error(`line ${fault.linePos?.[0].line ?? '?'}: ${fault.message.split('\n')[0] ?? 'not YAML'}`);
  const list: unknown = document.toJS({ maxAliasCount: 100 });
  if (!Array.isArray(list)) throw new Error('not a list of entries');
  const entries: Suppression[] = [];
  const expired: string[] = [];
  list.forEach((item: unknown, i) => {
    const parsed = EntrySchema.safeParse(item);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new Error(`entry ${i + 1}: ${issue?.path.map(String).join('.') || 'entry'}: ${issue?.message ?? 'not valid'}`);
    }
    const { rule, where, finding_id, session_id, project_path, user, source, reason, by, until } = parsed.data;
    if (NARROW.test(rule) && finding_id === undefined && session_id === undefined && source === undefined)
      throw new Error(`entry ${i + 1}: ${rule} needs a session_id, a finding_id or a source`);
    const end = until instanceof Date ? until.toISOString().slice(0, 10) : until;
    if (end !== undefined && end < today) {
      expired.push(`${rule}: ${reason} (until ${end})`);
      return;
    }
    const condition = where === undefined ? undefined : conditionOf(where, lists, i + 1);
    entries.push({ rule, where: condition, finding_id, session_id, project_path, user, source, reason, by });
  });
  return { entries, expired };
}

function conditionOf(where: unknown, lists: Lists, entry: number): CompiledCondition {
  try {
    return compileCondition(where, lists);
  } catch (error) {
    throw new Error(`entry ${entry}: where: ${error instanceof Error ? error.message : String(error)}`);
  }
}
