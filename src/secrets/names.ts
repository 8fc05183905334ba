import type { Names } from './schema.js';

/** What a name says about its value. */
export interface NameVerdict {
  /** Rule whose phrase the name holds. */
  readonly rule: string;
  /** The phrase ends the name, or only neutral words follow. */
  readonly plain: boolean;
  readonly isPassword: boolean;
}

export type NameTest = (name: string) => NameVerdict | undefined;

const CACHED = 4096;

/** The words of a name in lower case: `dbPassword`, `DB_PASSWORD`, `db-password` and `db.password` have the same two. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]{1,20})([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]{1,20}/)
    .filter((word) => word !== '');
}

interface Phrase {
  readonly rule: string;
  readonly words: readonly string[];
  readonly joined: string;
  readonly fused: boolean;
}

export function nameTest(names: Names): NameTest {
  const fused = new Set(names.fused);
  const phrases: Phrase[] = Object.entries(names.phrases).flatMap(([rule, texts]) =>
    texts.map((text) => ({ rule, words: text.split(' '), joined: text.replaceAll(' ', ''), fused: fused.has(text) })),
  );
  const notBefore = new Set(names.not_before);
  const ofPhrases = verdictOf(phrases, notBefore, new Set(names.not_after), new Set(names.neutral_after));
  const ofCapitals = capitalVerdict(names.capitals, notBefore);
  const test = (name: string) => ofPhrases(name) ?? ofCapitals(name);
  // a phrase ends with one of few words: most names hold none of them
  const mayHold = new RegExp([...lastWords(names)].join('|') || '(?!)', 'i');
  return remembered((name) => (mayHold.test(name) ? test(name) : undefined));
}

/** Remembers the answers for names: they repeat a lot within a store. */
export function remembered<T>(ask: (name: string) => T): (name: string) => T {
  const known = new Map<string, { readonly is: T }>();
  return (name) => {
    const answer = known.get(name);
    if (answer) return answer.is;
    const fresh = { is: ask(name) };
    if (known.size >= CACHED) known.clear();
    known.set(name, fresh);
    return fresh.is;
  };
}

function lastWords(names: Names): Set<string> {
  const phrases = [...Object.values(names.phrases).flat(), ...Object.values(names.capitals).flat()];
  return new Set(phrases.map((phrase) => phrase.slice(phrase.lastIndexOf(' ') + 1)));
}

/** `IBM_IAM_KEY`, and the header `X-IBM-IAM-Key`, where no phrase says more. */
function capitalVerdict(capitals: Names['capitals'], notBefore: ReadonlySet<string>): NameTest {
  const rules = new Map(Object.entries(capitals).flatMap(([rule, words]) => words.map((word) => [word, rule] as const)));
  return (name) => {
    if (!/^(?:[A-Z][A-Z0-9_]{2,62}|[Xx]-[A-Za-z0-9-]{2,60})$/.test(name)) return undefined;
    const words = wordsOf(name);
    const rule = rules.get(words.at(-1) ?? '');
    if (rule === undefined || words.length < 2 || words.some((word) => notBefore.has(word))) return undefined;
    return { rule, plain: false, isPassword: false };
  };
}

function verdictOf(phrases: readonly Phrase[], notBefore: Set<string>, notAfter: Set<string>, neutral: Set<string>): NameTest {
  return (name) => {
    const words = wordsOf(name);
    let best: { phrase: Phrase; from: number; to: number } | undefined;
    for (const phrase of phrases) {
      const place = find(words, phrase);
      if (place && (!best || place.to > best.to || (place.to === best.to && place.from < best.from))) best = { phrase, ...place };
    }
    if (!best) return undefined;
    const tail = words.slice(best.to);
    if (words.slice(0, best.from).some((word) => notBefore.has(word)) || tail.some((word) => notAfter.has(word))) return undefined;
    const plain = tail.every((word) => neutral.has(word) || /^\d{1,4}$/.test(word));
    return { rule: best.phrase.rule, plain, isPassword: best.phrase.rule.includes('password') };
  };
}

/** The last place of a phrase among the words; written as one word it may also end a longer one (`pgpassword`). */
function find(words: readonly string[], phrase: Phrase): { from: number; to: number } | undefined {
  for (let i = words.length - 1; i >= 0; i -= 1) {
    const word = (words[i] ?? '').replace(/\d{1,3}$/, ''); // password2
    if (word === phrase.joined || (phrase.fused && word.endsWith(phrase.joined))) return { from: i, to: i + 1 };
    if (phrase.words.length > 1 && phrase.words.every((part, k) => words[i + k] === part)) return { from: i, to: i + phrase.words.length };
  }
  return undefined;
}
