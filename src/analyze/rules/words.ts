import { type Automaton, automaton } from '../../text/automaton.js';

/**
 * The words that rules look for in texts. Several rules look at the same text one after the other: the first that asks has all
 * words looked for in one pass, the others read the answer.
 */
class WordBook {
  private readonly numbers = new Map<string, number>();
  private readonly words: string[] = [];
  private search: Automaton | undefined;
  private text = '';
  private found: ReadonlySet<number> = new Set();

  /** Number of a word of ASCII, of which case does not count, or of single units beyond. */
  number(word: string): number {
    const folded = word.toLowerCase();
    let number = this.numbers.get(folded);
    if (number === undefined) {
      number = this.words.push(folded) - 1;
      this.numbers.set(folded, number);
      this.search = undefined;
    }
    return number;
  }

  /** Which words stand in a text, in any case. */
  in(text: string): ReadonlySet<number> {
    if (this.search === undefined) {
      this.search = automaton(this.words);
      this.text = '';
      this.found = new Set();
    }
    if (text === this.text) return this.found;
    const found = new Set<number>();
    this.search.each(text, 0, text.length, (word) => found.add(word));
    this.text = text;
    this.found = found;
    return found;
  }
}

export const WORDS = new WordBook();
