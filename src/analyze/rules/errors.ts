/** One fault in a file of rules. */
export interface RulesProblem {
  readonly file: string;
  /** Line in the file, or 0 where it is not known. */
  readonly line: number;
  /** Id of the rule, or '' where the fault lies outside of rules. */
  readonly rule: string;
  readonly message: string;
}

/** Rules that cannot be used. Says for each fault where it stands; nothing is loaded in part. */
export class RulesFileError extends Error {
  constructor(readonly problems: readonly RulesProblem[]) {
    super(problems.map(shown).join('\n'));
    this.name = 'RulesFileError';
  }
}

function shown({ file, line, rule, message }: RulesProblem): string {
  return `${file}${line > 0 ? `:${line}` : ''}: ${rule === '' ? '' : `rule ${rule}: `}${message}`;
}
