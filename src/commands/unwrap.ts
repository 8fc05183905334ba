import { readOptions } from './options/read.js';
import type { Shell, Word } from './raw.js';
import { WRAPPERS } from './wrapper-table.js';

/** A command without the programs that merely start it. */
export interface Unwrapped {
  readonly words: readonly Word[];
  readonly wrappers: readonly string[];
  readonly assignments: readonly string[];
  readonly privileged: boolean;
  /** Text to be read as code of a shell instead of words: `flock FILE -c CODE`, `watch CODE`, `env -S CODE`. */
  readonly code: string | undefined;
  /** Wrappers that also stand in the list as commands, each with its own words. */
  readonly kept: readonly (readonly Word[])[];
  /** The mark that `xargs` replaces by what arrives on its input. */
  readonly xargsMark: string | undefined;
}

/** The last part of a program's path, lower case, without the endings of Windows; a name with an expansion stays as written. */
export function programName(word: string): string {
  if (word.includes('$') || word.includes('`')) return word;
  const last = /[^\\/]+(?=[\\/]*$)/.exec(word)?.[0] ?? word;
  return last.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, '');
}

/** Nobody starts a program through more; each one reads all words behind it. */
const MAX_WRAPPERS = 16;

/** Takes wrappers off the front, as many as there are words. */
export function unwrap(words: readonly Word[], shell: Shell): Unwrapped {
  const wrappers: string[] = [];
  const assignments: string[] = [];
  const kept: (readonly Word[])[] = [];
  let privileged = false;
  let xargsMark: string | undefined;
  let rest = words;
  while (rest.length > 0 && wrappers.length < MAX_WRAPPERS) {
    const name = programName(rest[0]?.value ?? '');
    const wrapper = WRAPPERS.get(name);
    if (wrapper === undefined) break;
    const options = readOptions(name, rest.slice(1), shell);
    if (wrapper.unless?.split(' ').some((flag) => options.flags.includes(flag)) === true) break;
    const operands = [...options.operands];
    const given: string[] = [];
    if (wrapper.assignments === true) while (/^[A-Za-z_]\w*=/.test(operands[0]?.value ?? '')) given.push(operands.shift()?.value ?? '');
    operands.splice(0, wrapper.operands ?? 0);
    const code = codeOf(name, options.values, operands);
    if (operands.length === 0 && code === undefined) break;
    wrappers.push(name);
    assignments.push(...given);
    if (wrapper.kept === true) kept.push(rest);
    if (name === 'xargs') xargsMark = options.values.get('-I')?.[0]?.value ?? '{}';
    if (wrapper.privileged === true && !asOtherUser(options.values)) privileged = true;
    if (code !== undefined) return { words: [], wrappers, assignments, privileged, code, kept, xargsMark };
    rest = operands;
  }
  return { words: rest, wrappers, assignments, privileged, code: undefined, kept, xargsMark };
}

function codeOf(name: string, values: ReadonlyMap<string, readonly Word[]>, operands: readonly Word[]): string | undefined {
  if (name === 'flock')
    return (values.get('-c') ?? values.get('--command') ?? (operands[0]?.value === '-c' ? operands.slice(1) : undefined))?.[0]?.value;
  if (name === 'watch' && operands.some((word) => word.value.includes(' '))) return operands.map((word) => word.value).join(' ');
  if (name === 'env') {
    const split = values.get('-S') ?? values.get('--split-string');
    return split === undefined ? undefined : [...split, ...operands].map((word) => word.value).join(' ');
  }
  return undefined;
}

function asOtherUser(values: ReadonlyMap<string, readonly Word[]>): boolean {
  const user = values.get('-u') ?? values.get('--user');
  return user !== undefined && !user.some((word) => /^(?:root|#?0)$/.test(word.value));
}
