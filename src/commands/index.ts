import { Place } from './place.js';
import { readPosix } from './posix.js';
import type { Draft, Shell } from './raw.js';
import { type Scope, Sink } from './scope.js';
import type { CommandContext, ParsedCommand } from './types.js';

export { hostOf } from './hosts.js';
export { normalisePath } from './paths.js';

/** A command text is cut here: longer ones are data, and time is bounded by it. */
const MAX_TEXT = 64 * 1024;

/** Takes a command text apart into simple commands with their facts. Never throws. */
export function parseCommand(text: string, context: CommandContext): ParsedCommand {
  const sink = new Sink(readText);
  if (text.length > MAX_TEXT) sink.fail('the text was cut at 64 KiB');
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
  readText(cut, 'posix', scope, sink);
  return { commands: sink.commands, complete: sink.problem === '', problem: sink.problem };
}

function readText(text: string, shell: Shell, scope: Scope, sink: Sink): Draft[] {
  switch (shell) {
    default:
      return readPosix(text, scope, sink);
  }
}
