import type { z } from 'zod';
import type { RulesDocument } from './documents.js';
import type { RulesProblem } from './errors.js';
import { FileSchema, type Rule, type RulesFile } from './schema.js';

/** A rule with the place it came from. */
export interface PlacedRule {
  readonly rule: Rule;
  readonly document: RulesDocument;
  /** Where it stands in the document. */
  readonly path: readonly PropertyKey[];
}

export interface CheckedFile {
  readonly rules: readonly PlacedRule[];
  readonly lists: RulesFile['lists'];
}

const MOST_PROBLEMS = 50;

/** Holds one document to the schema. Faults are added to `problems`, each with its line and rule. */
export function checkedDocument(document: RulesDocument, problems: RulesProblem[]): CheckedFile {
  const alone = isRecord(document.value) && 'id' in document.value;
  const value = alone ? { rules: [document.value] } : document.value;
  const own = (path: readonly PropertyKey[]) => (alone ? path.slice(2) : path);
  const result = FileSchema.safeParse(value);
  if (!result.success) {
    for (const issue of result.error.issues.map((issue) => deepest(issue, [])).slice(0, MOST_PROBLEMS)) {
      const at = own([...issue.path, ...issue.keys.slice(0, 1)]);
      const message = issue.keys.length > 0 ? `unknown key ${issue.keys.join(', ')}` : issue.message;
      problems.push({
        file: document.file,
        line: document.lineOf(at),
        rule: idAt(value, issue.path),
        message: `${inRule(issue.path)}${message}`,
      });
    }
    return { rules: [], lists: {} };
  }
  const { rules, lists } = result.data;
  return { rules: rules.map((rule, i) => ({ rule, document, path: own(['rules', i]) })), lists };
}

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Keys nobody reads. */
  readonly keys: readonly string[];
}

/** Of the ways a value failed, the one that came furthest: what its author most likely meant. */
function deepest(issue: z.core.$ZodIssue, before: readonly PropertyKey[]): Fault {
  const path = [...before, ...issue.path];
  if (issue.code === 'unrecognized_keys') return { path, message: '', keys: issue.keys };
  if (issue.code !== 'invalid_union') return { path, message: issue.message, keys: [] };
  const faults = issue.errors.flatMap((branch) => branch.slice(0, 1).map((inner) => deepest(inner, path)));
  const far = faults.reduce<Fault | undefined>(
    (best, fault) => (best === undefined || reach(fault) > reach(best) ? fault : best),
    undefined,
  );
  return far === undefined || reach(far) === path.length ? { path, message: 'not what stands here', keys: [] } : far;
}

const reach = ({ path, keys }: Fault) => path.length + keys.length;

/** `match.command.name: ` */
function inRule(path: readonly PropertyKey[]): string {
  const own = path[0] === 'rules' ? path.slice(2) : path;
  return own.length === 0 ? '' : `${own.map(String).join('.')}: `;
}

function idAt(value: unknown, path: readonly PropertyKey[]): string {
  if (path[0] !== 'rules' || typeof path[1] !== 'number' || !isRecord(value) || !Array.isArray(value.rules)) return '';
  const rule: unknown = value.rules[path[1]];
  return isRecord(rule) && typeof rule.id === 'string' ? rule.id : '';
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
