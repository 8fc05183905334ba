import { describe, expect, it } from 'vitest';
import { finerThanMs, fromEpochMs, fromEpochSeconds, fromOrdinalArray, fromRfc3339 } from '../../src/rows/time.js';

describe('a time as a row keeps it', () => {
  it.each([
    ['RFC 3339', fromRfc3339('2026-01-02T03:04:05.123456789+05:30', 'message')],
    ['milliseconds with a fraction', fromEpochMs(1_756_206_308_120.25, 'record')],
    ['seconds with a fraction', fromEpochSeconds(1_756_206_308.120_25, 'record')],
    ['an ordinal array', fromOrdinalArray([2026, 12, 1, 2, 3, 123_456_789, 1, 0, 0], 'message')],
    ['the time of a file', { ms: 1_796_062_579_803, ns: 215_020, original: '1796062579.803215020' }],
    ['whole milliseconds', fromEpochMs(1_756_206_308_120, 'record')],
  ])('says again what stands below the millisecond: %s', (_, instant) => {
    expect(instant).toBeDefined();
    expect(finerThanMs(instant?.original ?? '', instant?.ms ?? 0)).toBe(instant?.ns);
  });

  it.each(['', 'yesterday', '1796062579.803215020', '[1,2', '12.5', '['.repeat(1000)])(
    'that is not this millisecond says nothing: %s',
    (text) => {
      expect(finerThanMs(text, 5)).toBe(0);
    },
  );
});
