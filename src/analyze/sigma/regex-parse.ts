import { refuse } from './refuse.js';

// The regular expressions that Sigma names: characters, classes, groups, alternatives, repetitions, anchors. No look-around and no
// back reference: those cannot be tried in a time that grows with the text alone.

/** Ranges of UTF-16 code units. */
export interface CharSet {
  readonly ranges: readonly (readonly [from: number, to: number])[];
  readonly negated: boolean;
}

export type Anchor = '^' | '$' | 'b' | 'B' | 'A';

export type Node =
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'anchor'; readonly anchor: Anchor }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number };

export interface ParsedRegex {
  readonly node: Node;
  readonly flags: string;
}

const LONGEST = 4000;
const DEEPEST = 50;
const MOST_REPEATS = 1000;

export function parseRegex(source: string): ParsedRegex {
  if (source.length > LONGEST) refuse(`a regular expression is longer than ${LONGEST} characters`);
  const head = /^(?:\(\?[ims]{1,3}\)){1,3}/.exec(source)?.[0] ?? '';
  const parser = new Parser(source.slice(head.length));
  return { node: parser.whole(), flags: head.replace(/[^ims]/g, '') };
}

const DIGIT: CharSet['ranges'] = [[48, 57]];
const WORD: CharSet['ranges'] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
const SPACE: CharSet['ranges'] = [
  [9, 13],
  [32, 32],
];
const CLASSES: Readonly<Record<string, CharSet['ranges']>> = { d: DIGIT, w: WORD, s: SPACE };
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, e: 27, a: 7 };
const ANY: CharSet = { ranges: [], negated: true };
/** A dot: the one set whose meaning hangs on a flag. */
export const DOT: CharSet = { ranges: [[10, 10]], negated: true };

class Parser {
  private at = 0;

  constructor(private readonly source: string) {}

  whole(): Node {
    const node = this.choice(0);
    if (this.at < this.source.length) this.fault('a closing bracket without an opening one');
    return node;
  }

  private choice(depth: number): Node {
    if (depth > DEEPEST) this.fault(`groups more than ${DEEPEST} deep`);
    const parts = [this.sequence(depth)];
    while (this.takes('|')) parts.push(this.sequence(depth));
    const [only] = parts;
    return only !== undefined && parts.length === 1 ? only : { kind: 'choice', parts };
  }

  private sequence(depth: number): Node {
    const parts: Node[] = [];
    while (this.at < this.source.length && this.char !== '|' && this.char !== ')') parts.push(this.repeated(this.atom(depth)));
    return { kind: 'sequence', parts };
  }

  private atom(depth: number): Node {
    const char = this.char;
    this.at += 1;
    if (char === '(') return this.group(depth);
    if (char === '[') return { kind: 'set', set: this.bracket() };
    if (char === '.') return { kind: 'set', set: DOT };
    if (char === '^' || char === '$') return { kind: 'anchor', anchor: char };
    if (char === '\\') return this.escape();
    if (char === '*' || char === '+' || char === '?') this.fault('a repetition of nothing');
    return { kind: 'set', set: single(char.charCodeAt(0)) };
  }

  private group(depth: number): Node {
    if (this.takes('?') && !this.takes(':')) this.fault('look-around, a named group or flags inside of a pattern');
    const node = this.choice(depth + 1);
    if (!this.takes(')')) this.fault('an open bracket');
    return node;
  }

  private repeated(part: Node): Node {
    const bounds = this.bounds();
    if (bounds === undefined) return part;
    if (part.kind === 'anchor') this.fault('a repeated anchor');
    // Lazy or not makes no difference to whether there is a match.
    this.takes('?');
    if (this.char === '+' || this.char === '*') this.fault('a repetition of a repetition');
    const [least, most] = bounds;
    if (least > most) this.fault('a repetition whose bounds are the wrong way round');
    if (least > MOST_REPEATS || (most > MOST_REPEATS && most !== Number.POSITIVE_INFINITY))
      this.fault(`a repetition of more than ${MOST_REPEATS} times`);
    return { kind: 'repeat', part, least, most };
  }

  private bounds(): readonly [number, number] | undefined {
    if (this.takes('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.takes('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.takes('?')) return [0, 1];
    if (this.char !== '{') return undefined;
    // A brace that opens no repetition is a brace.
    const braces = /^\{(\d{1,9})(?:(,)(\d{0,9}))?\}/.exec(this.source.slice(this.at, this.at + 24));
    if (braces === null) return undefined;
    const [text, least = '', comma, most = ''] = braces;
    this.at += text.length;
    return [Number(least), comma === undefined ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most)];
  }

  private escape(): Node {
    const char = this.char;
    if (char === 'b' || char === 'B' || char === 'A') {
      this.at += 1;
      return { kind: 'anchor', anchor: char };
    }
    return { kind: 'set', set: this.escapedSet() };
  }

  /** Behind a backslash: a class of characters, or one character. */
  private escapedSet(): CharSet {
    const char = this.char;
    this.at += 1;
    if (char === '') this.fault('a backslash at the end');
    const ranges = CLASSES[char.toLowerCase()];
    if (ranges !== undefined) return { ranges, negated: char !== char.toLowerCase() };
    if (char === 'x' || char === 'u') return single(this.hex(char === 'x' ? 2 : 4));
    const control = CONTROLS[char];
    if (control !== undefined) return single(control);
    if (/[0-9A-Za-z]/.test(char)) this.fault(`\`\\${char}\``);
    return single(char.charCodeAt(0));
  }

  private hex(digits: number): number {
    const text = this.source.slice(this.at, this.at + digits);
    if (text.length < digits || !/^[0-9a-fA-F]+$/.test(text)) this.fault('a code that is not hexadecimal');
    this.at += digits;
    return Number.parseInt(text, 16);
  }

  private bracket(): CharSet {
    const negated = this.takes('^');
    const ranges: (readonly [number, number])[] = [];
    for (let first = true; first || this.char !== ']'; first = false) {
      if (this.char === '') this.fault('an open `[`');
      if (this.char === '[' && /[:.=]/.test(this.source.charAt(this.at + 1))) this.fault('a class like `[:alpha:]`');
      const from = this.member();
      if (this.char !== '-' || this.source.charAt(this.at + 1) === ']') {
        ranges.push(...(from.negated ? complement(from.ranges) : from.ranges));
        continue;
      }
      this.at += 1;
      ranges.push(this.range(from, this.member()));
    }
    this.at += 1;
    return { ranges, negated };
  }

  private member(): CharSet {
    const char = this.char;
    this.at += 1;
    if (char === '') this.fault('an open `[`');
    if (char !== '\\') return single(char.charCodeAt(0));
    if (this.takes('b')) return single(8);
    return this.escapedSet();
  }

  private range(from: CharSet, to: CharSet): readonly [number, number] {
    const [low] = from.ranges;
    const [high] = to.ranges;
    const plain = [from, to].every(({ ranges, negated }) => !negated && ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1]);
    if (!plain || low === undefined || high === undefined || low[0] > high[0]) this.fault('a range that is none');
    return [low[0], high[0]];
  }

  private get char(): string {
    return this.source.charAt(this.at);
  }

  private takes(char: string): boolean {
    if (this.char !== char) return false;
    this.at += 1;
    return true;
  }

  private fault(what: string): never {
    refuse(`the regular expression ${this.source.slice(0, 100)} has ${what}, which is not taken`);
  }
}

const single = (code: number): CharSet => ({ ranges: [[code, code]], negated: false });

function complement(ranges: CharSet['ranges']): CharSet['ranges'] {
  const rest: (readonly [number, number])[] = [];
  let next = 0;
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    if (from > next) rest.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  rest.push([next, 0xffff]);
  return rest;
}

export { ANY as ANY_CHARACTER };
