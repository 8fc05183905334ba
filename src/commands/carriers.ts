import { decodePowerShell, knownOutput } from './decode.js';
import { SHELLS } from './facts/interpreters.js';
import { readOptions } from './options/read.js';
import { Place } from './place.js';
import { fillIn, foundBy } from './placeholders.js';
import type { Draft, RawCommand, Word } from './raw.js';
import type { Scope, Sink } from './scope.js';
import { startOf } from './windows/start.js';

export type Emit = (raw: RawCommand, scope: Scope, sink: Sink) => Draft[];

interface Carrier {
  readonly command: Draft;
  readonly raw: RawCommand;
  readonly scope: Scope;
  readonly sink: Sink;
  readonly emit: Emit;
}

/** Commands that a command carries in its arguments or input: code in text, or words of another program. */
export function carried(command: Draft, raw: RawCommand, scope: Scope, sink: Sink, emit: Emit): Draft[] {
  const carrier: Carrier = { command, raw, scope, sink, emit };
  if (SHELLS.has(command.name)) return shell(carrier);
  return CARRIERS.get(command.name)?.(carrier) ?? [];
}

const CARRIERS: ReadonlyMap<string, (carrier: Carrier) => Draft[]> = new Map([
  ['eval', evaluate],
  ['source', sourced],
  ['.', sourced],
  ['trap', (carrier) => code(carrier, carrier.command.ops.length > 1 ? carrier.command.ops[0] : undefined, 'eval')],
  ['su', asUser],
  ['runuser', asUser],
  ['script', (carrier) => code(carrier, carrier.command.values.get('-c')?.[0], 'shell')],
  ['find', find],
  ['gfind', find],
  ['ssh', remote],
  ['autossh', remote],
  ['slogin', remote],
  ...['docker', 'podman', 'nerdctl', 'docker-compose'].map((name): [string, (carrier: Carrier) => Draft[]] => [name, container]),
  ...['kubectl', 'oc', 'k', 'lxc', 'multipass', 'machinectl'].map((name): [string, (carrier: Carrier) => Draft[]] => [name, pod]),
  ['cmd', commandPrompt],
  ['powershell', powershell],
  ['pwsh', powershell],
  ['invoke-expression', invokeExpression],
  ['osascript', appleScript],
  ['start-process', startProcess],
  [
    'tmux',
    (carrier) =>
      code(
        carrier,
        TMUX.test(carrier.command.ops[0] ?? '') ? carrier.command.ops.slice(1).find((word) => word.includes(' ')) : undefined,
        'shell',
      ),
  ],
  ...['npx', 'pnpx', 'bunx', 'uvx'].map((name): [string, (carrier: Carrier) => Draft[]] => [name, (carrier) => run(carrier, 0)]),
  ...['uv', 'poetry', 'pipenv', 'pdm', 'rye', 'hatch'].map((name): [string, (carrier: Carrier) => Draft[]] => [
    name,
    (carrier) => (carrier.command.ops[0] === 'run' ? run(carrier, 1) : []),
  ]),
  ['bundle', (carrier) => (carrier.command.ops[0] === 'exec' ? run(carrier, 1) : [])],
]);

function code(
  carrier: Carrier,
  text: string | undefined,
  via: string,
  shell: 'posix' | 'powershell' | 'cmd' = 'posix',
  change: Partial<Scope> = {},
): Draft[] {
  const { scope } = carrier;
  if (text === undefined || isExpansion(text)) return [];
  const place = via === 'eval' ? scope.place : scope.place.fork();
  return carrier.sink.readInner(text, shell, { ...scope, via, input: carrier.command.heredoc, place, ...change });
}

/** `bash -c "$X"`: there is no text to read. */
function isExpansion(text: string): boolean {
  return /^\s*(?:\$\w+|\$\{\w+\}|\$@|"\$@")\s*$/.test(text) || /^\s*(?:\$\([^()]*\)|`[^`]*`)\s*$/.test(text);
}

/** `sh -c CODE`, a shell that is fed by a here-document, or by text that the line itself encodes. */
function shell(carrier: Carrier): Draft[] {
  const { command, scope } = carrier;
  const given = command.values.get('-c')?.[0];
  const ahead = given === undefined ? (command.stdinCode ? knownOutput(scope.upstream) : undefined) : knownOutput(command.subst);
  const inside = ahead ?? knownOutput(command.procsub);
  if (given !== undefined && inside === undefined) return code(carrier, given, 'shell');
  if (command.stdinCode && command.heredoc !== '') return code(carrier, command.heredoc, 'heredoc', 'posix', { input: '' });
  return known(carrier, inside, 'shell');
}

function known(carrier: Carrier, text: { readonly text: string; readonly encoded: boolean } | undefined, via: string): Draft[] {
  if (text === undefined) return [];
  return code(carrier, text.text, text.encoded ? 'encoded' : via, 'posix', {
    upstream: [],
    input: '',
    encoded: carrier.scope.encoded || text.encoded,
  });
}

function evaluate(carrier: Carrier): Draft[] {
  const inside = knownOutput(carrier.command.subst);
  return inside === undefined ? code(carrier, carrier.command.args.join(' '), 'eval') : known(carrier, inside, 'eval');
}

function sourced(carrier: Carrier): Draft[] {
  return known(carrier, knownOutput(carrier.command.procsub), 'shell');
}

function asUser(carrier: Carrier): Draft[] {
  const { command } = carrier;
  const user = command.ops.find((word) => word !== '-');
  const privileged = carrier.scope.privileged || user === undefined || user === 'root';
  const text = [...(command.values.get('-c') ?? []), ...(command.values.get('--command') ?? [])][0];
  if (text === undefined && command.heredoc !== '') return code(carrier, command.heredoc, 'heredoc', 'posix', { privileged, input: '' });
  return code(carrier, text, 'shell', 'posix', { privileged });
}

/** `find ... -exec CMD ;` for each of its actions. */
function find(carrier: Carrier): Draft[] {
  const words = carrier.raw.words;
  const found: Draft[] = [];
  for (let at = 1; at < words.length; at++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(words[at]?.value ?? '')) continue;
    let end = at + 1;
    while (end < words.length && !isActionEnd(words, end)) end++;
    const given = words.slice(at + 1, end);
    const filled = given.some((word) => word.value === '{}') ? fillIn(given, foundBy(carrier.command), '{}') : undefined;
    found.push(...inner(carrier, given, { via: 'find', upstream: [], input: '' }, filled));
    at = end;
  }
  return found;
}

function isActionEnd(words: readonly Word[], at: number): boolean {
  const text = words[at]?.value;
  return text === ';' || (text === '+' && words[at - 1]?.value === '{}');
}

/** Words of another program, read as a command of their own. */
function inner(carrier: Carrier, words: readonly Word[], change: Partial<Scope>, filled?: readonly Word[]): Draft[] {
  if (words.length === 0) return [];
  const { raw, scope, command } = carrier;
  const text = words.map((word) => word.raw).join(' ');
  const inherited = { ...scope, input: command.heredoc, ...change, depth: scope.depth + 1 };
  if (inherited.depth > MAX_INNER) {
    carrier.sink.fail('code nested too deep');
    return [];
  }
  return carrier.emit(
    { ...raw, words, filled, assignments: [], redirects: [], heredoc: '', text, subst: [], procsub: [] },
    inherited,
    carrier.sink,
  );
}

const MAX_INNER = 8;

function remote(carrier: Carrier): Draft[] {
  const { command } = carrier;
  const words = command.ops.slice(1);
  const elsewhere = { remote: true, place: new Place('') };
  if (words.length > 0) return code(carrier, words.join(' '), 'ssh', 'posix', elsewhere);
  return command.ops.length === 1 && command.heredoc !== ''
    ? code(carrier, command.heredoc, 'ssh', 'posix', { ...elsewhere, input: '' })
    : [];
}

/** `docker run IMAGE CMD`, `docker exec NAME CMD`, `docker compose exec SERVICE CMD`. */
function container(carrier: Carrier): Draft[] {
  const { raw, command } = carrier;
  const { operands, values } = readOptions(command.name, raw.words.slice(1), raw.shell);
  const verb = operands.findIndex((word, index) => index < 2 && /^(?:run|exec|create)$/.test(word.value));
  if (verb < 0) return [];
  const entrypoint = values.get('--entrypoint') ?? [];
  return inner(carrier, [...entrypoint, ...operands.slice(verb + 2)], { via: 'container', container: true, place: new Place('') });
}

/** `kubectl exec POD -- CMD`. */
function pod(carrier: Carrier): Draft[] {
  const { raw, command } = carrier;
  if (!/^(?:exec|run|rsh|debug|shell)$/.test(command.ops[0] ?? '')) return [];
  const at = raw.words.findIndex((word) => word.value === '--');
  const words =
    at >= 0
      ? raw.words.slice(at + 1)
      : command.ops[0] === 'exec' || command.ops[0] === 'rsh'
        ? readOptions(command.name, raw.words.slice(1), raw.shell).operands.slice(2)
        : [];
  return inner(carrier, words, { via: 'container', container: true, place: new Place('') });
}

function commandPrompt(carrier: Carrier): Draft[] {
  const words = carrier.raw.words;
  const at = words.findIndex((word) => /^\/[ckr]$/i.test(word.value));
  if (at < 0) return [];
  return code(
    carrier,
    words
      .slice(at + 1)
      .map((word) => word.value)
      .join(' '),
    'cmd',
    'cmd',
  );
}

function powershell(carrier: Carrier): Draft[] {
  const { args, heredoc, stdinCode } = carrier.command;
  const start = startOf(args);
  if (start.kind === 'encoded') return code(carrier, decodePowerShell(args[start.at] ?? ''), 'encoded', 'powershell', { encoded: true });
  if (start.kind === 'command') return code(carrier, args.slice(start.at).join(' '), 'powershell', 'powershell');
  return heredoc !== '' && stdinCode ? code(carrier, heredoc, 'heredoc', 'powershell', { input: '' }) : [];
}

/** `iex 'CODE'`; a value that is computed was read where it stands. */
function invokeExpression(carrier: Carrier): Draft[] {
  const { command, raw, scope } = carrier;
  const given = raw.words.slice(1).find((word) => /^['"]/.test(word.raw));
  if (given !== undefined) return code(carrier, given.value, 'eval', 'powershell');
  const ahead = command.stdinCode ? knownOutput(scope.upstream) : undefined;
  return ahead === undefined ? [] : code(carrier, ahead.text, 'eval', 'powershell', { upstream: [], input: '' });
}

/** `do shell script "CODE"`. */
function appleScript(carrier: Carrier): Draft[] {
  const found: Draft[] = [];
  for (const text of [...(carrier.command.values.get('-e') ?? []), carrier.command.heredoc]) {
    const privileged = carrier.scope.privileged || text.includes('with administrator privileges');
    for (const match of text.matchAll(/do shell script "((?:[^"\\]|\\.)*)"/g)) {
      found.push(...code(carrier, (match[1] ?? '').replace(/\\(["\\])/g, '$1'), 'shell', 'posix', { privileged, input: '' }));
    }
  }
  return found;
}

const TMUX = /^(?:new|new-session|neww|new-window|splitw|split-window|send|send-keys)$/;

/** `Start-Process PROGRAM -ArgumentList 'WORDS' -Verb RunAs`. */
function startProcess(carrier: Carrier): Draft[] {
  const { ops, values } = carrier.command;
  const program = values.get('-filepath')?.[0] ?? ops[0];
  const given = values.get('-argumentlist') ?? values.get('-args') ?? ops.slice(1);
  if (program === undefined) return [];
  const privileged = carrier.scope.privileged || /^runas$/i.test(values.get('-verb')?.[0] ?? '');
  const text = [program, ...given.map((words) => words.replaceAll(',', ' '))].join(' ');
  return code(carrier, text, 'powershell', 'powershell', { privileged });
}

/** Programs that fetch or find another program and run it. */
function run(carrier: Carrier, from: number): Draft[] {
  const { raw, command, scope } = carrier;
  const words = readOptions(command.name, raw.words.slice(1), raw.shell).operands.slice(from);
  const [first, ...rest] = words;
  if (first === undefined) return [];
  const bare = first.value.replace(/(?<=.)@[^/]*$/, '');
  return inner(carrier, [{ ...first, value: bare }, ...rest], { wrappers: [...scope.wrappers, command.name] });
}
