/** Length of the piece that is hashed; shorter values cannot be looked for. */
export const GRAM = 8;

const BASE = 0x01000193;
const FILTER_BITS = 18;
const DROP = Array.from({ length: GRAM - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1);

/** Finds any of many texts, exactly, in one pass (Rabin and Karp): a rolling hash of eight units, a filter, then a comparison. */
export interface Needles {
  readonly size: () => number;
  /** False when the text is too short, or known. */
  readonly add: (text: string, tag: number) => boolean;
  /** Visits matches from left to right; at one place the longest, and none inside another. */
  readonly each: (text: string, visit: (tag: number, start: number, end: number) => void) => void;
}

interface Needle {
  readonly text: string;
  readonly tag: number;
}

export function needles(): Needles {
  const filter = new Uint8Array(1 << FILTER_BITS);
  const byHash = new Map<number, Needle[]>();
  let count = 0;
  const add = (text: string, tag: number) => {
    if (text.length < GRAM) return false;
    let hash = 0;
    for (let i = 0; i < GRAM; i += 1) hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0;
    const known = byHash.get(hash) ?? [];
    if (known.some((needle) => needle.text === text)) return false;
    known.push({ text, tag });
    known.sort((a, b) => b.text.length - a.text.length);
    byHash.set(hash, known);
    filter[hash >>> (32 - FILTER_BITS)] = 1;
    count += 1;
    return true;
  };
  const each = (text: string, visit: (tag: number, start: number, end: number) => void) => {
    if (count === 0 || text.length < GRAM) return;
    let hash = 0;
    let free = 0;
    for (let i = 0; i < text.length; i += 1) {
      const gone = i >= GRAM ? text.charCodeAt(i - GRAM) : 0;
      hash = (Math.imul(hash - Math.imul(gone, DROP), BASE) + text.charCodeAt(i)) | 0;
      if (i < GRAM - 1 || filter[hash >>> (32 - FILTER_BITS)] === 0) continue;
      const start = i - GRAM + 1;
      if (start < free) continue;
      const needle = byHash.get(hash)?.find((candidate) => text.startsWith(candidate.text, start));
      if (!needle) continue;
      free = start + needle.text.length;
      visit(needle.tag, start, free);
    }
  };
  return { size: () => count, add, each };
}
