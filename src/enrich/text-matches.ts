import type { Primaries } from './column.js';

/** A prompt that is matched by its text. */
export interface TextMatch {
  readonly key: bigint;
  readonly row: number;
  /** True for a row of a source that holds nothing but text. */
  readonly secondary: boolean;
}

/**
 * Marks rows of text-only sources (a prompt history) as copies of conversation prompts with the same text. The same text can
 * be typed often: the last of one is paired with the last of the other, and so on; what is left over stays primary.
 */
export function pairByText(texts: readonly TextMatch[], primaries: Primaries): void {
  const groups = new Map<bigint, { live: number[]; copies: number[] }>();
  for (const { key, row, secondary } of texts.toSorted((a, b) => a.row - b.row)) {
    const group = groups.get(key) ?? { live: [], copies: [] };
    groups.set(key, group);
    // A copy of a copied file already has its primary: it must not use up a prompt that the first copy needs.
    if (primaries.get(row) >= 0) continue;
    (secondary ? group.copies : group.live).push(row);
  }
  for (const { live, copies } of groups.values()) {
    for (let i = 1; i <= Math.min(live.length, copies.length); i++) {
      const [copy, primary] = [copies.at(-i), live.at(-i)];
      if (copy !== undefined && primary !== undefined) primaries.set(copy, primary);
    }
  }
}
