import { isObject } from '../../evidence/json.js';
import type { Row } from '../../rows/row.js';
import { fromEpochMs, fromEpochSeconds, fromRfc3339, type Instant, toUtcText } from '../../rows/time.js';

// Above this a Unix time cannot be in seconds (year 5138): it is in milliseconds.
const MS_ABOVE = 1e11;
const NUMBER = /^\d{1,16}(?:\.\d{1,18})?$/;

/** Unix time as an integer, a fraction or a text, in seconds or milliseconds; the value as stored is kept. */
export function unixTime(value: unknown, source: Row['timestamp_source']): Instant | undefined {
  const number = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  if (typeof number !== 'number') return undefined;
  const instant = number > MS_ABOVE ? fromEpochMs(number, source) : fromEpochSeconds(number, source);
  return instant && { ...instant, original: String(value) };
}

/** Times of the session file: RFC 3339 in all samples; readers have also met Unix numbers and the serde form of a SystemTime. */
export function sessionTime(value: unknown): Instant | undefined {
  if (typeof value === 'string') return fromRfc3339(value, 'record') ?? unixTime(value, 'record');
  if (!isObject(value)) return unixTime(value, 'record');
  const { secs_since_epoch: secs, nanos_since_epoch: nanos } = value;
  if (!Number.isSafeInteger(secs) || !Number.isSafeInteger(nanos) || typeof nanos !== 'number' || nanos < 0 || nanos > 999_999_999)
    return undefined;
  const whole = fromEpochSeconds(secs, 'record');
  return whole && { ...whole, ms: whole.ms + Math.floor(nanos / 1e6), ns: nanos % 1e6, original: JSON.stringify(value) };
}

/** Milliseconds of a `{secs, nanos}` duration. */
export function durationMs(value: unknown): number | null {
  if (!isObject(value)) return null;
  const { secs, nanos } = value;
  if (typeof secs !== 'number' || typeof nanos !== 'number') return null;
  const ms = secs * 1000 + Math.floor(nanos / 1e6);
  return Number.isSafeInteger(ms) && ms >= 0 ? ms : null;
}

/** Between which recorded times a record without a time of its own lies, as far as known. */
export function timeWindow(after: Instant | undefined, before: Instant | undefined): { window?: { after?: string; before?: string } } {
  if (after === undefined && before === undefined) return {};
  return { window: { ...(after && { after: toUtcText(after.ms) }), ...(before && { before: toUtcText(before.ms) }) } };
}
