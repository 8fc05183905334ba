/** Two 32-bit lanes over the code units of a text: equal texts give equal marks; a chance match is about 1 in 10^19. */
export interface Fingerprint {
  readonly high: number;
  readonly low: number;
}

/**
 * Mixes texts into one mark. Not a cryptographic hash: it only finds candidates among rows of one case, and every
 * row keeps its own content.
 */
export function fingerprint(...texts: readonly string[]): Fingerprint {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      high = Math.imul(high ^ unit, 2654435761);
      low = Math.imul(low ^ unit, 1597334677);
    }
    high = Math.imul(high ^ 0x10000, 2654435761);
    low = Math.imul(low ^ 0x10001, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return { high: high >>> 0, low: low >>> 0 };
}
