/** A fault in a TOML text, with its line. */
export class TomlError extends Error {
  override readonly name = 'TomlError';
  constructor(
    readonly line: number,
    readonly reason: string,
  ) {
    super(`line ${line}: ${reason}`);
  }
}

export type TomlValue = string | number | boolean | readonly TomlValue[];

/** A table as it stands in the file: its name, whether it is one of a list (`[[rules]]`), and its own members. */
export interface TomlTable {
  readonly path: string;
  readonly isElement: boolean;
  readonly line: number;
  readonly members: Map<string, TomlValue>;
}

const HEADER = /\[(\[?)\s{0,8}([\w.-]{1,200})\s{0,8}\]\]?/y;
const KEY = /(?:([\w.-]{1,200})|"([^"\n]{1,200})")[ \t]{0,80}=[ \t]{0,80}/y;
const NUMBER = /[+-]?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?/y;
const SPACE = /(?:[ \t\r\n]|#[^\n]*)*/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', e: '\u001b', '"': '"', '\\': '\\' };

/** Reads the part of TOML 1.0 that rule files use: tables, lists of tables, the four kinds of strings, arrays, numbers, booleans. */
export function readToml(source: string): TomlTable[] {
  let at = 0;
  let current: TomlTable = { path: '', isElement: false, line: 1, members: new Map() };
  const tables = [current];
  const line = () => source.slice(0, at).split('\n').length;
  const fail = (reason: string): never => {
    throw new TomlError(line(), reason);
  };
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const through = (quotes: string) => {
    const end = source.indexOf(quotes, at);
    if (end < 0) return fail(`a string without its closing ${quotes}`);
    const text = source.slice(at, end);
    at = end + quotes.length;
    return text;
  };

  const basic = (quotes: string): string => {
    let text = '';
    for (;;) {
      if (at >= source.length || (quotes === '"' && source[at] === '\n')) return fail(`a string without its closing ${quotes}`);
      if (source.startsWith(quotes, at)) {
        at += quotes.length;
        return text;
      }
      const char = source.charAt(at);
      at += 1;
      if (char !== '\\') {
        text += char;
        continue;
      }
      const escape = source.charAt(at);
      at += 1;
      const size = escape === 'u' ? 4 : escape === 'U' ? 8 : 0;
      const code = Number.parseInt(source.slice(at, at + size), 16);
      if (ESCAPES[escape] !== undefined) text += ESCAPES[escape];
      else if (size > 0 && code <= 0x10ffff) {
        text += String.fromCodePoint(code);
        at += size;
      } else if (/\s/.test(escape)) match(/\s*/y);
      else return fail(`an unknown escape \\${escape}`);
    }
  };

  const value = (): TomlValue => {
    const skipBreak = () => match(/\r?\n/y);
    if (source.startsWith("'''", at)) {
      at += 3;
      skipBreak();
      return through("'''");
    }
    if (source.startsWith('"""', at)) {
      at += 3;
      skipBreak();
      return basic('"""');
    }
    const char = source.charAt(at);
    if (char === "'" || char === '"') {
      at += 1;
      return char === '"' ? basic('"') : through("'");
    }
    if (char === '[') {
      at += 1;
      const items: TomlValue[] = [];
      for (match(SPACE); source.charAt(at) !== ']'; match(SPACE)) {
        items.push(value());
        match(SPACE);
        if (source.charAt(at) === ',') at += 1;
        else if (source.charAt(at) !== ']') return fail('an array without its closing bracket');
      }
      at += 1;
      return items;
    }
    if (match(/true\b/y)) return true;
    if (match(/false\b/y)) return false;
    const number = match(NUMBER);
    return number ? Number(number[0]) : fail('a value that is no string, number, boolean or array');
  };

  for (match(SPACE); at < source.length; match(SPACE)) {
    const header = match(HEADER);
    if (header) {
      current = { path: header[2] ?? '', isElement: header[1] === '[', line: line(), members: new Map() };
      tables.push(current);
      continue;
    }
    const key = match(KEY);
    if (!key) return fail('neither a table nor a key');
    current.members.set(key[1] ?? key[2] ?? '', value());
  }
  return tables;
}
