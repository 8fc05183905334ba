import type { Options } from '../options/read.js';
import { normalisePath } from '../paths.js';
import type { Place } from '../place.js';
import { type Draft, plainWord, type Shell, type Word } from '../raw.js';

/** What the fact finders of a program look at. */
export interface Invocation {
  readonly name: string;
  readonly shell: Shell;
  readonly args: readonly Word[];
  readonly options: Options;
  readonly upstream: readonly Draft[];
  /** A file or text is given to its standard input on the line. */
  readonly hasInput: boolean;
  /** A file is given to its standard input on the line. */
  readonly hasFile: boolean;
  readonly place: Place;
}

const NONE: readonly string[] = [];

/** Streams of the process itself are no files: what goes there changes nothing. */
export const STREAMS = /^\/dev\/(?:null|std(?:in|out|err)|tty|fd\/\d+)$|^(?:nul|\$null)$/i;

/** Where the finders write what they found. */
export class Facts {
  readonly reads: string[] = [];
  readonly writes: string[] = [];
  readonly deletes: string[] = [];
  readonly fetches: string[] = [];
  readonly sends: string[] = [];
  private readonly addresses = new Set<string>();
  recursive = false;
  force = false;
  body = false;
  bodyFile = false;
  /** An interpreter that executes what arrives on standard input. */
  stdinCode = false;

  constructor(private readonly place: Place) {}

  /** All addresses named, each once. */
  get urls(): readonly string[] {
    return this.addresses.size === 0 ? NONE : [...this.addresses];
  }

  read(words: Iterable<Word>): void {
    for (const word of words) this.paths(word, this.reads);
  }

  write(words: Iterable<Word>): void {
    for (const word of words) this.paths(word, this.writes);
  }

  delete(words: Iterable<Word>): void {
    for (const word of words) this.paths(word, this.deletes);
  }

  fetch(address: string): void {
    this.fetches.push(address);
    this.url(address);
  }

  send(address: string): void {
    this.sends.push(address);
    this.url(address);
  }

  url(address: string): void {
    this.addresses.add(address);
  }

  private paths(word: Word, into: string[]): void {
    for (const value of expandBraces(word.value)) {
      if (value === '' || value === '-' || (into !== this.reads && STREAMS.test(value)) || value.startsWith('<(') || value.startsWith('>('))
        continue;
      into.push(this.place.shown(normalisePath(value, { quotedTilde: word.literal })));
    }
  }
}

export function has(options: Options, ...flags: readonly string[]): boolean {
  return flags.some((flag) => options.flags.includes(flag));
}

/** Values of several spellings of one option. */
export function valuesOf(options: Options, ...flags: readonly string[]): readonly Word[] {
  return flags.flatMap((flag) => options.values.get(flag) ?? []);
}

/** A word without its first characters: the file of `@file`. */
export function tail(word: Word, from: number): Word {
  return { ...plainWord(word.value.slice(from)), literal: word.literal };
}

const MAX_ALTERNATIVES = 64;

/** `a{b,c}` names two files. Nested braces and more than a few alternatives stay as written. */
function expandBraces(value: string): readonly string[] {
  if (!value.includes('{') || value.includes('${') || value.includes('$(')) return [value];
  let results: readonly string[] = [value];
  for (let round = 0; round < 4; round++) {
    const next = results.flatMap((result) => {
      const match = /\{([^{},]*(?:,[^{},]*)+)\}/.exec(result);
      if (match === null) return [result];
      const [before, after] = [result.slice(0, match.index), result.slice(match.index + match[0].length)];
      return (match[1] ?? '').split(',').map((part) => before + part + after);
    });
    if (next.length > MAX_ALTERNATIVES) return [value];
    if (next.length === results.length) break;
    results = next;
  }
  return results;
}
