/** Why a pattern of Go cannot be used here. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** What stands for "any number": behind a keyword 600 characters are looked at. */
const MOST = 600;

const POSIX: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};

interface Flags {
  readonly fold: boolean;
  readonly dotAll: boolean;
  readonly multiline: boolean;
}

interface Group {
  flags: Flags;
  /** Something inside repeats without bound; a bound of its own around it would multiply. */
  repeats: boolean;
  readonly atom: number;
}

/**
 * Rewrites a pattern of Go (RE2 syntax, github.com/google/re2/wiki/Syntax) for JavaScript without flags: scoped flags become
 * classes, unbounded quantifiers get a bound. Throws a PatternError that names what cannot be translated.
 */
export function translatePattern(source: string): string {
  let out = '';
  let at = 0;
  let flags: Flags = { fold: false, dotAll: false, multiline: false };
  /** Offset in `out` of the last atom, and whether it repeats. */
  let atom = -1;
  let atomRepeats = false;
  const stack: Group[] = [];

  const emit = (text: string) => {
    atom = out.length;
    atomRepeats = false;
    out += text;
  };

  const quantifier = (): string | undefined => {
    const found = /^(?:[*+?]|\{(\d{1,6})(,)?(\d{1,6})?\})/.exec(source.slice(at, at + 20));
    if (!found) return undefined;
    at += found[0].length;
    const lazy = source.charAt(at) === '?' ? '?' : '';
    at += lazy.length;
    const [text, least, comma, most] = found;
    if (text === '?') return `?${lazy}`;
    const low = text === '*' ? 0 : text === '+' ? 1 : Number(least);
    const isOpen = least === undefined || (comma !== undefined && most === undefined);
    const high = isOpen ? Math.max(MOST, low) : comma === undefined ? low : Number(most);
    if (high > 16 && atomRepeats) throw new PatternError('nested repetition without a bound');
    if (isOpen || high > 16) for (const group of stack) group.repeats = true;
    return `{${low},${Math.min(high, Math.max(low, MOST))}}${lazy}`;
  };

  while (at < source.length) {
    const char = source.charAt(at);
    if (char === '(') {
      const opened = openGroup(source, at, flags);
      at = opened.next;
      if (opened.text === '') flags = opened.flags;
      else {
        stack.push({ flags, repeats: false, atom: out.length });
        flags = opened.flags;
        out += opened.text;
      }
    } else if (char === ')') {
      const group = stack.pop();
      if (!group) throw new PatternError('a closing parenthesis too many');
      at += 1;
      out += ')';
      flags = group.flags;
      atom = group.atom;
      atomRepeats = group.repeats;
      if (group.repeats) for (const outer of stack) outer.repeats = true;
    } else if ('*+?{'.includes(char) && atom >= 0) {
      const text = quantifier();
      if (text === undefined) {
        emit('\\{');
        at += 1;
      } else {
        out += text;
        atom = -1;
      }
    } else if (char === '[') {
      const read = readClass(source, at, flags.fold);
      at = read.next;
      emit(read.text);
    } else if (char === '\\') {
      const read = readEscape(source, at, flags.fold);
      at = read.next;
      emit(read.text);
    } else {
      at += 1;
      if (char === '|') {
        out += char;
        atom = -1;
      } else if (char === '.') emit(flags.dotAll ? '[^]' : '.');
      else if (char === '^') emit(flags.multiline ? '(?:^|(?<=\\n))' : '^');
      else if (char === '$') emit(flags.multiline ? '(?:$|(?=\\n))' : '$');
      else emit(flags.fold ? folded(char) : '{}]/'.includes(char) ? `\\${char}` : char);
    }
  }
  if (stack.length > 0) throw new PatternError('a group that is not closed');
  try {
    new RegExp(out);
  } catch (error) {
    throw new PatternError(error instanceof Error ? error.message : String(error));
  }
  return out;
}

function openGroup(source: string, at: number, flags: Flags): { text: string; next: number; flags: Flags } {
  const named = /^\(\?P?<([A-Za-z_]\w{0,60})>/.exec(source.slice(at, at + 80));
  if (named) return { text: `(?<${named[1]}>`, next: at + named[0].length, flags };
  if (source.charAt(at + 1) !== '?') return { text: '(', next: at + 1, flags };
  const scoped = /^\(\?([imsU]{0,4})(?:-([imsU]{1,4}))?([:)])/.exec(source.slice(at, at + 16));
  if (!scoped) throw new PatternError(`the group ${source.slice(at, at + 4)}`);
  const [text, on = '', off = '', sign] = scoped;
  if (on.includes('U') || off.includes('U')) throw new PatternError('the flag U');
  const set = (flag: string, now: boolean) => (on.includes(flag) ? true : off.includes(flag) ? false : now);
  const changed = { fold: set('i', flags.fold), multiline: set('m', flags.multiline), dotAll: set('s', flags.dotAll) };
  return { text: sign === ':' ? '(?:' : '', next: at + text.length, flags: changed };
}

function folded(char: string): string {
  const lower = char.toLowerCase();
  const upper = char.toUpperCase();
  if (lower === upper || upper.length !== 1) return '{}]/'.includes(char) ? `\\${char}` : char;
  return `[${lower}${upper}]`;
}

const SAME = 'dDwWsSbBnrtfv';

function readEscape(source: string, at: number, fold: boolean): { text: string; next: number } {
  const char = source.charAt(at + 1);
  if (char === '') throw new PatternError('a backslash at the end');
  if (char === 'z' || char === 'Z') return { text: '$', next: at + 2 };
  if (char === 'A') return { text: '^', next: at + 2 };
  if (char === 'a') return { text: '\\x07', next: at + 2 };
  if (char === 'x') return readHex(source, at);
  if (char === 'Q') {
    const end = source.indexOf('\\E', at);
    const literal = source.slice(at + 2, end < 0 ? source.length : end);
    return { text: literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), next: end < 0 ? source.length : end + 2 };
  }
  if (char === 'p' || char === 'P' || char === 'C') throw new PatternError(`the escape \\${char}`);
  if (/[A-Za-z]/.test(char) && !SAME.includes(char)) throw new PatternError(`the escape \\${char}`);
  if (/[0-9]/.test(char)) throw new PatternError(`the escape \\${char}`);
  if (/[A-Za-z]/.test(char)) return { text: `\\${char}`, next: at + 2 };
  return { text: fold && /[A-Za-z]/.test(char) ? folded(char) : `\\${char}`, next: at + 2 };
}

function readHex(source: string, at: number): { text: string; next: number } {
  const found = /^\\x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/.exec(source.slice(at, at + 12));
  if (!found) throw new PatternError('the escape \\x');
  const code = Number.parseInt(found[1] ?? found[2] ?? '', 16);
  if (code > 0xffff) throw new PatternError('a character beyond U+FFFF');
  return { text: `\\u${code.toString(16).padStart(4, '0')}`, next: at + found[0].length };
}

/** A class, with the other case of its letters added where case does not matter. */
function readClass(source: string, from: number, fold: boolean): { text: string; next: number } {
  let at = from + 1;
  let inside = '';
  const negated = source.charAt(at) === '^';
  if (negated) at += 1;
  for (let first = true; source.charAt(at) !== ']' || first; first = false) {
    if (at >= source.length) throw new PatternError('a class that is not closed');
    const posix = /^\[:(\^?)([a-z]{1,8}):\]/.exec(source.slice(at, at + 14));
    if (posix) {
      const members = POSIX[posix[2] ?? ''];
      if (members === undefined || posix[1] === '^') throw new PatternError(`the class ${posix[0]}`);
      inside += members;
      at += posix[0].length;
    } else if (source.charAt(at) === '\\') {
      const read = readEscape(source, at, false);
      inside += read.text;
      at = read.next;
    } else {
      const char = source.charAt(at);
      inside += '[]/^'.includes(char) ? `\\${char}` : char;
      at += 1;
    }
  }
  return { text: `[${negated ? '^' : ''}${inside}${fold ? otherCase(inside) : ''}]`, next: at + 1 };
}

function otherCase(inside: string): string {
  const plain = inside.replace(/\\u[0-9a-f]{4}|\\[^]/g, ' ');
  const ranges = plain.match(/[a-z]-[a-z]|[A-Z]-[A-Z]|[A-Za-z]/g) ?? [];
  return ranges.map((range) => (/[a-z]/.test(range) ? range.toUpperCase() : range.toLowerCase())).join('');
}
