/** Where the characters of a prepared text stood in the text it was made from. */
export interface TextMap {
  readonly text: string;
  /** The outer range of an inner one. */
  readonly outer: (start: number, end: number) => readonly [number, number];
}

/**
 * Stretches of a prepared text: where each begins inside and outside, and the outer width of its one character,
 * or 0 when it was taken over as it stands.
 */
interface Stretches {
  readonly inner: number[];
  readonly outer: number[];
  readonly width: number[];
}

function mapOf(text: string, { inner, outer, width }: Stretches): TextMap {
  const stretchOf = (at: number) => {
    let low = 0;
    let high = inner.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((inner[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const first = (at: number) => {
    const i = stretchOf(at);
    return (outer[i] ?? 0) + (width[i] ? 0 : at - (inner[i] ?? 0));
  };
  const behind = (at: number) => {
    const i = stretchOf(at);
    return (outer[i] ?? 0) + (width[i] ? (width[i] ?? 0) : at - (inner[i] ?? 0) + 1);
  };
  return { text, outer: (start, end) => [first(start), end > start ? behind(end - 1) : first(start)] };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '"': '"', '\\': '\\', '/': '/' };
const UNICODE = /\\u([0-9a-fA-F]{4})/y;

/** The value of a JSON string literal whose inside is [from, to). Unknown escapes stay as they are written. */
export function unescaped(literal: string, from: number, to: number): TextMap {
  const parts: string[] = [];
  const stretches: Stretches = { inner: [], outer: [], width: [] };
  let size = 0;
  const push = (part: string, outer: number, width: number) => {
    if (part === '') return;
    stretches.inner.push(size);
    stretches.outer.push(outer);
    stretches.width.push(width);
    parts.push(part);
    size += part.length;
  };
  let at = from;
  while (at < to) {
    const found = literal.indexOf('\\', at);
    const stop = found < 0 || found >= to ? to : found;
    push(literal.slice(at, stop), at, 0);
    at = stop;
    if (at >= to) break;
    const plain = ESCAPES[literal.charAt(at + 1)];
    UNICODE.lastIndex = at;
    const hex = plain === undefined ? UNICODE.exec(literal)?.[1] : undefined;
    if (plain !== undefined) push(plain, at, 2);
    else if (hex !== undefined) push(String.fromCharCode(Number.parseInt(hex, 16)), at, 6);
    else push('\\', at, 0);
    at += plain !== undefined ? 2 : hex !== undefined ? 6 : 1;
  }
  return mapOf(parts.join(''), stretches);
}

// CSI and OSC sequences and two-character escapes (ECMA-48); every quantifier is bounded
const ANSI = /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)?|[@-_])/g;

/** The text without terminal control sequences, or undefined if it has none. */
export function withoutAnsi(text: string): TextMap | undefined {
  if (!text.includes('\u001b')) return undefined;
  const parts: string[] = [];
  const stretches: Stretches = { inner: [], outer: [], width: [] };
  let size = 0;
  let from = 0;
  const push = (to: number) => {
    if (to <= from) return;
    stretches.inner.push(size);
    stretches.outer.push(from);
    stretches.width.push(0);
    parts.push(text.slice(from, to));
    size += to - from;
  };
  for (const match of text.matchAll(ANSI)) {
    push(match.index);
    from = match.index + match[0].length;
  }
  push(text.length);
  return mapOf(parts.join(''), stretches);
}
