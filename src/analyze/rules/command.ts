import type { SimpleCommand } from '../../commands/types.js';
import type { Lists } from './lists.js';
import { valueTest } from './matchers.js';
import type { CommandCondition, InnerFact, ListFact, Matcher, SwitchFact, TextFact } from './schema.js';

export type CommandTest = (command: SimpleCommand) => boolean;

type ValueFact = Exclude<TextFact, 'sub'> | ListFact;
type ValueOf = (command: SimpleCommand) => string | readonly string[];

// The cheap and telling first: most commands fail by name.
const VALUES: readonly (readonly [ValueFact, ValueOf])[] = [
  ['name', (command) => command.name],
  ['line', (command) => command.line],
  ['via', (command) => command.via],
  ['heredoc', (command) => command.heredoc],
  ['arg', (command) => command.args],
  ['op', (command) => command.ops],
  ['flag', (command) => command.flags],
  ['reads', (command) => command.reads],
  ['writes', (command) => command.writes],
  ['deletes', (command) => command.deletes],
  ['fetches', (command) => command.fetches],
  ['sends', (command) => command.sends],
  ['urls', (command) => command.urls],
  ['from', (command) => command.from],
  ['to', (command) => command.to],
  ['wrapper', (command) => command.wrappers],
  ['env', (command) => command.env],
];

const SWITCHES: readonly (readonly [SwitchFact, (command: SimpleCommand) => boolean | undefined])[] = [
  ['recursive', (command) => command.recursive],
  ['force', (command) => command.force],
  ['body', (command) => command.body],
  ['body_file', (command) => command.bodyFile],
  ['privileged', (command) => command.privileged],
  ['remote', (command) => command.remote],
  ['container', (command) => command.container],
  ['encoded', (command) => command.encoded],
  ['stdin_code', (command) => command.stdinCode],
  ['outside_project', (command) => command.outsideProject],
];

const INNER: readonly (readonly [InnerFact, (command: SimpleCommand) => readonly SimpleCommand[]])[] = [
  ['upstream', (command) => command.upstream],
  ['subst', (command) => command.subst],
  ['procsub', (command) => command.procsub],
];

/** A test whether one simple command meets all keys of a condition. */
export function commandTest(condition: CommandCondition, lists: Lists): CommandTest {
  const cheap: CommandTest[] = [];
  const dear: CommandTest[] = [];
  for (const [key, value] of VALUES) {
    const matcher = condition[key];
    if (matcher === undefined) continue;
    const test = valueTest(matcher, lists);
    (key === 'name' || key === 'via' ? cheap : dear).push((command) => test(value(command)));
  }
  for (const [key, value] of SWITCHES) {
    const wanted = condition[key];
    if (wanted !== undefined) cheap.push((command) => value(command) === wanted);
  }
  if (condition.sub !== undefined) dear.unshift(subTest(condition.sub, lists));
  if (condition.value !== undefined) dear.push(optionTest(condition.value, lists));
  for (const [key, commands] of INNER) {
    const inner = condition[key];
    if (inner === undefined) continue;
    const test = commandTest(inner, lists);
    dear.push((command) => commands(command).some(test));
  }
  if (condition.all !== undefined) dear.push(every(condition.all.map((part) => commandTest(part, lists))));
  if (condition.any !== undefined) dear.push(some(condition.any.map((part) => commandTest(part, lists))));
  if (condition.not !== undefined) {
    const refused = some([condition.not].flat().map((part) => commandTest(part, lists)));
    dear.push((command) => !refused(command));
  }
  return every([...cheap, ...dear]);
}

/** A text names the first words of the operands: `s3 rm` holds for `s3 rm s3://x`. */
function subTest(matcher: Matcher, lists: Lists): CommandTest {
  const parts = Array.isArray(matcher) ? matcher : [matcher];
  const words = new Set(parts.filter((part) => typeof part === 'string'));
  const others = parts.filter((part) => typeof part !== 'string');
  const test = others.length === 0 ? () => false : valueTest(others, lists);
  return ({ sub }) => {
    if (words.has(sub) || test(sub)) return true;
    for (let at = sub.indexOf(' '); at > 0; at = sub.indexOf(' ', at + 1)) if (words.has(sub.slice(0, at))) return true;
    return false;
  };
}

/** One of the named options has a value that passes. */
function optionTest(options: Readonly<Record<string, Matcher>>, lists: Lists): CommandTest {
  const tests = Object.entries(options).map(([name, matcher]) => [name, valueTest(matcher, lists)] as const);
  return ({ values }) =>
    tests.some(([name, test]) => {
      const given = values.get(name);
      return given !== undefined && test(given);
    });
}

function every(tests: readonly CommandTest[]): CommandTest {
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (command) => tests.every((test) => test(command));
}

function some(tests: readonly CommandTest[]): CommandTest {
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (command) => tests.some((test) => test(command));
}
