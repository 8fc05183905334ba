import { isBare, isObject, type JsonObject, pick } from '../../evidence/json.js';
import type { Row } from '../../rows/row.js';
import { fromEpochMs, fromEpochSeconds, fromRfc3339, type Instant } from '../../rows/time.js';

/** A member that is a text, else empty. */
export function textOf(holder: unknown, key: string): string {
  if (!isObject(holder) || !Object.hasOwn(holder, key)) return '';
  const value = holder[key];
  return typeof value === 'string' ? value : '';
}

/** A member that is an object, else undefined. */
export function objectOf(holder: unknown, key: string): JsonObject | undefined {
  const value = isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
  return isObject(value) ? value : undefined;
}

/** A member that is a list, else empty. */
export function listOf(holder: unknown, key: string): unknown[] {
  const value = isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
  return Array.isArray(value) ? value : [];
}

/** All members but the named ones and those that say nothing. */
export function rest(record: JsonObject, ...carried: readonly string[]): JsonObject {
  return pick(record, (key, value) => !carried.includes(key) && !isEmpty(value));
}

const ROLES = new Set(['user', 'assistant', 'human', 'bot', 'tool']);

/** `['role']` for a message whose role the type of its row tells. */
export function knownRole(message: JsonObject): string[] {
  return ROLES.has(textOf(message, 'role')) ? ['role'] : [];
}

/** Those of the names that are texts in the record: an id of another type is no id, and has to be kept elsewhere. */
export function texts(record: JsonObject, ...names: readonly string[]): string[] {
  return names.filter((name) => Object.hasOwn(record, name) && typeof record[name] === 'string');
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && (value === null || (Array.isArray(value) ? value.length === 0 : isBare(value)));
}

/** Details without members that are empty. */
export function details(values: JsonObject): JsonObject {
  return pick(values, (_, value) => value !== undefined && value !== '' && !isEmpty(value));
}

// Later than 2001 as milliseconds, and later than the year 33000 as seconds.
const LEAST_MS = 1e12;

/** A time as builds of the IDE store it: milliseconds or seconds since 1970 as a number or a text, or RFC 3339. 0 is "not yet". */
export function instantOf(value: unknown, source: Row['timestamp_source']): Instant | undefined {
  if (typeof value === 'string') {
    const text = value.trim();
    if (!/^\d{9,16}(?:\.\d+)?$/.test(text)) return fromRfc3339(text, source);
    const instant = instantOf(Number(text), source);
    return instant && { ...instant, original: value };
  }
  if (typeof value !== 'number') return undefined;
  return value < LEAST_MS ? fromEpochSeconds(value, source) : fromEpochMs(value, source);
}

/** Whole milliseconds between two recorded times, if the second is not the earlier one. */
export function between(from: Instant | undefined, to: Instant | undefined): number | null {
  return from && to && to.ms >= from.ms ? to.ms - from.ms : null;
}
