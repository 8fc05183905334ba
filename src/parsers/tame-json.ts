import { isObject } from '../evidence/json.js';

// Deeper than any program here writes (serde_json refuses more than 128): a nesting without end would break every writer.
export const MAX_DEPTH = 128;
const TOO_DEEP = '[nested too deeply to be read]';
/** Below that, so that nothing deeper goes unseen. */
const USUAL_DEPTH = 100;

/** Replaces, in place, what no JSON writer could write again: values nested too deeply (counted), numbers that overflowed. */
export function tameJson(root: unknown): number {
  if (!isWild(root)) return 0;
  let cut = 0;
  const open = [{ value: root, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      if (typeof child === 'number' && !Number.isFinite(child)) replace(value, key, String(child));
      else if (typeof child !== 'object' || child === null) continue;
      else if (depth < MAX_DEPTH) open.push({ value: child, depth: depth + 1 });
      else {
        replace(value, key, TOO_DEEP);
        cut += 1;
      }
    }
  }
  return cut;
}

// Not an assignment: a stored key may be `__proto__`.
function replace(container: object, key: string, value: string): void {
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A quick look that nearly always suffices: false for a value that is nested as usual and holds no number that overflowed. */
export function isWild(value: unknown): boolean {
  return typeof value === 'object' && value !== null && isWildHolder(value, USUAL_DEPTH);
}

function isWildHolder(holder: object, left: number): boolean {
  if (Array.isArray(holder)) {
    for (let i = 0; i < holder.length; i++) if (isWildMember(holder[i], left)) return true;
    return false;
  }
  if (!isObject(holder)) return false;
  for (const key in holder) if (isWildMember(holder[key], left)) return true;
  return false;
}

function isWildMember(value: unknown, left: number): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && (left === 0 || isWildHolder(value, left - 1));
}
