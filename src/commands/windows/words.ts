import type { Word } from '../raw.js';
import { groupEnd, hereStringEnd, quoteEnd } from './scan.js';

/** A piece of a PowerShell text. */
export type Token =
  | { readonly kind: 'word'; readonly word: Word; readonly groups: readonly Group[]; readonly quoted: boolean }
  | { readonly kind: 'pipe' | 'end' | 'ampersand' }
  | { readonly kind: 'redirect'; readonly read: boolean };

/** Code inside a word: `(...)`, `$(...)`, `@(...)`, `{...}`. */
export interface Group {
  readonly code: string;
  readonly block: boolean;
}

/** Splits a text of PowerShell. The index moves forward with each token, so that time follows the length. */
export class Tokens {
  private at = 0;
  /** A quote or bracket was opened and never closed. */
  unclosed = false;

  constructor(private readonly text: string) {}

  get position(): number {
    return this.at;
  }

  next(): Token | undefined {
    this.skipBlanks();
    const { text, at } = this;
    if (at >= text.length) return undefined;
    const char = text.charAt(at);
    const two = text.slice(at, at + 2);
    if (two === '&&' || two === '||') return this.step(2, { kind: 'end' });
    if (char === '\n' || char === '\r' || char === ';') return this.step(1, { kind: 'end' });
    if (char === '|') return this.step(1, { kind: 'pipe' });
    if (char === ')' || char === '}') return this.step(1, { kind: 'end' });
    if (char === '&') return this.step(1, { kind: 'ampersand' });
    const merge = /^[0-6*]?>&[0-6]/.exec(text.slice(at, at + 4));
    if (merge !== null) {
      this.at += merge[0].length;
      return this.next();
    }
    const redirect = /^(?:[1-6*]?>{1,2}|<)/.exec(text.slice(at, at + 3));
    if (redirect !== null) return this.step(redirect[0].length, { kind: 'redirect', read: redirect[0] === '<' });
    return this.word();
  }

  private step(length: number, token: Token): Token {
    this.at += length;
    return token;
  }

  private skipBlanks(): void {
    const { text } = this;
    for (; this.at < text.length; this.at++) {
      const char = text.charAt(this.at);
      if (char === ' ' || char === '\t') continue;
      if (char === '`' && /[\r\n]/.test(text.charAt(this.at + 1))) this.at += text.startsWith('\r\n', this.at + 1) ? 2 : 1;
      else if (char === '#') this.at = lineEnd(text, this.at) - 1;
      else if (text.startsWith('<#', this.at)) {
        const end = text.indexOf('#>', this.at + 2);
        this.at = end < 0 ? text.length : end + 1;
      } else return;
    }
  }

  /** A word runs to a blank or a separator; behind a comma it goes on, as a list of values is one argument. */
  private word(): Token {
    const { text } = this;
    const start = this.at;
    const parts: string[] = [];
    const groups: Group[] = [];
    let quoted = false;
    while (this.at < text.length) {
      const char = text.charAt(this.at);
      if (/[\s;|&<>)}]/.test(char)) {
        if (char === ' ' && parts.at(-1)?.endsWith(',') === true) this.skipBlanks();
        else if (this.at === start) this.at++;
        else break;
        if (this.at > start && /[\s;|&<>)}]/.test(text.charAt(this.at))) break;
        continue;
      }
      const here = char === '@' ? hereStringEnd(text, this.at) : -1;
      if (here >= 0) {
        parts.push(text.slice(this.at, here).replace(/^@['"][ \t]*\r?\n|\r?\n['"]@$/g, ''));
        quoted = true;
        this.at = here;
      } else if (char === "'" || char === '"') {
        quoted = true;
        parts.push(this.quoted(char, groups));
      } else if (char === '(' || char === '{')
        parts.push(this.group(char === '{' && !parts.at(-1)?.endsWith('@') && !parts.at(-1)?.endsWith('$'), groups));
      else if (char === '`') {
        parts.push(text.charAt(this.at + 1));
        this.at += 2;
      } else {
        parts.push(char);
        this.at++;
      }
    }
    const raw = text.slice(start, this.at);
    const value = parts.join('');
    return { kind: 'word', word: { value, raw, literal: raw.startsWith("'") && value.startsWith('$') }, groups, quoted };
  }

  private group(block: boolean, groups: Group[]): string {
    const { text, at } = this;
    const end = groupEnd(text, at);
    const all = text.slice(at, end);
    const hashtable = text.charAt(at) === '{' && (text.charAt(at - 1) === '@' || text.charAt(at - 1) === '$');
    const call = text.charAt(at) === '(' && /[\w\]]/.test(text.charAt(at - 1)) && !all.includes('(', 1);
    if (!hashtable && !call) groups.push({ code: all.slice(1, all.length - (end === text.length && !/[)}]$/.test(all) ? 0 : 1)), block });
    if (!/[)}]$/.test(all)) this.unclosed = true;
    this.at = end;
    return all;
  }

  private quoted(quote: string, groups: Group[]): string {
    const { text, at } = this;
    const end = quoteEnd(text, at);
    this.at = end;
    const closed = end > at + 1 && text.charAt(end - 1) === quote;
    if (!closed) this.unclosed = true;
    const inside = text.slice(at + 1, closed ? end - 1 : end);
    if (quote === "'") return inside.replaceAll("''", "'");
    for (let from = inside.indexOf('$('); from >= 0; from = inside.indexOf('$(', from)) {
      const close = groupEnd(inside, from + 1);
      groups.push({ code: inside.slice(from + 2, close - 1), block: false });
      from = close;
    }
    return inside.replace(/`(.)/gs, '$1').replaceAll('""', '"');
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
