import { type Draft, plainWord, type Word } from './raw.js';

/** More names than a line gives in earnest. */
const MAX_NAMES = 8;

/** What a `find` gives to the program it feeds, as far as its words tell: `START/**` and the pattern of `-name` or `-path`. */
export function foundBy(find: Draft): readonly Word[] {
  const starts = find.ops.length > 0 ? find.ops : ['.'];
  const names = ['-name', '-iname'].flatMap((flag) => find.values.get(flag) ?? []);
  const paths = ['-path', '-ipath', '-wholename'].flatMap((flag) => find.values.get(flag) ?? []);
  const below = [...names.map((name) => `**/${name}`), ...paths.map((path) => path.replace(/^\.?\//, ''))];
  return starts.flatMap((start) => below.map((name) => plainWord(`${start.replace(/\/$/, '')}/${name}`))).slice(0, MAX_NAMES);
}

/** The words that arrive through `xargs`, where the line tells them. */
export function throughXargs(upstream: readonly Draft[]): readonly Word[] {
  const last = upstream.at(-1);
  if (last === undefined) return [];
  if (last.name === 'find') return foundBy(last);
  return last.name === 'ls' || last.name === 'echo' || last.name === 'printf'
    ? last.ops.filter((word) => !word.includes('%')).map(plainWord)
    : [];
}

/** Puts words in the place of `{}`, or behind all others where the program has none. */
export function fillIn(words: readonly Word[], given: readonly Word[], mark: string): readonly Word[] {
  if (given.length === 0) return words;
  if (!words.some((word) => word.value === mark)) return [...words, ...given];
  return words.flatMap((word) => (word.value === mark ? given : [word]));
}
