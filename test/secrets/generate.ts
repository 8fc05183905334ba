/** Characters of the alphabets that generated tokens are made of. */
const ALPHABETS: Readonly<Record<string, string>> = {
  base62: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  base64url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-',
  lower: 'abcdefghijklmnopqrstuvwxyz0123456789',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  hex: '0123456789abcdef',
  anyhex: '0123456789abcdefABCDEF',
  digits: '0123456789',
  alpha: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  word: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_',
  lowurl: 'abcdefghijklmnopqrstuvwxyz0123456789_-',
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  symbols: 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789!#%^*_-+.?~',
};

export type Random = () => number;

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function random(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function pick<T>(next: Random, items: readonly T[]): T {
  const item = items[Math.floor(next() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

export function characters(next: Random, alphabet: string, size: number): string {
  const all = ALPHABETS[alphabet];
  if (all === undefined) throw new Error(`no alphabet ${alphabet}`);
  let text = '';
  while (text.length < size) text += all.charAt(Math.floor(next() * all.length));
  return text;
}

/**
 * Expands samples: `{{36 of base62 seeded 7}}` is generated, any other `{{text}}` stands for itself.
 * So no text that looks like a live token is in the repository in one piece.
 */
export function expand(sample: string): string {
  return sample.replace(/\{\{([^{}]{1,4000})\}\}/g, (_, inside: string) => {
    const [, size, alphabet, seed] = /^(\d+) of (\w+) seeded (\d+)$/.exec(inside) ?? [];
    return size === undefined || alphabet === undefined ? inside : characters(random(Number(seed)), alphabet, Number(size));
  });
}
