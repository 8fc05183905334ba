/**
 * Sets of words: of each set one word stands in every text that a pattern matches, as far as that can be read off the pattern. The
 * most telling set comes first; none where nothing can be read. Looking for words takes a tenth of the time of trying an expression at every place of a long text.
 *
 * Read are literals, groups, alternatives and classes of characters outside of ASCII; everything else (other classes, dots, look-around, references) is passed over. What may be
 * missing (`?`, `*`, `{0,`) needs nothing.
 */
export function neededWords(source: string): readonly (readonly string[])[] {
  const reader = new Reader(source);
  const sets = reader.choice();
  return reader.failed || reader.at < source.length ? [] : sets;
}

type Words = readonly string[];

const SHORTEST = 4;
const MOST_WORDS = 24;
const MOST_SETS = 3;
const DEEPEST = 30;

class Reader {
  at = 0;
  failed = false;
  private depth = 0;

  constructor(private readonly source: string) {}

  /** Alternatives up to a closing bracket. Of several each must need a word, and then any of these will do. */
  choice(): readonly Words[] {
    this.depth += 1;
    if (this.depth > DEEPEST) this.failed = true;
    const alternatives: (readonly Words[])[] = [];
    for (;;) {
      alternatives.push(this.sequence());
      if (this.source[this.at] !== '|' || this.failed) break;
      this.at += 1;
    }
    this.depth -= 1;
    const [only] = alternatives;
    if (only !== undefined && alternatives.length === 1) return only;
    const all = alternatives.flatMap(([first]) => first ?? []);
    return alternatives.every((sets) => sets.length > 0) && all.length <= MOST_WORDS ? [all] : [];
  }

  /** What the parts of a sequence need, most telling first. */
  private sequence(): readonly Words[] {
    const sets: Words[] = [];
    let run = '';
    const offer = (words: Words) => {
      if (shortest(words) >= SHORTEST || (words.length > 0 && words.every(isRare))) sets.push(words);
    };
    while (this.at < this.source.length && !this.failed) {
      const char = this.source[this.at];
      if (char === '|' || char === ')') break;
      const literal = this.literal();
      const group = literal === undefined ? this.other() : [];
      const optional = this.repetition();
      if (literal !== undefined && optional === 'once') {
        run += literal;
        continue;
      }
      // `ab+`: the `b` is there once at least, and with what follows it is a new run.
      const repeated = literal !== undefined && optional === 'more' ? literal : '';
      offer([run + repeated]);
      run = repeated;
      if (optional !== 'maybe') for (const words of group) offer(words);
    }
    offer([run]);
    return sets.sort((a, b) => shortest(b) - shortest(a) || letters(b) - letters(a)).slice(0, MOST_SETS);
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
    // Words are looked for without case, which is a matter of ASCII here.
    if (/[.^$*+?()[\]{}|]/.test(char) || char > '\x7f') return undefined;
    this.at += 1;
    return char;
  }

  /** Anything else. */
  private other(): readonly Words[] {
    const char = this.source[this.at];
    if (char === '(') return this.group();
    if (char === '[') {
      const from = this.at;
      this.passClass();
      const units = rareUnits(this.source.slice(from + 1, this.at - 1));
      return units.length === 0 ? [] : [units];
    }
    if (char === '\\') this.passEscape();
    else this.at += 1;
    return [];
  }

  private group(): readonly Words[] {
    const head = /^\((?:\?(?::|=|!|<=|<!|<[A-Za-z_$][\w$]*>)?)?/.exec(this.source.slice(this.at, this.at + 80))?.[0] ?? '(';
    this.at += head.length;
    const sets = this.choice();
    if (this.source[this.at] !== ')') this.failed = true;
    this.at += 1;
    return /[=!]$/.test(head) ? [] : sets;
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

/** One unit outside of ASCII tells as much as a word. */
const isRare = (word: string) => word > '\x7f';

const MEMBER = /(?:\\u\{([0-9a-fA-F]+)\}|\\u([0-9a-fA-F]{4})|([^\\\]^-]))(?:-(?:\\u\{([0-9a-fA-F]+)\}|\\u([0-9a-fA-F]{4})|([^\\\]^-])))?/uy;

/** The UTF-16 units of which one begins every character of a class, where all of them lie outside of ASCII and are few; else none. */
function rareUnits(members: string): Words {
  const units = new Set<string>();
  MEMBER.lastIndex = 0;
  while (MEMBER.lastIndex < members.length) {
    const found = MEMBER.exec(members);
    if (found === null) return [];
    const [, long, short, plain, toLong, toShort, toPlain] = found;
    const first = codeOf(long ?? short, plain);
    const last = toLong === undefined && toShort === undefined && toPlain === undefined ? first : codeOf(toLong ?? toShort, toPlain);
    if (first < 0x80 || last - first > 0xffff) return [];
    // Of characters beyond U+FFFF the first unit stands for 1,024 at a time.
    for (let code = first; code <= last && units.size <= MOST_WORDS; code = code < 0x10000 ? code + 1 : ((code >> 10) + 1) << 10)
      units.add(String.fromCodePoint(code).charAt(0));
    if (units.size > MOST_WORDS) return [];
  }
  // A letter may stand for its other case.
  return [...units].every((unit) => unit.toLowerCase() === unit.toUpperCase()) ? [...units] : [];
}

const codeOf = (hex: string | undefined, plain: string | undefined) =>
  hex === undefined ? (plain?.codePointAt(0) ?? 0) : Number.parseInt(hex, 16);

const shortest = (words: Words): number => Math.min(...words.map((word) => word.length));
const letters = (words: Words): number => words.reduce((sum, word) => sum + word.length, 0) / words.length;
