import type { RulesDocument } from './documents.js';
import type { RulesProblem } from './errors.js';
import { faultsOf, messageOf } from './faults.js';
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
    for (const fault of faultsOf(result.error).slice(0, MOST_PROBLEMS)) {
      problems.push({
        file: document.file,
        line: document.lineOf(own([...fault.path, ...fault.keys.slice(0, 1)])),
        rule: idAt(value, fault.path),
        message: `${inRule(fault.path)}${messageOf(fault)}`,
      });
    }
    return { rules: [], lists: {} };
  }
  const { rules, lists } = result.data;
  return { rules: rules.map((rule, i) => ({ rule, document, path: own(['rules', i]) })), lists };
}

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
