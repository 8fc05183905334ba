/** Shorter ones cannot be looked for. */
const SHORTEST = 8;
/** Of longer values no more than this is looked at before they are compared. */
const LONGEST_HEAD = 16;
/** Bytes that are looked at together. */
const BLOCK = 4;
const BIT_COUNT = 1 << 20;

export interface NeedleMatch {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

/** Finds any of many byte strings, exactly, in one pass that looks at few of the bytes. */
export interface ByteNeedles {
  /** The first match from a place on; of those that begin at one place the longest. */
  readonly next: (bytes: Uint8Array, from: number) => NeedleMatch | undefined;
}

export interface ByteNeedle {
  /** At least `SHORTEST` bytes. */
  readonly bytes: Uint8Array;
  readonly tag: number;
}

/**
 * After Wu and Manber: of the head of every needle, each block of four bytes is known. Whoever stands within a text sees one of them
 * if he looks at every nth place only, n being the number of blocks in a head; where a block is known, the heads that hold it are
 * compared. The heads are as long as the shortest needle.
 */
export function byteNeedles(list: readonly ByteNeedle[]): ByteNeedles {
  const head = list.reduce((least, { bytes }) => Math.min(least, bytes.length), LONGEST_HEAD);
  if (head < SHORTEST) throw new RangeError(`a needle is shorter than ${SHORTEST} bytes`);
  const stride = head - BLOCK + 1;
  const bits = new Uint8Array(BIT_COUNT >> 3);
  const byHead = new Map<number, ByteNeedle[]>();
  for (const needle of list) {
    const { bytes } = needle;
    for (let at = 0; at < stride; at += 1) {
      const bit = bitOf(bytes, at);
      bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
    const hash = hashOf(bytes, 0, head);
    const same = byHead.get(hash) ?? [];
    same.push(needle);
    byHead.set(hash, same);
  }
  for (const same of byHead.values()) same.sort((a, b) => b.bytes.length - a.bytes.length);

  const next = (bytes: Uint8Array, from: number): NeedleMatch | undefined => {
    for (let at = nextBlock(bytes, bits, from + stride - 1, stride); at >= 0; at = nextBlock(bytes, bits, at + stride, stride)) {
      for (let start = at - stride + 1; start <= at && start + head <= bytes.length; start += 1) {
        const needle = byHead.get(hashOf(bytes, start, head))?.find((candidate) => standsAt(bytes, start, candidate.bytes));
        if (needle !== undefined) return { tag: needle.tag, start, end: start + needle.bytes.length };
      }
    }
    return undefined;
  };
  return { next: list.length === 0 ? () => undefined : next };
}

/** The next place from `at`, a stride at a time, where a known block stands; -1 if there is none. */
function nextBlock(bytes: Uint8Array, bits: Uint8Array, from: number, stride: number): number {
  const end = bytes.length - BLOCK;
  for (let at = from; at <= end; at += stride) {
    const bit = bitOf(bytes, at);
    if (((bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0) return at;
  }
  return -1;
}

function bitOf(bytes: Uint8Array, at: number): number {
  const block = ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
  return Math.imul(block, 0x9e3779b1) >>> 12;
}

function hashOf(bytes: Uint8Array, start: number, length: number): number {
  let hash = 0;
  for (let i = start; i < start + length; i += 1) hash = (Math.imul(hash, 0x01000193) + (bytes[i] ?? 0)) | 0;
  return hash;
}

function standsAt(bytes: Uint8Array, start: number, needle: Uint8Array): boolean {
  if (start + needle.length > bytes.length) return false;
  for (let i = 0; i < needle.length; i += 1) if (bytes[start + i] !== needle[i]) return false;
  return true;
}
