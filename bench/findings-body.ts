import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Level } from '../src/analyze/index.js';
import { builtIn, found } from '../test/analyze/rules-support.js';

export interface Body {
  readonly name: string;
  /** How it was cut, as the cutting says; '' for a plain list. */
  readonly cut: string;
  readonly commands: readonly string[];
}

/** A body: JSON lines with `command` (the first may say `cut`), or one command a line. */
export function readBody(path: string): Body {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (!lines[0]?.startsWith('{"')) return { name: basename(path), cut: '', commands: [...new Set(lines)] };
  const records: { cut?: string; command?: string }[] = lines.map((line) => JSON.parse(line));
  const commands = records.flatMap(({ command }) => (command === undefined ? [] : [command]));
  return { name: basename(path), cut: records[0]?.cut ?? '', commands: [...new Set(commands)] };
}

const levels = new Map<string, Level>(builtIn.rules.map(({ id, level }) => [id, level]));

export const levelOf = (rule: string): Level => levels.get(rule) ?? 'info';

export const isLoud = (rule: string) => levelOf(rule) === 'critical' || levelOf(rule) === 'high';

export interface Heard {
  readonly command: string;
  readonly rules: readonly string[];
}

/** What the rules say of each command, each as a session of its own in one working directory. */
export const hear = (commands: readonly string[]): Heard[] => commands.map((command) => ({ command, rules: found(command) }));
