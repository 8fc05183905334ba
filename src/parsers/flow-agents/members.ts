import { isObject, type JsonObject } from '../../evidence/json.js';
import type { Instant } from '../../rows/time.js';

export interface Sidecar {
  readonly record: JsonObject;
  readonly slug: string;
  /** When the record says it was last changed; else the time of the file. */
  readonly time: Instant | undefined;
}

/** Members of a list that are objects, with their pointers; and the others, which have no row of their own. */
export function membersOf(list: unknown, pointer: string): { objects: { value: JsonObject; pointer: string }[]; others: unknown[] } {
  const items: unknown[] = Array.isArray(list) ? list : [];
  const objects = items.flatMap((value, i) => (isObject(value) ? [{ value, pointer: `${pointer}/${i}` }] : []));
  const others = items.filter((value) => !isObject(value));
  return { objects, others: Array.isArray(list) || list === undefined || list === null ? others : [list] };
}
