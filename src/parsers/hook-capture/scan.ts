/** Where a scan for the end of a JSON object stands; it can go on over several lines. */
export interface Scan {
  depth: number;
  inString: boolean;
}

export function newScan(): Scan {
  return { depth: 0, inString: false };
}

/**
 * The place behind the bracket that closes the object, or -1 if it does not close in this text. A string cannot go on over a
 * line feed, so that `inString` at the end of a line shows a record that was cut.
 */
export function closeOf(text: string, from: number, scan: Scan): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (scan.inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) scan.inString = false;
    } else if (code === 0x22) scan.inString = true;
    else if (code === 0x7b || code === 0x5b) scan.depth += 1;
    else if (code === 0x7d || code === 0x5d) {
      scan.depth -= 1;
      if (scan.depth <= 0) return at + 1;
    }
  }
  return -1;
}
