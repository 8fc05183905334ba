import { stringEnd } from './json-scan.js';

/** The key or text that a place in JSON lies in. */
export interface Token {
  /** Keys from the outside in; of a list the number of its element. The last one is the token's own key. */
  readonly path: readonly string[];
  readonly isKey: boolean;
  readonly start: number;
  readonly end: number;
}

interface Level {
  readonly list: boolean;
  name: string;
  index: number;
}

const DEEPEST = 200;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);
const LIST = 0x5b;
const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;

/** The string around a place, its opening quote included; undefined where the place is in none. */
export function tokenAt(bytes: Buffer, place: number): Token | undefined {
  const levels: Level[] = [];
  let keyNext = false;
  for (let at = 0; at <= place && levels.length <= DEEPEST; ) {
    const byte = bytes[at] ?? 0;
    const level = levels.at(-1);
    if (byte === QUOTE) {
      const end = stringEnd(bytes, at, bytes.length);
      if (end < 0) return undefined;
      if (keyNext && level !== undefined) level.name = bytes.toString('utf8', at + 1, end - 1);
      if (place < end) return { path: levels.map(nameOf), isKey: keyNext, start: at, end };
      at = end;
      continue;
    }
    if (OPEN.has(byte)) {
      levels.push({ list: byte === LIST, name: '', index: 0 });
      keyNext = byte !== LIST;
    } else if (CLOSE.has(byte)) levels.pop();
    else if (byte === COLON) keyNext = false;
    else if (byte === COMMA && level !== undefined) {
      level.index += 1;
      keyNext = !level.list;
    }
    at += 1;
  }
  return undefined;
}

const nameOf = ({ list, name, index }: Level): string => (list ? String(index) : name);
