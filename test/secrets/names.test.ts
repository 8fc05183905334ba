import { describe, expect, it } from 'vitest';
import { KINDS, samples } from '../../bench/secrets-data.js';
import { negatives } from '../../bench/secrets-negatives.js';
import { atLeast } from '../../src/secrets/index.js';
import { characters, random } from './generate.js';
import { rules, scanner } from './support.js';

const found = (text: string) => scanner.scanText(text).filter(({ finding }) => atLeast(finding.confidence, 'medium'));

describe('names', () => {
  it.each([
    ['DB_PASSWORD', 'password'],
    ['dbPassword', 'password'],
    ['dbpassword', 'password'],
    ['PGPASSWORD', 'password'],
    ['spring.datasource.password', 'password'],
    ['password2', 'password'],
    ['clientSecret', 'secret'],
    ['GITHUB_TOKEN', 'token'],
    ['accessToken', 'token'],
    ['x-api-key', 'api-key'],
    ['SECRET_ACCESS_KEY', 'secret-key'],
    ['privateKey', 'secret-key'],
    ['Authorization', 'authorization'],
  ])('%s speaks of a secret', (name, rule) => {
    expect(rules.nameTest(name)?.rule).toBe(rule);
  });

  it.each([
    ...['next_token', 'NextPageToken', 'csrfToken', 'max_tokens', 'tokens', 'token_type', 'token_count', 'password_file', 'secretName'],
    ...[
      'secret_arn',
      'primary_key',
      'foreignKey',
      'public_key',
      'cache_key',
      'i18n_key',
      'keyboard',
      'author',
      'monkey',
      'compass',
      'tokenizer',
    ],
    ...['api_key_id', 'auth_url', 'passwordPolicy', 'bypass', 'passenger'],
  ])('%s does not', (name) => {
    expect(rules.nameTest(name)).toBeUndefined();
  });
});

describe('values that are no secrets', () => {
  it.each([
    ...['${DB_PASSWORD}', '$PASSWORD', '%PASSWORD%', '{{ .Values.pw }}', '<your-password>', '$(cat /run/secrets/pw)', 'process.env.PW1'],
    ...[
      'op://vault/item/field',
      'vault:secret/data/db#pw',
      'arn:aws:secretsmanager:eu-west-1:1:secret:x',
      'ENC[AES256_GCM,data:x1]',
      '[REDACTED:password:01234567]',
    ],
    ...[
      'xxxxxxxxxxxxA1',
      '****************',
      'changeme-123',
      'your-password-1',
      'abcdef0123456789',
      'snake_case_name',
      'dotted.path.name2',
      'CamelCaseName',
    ],
    ...['sha512-abcDEF123abcDEF123abc', 'https://acme.dev/x1?y=Z', '/etc/ssl/private/Key1.pem', 'tooluse_aB3dE5fG7hJ9', 'ann1@Acme.dev'],
  ])('%s', (value) => {
    expect(found(`DB_PASSWORD=${value}\n`)).toEqual([]);
    expect(found(JSON.stringify({ password: value }))).toEqual([]);
  });

  it('are left alone in code, where the right side is an expression', () => {
    for (const text of negatives(77, 2))
      expect({ text, rules: found(text).map(({ finding }) => finding.rule) }).toEqual({ text, rules: [] });
  });
});

describe('recall and cover', () => {
  it('hold on the kinds that were not tuned on', () => {
    const set = samples(
      11,
      2,
      KINDS.filter((_, i) => i % 2 === 1),
    );
    const hit = set.filter(({ text, value = '' }) => {
      const start = text.indexOf(value);
      return found(text).some(({ finding }) => finding.start < start + value.length && finding.end > start);
    });
    expect(hit.length / set.length).toBeGreaterThanOrEqual(0.98);
  });
});

it('unquoted passwords are found in configuration, with all of their signs', () => {
  const value = `${characters(random(8), 'base62', 8)}!#9-x`;
  for (const text of [
    `PASSWORD=${value}\nA=1`,
    `password: ${value}\n`,
    `--password ${value} --x`,
    `export DB_PASSWORD=${value}`,
    `- password: ${value}`,
  ])
    expect(found(text).map((hit) => hit.value)).toEqual([value]);
});
