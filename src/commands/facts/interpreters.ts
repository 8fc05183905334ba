import { startOf } from '../windows/start.js';
import { type Facts, has, type Invocation } from './facts.js';

export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'rbash', 'mksh', 'fish']);

/** Options with which an interpreter gets its code from elsewhere, or runs none. */
const NO_STDIN: ReadonlyMap<string, readonly string[]> = new Map([
  ...[...SHELLS].map((name): [string, readonly string[]] => [name, ['-c', '--version', '--help', '--command']]),
  ...['python', 'python2', 'python3', 'pypy', 'pypy3'].map((name): [string, readonly string[]] => [
    name,
    ['-c', '-m', '-V', '--version', '-h', '--help'],
  ]),
  ...['node', 'nodejs', 'bun'].map((name): [string, readonly string[]] => [
    name,
    ['-e', '--eval', '-p', '--print', '-v', '--version', '-h', '--help', '--test'],
  ]),
  ...['perl', 'ruby'].map((name): [string, readonly string[]] => [name, ['-e', '-E', '-n', '-p', '-v', '-V', '--version', '-h', '--help']]),
  ['php', ['-r', '-f', '-v', '--version', '-i', '-m', '-S', '-h', '--help', '-l', '-a']],
  ['lua', ['-e', '-v']],
  ['osascript', ['-e']],
  ['invoke-expression', ['-command']],
]);

/** Whether what arrives on standard input is executed: no script named, or `-`, or `-s`. */
export function isStdinCode(call: Invocation): boolean {
  const { options, name } = call;
  const [first] = options.operands;
  if (name === 'powershell' || name === 'pwsh')
    return startOf(call.args.map((word) => word.value)).kind === 'none' && !has(options, '-Version', '-Help');
  if (name === 'deno') return first?.value === 'run' && options.operands[1]?.value === '-';
  const elsewhere = NO_STDIN.get(name);
  if (elsewhere === undefined || has(options, ...elsewhere)) return false;
  if (SHELLS.has(name) && has(options, '-s')) return true;
  return first === undefined || first.value === '-' || first.value === '/dev/stdin' || first.value === '/dev/fd/0';
}

/** `find` reads no file; with `-delete` or a removing `-exec` it deletes below its starting points. */
export function find(call: Invocation, facts: Facts): void {
  const words = call.args.map((word) => word.value);
  const runs = words.findIndex((word) => /^-(?:exec|execdir|ok|okdir)$/.test(word));
  const removes =
    runs >= 0 &&
    /(?:^|\/)(?:rm|unlink|rmdir|shred|srm)$/.test(words.slice(runs + 1).find((word) => !/^(?:sudo|env|doas)$/.test(word)) ?? '');
  for (const flag of ['-fprint', '-fprintf', '-fls', '-fprint0']) facts.write(call.options.values.get(flag) ?? []);
  if (!removes && !words.includes('-delete')) return;
  facts.delete(startingPoints(call));
  facts.recursive = true;
}

function startingPoints(call: Invocation): Invocation['args'] {
  const at = call.args.findIndex((word) => /^[-!(]/.test(word.value) && !/^-(?:[HLP]|O\d|D)$/.test(word.value));
  const points = (at < 0 ? call.args : call.args.slice(0, at)).filter((word) => !word.value.startsWith('-'));
  return points.length > 0 ? points : [{ value: '.', raw: '.', literal: false }];
}
