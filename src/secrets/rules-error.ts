/** A rule file that cannot be used. The message names rule and line as far as they are known. */
export class RulesError extends Error {
  override readonly name = 'RulesError';
}
