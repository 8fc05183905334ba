import { expect } from 'vitest';
import { parseCommand } from '../../src/commands/index.js';
import type { SimpleCommand } from '../../src/commands/types.js';

export const PROJECT = '/home/mira/shop';

/** The simple commands of a text that ran in a shell of the given tool. */
export function commandsOf(text: string, tool = 'execute_bash', projectPath = PROJECT): readonly SimpleCommand[] {
  return parseCommand(text, { projectPath, tool }).commands;
}

export function namesOf(text: string, tool = 'execute_bash'): string[] {
  return commandsOf(text, tool).map((command) => command.name);
}

/** The last command of a name: with `env curl`, the program and not what starts it. */
export function commandOf(text: string, name: string, tool = 'execute_bash', projectPath = PROJECT): SimpleCommand {
  const found = commandsOf(text, tool, projectPath).findLast((command) => command.name === name);
  if (found === undefined) throw new Error(`no ${name} in: ${text}`);
  return found;
}

/** The facts a test names, of each command of that name. */
export function expectFacts(text: string, name: string, facts: Partial<SimpleCommand>, tool = 'execute_bash', projectPath = PROJECT): void {
  expect([text, commandOf(text, name, tool, projectPath)]).toEqual([text, expect.objectContaining(facts)]);
}
