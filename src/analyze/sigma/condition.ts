import { refuse } from './refuse.js';

/** A test of one event by one search identifier, or by all of them as the condition says. */
export type Test<E> = (event: E) => boolean;

const MOST_TOKENS = 1000;
const DEEPEST = 50;

/**
 * `a and not (b or c)`, `1 of x*`, `all of x*`, `1 of them`, `all of them`. `not` binds closest, then `and`, then `or`.
 */
export function compileCondition<E>(text: string, tests: ReadonlyMap<string, Test<E>>): Test<E> {
  if (text.includes('|')) refuse('the condition counts events (`|`)');
  const tokens = text.match(/[()]|[^\s()]+/g) ?? [];
  if (tokens.length === 0) refuse('the condition is empty');
  if (tokens.length > MOST_TOKENS) refuse(`the condition has more than ${MOST_TOKENS} words`);
  const reader = new Reader(tokens, tests);
  const test = reader.either(0);
  if (!reader.done) refuse(`the condition has \`${reader.next}\` where it should end`);
  return test;
}

class Reader<E> {
  private at = 0;

  constructor(
    private readonly tokens: readonly string[],
    private readonly tests: ReadonlyMap<string, Test<E>>,
  ) {}

  get next(): string {
    return this.tokens[this.at] ?? '';
  }

  get done(): boolean {
    return this.at >= this.tokens.length;
  }

  either(depth: number): Test<E> {
    const parts = [this.all(depth)];
    while (this.takes('or')) parts.push(this.all(depth));
    return anyOf(parts);
  }

  private all(depth: number): Test<E> {
    const parts = [this.one(depth)];
    while (this.takes('and')) parts.push(this.one(depth));
    return allOf(parts);
  }

  private one(depth: number): Test<E> {
    if (depth > DEEPEST) refuse(`the condition nests more than ${DEEPEST} deep`);
    if (this.takes('not')) {
      const test = this.one(depth + 1);
      return (event) => !test(event);
    }
    if (this.takes('(')) {
      const test = this.either(depth + 1);
      if (!this.takes(')')) refuse('the condition has an open bracket');
      return test;
    }
    const word = this.next;
    if (word === '') refuse('the condition ends too early');
    this.at += 1;
    if (this.next.toLowerCase() !== 'of') return this.named(word);
    this.at += 1;
    return this.several(word.toLowerCase());
  }

  private named(word: string): Test<E> {
    return this.tests.get(word) ?? refuse(`the condition names \`${word}\`, which the rule does not have`);
  }

  private several(quantity: string): Test<E> {
    if (quantity !== '1' && quantity !== 'all') refuse(`the condition asks for \`${quantity} of\`: only \`1 of\` and \`all of\` are known`);
    const pattern = this.next;
    this.at += 1;
    const parts = [...this.tests].filter(([name]) => fits(name, pattern)).map(([, test]) => test);
    if (parts.length === 0) refuse(`the condition asks for \`${quantity} of ${pattern}\`, and nothing has such a name`);
    return quantity === '1' ? anyOf(parts) : allOf(parts);
  }

  private takes(token: string): boolean {
    if (this.next.toLowerCase() !== token) return false;
    this.at += 1;
    return true;
  }
}

/** `them` are all identifiers that do not begin with `_`; in a pattern `*` stands for any characters. */
function fits(name: string, pattern: string): boolean {
  if (pattern === 'them') return !name.startsWith('_');
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

export function anyOf<E>(parts: readonly Test<E>[]): Test<E> {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : (event) => parts.some((part) => part(event));
}

export function allOf<E>(parts: readonly Test<E>[]): Test<E> {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : (event) => parts.every((part) => part(event));
}
