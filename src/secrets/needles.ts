/** Length of the piece that is hashed; shorter values cannot be looked for. */
export const GRAM = 8;

const BASE = 0x01000193;
/** Units that are looked at together, and how far a place moves on when no text holds them. */
const BLOCK = 3;
const FARTHEST = GRAM - BLOCK + 1;
const SHIFT_BITS = 18;

/**
 * Finds any of many texts, exactly, in one pass (Wu and Manber): the last three of eight units tell how far the next place is where
 * the first eight units of a text may end; only there eight units are hashed and texts compared.
 */
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
  const shifts = new Uint8Array(1 << SHIFT_BITS).fill(FARTHEST);
  const byHash = new Map<number, Needle[]>();
  let count = 0;
  const add = (text: string, tag: number) => {
    if (text.length < GRAM) return false;
    const hash = gramAt(text, 0);
    const known = byHash.get(hash) ?? [];
    if (known.some((needle) => needle.text === text)) return false;
    known.push({ text, tag });
    known.sort((a, b) => b.text.length - a.text.length);
    byHash.set(hash, known);
    for (let end = BLOCK; end <= GRAM; end += 1) {
      const block = blockAt(text, end - 1);
      shifts[block] = Math.min(shifts[block] ?? 0, GRAM - end);
    }
    count += 1;
    return true;
  };
  const each = (text: string, visit: (tag: number, start: number, end: number) => void) => {
    if (count === 0 || text.length < GRAM) return;
    for (let last = GRAM - 1; last < text.length; ) {
      const shift = shifts[blockAt(text, last)] ?? 1;
      if (shift > 0) {
        last += shift;
        continue;
      }
      const start = last - GRAM + 1;
      const needle = byHash.get(gramAt(text, start))?.find((candidate) => text.startsWith(candidate.text, start));
      if (needle) visit(needle.tag, start, start + needle.text.length);
      last += needle?.text.length ?? 1;
    }
  };
  return { size: () => count, add, each };
}

/** Hash of the three units that end at a place. */
function blockAt(text: string, last: number): number {
  const units = (text.charCodeAt(last - 2) << 16) ^ (text.charCodeAt(last - 1) << 8) ^ text.charCodeAt(last);
  return Math.imul(units, 0x9e3779b1) >>> (32 - SHIFT_BITS);
}

function gramAt(text: string, start: number): number {
  let hash = 0;
  for (let i = start; i < start + GRAM; i += 1) hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0;
  return hash;
}
