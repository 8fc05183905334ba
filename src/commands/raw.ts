import type { SimpleCommand } from './types.js';

/** Which shell's rules a text is read by. */
export type Shell = 'posix' | 'powershell' | 'cmd';

/** One word of a command. */
export interface Word {
  /** Without quotes and escapes; expansions as written. */
  readonly value: string;
  /** As it stands in the text. */
  readonly raw: string;
  /** Its `~` or `$HOME` is quoted so that the shell leaves it alone: `'~'` names a file. */
  readonly literal: boolean;
}

export interface Redirect {
  readonly kind: 'read' | 'write' | 'both';
  readonly target: Word;
}

/** A command as the shell's grammar gives it: program, arguments and what is attached, nothing understood yet. */
export interface RawCommand {
  readonly words: readonly Word[];
  /** The words with what `xargs` or `find` puts among them; facts are found by these, while the command is shown as written. */
  readonly filled?: readonly Word[] | undefined;
  readonly assignments: readonly string[];
  readonly redirects: readonly Redirect[];
  readonly heredoc: string;
  readonly text: string;
  readonly shell: Shell;
  readonly subst: readonly Draft[];
  readonly procsub: readonly Draft[];
}

/** A command whose followers in the pipeline are still being added. */
export interface Draft extends SimpleCommand {
  readonly to: string[];
}

export function plainWord(value: string): Word {
  return { value, raw: value, literal: false };
}
