import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRfc3339, toUtcText } from '../../src/rows/time.js';

const FORM = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,18}))?(?:([Zz])|([+-])(\d\d):?(\d\d))$/;

/** The same by a pattern and the calendar of the language, in milliseconds and nanoseconds. */
function byPattern(text: string): { ms: number; ns: number } | undefined {
  const m = FORM.exec(text);
  if (m === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = m.slice(1, 7).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 60) return undefined;
  date.setUTCHours(hour, minute, second);
  const fraction = (m[7] ?? '').padEnd(9, '0').slice(0, 9);
  const offset = m[9] === undefined ? 0 : (m[9] === '-' ? -1 : 1) * (Number(m[10]) * 60 + Number(m[11]));
  const ms = date.getTime() - offset * 60_000 + Number(fraction.slice(0, 3));
  return ms < -62_135_596_800_000 || ms > 253_402_300_799_999 ? undefined : { ms, ns: Number(fraction.slice(3)) };
}

const told = (text: string) => {
  const instant = fromRfc3339(text, 'record');
  return instant && { ms: instant.ms, ns: instant.ns };
};

const number = (width: number, max: number) => fc.nat(max).map((n) => String(n).padStart(width, '0'));
const zone = fc.oneof(fc.constantFrom('Z', 'z', '', '+', '+0', '+01', '-00:00', '+1:00', 'Zulu'), fc.stringMatching(/^[+-]\d\d:?\d\d$/));
const text = fc
  .tuple(
    fc.oneof(number(4, 9999), fc.constantFrom('0000', '0001', '9999', '2000', '1900', '2024')),
    number(2, 13),
    number(2, 32),
    fc.constantFrom('T', 't', ' ', '_'),
    number(2, 24),
    number(2, 60),
    number(2, 61),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{0,20}$/)),
    zone,
  )
  .map(
    ([year, month, day, between, hour, minute, second, fraction, end]) =>
      `${year}-${month}-${day}${between}${hour}:${minute}:${second}${fraction}${end}`,
  );

describe('times of RFC 3339', () => {
  it('are read as a pattern and the calendar of the language read them, also where a character is wrong', () => {
    fc.assert(
      fc.property(text, fc.nat(40), fc.constantFrom('', '0', ':', '-', 'x', '.', '９'), fc.boolean(), (sound, at, put, broken) => {
        const tried = broken ? sound.slice(0, at) + put + sound.slice(at + 1) : sound;
        expect(told(tried)).toEqual(byPattern(tried));
      }),
      { numRuns: 3000 },
    );
  });

  it('name each day there is, and no other', () => {
    for (let day = Date.UTC(1895, 0, 1); day < Date.UTC(2105, 0, 1); day += 86_400_000) {
      const written = new Date(day).toISOString();
      expect(told(written)).toEqual({ ms: day, ns: 0 });
      expect(toUtcText(day)).toBe(written);
    }
    for (const none of ['2023-02-29', '1900-02-29', '2024-02-30', '2024-04-31', '2024-00-10', '2024-13-01', '2024-01-00'])
      expect(told(`${none}T00:00:00Z`)).toBe(undefined);
    expect(told('2024-02-29T23:59:60.123456789+05:30')).toEqual({ ms: Date.UTC(2024, 1, 29, 18, 30, 0, 123), ns: 456_789 });
    expect(told('2025-11-12T08:00:00')).toBe(undefined);
  });
});
