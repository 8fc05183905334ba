import type { SimpleCommand } from '../../commands/types.js';
import type { RowView } from '../view.js';
import type { Lists } from './lists.js';
import { several } from './matchers.js';
import type { CommandCondition, Matcher, Touch } from './schema.js';
import type { Needs } from './types.js';

// Marks that a first look at a row gives: names of commands as they are, and facts behind a `#`. Most rules speak of a few commands;
// by these marks a row is shown only to rules that may hold for it.

const ANY_COMMAND = '#command';
const ANY = new Set([ANY_COMMAND]);

/** Facts that are cheap to look for, and how. */
const FACTS = {
  stdin_code: (command) => command.stdinCode,
  encoded: (command) => command.encoded,
  recursive: (command) => command.recursive,
  body_file: (command) => command.bodyFile,
  body: (command) => command.body,
  writes: (command) => command.writes.length > 0,
  deletes: (command) => command.deletes.length > 0,
  sends: (command) => command.sends.length > 0,
  fetches: (command) => command.fetches.length > 0,
  reads: (command) => command.reads.length > 0,
  env: (command) => command.env.length > 0,
  heredoc: (command) => command.heredoc !== '',
  subst: (command) => command.subst.length > 0,
  procsub: (command) => command.procsub.length > 0,
} satisfies Record<string, (command: SimpleCommand) => boolean>;
const FACT_TESTS = Object.entries(FACTS).map(([name, test]) => [`#${name}`, test] as const);

/** What a row needs so that one of its commands can meet the condition. */
export function needsOfCommand(condition: CommandCondition, lists: Lists): ReadonlySet<string> {
  const found: ReadonlySet<string>[] = [];
  const names = condition.name === undefined ? undefined : namesOf(condition.name, lists);
  if (names !== undefined) found.push(names);
  for (const part of condition.all ?? []) found.push(needsOfCommand(part, lists));
  if (condition.any !== undefined) found.push(union(condition.any.map((part) => needsOfCommand(part, lists))));
  for (const fact of ['stdin_code', 'encoded', 'recursive', 'body_file', 'body'] as const)
    if (condition[fact] === true) found.push(new Set([`#${fact}`]));
  for (const fact of ['writes', 'deletes', 'sends', 'fetches', 'reads', 'env', 'heredoc'] as const) {
    const matcher = condition[fact];
    if (matcher !== undefined && asksForSomething(matcher)) found.push(new Set([`#${fact}`]));
  }
  for (const fact of ['subst', 'procsub'] as const) if (condition[fact] !== undefined) found.push(new Set([`#${fact}`]));
  return best(found) ?? ANY;
}

/** What a row needs so that it touches a path at all. */
export function needsOfTouch({ how }: Touch): ReadonlySet<string> {
  return new Set(several(how).map((kind) => `#touch-${kind}`));
}

function namesOf(matcher: Matcher, lists: Lists): ReadonlySet<string> | undefined {
  if (typeof matcher === 'string') return new Set([matcher]);
  if (Array.isArray(matcher)) return matcher.every((name) => typeof name === 'string') ? new Set(matcher) : undefined;
  if (typeof matcher !== 'object' || matcher.list === undefined) return undefined;
  return new Set(several(matcher.list).flatMap((name) => lists.plain(name)));
}

/** A matcher that an empty fact cannot pass. */
function asksForSomething(matcher: Matcher): boolean {
  if (typeof matcher !== 'object') return matcher !== '';
  if (Array.isArray(matcher)) return matcher.every((part) => (typeof part === 'object' ? asksForSomething(part) : part !== ''));
  return matcher.re !== undefined
    ? true
    : matcher.exists === true || matcher.path !== undefined || matcher.host !== undefined || matcher.all !== undefined;
}

/** The most telling of several lists of which each must be met. */
export function best(found: readonly Needs[]): Needs {
  let least: Needs;
  for (const needs of found) if (needs !== undefined && (least === undefined || weight(needs) < weight(least))) least = needs;
  return least;
}

const weight = (needs: ReadonlySet<string>) =>
  (needs.has(ANY_COMMAND) ? 1000 : 0) + [...needs].filter((mark) => mark.startsWith('#')).length * 20 + needs.size;

function union(parts: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const all = new Set(parts.flatMap((part) => [...part]));
  return all.has(ANY_COMMAND) ? ANY : all;
}

/** Of several lists of which one must be met: all marks of them, or no list where one says nothing. */
export function either(parts: readonly Needs[]): Needs {
  return parts.every((part) => part !== undefined) ? union(parts) : undefined;
}

/** Calls back with each mark of a row; one may come several times. */
export function eachMark(view: RowView, take: (mark: string) => void): void {
  const { commands, touches } = view;
  if (commands.length > 0) take(ANY_COMMAND);
  for (const command of commands) {
    take(command.name);
    for (const [mark, test] of FACT_TESTS) if (test(command)) take(mark);
  }
  if (touches.read.length > 0) take('#touch-read');
  if (touches.write.length > 0) take('#touch-write');
  if (touches.delete.length > 0) take('#touch-delete');
}
