import { describe, expect, it } from 'vitest';
import type { SnapshotFault } from '../../src/evidence/snapshot.js';
import type { Snapshot, SnapshotRow } from '../../src/evidence/sqlite.js';
import { credentialRows, stateRows } from '../../src/parsers/q-state.js';
import { withheldValues } from '../../src/parsers/q-withheld.js';

// Invented values: none has the form of a live token.
const ACCESS = 'access-value-not-real';
const REFRESH = 'refresh-value-not-real';

function snapshot(table: string, stored: readonly (readonly [key: unknown, value: unknown])[], fault?: string): Snapshot {
  const rows: (SnapshotRow | SnapshotFault)[] = stored.map(([key, value], i) => ({ rowid: i + 1, values: [key, value] }));
  if (fault !== undefined) rows.push({ rowid: rows.length + 1, fault });
  return {
    iterate: (name: string) => (name === table ? rows : []),
    sizeOf: (_: string, rowid: number) => Buffer.byteLength(String(stored[rowid - 1]?.[1] ?? '')),
  } as unknown as Snapshot;
}

describe('auth_kv', () => {
  const token = JSON.stringify({
    access_token: ACCESS,
    expires_at: '2025-11-14T09:00:00Z',
    refresh_token: REFRESH,
    region: 'eu-central-1',
    start_url: 'https://shop.example/start',
    oauth_flow: 'DeviceCode',
    scopes: ['codewhisperer:conversations'],
  });

  it.each(['codewhisperer:odic:token', 'kirocli:oidc:token', 'a-key-of-a-later-version'])('%s: key and size, never the value', (key) => {
    expect([...credentialRows(snapshot('auth_kv', [[key, token]]))]).toEqual([
      {
        row_type: 'config',
        text: `credential stored: table=auth_kv key=${key} bytes=${token.length}`,
        withheld: [
          { rule: 'auth-store', key: 'access_token', value: ACCESS },
          { rule: 'auth-store', key: 'refresh_token', value: REFRESH },
        ],
        source_line: 1,
      },
    ]);
  });

  it('names a row that cannot be read', () => {
    const rows = [...credentialRows(snapshot('auth_kv', [], 'malformed record'))];
    expect(rows.map(({ row_type, text, source_line }) => [row_type, text, source_line])).toEqual([
      ['error', 'parser: table auth_kv: malformed record', 1],
    ]);
  });
});

describe('state', () => {
  it('keeps the telemetry credentials back, and shows what is none', () => {
    const cognito = JSON.stringify({ access_key_id: 'key-id-not-real', secret_key: ACCESS, session_token: REFRESH, expiration: 'soon' });
    const rows = [
      ...stateRows(
        snapshot('state', [
          ['telemetry-cognito-credentials', Buffer.from(cognito)],
          ['auth.idc.region', '"eu-central-1"'],
          ['later.apiKey', '"third-value-not-real"'],
        ]),
      ),
    ];
    expect(rows.map(({ text, details, withheld }) => ({ text, details, withheld }))).toEqual([
      {
        text: `credential stored: table=state key=telemetry-cognito-credentials bytes=${cognito.length}`,
        details: undefined,
        withheld: [
          { rule: 'cognito-credentials', key: 'access_key_id', value: 'key-id-not-real' },
          { rule: 'cognito-credentials', key: 'secret_key', value: ACCESS },
          { rule: 'cognito-credentials', key: 'session_token', value: REFRESH },
        ],
      },
      {
        text: 'state: auth.idc.region="eu-central-1"',
        details: { key: 'auth.idc.region', note: 'identity centre region' },
        withheld: undefined,
      },
      {
        text: 'credential stored: table=state key=later.apiKey bytes=22',
        details: undefined,
        withheld: [{ rule: 'cognito-credentials', key: '', value: 'third-value-not-real' }],
      },
    ]);
  });
});

describe('what is withheld of a stored value', () => {
  const of = (stored: string) => withheldValues(stored, 'auth-store').map(({ key, value }) => [key, value]);
  const deep = `${'{"a":'.repeat(5000)}{"clientSecret":"${ACCESS}"}${'}'.repeat(5000)}`;

  it.each([
    ['nothing', '', []],
    ['an empty text', '""', []],
    ['a text: without its quotes, as it stands elsewhere', `"${ACCESS}"`, [['', ACCESS]]],
    ['no JSON: the whole', `${ACCESS}-raw`, [['', `${ACCESS}-raw`]]],
    [
      'cut JSON: its fields, the cut one as far as it goes',
      `{"region":"x","refresh_token":"r-1","access_token":"${ACCESS}`,
      [
        ['refresh_token', 'r-1'],
        ['access_token', ACCESS],
      ],
    ],
    ['cut JSON with too little of a field: the whole', '{"access_token":"abc', [['', '{"access_token":"abc']]],
    ['empty and other fields', `{"access_token":"","refresh_token":null,"region":"x","client_id":"y"}`, []],
    ['fields inside', `{"a":[{"clientSecret":"${ACCESS}"}]}`, [['clientSecret', ACCESS]]],
    ['fields far inside', deep, [['clientSecret', ACCESS]]],
    // such a time occurs in many rows: taken for a secret it would be masked in all of them
    ['times and types beside a secret', '{"client_secret_expires_at":"2026-02-03T08:00:00Z","tokenType":"bearer","secretArn":"arn:x"}', []],
  ])('%s', (_, stored, expected) => expect(of(stored)).toEqual(expected));
});
