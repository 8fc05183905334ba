import type { Word } from '../raw.js';
import { type Facts, has, type Invocation, valuesOf } from './facts.js';

type Finder = (call: Invocation, facts: Facts) => void;

/** `-Path a,b` names two paths. */
function pathsOf(call: Invocation, from: number, ...flags: readonly string[]): readonly Word[] {
  const given = valuesOf(call.options, ...flags);
  const words = given.length > 0 ? given : call.options.operands.slice(from, from + 1);
  return words.flatMap((word) => word.value.split(',').map((value) => ({ ...word, value: value.trim().replace(/^["']|["']$/g, '') })));
}

const PATHS = ['-path', '-literalpath', '-filepath', '-fullname', '-lp'];

const read: Finder = (call, facts) => facts.read(pathsOf(call, 0, ...PATHS));
const write: Finder = (call, facts) => facts.write(pathsOf(call, 0, ...PATHS));

function search(call: Invocation, facts: Facts): void {
  facts.read(pathsOf(call, has(call.options, '-pattern') ? 0 : 1, ...PATHS));
}

function transfer(call: Invocation, facts: Facts): void {
  facts.read(pathsOf(call, 0, ...PATHS));
  const from = has(call.options, ...PATHS) ? 0 : 1;
  facts.write(pathsOf(call, from, '-destination', '-destinationpath', '-newname'));
  setSwitches(call, facts);
}

function remove(call: Invocation, facts: Facts): void {
  facts.delete(pathsOf(call, 0, ...PATHS));
  setSwitches(call, facts);
}

function create(call: Invocation, facts: Facts): void {
  if (has(call.options, '-value')) facts.write(pathsOf(call, 0, ...PATHS));
}

/** `[IO.File]::ReadAllText('...')` and its kin. */
function fileClass(call: Invocation, facts: Facts): void {
  const text = call.args[0]?.value ?? '';
  for (const match of text.matchAll(/\[(?:System\.)?IO\.(?:File|Directory)\]::(Read|Write|Append|Delete)\w{0,20}\(\s{0,9}['"]([^'"]+)/gi)) {
    const path = [{ value: match[2] ?? '', raw: '', literal: false }];
    const verb = (match[1] ?? '').toLowerCase();
    if (verb === 'read') facts.read(path);
    else if (verb === 'delete') facts.delete(path);
    else facts.write(path);
  }
}

function setSwitches(call: Invocation, facts: Facts): void {
  facts.recursive = call.options.flags.some((flag) => flag.length >= 2 && '-recurse'.startsWith(flag));
  facts.force = call.options.flags.some((flag) => flag.length >= 3 && '-force'.startsWith(flag));
}

export const CMDLETS: ReadonlyMap<string, Finder> = new Map<string, Finder>([
  ...['get-content', 'import-csv', 'import-clixml', 'format-hex'].map((name): [string, Finder] => [name, read]),
  ...['set-content', 'add-content', 'out-file', 'tee-object', 'export-csv', 'export-clixml', 'clear-content'].map(
    (name): [string, Finder] => [name, write],
  ),
  ['select-string', search],
  ...['copy-item', 'move-item', 'rename-item', 'compress-archive', 'expand-archive'].map((name): [string, Finder] => [name, transfer]),
  ['', fileClass],
  ['remove-item', remove],
  ['new-item', create],
]);
