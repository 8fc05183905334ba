import { describe, expect, it } from 'vitest';
import { atLeast, type Finding, type LocationHint } from '../../src/secrets/index.js';
import { characters, expand, random } from './generate.js';
import { scanner } from './support.js';

const GITHUB = `gh${'p_'}${characters(random(1), 'base62', 36)}`;
const found = (text: string) => scanner.scanText(text).filter(({ finding }) => atLeast(finding.confidence, 'medium'));
const covered = (text: string) => found(text).map(({ finding }) => text.slice(finding.start, finding.end));
const first = (text: string): Finding => {
  const hit = scanner.scanText(text)[0];
  if (!hit) throw new Error(`nothing found in ${text}`);
  return hit.finding;
};

describe('the four places of case 21', () => {
  const row = (text: string) => covered(text);
  it.each([
    [`push with token ${'gh'}p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8`, `${'gh'}p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8`],
    [JSON.stringify({ command: `AWS_ACCESS_KEY_ID=${'AK'}IAQX7EXAMPLE4T2ZPL aws s3 ls` }), `${'AK'}IAQX7EXAMPLE4T2ZPL`],
    [
      JSON.stringify({ exit_status: '0', stdout: `aws_secret_access_key = wJalrXUtnFEMI/${'K7MDENG'}/bPxRfiCYzEXAMPLEKEY`, stderr: '' }),
      `wJalrXUtnFEMI/${'K7MDENG'}/bPxRfiCYzEXAMPLEKEY`,
    ],
    ['DB_PASSWORD=hunter2-Zebra!', 'hunter2-Zebra!'],
    [JSON.stringify([{ key: 'DB_PASSWORD', value: 'hunter2-Zebra!' }]), 'hunter2-Zebra!'],
  ])('%s', (text, value) => {
    expect(row(text)).toEqual([value]);
  });

  it('finds an environment variable by the name of its member', () => {
    const [hit] = scanner.scanRow([{ column: 'details', text: 'hunter2-Zebra!', pointer: '/environment/DB_PASSWORD', key: 'DB_PASSWORD' }]);
    expect(hit?.finding).toMatchObject({ column: 'details', pointer: '/environment/DB_PASSWORD', start: 0, end: 14, preview: '' });
  });

  it('leaves request ids, session ids and paths alone', () => {
    for (const text of ['req-s1', '23232323-0000-4000-8000-000000000021', '/home/zed/ops', 'tooluse_s1', 'Listed.'])
      expect(scanner.scanText(text)).toEqual([]);
  });
});

describe('ranges are those of the text as given', () => {
  const secret = `c0rrect"Horse\\9${characters(random(2), 'base62', 6)}`;
  it.each([0, 1, 2, 3, 4, 5])('in JSON within JSON, %i deep', (depth) => {
    let text = JSON.stringify({ password: secret, port: 1 });
    let written = JSON.stringify(secret).slice(1, -1);
    for (let i = 0; i < depth; i += 1) {
      text = JSON.stringify({ stdout: text, n: i });
      written = JSON.stringify(written).slice(1, -1);
    }
    expect(covered(text)).toEqual([written]);
  });

  it('behind characters outside the basic plane and lone surrogates', () => {
    const text = `\ud800 \u{1f511}\u{1f511} token: ${GITHUB} \udc00`;
    expect(covered(text)).toEqual([GITHUB]);
  });

  it('through colour codes within a token', () => {
    const text = `token \u001b[31m${GITHUB.slice(0, 10)}\u001b[1m${GITHUB.slice(10)}\u001b[0m done`;
    const [hit] = found(text);
    expect(hit?.value).toBe(GITHUB);
    expect(text.slice(hit?.finding.start, hit?.finding.end)).toBe(`${GITHUB.slice(0, 10)}\u001b[1m${GITHUB.slice(10)}`);
  });

  it('in lines of JSON between other lines', () => {
    const text = `start\n{"a":"x\\n${GITHUB}"}\nmiddle\n{"password":"aB3!\\u0024x9Zq"}\nend`;
    expect(covered(text)).toEqual([GITHUB, 'aB3!\\u0024x9Zq']);
    expect(found(text).map(({ value }) => value)).toEqual([GITHUB, 'aB3!$x9Zq']);
  });

  it('in JSON that was cut off', () => {
    const text = JSON.stringify({ a: { GITHUB_TOKEN: GITHUB, log: `one\ntwo ${GITHUB} three` } });
    expect(covered(text.slice(0, -5))).toEqual([GITHUB, GITHUB]);
  });

  it('with the pointer of the JSON string', () => {
    expect(first(JSON.stringify({ 'a/b': [{ x: '' }, { y: GITHUB }] })).pointer).toBe('/a~1b/1/y');
  });
});

describe('encodings', () => {
  it('base64 behind a telling name is looked into once', () => {
    const encoded = Buffer.from(`password=${characters(random(3), 'base62', 20)}7 and more text`).toString('base64');
    const [hit] = found(`credentials: "${encoded}"`);
    expect(hit?.finding).toMatchObject({ decoded: 'base64', rule: 'password' });
  });

  it('an encoded private key is named as one', () => {
    const pem = `-----BEGIN ${'PRIVATE'} KEY-----\n${characters(random(4), 'base64', 400)}\n-----END ${'PRIVATE'} KEY-----\n`;
    const text = `key: ${Buffer.from(pem).toString('base64')}`;
    expect(first(text)).toMatchObject({ rule: 'private-key', decoded: 'base64' });
  });

  it('percent-encoding in a URL is undone for the value, not for the range', () => {
    const [hit] = found('postgres://app:s3cr%21t%2F9Zx@db/app');
    expect(hit?.value).toBe('s3cr!t/9Zx');
    expect(hit?.finding.decoded).toBe('percent');
  });
});

describe('what a finding says', () => {
  it('decodes the account of a published AWS key id', () => {
    // the example in the first publication of the method: 029608264753
    expect(first(`id ${'AS'}IAQNZGKIQY56JQ7WML`)).toMatchObject({ class: 'identifier', aws_account: '029608264753' });
  });

  it('takes the secret access key behind a key id, also without a name', () => {
    const secret = `${characters(random(9), 'base64', 38)}a7`;
    const id = `AK${'IA'}${characters(random(10), 'base32', 16)}`;
    expect(covered(`User,Key,Secret\nann,${id},${secret}\n`)).toEqual([id, secret]);
    expect(covered(`ann,${id},${characters(random(11), 'hex', 40)}`)).toEqual([id]);
  });

  it('decodes claims and does not verify them', () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { iss: 'https://auth.acme.dev', aud: ['a', 'b'], sub: '42', exp: 1790000000 };
    const text = `jwt ${part({ alg: 'RS256' })}.${part(claims)}.${characters(random(5), 'base64url', 86)}`;
    expect(first(text)).toMatchObject({ rule: 'jwt', jwt: { iss: 'https://auth.acme.dev', aud: 'a b', sub: '42', exp: 1790000000 } });
  });

  it('checks the checksum of GitHub tokens, and keeps what fails', () => {
    // a widely published example of the format, in pieces here
    expect(first(`x gh${'p_zQWBuTSOoRi4A9spHc'}VY5ncnsDkxkJ0mLq17`)).toMatchObject({ checksum: 'valid', confidence: 'high' });
    expect(first(`x ${GITHUB}`)).toMatchObject({ checksum: 'invalid', confidence: 'medium' });
  });

  it.each(['AKIAIOSFODNN7EXAMPLE', `ghp_${'x'.repeat(36)}`])('%s is kept without confidence', (text) => {
    expect(first(`a ${text} b`).confidence).toBe('none');
  });

  it('reports a token that is cut off at the end of the text', () => {
    expect(first(`token ${GITHUB.slice(0, 34)}`)).toMatchObject({ confidence: 'low', truncated: true });
    expect(scanner.scanText(`token ${GITHUB.slice(0, 34)} and more`)).toEqual([]);
  });

  it('shows ends of long tokens, and nothing of passwords', () => {
    expect(first(`x ${GITHUB}`).preview).toBe(`ghp_\u2026${GITHUB.slice(-4)}(40)`);
    expect(first('DB_PASSWORD=hunter2-Zebra!').preview).toBe('');
  });

  it('never holds the value', () => {
    for (const text of [`x ${GITHUB}`, 'DB_PASSWORD=hunter2-Zebra!', 'redis://:s3cr3t-Abc9@h']) {
      for (const { finding, value } of scanner.scanText(text)) expect(JSON.stringify(finding)).not.toContain(value);
    }
  });
});

describe('location hints', () => {
  const hint = (rest: Partial<LocationHint>): LocationHint => ({ column: 'text', rule: 'auth-store', ...rest });
  it('mark a value whatever it looks like', () => {
    expect(scanner.scanText('token=abc', [hint({ start: 6, end: 9 })])[0]?.finding).toMatchObject({
      source: 'location',
      confidence: 'certain',
      start: 6,
      end: 9,
    });
  });

  it.each(['', 'null', '${TOKEN}', '  '])('leave %j alone', (text) => {
    expect(scanner.scanText(text, [hint({})])).toEqual([]);
  });

  it('win over what rules see in the same place', () => {
    expect(scanner.scanText(GITHUB, [hint({})]).map(({ finding }) => finding.rule)).toEqual(['auth-store']);
  });

  it.each([
    ['DB_PASSWORD', 'x1', { confidence: 'certain', class: 'secret' }],
    ['X-Acme-Key', 'plain', { confidence: 'certain', class: 'secret' }],
    ['LOG_LEVEL', 'debug', { confidence: 'low', class: 'sensitive', mixed: true }],
  ])('in mixed maps the name %s decides', (key, text, expected) => {
    expect(scanner.scanText(text, [hint({ rule: 'mcp-env', key })])[0]?.finding).toMatchObject(expected);
  });

  it('name rules that exist', () => {
    expect(() => scanner.scanText('x', [hint({ rule: 'no-such-rule' })])).toThrow('no-such-rule');
  });
});

describe('escaped and plain JSON give the same', () => {
  const values: [string, string][] = [
    ['password', expand('{{12 of symbols seeded 31}}a7!')],
    ['apiKey', expand('{{32 of base62 seeded 32}}')],
    ['client_secret', expand('{{40 of base64url seeded 33}}')],
    ['AWS_SECRET_ACCESS_KEY', expand('{{40 of base64 seeded 34}}')],
    ['x', GITHUB],
  ];
  it.each(values)('%s', (key, value) => {
    const plain = JSON.stringify({ [key]: value }, null, 2);
    expect(found(plain).map((hit) => hit.value)).toEqual([value]);
    expect(found(JSON.stringify({ out: plain })).map((hit) => hit.value)).toEqual([value]);
    // not JSON as a whole: quotes stay escaped
    expect(found(`log: ${JSON.stringify(plain)} end`).map((hit) => hit.value)).toEqual([value]);
  });
});
