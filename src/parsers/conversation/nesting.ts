import { tameJson } from '../tame-json.js';

/** Below what `tameJson` allows, so that nothing deeper goes unseen. */
const USUAL_DEPTH = 100;

/**
 * Cuts a nesting that no writer could write again, in place; gives the number of values left out. Nearly always there is
 * none: a quick look tells.
 */
export function tameNesting(value: unknown): number {
  return typeof value === 'object' && value !== null && isWild(value, USUAL_DEPTH) ? tameJson(value) : 0;
}

export const tooDeep = (count: number): string => `${count} values nested too deeply are left out`;

function isWild(holder: object, left: number): boolean {
  if (Array.isArray(holder)) {
    for (let i = 0; i < holder.length; i++) if (isWildValue(holder[i], left)) return true;
    return false;
  }
  const record = holder as Readonly<Record<string, unknown>>;
  for (const key in record) if (isWildValue(record[key], left)) return true;
  return false;
}

function isWildValue(value: unknown, left: number): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && (left === 0 || isWild(value, left - 1));
}
