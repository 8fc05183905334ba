import { describe, expect, it } from 'vitest';
import { OUTSIDE_PLACES } from '../../bench/secrets-outside.js';
import { characters, random } from './generate.js';
import { scanner } from './support.js';

const value = `${characters(random(41), 'base62', 30)}7a`;

// No format says what the value is: the name beside it has to. Only where a format is needed, there is none.
describe('a name and its value', () => {
  it.each(OUTSIDE_PLACES.filter(({ id }) => id !== 'markdown'))('are read as in $id', ({ write }) => {
    const text = write('CLIENT_SECRET', value);
    const ranges = scanner.scanText(text).map(({ finding }) => text.slice(finding.start, finding.end));
    expect(ranges).toEqual([value]);
  });

  it.each(['IBM_IAM_KEY=', 'X-Weather-Key: ', 'WEATHER_KEY: '])(
    'are read where a name in capitals, or of a header, ends in key: %s',
    (before) => {
      expect(scanner.scanText(`${before}${value}`).map(({ finding }) => finding.rule)).toEqual(['api-key']);
    },
  );

  it.each(['weather_key = ', 'cacheKey: ', 'CACHE_KEY=', 'PRIMARY_KEY='])('but not where key says little: %s', (before) => {
    expect(scanner.scanText(`${before}"${value}"`)).toEqual([]);
  });

  it('are read where letters were drawn at random, and not where they were joined from words', () => {
    const rules = (text: string) => scanner.scanText(text).map(({ finding }) => `${finding.rule} ${finding.confidence}`);
    expect(rules(`client_secret: "qXvWzJkPhTbNcRgM"`)).toEqual(['secret medium']);
    expect(rules(`client_secret: "someOtherIdentifier"`)).toEqual([]);
  });
});
