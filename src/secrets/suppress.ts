import type { Suppress } from './schema.js';
import { WORDS, type Wordiness } from './values.js';

/** Tests of a value that say it is no secret, whatever stands beside it. */
export interface Suppression {
  /** Documented example, repeated characters, ellipsis: no secret even in the right format. */
  readonly isExample: (value: string) => boolean;
  /** A template or a reference to a secret that lies elsewhere. */
  readonly isReference: (value: string) => boolean;
  /** All of the above, placeholders, plain identifiers, paths and known hashes. */
  readonly isHarmless: (value: string) => boolean;
}

/** Values are judged by their beginning; every pattern sees a bounded text. */
const JUDGED = 300;

const RUN = 6;

/** The same character six times in a row. */
function hasRun(value: string): boolean {
  let run = 1;
  for (let i = 1; i < value.length; i += 1) {
    run = value.charCodeAt(i) === value.charCodeAt(i - 1) ? run + 1 : 1;
    if (run === RUN) return true;
  }
  return false;
}

/** Sequences that people type to fill a field. */
const SEQUENCES = ['0123456789abcdef', 'abcdefghijklmnop', 'abcdef0123456789'];

/** Below it the pairs of a value say little. */
const SHORT = 12;
/** From here on random text may hold a short word by chance. */
const LONG = 20;

const SIGN = /[^A-Za-z0-9]/;

const IDENTIFIERS = [
  // snake_case, kebab-case and dotted.path of words, with at most a short number behind a word
  /^[A-Za-z]{1,24}\d{0,2}(?:[._:-]{1,2}[A-Za-z]{1,24}\d{0,2}){1,12}$/,
  // CamelCase without digits
  /^[A-Za-z]?[a-z]{1,24}(?:[A-Z]{1,5}[a-z]{1,24}){1,10}[A-Z]{0,4}$/,
  // one word
  /^[a-z]{1,32}$|^[A-Z]{1,32}$|^[A-Z][a-z]{1,32}$/,
];

const PLACES = [/^(?:\.{0,2}|~|[A-Za-z]:)[/\\]{1,2}[\w.@ -]{0,80}(?:[/\\]{1,2}[\w.@* -]{0,80}){0,20}$/, /^https?:\/\/[^\s@]{1,300}$/];

export function suppression(data: Suppress, words: Wordiness): Suppression {
  const documented = new Set(data.documented);
  const references = whole(data.references);
  const plain = whole(data.plain);
  const harmless = whole(data.harmless);
  const word = new RegExp(`(?:^|[^A-Za-z])(?:${data.words.join('|')})(?:[^A-Za-z]|$)`, 'i');
  const any = (patterns: readonly RegExp[], value: string) => patterns.some((pattern) => pattern.test(value));

  const isExample = (value: string) => {
    const head = value.slice(0, JUDGED);
    if (documented.has(value) || head.includes('...') || head.includes('\u2026')) return true;
    if (hasRun(head) && mostlyRepeated(head)) return true;
    const lower = head.toLowerCase();
    return SEQUENCES.some((sequence) => lower.includes(sequence));
  };
  // a reference has a sign, and most secrets have none
  const isReference = (value: string) => SIGN.test(value) && references.test(value.slice(0, JUDGED));
  return {
    isExample,
    isReference,
    isHarmless: (value) => {
      if (isExample(value) || isReference(value)) return true;
      const head = value.slice(0, JUDGED);
      return (
        (word.test(head) && (head.length < LONG || words(head) > WORDS - 5)) ||
        (SIGN.test(head) ? harmless.test(head) || isPlace(head) : plain.test(head)) ||
        ((head.length < SHORT || words(head) > WORDS) && any(IDENTIFIERS, head))
      );
    },
  };
}

/** One expression for all: a value that fits none is turned down by its first character. */
function whole(sources: readonly string[]): RegExp {
  return new RegExp(`^(?:${sources.map((source) => `(?:${source})`).join('|') || '(?!)'})$`, 'is');
}

function isPlace(value: string): boolean {
  // base64 may begin with a slash: a path has a dot, or words between its slashes
  return PLACES.some((pattern) => pattern.test(value)) && !/^[/][A-Za-z0-9+/]{30,}={0,2}$/.test(value);
}

/** A run of one character makes a placeholder only if little else is there: AAAAAA occurs in real base64. */
function mostlyRepeated(value: string): boolean {
  let repeated = 0;
  for (let i = 1; i < value.length; i += 1) if (value[i] === value[i - 1]) repeated += 1;
  return repeated * 2 >= value.length - 1 || /[xX*]{6}|\*{4}/.test(value);
}
