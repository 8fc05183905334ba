import type { Options } from 'yargs';

/** What a shell may offer for a command: its options, and the values its words can have. */
export interface Completable {
  readonly options: Readonly<Record<string, Options>>;
  readonly words?: readonly string[];
}

/**
 * Words that can stand where the last one of a line does. The parser's own completion does not know the options of the main
 * job, which has no name. Where nothing fits the shell offers paths. `words` begins with the name of the program.
 */
export function completions(words: readonly string[], commands: Readonly<Record<string, Completable>>, main: Completable): string[] {
  const [, first = ''] = words;
  const current = words.at(-1) ?? '';
  const command = words.length > 2 && Object.hasOwn(commands, first) ? commands[first] : undefined;
  const { options, words: values } = command ?? main;
  const choices = optionOf(words.at(-2) ?? '', options)?.choices;
  if (choices !== undefined) return choices.map(String);
  if (current.startsWith('-')) return [...Object.keys(options).map((name) => `--${name}`), '--help', '--version'];
  if (words.length === 2) return Object.keys(commands);
  return [...(values ?? [])];
}

function optionOf(word: string, options: Completable['options']): Options | undefined {
  if (!word.startsWith('-')) return undefined;
  const name = word.replace(/^--?/, '');
  return Object.entries(options).find(([key, { alias }]) => key === name || alias === name)?.[1];
}
