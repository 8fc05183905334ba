/**
 * Words of which one stands in every text that a pattern matches, as far as that can be read off the pattern; undefined where it
 * cannot. Looking for words takes a tenth of the time of trying an expression at every place of a long text.
 *
 * Read are literals, groups and alternatives; everything else (classes, dots, look-around, references) is passed over. What may be
 * missing (`?`, `*`, `{0,`) needs nothing.
 */
export function neededWords(source: string): readonly string[] | undefined {
  const reader = new Reader(source);
  const words = reader.choice();
  return reader.failed || reader.at < source.length ? undefined : words;
}

type Words = readonly string[] | undefined;

const SHORTEST = 4;
const MOST_WORDS = 24;
const DEEPEST = 30;

class Reader {
  at = 0;
  failed = false;
  private depth = 0;

  constructor(private readonly source: string) {}

  /** Alternatives up to a closing bracket: each must need a word, and any of them will do. */
  choice(): Words {
    this.depth += 1;
    if (this.depth > DEEPEST) this.failed = true;
    const all: string[] = [];
    let known = true;
    for (;;) {
      const words = this.sequence();
      if (words === undefined) known = false;
      else all.push(...words);
      if (this.source[this.at] !== '|' || this.failed) break;
      this.at += 1;
    }
    this.depth -= 1;
    return known && all.length <= MOST_WORDS ? all : undefined;
  }

  /** Of the parts of a sequence the one that needs the longest words. */
  private sequence(): Words {
    let best: Words;
    let run = '';
    const offer = (words: Words) => {
      if (words !== undefined && weight(words) >= SHORTEST && weight(words) > weight(best)) best = words;
    };
    while (this.at < this.source.length && !this.failed) {
      const char = this.source[this.at];
      if (char === '|' || char === ')') break;
      const literal = this.literal();
      const group = literal === undefined ? this.other() : undefined;
      const optional = this.repetition();
      if (literal !== undefined && optional === 'once') {
        run += literal;
        continue;
      }
      // `ab+`: the `b` is there once at least, and with what follows it is a new run.
      const repeated = literal !== undefined && optional === 'more' ? literal : '';
      offer([run + repeated]);
      run = repeated;
      if (optional !== 'maybe') offer(group);
    }
    offer([run]);
    return best;
  }

  /** A character that stands for itself. */
  private literal(): string | undefined {
    const char = this.source[this.at] ?? '';
    if (char === '\\') {
      const escaped = this.source[this.at + 1] ?? '';
      if (!/[^\w\s]/.test(escaped)) return undefined;
      this.at += 2;
      return escaped;
    }
    if (/[.^$*+?()[\]{}|]/.test(char)) return undefined;
    this.at += 1;
    return char;
  }

  /** Anything else. */
  private other(): Words {
    const char = this.source[this.at];
    if (char === '(') return this.group();
    if (char === '[') this.passClass();
    else if (char === '\\') this.passEscape();
    else this.at += 1;
    return undefined;
  }

  private group(): Words {
    const head = /^\((?:\?(?::|=|!|<=|<!|<[A-Za-z_$][\w$]*>)?)?/.exec(this.source.slice(this.at, this.at + 80))?.[0] ?? '(';
    this.at += head.length;
    const words = this.choice();
    if (this.source[this.at] !== ')') this.failed = true;
    this.at += 1;
    return /[=!]$/.test(head) ? undefined : words;
  }

  private passClass(): void {
    for (this.at += 1; this.at < this.source.length && this.source[this.at] !== ']'; this.at += 1)
      if (this.source[this.at] === '\\') this.at += 1;
    this.at += 1;
  }

  private passEscape(): void {
    const rest = this.source.slice(this.at, this.at + 40);
    const long = /^\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|k<[^>]*>|c[A-Za-z]|\d+)/.exec(rest)?.[0];
    this.at += long?.length ?? 2;
  }

  private repetition(): 'once' | 'more' | 'maybe' {
    const found = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.source.slice(this.at, this.at + 30));
    if (found === null) return 'once';
    this.at += found[0].length;
    const least = found[1] === undefined ? (found[0].startsWith('+') ? 1 : 0) : Number(found[1]);
    return least === 0 ? 'maybe' : 'more';
  }
}

/** How telling a set of words is: the length of its shortest. */
const weight = (words: Words): number => (words === undefined || words.length === 0 ? 0 : Math.min(...words.map((word) => word.length)));
