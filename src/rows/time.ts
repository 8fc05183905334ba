import type { Row } from './row.js';

/** A point in time at the precision of its store: whole milliseconds since 1970 UTC, and the rest in nanoseconds. */
export interface Instant {
  readonly ms: number;
  readonly ns: number;
  readonly source: Row['timestamp_source'];
  readonly original: string;
}

type TimeSource = Row['timestamp_source'];

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,18}))?(?:([Zz])|([+-])(\d\d):?(\d\d))$/;
// Years 1 to 9999: what the output form can hold.
const MIN_MS = -62_135_596_800_000;
const MAX_MS = 253_402_300_799_999;

const inRange = (ms: number) => ms >= MIN_MS && ms <= MAX_MS;

/**
 * Reads an RFC 3339 time with an offset. Returns undefined for anything else, also for a local time
 * without offset: guessing a zone would invent a time. Fractions beyond a nanosecond are dropped.
 */
export function fromRfc3339(value: string, source: TimeSource): Instant | undefined {
  const m = RFC3339.exec(value);
  if (!m) return undefined;
  const [year, month, day, hour, minute, second] = [m[1], m[2], m[3], m[4], m[5], m[6]].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 60) return undefined;
  const fraction = (m[7] ?? '').padEnd(9, '0').slice(0, 9);
  const offset = m[9] ? (m[9] === '-' ? -1 : 1) * (Number(m[10]) * 60 + Number(m[11])) : 0;
  const base = new Date(0);
  base.setUTCFullYear(year, month - 1, day);
  base.setUTCHours(hour, minute, second);
  const ms = base.getTime() - offset * 60_000 + Number(fraction.slice(0, 3));
  return inRange(ms) ? { ms, ns: Number(fraction.slice(3)), source, original: value } : undefined;
}

const UTC_TEXT = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Whether a text is a time in the one form of the column `timestamp_utc`. The 30th of February has that form and is no time. */
export function isUtcText(value: string): boolean {
  if (!UTC_TEXT.test(value)) return false;
  const [year, month, day] = [Number(value.slice(0, 4)), Number(value.slice(5, 7)), Number(value.slice(8, 10))];
  return year > 0 && month > 0 && month < 13 && day > 0 && (day < 29 || day <= daysIn(year, month));
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

/** Unix milliseconds. Zero and negative numbers are "not set" in every store read here, not 1970. */
export function fromEpochMs(value: unknown, source: TimeSource): Instant | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0 || !inRange(value)) return undefined;
  const ms = Math.floor(value);
  return { ms, ns: Math.min(999_999, Math.floor((value - ms) * 1e6)), source, original: String(value) };
}

/** Unix seconds, under the same rule. */
export function fromEpochSeconds(value: unknown, source: TimeSource): Instant | undefined {
  if (typeof value !== 'number') return undefined;
  const instant = fromEpochMs(value * 1000, source);
  return instant && { ...instant, original: String(value) };
}

/**
 * `[year, ordinal day, hour, minute, second, nanosecond, offset hours, minutes, seconds]`: the form the Rust `time`
 * crate gives without its human-readable feature (Amazon Q: `tangent_start_time`). An RFC 3339 text is accepted too.
 */
export function fromOrdinalArray(value: unknown, source: TimeSource): Instant | undefined {
  if (typeof value === 'string') return fromRfc3339(value, source);
  if (!Array.isArray(value) || value.length < 6 || !value.every((n) => Number.isInteger(n))) return undefined;
  const [year, day, hour, minute, second, nano, oh = 0, om = 0, os = 0] = value as number[];
  if (year === undefined || day === undefined || hour === undefined || minute === undefined || second === undefined || nano === undefined)
    return undefined;
  if (
    year < 1 ||
    year > 9999 ||
    day < 1 ||
    day > 366 ||
    hour < 0 ||
    hour > 23 ||
    minute < 0 ||
    minute > 59 ||
    second < 0 ||
    second > 60 ||
    nano < 0 ||
    nano > 999_999_999
  )
    return undefined;
  const base = new Date(0);
  base.setUTCFullYear(year, 0, day);
  base.setUTCHours(hour, minute, second);
  const ms = base.getTime() - (oh * 3600 + om * 60 + os) * 1000 + Math.floor(nano / 1e6);
  return inRange(ms) ? { ms, ns: nano % 1_000_000, source, original: JSON.stringify(value) } : undefined;
}

/** Seconds with nine digits behind the point: the time of a file. */
const FILE_TIME = /^\d{1,12}\.\d{9}$/;

/**
 * Nanoseconds within the millisecond `ms` that a stored time names, in any of the forms above; 0 where it says nothing more. Reads
 * what a row keeps as `timestamp_original`.
 */
export function finerThanMs(original: string, ms: number): number {
  if (FILE_TIME.test(original)) return Math.floor(Number(original.slice(0, -6)) * 1000 + 0.5) === ms ? Number(original.slice(-6)) : 0;
  const text = fromRfc3339(original, 'record');
  if (text !== undefined) return text.ms === ms ? text.ns : 0;
  if (original.startsWith('[')) return original.length < 200 ? finerInArray(original, ms) : 0;
  if (!/^\d{1,16}\.\d/.test(original)) return 0;
  const number = Number(original);
  return [fromEpochMs(number, 'record'), fromEpochSeconds(number, 'record')].find((instant) => instant?.ms === ms)?.ns ?? 0;
}

function finerInArray(original: string, ms: number): number {
  try {
    const instant = fromOrdinalArray(JSON.parse(original), 'record');
    return instant?.ms === ms ? instant.ns : 0;
  } catch {
    return 0;
  }
}

const DAY = 86_400_000;
let cachedDay = Number.NaN;
let cachedText = '';
const two = Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0'));

/** `YYYY-MM-DDTHH:MM:SS.mmmZ`. The date part is remembered: rows of one session mostly share their day. */
export function toUtcText(ms: number): string {
  const day = Math.floor(ms / DAY);
  if (day !== cachedDay) {
    cachedDay = day;
    cachedText = new Date(day * DAY).toISOString().slice(0, 11);
  }
  const rest = ms - day * DAY;
  const seconds = Math.floor(rest / 1000);
  const minutes = Math.floor(seconds / 60);
  const milli = rest - seconds * 1000;
  return `${cachedText}${two[Math.floor(minutes / 60)]}:${two[minutes % 60]}:${two[seconds % 60]}.${milli < 100 ? (milli < 10 ? '00' : '0') : ''}${milli}Z`;
}
