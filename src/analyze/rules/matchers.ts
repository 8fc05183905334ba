import type { Lists } from './lists.js';
import { type TextTest, textTest } from './regex.js';
import type { Matcher, MatcherObject } from './schema.js';

export type ValueTest = (value: unknown) => boolean;

/**
 * Makes a test of a matcher. Of a list of values one must pass, unless `none`, `all` or `count` say otherwise; what is not there
 * passes `exists: false` and `not` only.
 */
export function valueTest(matcher: Matcher, lists: Lists): ValueTest {
  const alternatives = Array.isArray(matcher) ? matcher : [matcher];
  const literals = new Set<unknown>(alternatives.filter((part) => typeof part !== 'object'));
  const objects = alternatives.flatMap((part) => (typeof part === 'object' ? [objectTest(part, lists)] : []));
  const isLiteral = literalTest(literals);
  if (objects.length === 0) return isLiteral;
  const [only] = objects;
  if (only !== undefined && objects.length === 1 && literals.size === 0) return only;
  return (value) => isLiteral(value) || objects.some((test) => test(value));
}

function literalTest(literals: ReadonlySet<unknown>): ValueTest {
  const [only] = literals;
  if (literals.size === 1) return (value) => value === only || (Array.isArray(value) && value.includes(only));
  return (value) => (Array.isArray(value) ? value.some((item) => literals.has(item)) : literals.has(value));
}

/** All keys of a matcher must hold. Those about a single value must hold together for one of several. */
function objectTest(matcher: MatcherObject, lists: Lists): ValueTest {
  const single = singleTests(matcher, lists);
  const whole = wholeTests(matcher, lists);
  if (single.length > 0) {
    const [only] = single;
    const each: ValueTest = only !== undefined && single.length === 1 ? only : (value) => single.every((test) => test(value));
    whole.unshift((value) => (Array.isArray(value) ? value.some(each) : each(value)));
  }
  const [only] = whole;
  return only !== undefined && whole.length === 1 ? only : (value) => whole.every((test) => test(value));
}

function singleTests({ re, list, path, host, gte, lt }: MatcherObject, lists: Lists): ValueTest[] {
  const tests: ValueTest[] = [];
  const text = (test: TextTest) => tests.push((value) => typeof value === 'string' && test(value));
  if (re !== undefined) text(textTest(several(re)));
  if (list !== undefined) {
    const names = new Set(several(list).flatMap((name) => lists.plain(name)));
    text((value) => names.has(value));
  }
  if (path !== undefined) text(anyOf(several(path).map((name) => lists.pathTest(name))));
  if (host !== undefined) text(hostTest(several(host), lists));
  if (gte !== undefined) tests.push((value) => typeof value === 'number' && value >= gte);
  if (lt !== undefined) tests.push((value) => typeof value === 'number' && value < lt);
  return tests;
}

function wholeTests({ exists, not, none, all, count }: MatcherObject, lists: Lists): ValueTest[] {
  const tests: ValueTest[] = [];
  if (exists !== undefined) tests.push((value) => isThere(value) === exists);
  for (const refused of [not, none]) {
    if (refused === undefined) continue;
    const test = valueTest(refused, lists);
    tests.push((value) => !test(value));
  }
  if (all !== undefined) {
    const test = valueTest(all, lists);
    tests.push((value) => (Array.isArray(value) ? value.length > 0 && value.every((item) => test(item)) : test(value)));
  }
  if (count !== undefined) {
    const test = valueTest(count, lists);
    tests.push((value) => Array.isArray(value) && test(value.length));
  }
  return tests;
}

/** `!name` asks for a host that is not in the list; what names no host is in no list, and outside of none either. */
function hostTest(names: readonly string[], lists: Lists): TextTest {
  const inside = names.filter((name) => !name.startsWith('!')).map((name) => lists.hostTest(name));
  const outside = names.filter((name) => name.startsWith('!')).map((name) => lists.hostTest(name.slice(1)));
  return (address) => {
    const host = lists.host(address);
    return host !== '' && (inside.some((test) => test(host)) || outside.some((test) => !test(host)));
  };
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

const anyOf = (tests: readonly TextTest[]): TextTest => {
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (text) => tests.some((test) => test(text));
};

export const several = (texts: string | readonly string[]): readonly string[] => (typeof texts === 'string' ? [texts] : texts);
