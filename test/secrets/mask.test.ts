import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactValues, fingerprint, fingerprinter, leakCheck, leaks, type MaskPolicy, maskText } from '../../src/secrets/index.js';
import { characters, random } from './generate.js';
import { scanner } from './support.js';

const KEY = createHash('sha256').update('key of this test').digest();
const mark = fingerprinter(KEY);
const masked = (text: string, policy: MaskPolicy = 'redact') => maskText(text, scanner.scanText(text), policy, mark).text;
const github = (seed: number) => `gh${'p_'}${characters(random(seed), 'base62', 36)}`;
const key = (seed: number) => `AK${'IA'}${characters(random(seed), 'base32', 16)}`;

/** Secrets of several makes, by a seed. */
const secrets = fc.nat({ max: 5000 }).map((seed) => {
  const next = random(seed);
  const makes = [github(seed), `sk_${'live_'}${characters(next, 'base62', 24)}`, `hv${'s.'}${characters(next, 'base62', 90)}7`];
  return makes[seed % makes.length] ?? github(seed);
});
/** Text without letters, digits or signs that could become part of a token. */
const filler = fc.string({ unit: fc.constantFrom(' ', '\n', '"', '\\', '(', ')', '\u00e9', '\u{1f511}', '\t', '!', '{', '}', '[', ']') });

describe('masking', () => {
  it('names rule and mark, and nothing else', () => {
    const value = github(1);
    expect(masked(`push with ${value} now`)).toBe(`push with [REDACTED:github-token:${fingerprint(value, KEY).slice(3, 11)}] now`);
  });

  it('hides key ids that stand in full', () => {
    const text = `id ${key(2)} end`;
    expect(masked(text)).toMatch(/^id \[REDACTED:aws-access-key-id:[0-9a-f]{8}\] end$/);
    expect(masked(text, 'redact-all')).toMatch(/^id \[REDACTED:aws-access-key-id:[0-9a-f]{8}\] end$/);
  });

  it('never keeps a value, and changes nothing beside it', () => {
    fc.assert(
      fc.property(filler, secrets, filler, (before, secret, after) => {
        const text = `${before} ${secret} ${after}`;
        const result = masked(text);
        expect(result).not.toContain(secret);
        expect(result.startsWith(`${before} [REDACTED:`)).toBe(true);
        expect(result.endsWith(`] ${after}`)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('leaves JSON that can be parsed, with everything else as it was', () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(json, secrets, fc.integer({ min: 0, max: 3 }), (other, secret, depth) => {
        let value: unknown = { other, note: `line\n"quoted" ${secret}\tend`, password: `q"\\${secret}` };
        for (let i = 0; i < depth; i += 1) value = { out: JSON.stringify(value), i };
        const text = JSON.stringify(value);
        let parsed: unknown = JSON.parse(masked(text));
        for (let i = 0; i < depth; i += 1) parsed = JSON.parse(String(Object.entries(parsed ?? {})[0]?.[1]));
        expect(JSON.stringify(parsed)).not.toContain(secret);
        expect(Object.entries(parsed ?? {})[0]).toEqual(['other', JSON.parse(JSON.stringify(other))]);
      }),
      { numRuns: 200 },
    );
  });

  it('leaves text without secrets untouched', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(maskText(text, [], 'redact-all', mark)).toEqual({ text, spans: 0 });
        const hits = scanner.scanText(text);
        for (const { finding } of hits) expect(finding.start < finding.end && finding.end <= text.length).toBe(true);
      }),
    );
  });

  it('is stable: a masked text has nothing more to mask', () => {
    const text = JSON.stringify({
      token: github(5),
      log: `export DB_PASSWORD=hunter2-Zebra!\nAuthorization: Bearer ${characters(random(6), 'base62', 40)}`,
    });
    expect(masked(masked(text))).toBe(masked(text));
  });
});

describe('marks', () => {
  it('are the same for the same value in every encoding', () => {
    const value = 's3cr!t/9Zx-"q"';
    const texts = [
      JSON.stringify({ password: value }),
      JSON.stringify({ out: JSON.stringify({ password: value }) }),
      `password = '${value}'`,
      JSON.stringify([{ name: 'DB_PASSWORD', value }]),
    ];
    const marks = texts.map((text) => scanner.scanText(text).map((hit) => mark(hit.value)));
    expect(marks).toEqual(texts.map(() => [fingerprint(value, KEY)]));
  });

  it('are the same for a private key in lines, escaped and joined', () => {
    const body = characters(random(7), 'base64', 256).match(/.{64}/g) ?? [];
    const [begin, end] = [`-----BEGIN ${'PRIVATE'} KEY-----`, `-----END ${'PRIVATE'} KEY-----`];
    const texts = [
      [begin, ...body, end].join('\n'),
      [begin, ...body, end].join('\\n'),
      `${begin}\n${body.join('')}\n${end}`,
      [begin, ...body, end].join('\r\n'),
    ];
    const values = new Set(texts.flatMap((text) => scanner.scanText(text).map((hit) => hit.value)));
    expect(values.size).toBe(1);
  });

  it('differ by key', () => {
    expect(fingerprint('x', KEY)).toMatch(/^s1:[0-9a-f]{16}$/);
    expect(fingerprint('x', KEY)).not.toBe(fingerprint('x', Buffer.from('other')));
  });
});

describe('values found once', () => {
  const known = () => {
    const values = exactValues('redact', mark);
    for (const hit of scanner.scanText('DB_PASSWORD=hunter2-"Zebra"!')) values.add(hit);
    for (const hit of scanner.scanText(JSON.stringify({ password: 'tab\there "9Z"' }))) values.add(hit);
    return values;
  };

  it('are masked where no rule sees them, also in JSON', () => {
    const values = exactValues('redact', mark);
    for (const hit of scanner.scanText('DB_PASSWORD="hunter2-Zebra!"')) values.add(hit);
    expect(values.values()).toEqual(['hunter2-Zebra!']);
    expect(values.maskExact('I typed hunter2-Zebra! twice: hunter2-Zebra!hunter2-Zebra!').spans).toBe(3);
    expect(values.maskExact('nothing of the kind, hunter2-Zebr').spans).toBe(0);
  });

  it('are found with their escapes', () => {
    const values = exactValues('redact', mark);
    const secret = 'a"b\\c9-Zebra!';
    for (const hit of scanner.scanText(JSON.stringify({ password: secret }))) values.add(hit);
    for (const text of [secret, JSON.stringify(secret), JSON.stringify(JSON.stringify(secret))])
      expect(values.maskExact(text).spans).toBe(1);
    expect(JSON.parse(values.maskExact(JSON.stringify({ a: secret })).text)).toHaveProperty('a');
  });

  it('are found in every encoding, so that the check of the output finds none', () => {
    const values = exactValues('redact', mark);
    const secrets = Array.from({ length: 50 }, (_, i) => `${characters(random(200 + i), 'symbols', 9 + (i % 30))}"\u00e9/${i}aZ`);
    for (const secret of secrets) for (const hit of scanner.scanText(JSON.stringify({ password: secret }))) values.add(hit);
    expect(values.values()).toEqual(secrets);
    const output = secrets.flatMap((secret, i) => [
      `prose ${secret} prose`,
      JSON.stringify({ a: secret, b: JSON.stringify([secret]) }),
      `?q=${encodeURIComponent(secret)}&r=1`,
      Buffer.from(`${'x'.repeat(i % 4)}${secret}yz`).toString('base64'),
    ]);
    expect(leaks(Buffer.from(output.join('\n')), secrets).length).toBeGreaterThanOrEqual(250);
    expect(leaks(Buffer.from(output.map((text) => values.maskExact(text).text).join('\n')), secrets)).toEqual([]);
  });

  it('are kept out when they are short, digits alone, or a plain word', () => {
    const finding = scanner.scanText('DB_PASSWORD="hunter2-Zebra!"')[0]?.finding;
    if (!finding) throw new Error('nothing found');
    const values = exactValues('redact', mark);
    for (const value of ['short7', '1234567890', 'password']) values.add({ finding, value });
    expect(values.values()).toEqual([]);
    expect(known().values().length).toBeGreaterThan(0);
  });
});

describe('the check of output bytes', () => {
  const secret = 'p\u00e4ss"w\u00f6rd-9Zebra';
  it.each([
    ['raw', `x${secret}y`],
    ['json', JSON.stringify({ a: secret })],
    ['json', JSON.stringify({ a: JSON.stringify({ b: secret }) })],
    ['percent', `?q=${encodeURIComponent(secret)}`],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64', Buffer.from(`a${secret}b`).toString('base64')],
    ['base64', Buffer.from(`ab${secret}cd`).toString('base64')],
    ['base64', Buffer.from(`ab${secret}`).toString('base64url')],
  ])('finds the %s form in %s', (form, text) => {
    expect(leaks(Buffer.from(text), ['other value', secret])).toMatchObject([{ value: 1, form }]);
  });

  it('finds a value across the borders of chunks, once, at its offset', () => {
    fc.assert(
      fc.property(fc.nat({ max: 40 }), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 }), (offset, sizes) => {
        const bytes = Buffer.from(`${'.'.repeat(offset)}${secret}${'.'.repeat(30)}`);
        const check = leakCheck([secret]);
        let at = 0;
        for (const size of [...sizes, bytes.length]) {
          check.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(check.end()).toEqual([{ value: 0, form: 'raw', offset }]);
      }),
    );
  });

  it('is silent about masked output', () => {
    const texts = Array.from({ length: 50 }, (_, i) => JSON.stringify({ n: i, token: github(100 + i) }));
    const values = texts.flatMap((text) => scanner.scanText(text).map((hit) => hit.value));
    expect(values.length).toBe(50);
    expect(leaks(Buffer.from(texts.map((text) => masked(text)).join('\n')), values)).toEqual([]);
    expect(leaks(Buffer.from(texts.join('\n')), values).length).toBe(50);
  });
});
