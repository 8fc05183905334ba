const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** First place of a marker that lies wholly in a range; the search does not go beyond it. */
export function findIn(text: Buffer, marker: Uint8Array, from: number, to: number): number {
  if (to - from < marker.length) return -1;
  const at = text.subarray(from, to).indexOf(marker);
  return at < 0 ? -1 : at + from;
}

/** Behind the closing quote of the string that opens at `at`; -1 when the text ends before. */
export function stringEnd(text: Buffer, at: number, to: number): number {
  for (let quote = text.indexOf(QUOTE, at + 1); quote >= 0 && quote < to; quote = text.indexOf(QUOTE, quote + 1)) {
    let slashes = 0;
    while (quote - 1 - slashes > at && text[quote - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return -1;
}

/** Behind the bracket that closes the one at `at`, strings passed over; -1 when the text ends before. No recursion, any depth. */
export function valueEnd(text: Buffer, at: number, to: number): number {
  let depth = 0;
  for (let i = at; i < to; ) {
    const byte = text[i] ?? 0;
    if (byte === QUOTE) {
      i = stringEnd(text, i, to);
      if (i < 0) return -1;
      continue;
    }
    i += 1;
    // Bit 5 tells braces from square brackets; both kinds are counted together, and parsing tells them apart.
    const folded = byte | 0x20;
    if (byte > 0x5a && folded === 0x7b) depth += 1;
    else if (byte > 0x5a && folded === 0x7d) {
      depth -= 1;
      if (depth <= 0) return i;
    }
  }
  return -1;
}

/** Parses a piece of text; undefined for what is no JSON or no UTF-8 (the caller checks that where it matters). */
export function parsePiece(text: Buffer, from: number, to: number): unknown {
  try {
    const value: unknown = JSON.parse(text.toString('utf8', from, to));
    return value;
  } catch {
    return undefined;
  }
}

/** The readable text of a cut string: half an escape at either end is left out. */
export function unescapeCut(cut: string): string {
  const trimmed = cut.replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, '$1');
  try {
    const value: unknown = JSON.parse(`"${trimmed}"`);
    return typeof value === 'string' ? value : trimmed;
  } catch {
    return trimmed;
  }
}
