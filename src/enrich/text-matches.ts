import type { RowIndex } from './row-index.js';

/**
 * Marks rows of text-only sources (a prompt history) as copies of conversation prompts with the same text. The same text can
 * be typed often: the last of one is paired with the last of the other, and so on; what is left over stays primary.
 */
export function pairByText(
  texts: readonly { readonly key: bigint; readonly row: number; readonly secondary: boolean }[],
  index: Pick<RowIndex, 'unit'>,
  primaries: Int32Array,
): void {
  if (!texts.some((text) => text.secondary)) return;
  // Units may have been read in any order: take them in the order of the evidence.
  const ordered = texts.toSorted((a, b) => (index.unit[a.row] ?? 0) - (index.unit[b.row] ?? 0) || a.row - b.row);
  const groups = new Map<bigint, { live: number[]; copies: number[] }>();
  for (const { key, row, secondary } of ordered) {
    const group = groups.get(key) ?? { live: [], copies: [] };
    groups.set(key, group);
    // A copy of a copied file already has its primary: it must not use up a prompt that the first copy needs.
    if ((primaries[row] ?? -1) >= 0) continue;
    (secondary ? group.copies : group.live).push(row);
  }
  for (const { live, copies } of groups.values()) {
    for (let i = 1; i <= Math.min(live.length, copies.length); i++) {
      const [copy, primary] = [copies.at(-i), live.at(-i)];
      if (copy !== undefined && primary !== undefined) primaries[copy] = primary;
    }
  }
  nameFinalPrimaries(primaries);
}

/** A row whose primary has just become a copy itself is a copy of what that one is a copy of. */
export function nameFinalPrimaries(primaries: Int32Array): void {
  for (let i = 0; i < primaries.length; i++) {
    const primary = primaries[i] ?? -1;
    const final = primary < 0 ? -1 : (primaries[primary] ?? -1);
    if (final >= 0) primaries[i] = final;
  }
}
