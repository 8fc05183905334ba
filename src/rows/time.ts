import type { Row } from './row.js';

/** A point in time at the precision of its store: whole milliseconds since 1970 UTC, and the rest in nanoseconds. */
export interface Instant {
  readonly ms: number;
  readonly ns: number;
  readonly source: Row['timestamp_source'];
  readonly original: string;
}

type TimeSource = Row['timestamp_source'];

const DAY = 86_400_000;
// Years 1 to 9999: what the output form can hold.
const MIN_MS = -62_135_596_800_000;
const MAX_MS = 253_402_300_799_999;

const inRange = (ms: number) => ms >= MIN_MS && ms <= MAX_MS;

/**
 * Reads an RFC 3339 time with an offset. Returns undefined for anything else, also for a local time
 * without offset: guessing a zone would invent a time. Fractions beyond a nanosecond are dropped.
 */
export function fromRfc3339(value: string, source: TimeSource): Instant | undefined {
  // By hand: times are read several times a row, and a pattern with its groups costs five times as much.
  const [year, month, day] = [digits(value, 0, 4), digits(value, 5, 2), digits(value, 8, 2)];
  const [hour, minute, second] = [digits(value, 11, 2), digits(value, 14, 2), digits(value, 17, 2)];
  if ((year | month | day | hour | minute | second) < 0 || !isSeparated(value)) return undefined;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 60) return undefined;
  let end = 19;
  if (value.charCodeAt(19) === POINT) {
    end = 20;
    while (isDigit(value.charCodeAt(end))) end += 1;
    if (end === 20 || end > 38) return undefined;
  }
  const offset = offsetAt(value, end);
  if (offset === undefined) return undefined;
  const ms = daysBefore(year, month, day) * DAY + hour * 3_600_000 + minute * 60_000 + second * 1000 - offset * 60_000;
  const nanos = end > 20 ? Number(value.slice(20, Math.min(end, 29)).padEnd(9, '0')) : 0;
  const whole = ms + Math.floor(nanos / 1e6);
  return inRange(whole) ? { ms: whole, ns: nanos % 1e6, source, original: value } : undefined;
}

const ZERO = 0x30;
const POINT = 0x2e;
const DASH = 0x2d;
const COLON = 0x3a;
const isDigit = (code: number): boolean => code >= ZERO && code <= 0x39;

/** The number that so many digits write, -1 where one of them is none. */
function digits(text: string, at: number, count: number): number {
  let number = 0;
  for (let i = at; i < at + count; i++) {
    const code = text.charCodeAt(i);
    if (!isDigit(code)) return -1;
    number = number * 10 + code - ZERO;
  }
  return number;
}

function isSeparated(text: string): boolean {
  const between = text[10];
  const dashes = text.charCodeAt(4) === DASH && text.charCodeAt(7) === DASH;
  const colons = text.charCodeAt(13) === COLON && text.charCodeAt(16) === COLON;
  return dashes && colons && (between === 'T' || between === 't' || between === ' ');
}

/** Minutes that a zone at the end of a text is ahead of UTC: `Z`, `+hh:mm` or `+hhmm`. */
function offsetAt(text: string, at: number): number | undefined {
  const sign = text[at];
  if (sign === 'Z' || sign === 'z') return text.length === at + 1 ? 0 : undefined;
  const minutesAt = at + (text.charCodeAt(at + 3) === COLON ? 4 : 3);
  const [hours, minutes] = [digits(text, at + 1, 2), digits(text, minutesAt, 2)];
  if ((sign !== '+' && sign !== '-') || hours < 0 || minutes < 0 || text.length !== minutesAt + 2) return undefined;
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
}

const UTC_TEXT = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Whether a text is a time in the one form of the column `timestamp_utc`. The 30th of February has that form and is no time. */
export function isUtcText(value: string): boolean {
  if (!UTC_TEXT.test(value)) return false;
  const [year, month, day] = [Number(value.slice(0, 4)), Number(value.slice(5, 7)), Number(value.slice(8, 10))];
  return year > 0 && month > 0 && month < 13 && day > 0 && (day < 29 || day <= daysIn(year, month));
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}

/** Days from 1970 to a date of the Gregorian calendar. A year is counted from March, so that the leap day is its last. */
function daysBefore(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const sinceMarch = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + sinceMarch - 719_468;
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
