import { describe, expect, it } from 'vitest';
import { qSsoCache } from '../../src/parsers/q-sso-cache.js';
import { draftsOf, jsonDraftsOf, MTIME } from '../support/memory-source.js';

// Invented values: none has the form of a live token.
const ACCESS = 'access-value-not-real';
const REFRESH = 'refresh-value-not-real';

describe('token files', () => {
  it('kiro-auth-token.json: names its fields and what the login is for, and withholds what opens it', () => {
    const stored = {
      accessToken: ACCESS,
      refreshToken: REFRESH,
      expiresAt: '2025-11-14T09:00:00Z',
      region: 'eu-central-1',
      authMethod: 'IdC',
      provider: 'BuilderId',
    };
    expect(jsonDraftsOf(qSsoCache, stored)).toEqual([
      {
        row_type: 'config',
        text: `credential stored: file bytes=${JSON.stringify(stored).length} fields=${Object.keys(stored).sort().join(',')}`,
        time: MTIME,
        details: { expiresAt: '2025-11-14T09:00:00Z', region: 'eu-central-1', provider: 'BuilderId', authMethod: 'IdC' },
        withheld: [
          { rule: 'aws-sso-cache', key: 'accessToken', value: ACCESS },
          { rule: 'aws-sso-cache', key: 'refreshToken', value: REFRESH },
        ],
      },
    ]);
  });

  it('<key>.token.json and <key>.registration.json of an MCP server', () => {
    const [token] = jsonDraftsOf(qSsoCache, { access_token: ACCESS, token_type: 'bearer', expires_in: 3600, scope: 'read' });
    expect(token?.details).toEqual({ token_type: 'bearer', scope: 'read' });
    expect(token?.withheld?.map(({ key, value }) => [key, value])).toEqual([['access_token', ACCESS]]);
    const [registration] = jsonDraftsOf(qSsoCache, {
      client_id: 'c',
      client_secret: REFRESH,
      client_secret_expires_at: '2026-02-03T08:00:00Z',
      redirect_uri: 'http://127.0.0.1:1',
    });
    expect(registration?.withheld?.map(({ key, value }) => [key, value])).toEqual([['client_secret', REFRESH]]);
  });

  it('no text and no detail holds a withheld value, whatever the fields are called', () => {
    const stored = {
      idToken: ACCESS,
      nested: { clientSecret: REFRESH },
      list: [{ password: 'third-value-not-real' }],
      other: 'fourth-not-real',
    };
    const [draft] = jsonDraftsOf(qSsoCache, stored);
    expect(draft?.withheld?.map(({ value }) => value).sort()).toEqual([ACCESS, REFRESH, 'third-value-not-real']);
    expect(JSON.stringify([draft?.text, draft?.details])).not.toContain('not-real');
  });
});

describe('files that cannot be read', () => {
  it.each([
    ['', /^parser: token file: empty file/],
    [`{"accessToken": "${ACCESS}", "refr`, /^parser: token file: invalid JSON/],
    [`["${ACCESS}"]`, /^parser: token file is not a JSON object/],
    [`"${ACCESS}"`, /^parser: token file is not a JSON object/],
  ])('%s is an error row without the content', (content, message) => {
    const drafts = draftsOf(qSsoCache, content);
    expect(drafts).toHaveLength(1);
    expect(drafts[0]?.row_type).toBe('error');
    expect(drafts[0]?.text).toMatch(message);
    const { withheld, ...written } = drafts[0] ?? {};
    expect(JSON.stringify(written)).not.toContain(ACCESS);
  });
});
