import { Place } from './place.js';
import { readPosix } from './posix.js';
import type { Draft, Shell } from './raw.js';
import { type Scope, Sink } from './scope.js';
import type { CommandContext, ParsedCommand } from './types.js';
import { looksLikeCmd, looksLikePowerShell } from './windows/aliases.js';
import { readCmd } from './windows/cmd.js';
import { readPowerShell } from './windows/powershell.js';

export { hostOf } from './hosts.js';
export { normalisePath } from './paths.js';

/** A command text is cut here: longer ones are data, and time is bounded by it. */
const MAX_TEXT = 64 * 1024;

/** Takes a command text apart into simple commands with their facts. Never throws. */
export function parseCommand(text: string, context: CommandContext): ParsedCommand {
  const sink = new Sink(readText);
  if (text.length > MAX_TEXT) sink.fail('the text was cut at 64 KiB');
  else if (text.trimEnd().endsWith('…')) sink.fail('the text was cut by its recorder');
  const cut = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
  const scope: Scope = {
    via: '',
    remote: false,
    container: false,
    encoded: false,
    privileged: false,
    wrappers: [],
    upstream: [],
    input: '',
    place: new Place(context.projectPath),
    depth: 0,
  };
  try {
    readText(cut, shellOf(cut, context), scope, sink);
  } catch (error) {
    // The parser of POSIX text recurses with quotes inside substitutions; what was read before stays.
    if (!(error instanceof RangeError)) throw error;
    sink.fail('nested too deep');
  }
  return { commands: sink.commands, complete: sink.problem === '', problem: sink.problem };
}

function readText(text: string, shell: Shell, scope: Scope, sink: Sink): Draft[] {
  switch (shell) {
    case 'powershell':
      return readPowerShell(text, scope, sink);
    case 'cmd':
      return readCmd(text, scope, sink);
    case 'posix':
      return readPosix(text, scope, sink);
  }
}

/** The shell of a text: by its tool, else by how it looks. PowerShell's tool also serves other systems, where the project's path tells. */
function shellOf(text: string, context: CommandContext): Shell {
  if (looksLikePowerShell(text)) return 'powershell';
  if (/pwsh|powershell/i.test(context.tool) && !context.projectPath.startsWith('/')) return 'powershell';
  const onWindows = /^[A-Za-z]:[\\/]/.test(context.projectPath) && !/bash/i.test(context.tool);
  return onWindows || /cmd/i.test(context.tool) || looksLikeCmd(text) ? 'cmd' : 'posix';
}
