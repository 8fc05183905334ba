import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import type { Row } from '../../src/rows/row.js';
import { kirotrail, rowsOf } from '../support/cli.js';

const folder = mkdtempSync(join(tmpdir(), 'kirotrail-masked-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** No rule sees it: nothing but its place in the table of logins tells that it is one. */
const TOKEN = 'Zephyr harbour 7 violet lantern';

interface Login {
  readonly table: 'auth_kv' | 'state';
  readonly key: string;
  readonly value: string;
  /** Rows beside it: with enough of them its page is given back when all are deleted. */
  readonly beside: number;
}

/** A database whose login was deleted, and a conversation in which somebody pasted the token. */
function database({ table, key, value, beside }: Login): { path: string; freePages: unknown } {
  const path = join(mkdtempSync(join(folder, 'home-')), 'data.sqlite3');
  const made = new Database(path);
  made.exec(`CREATE TABLE migrations (id INTEGER PRIMARY KEY, version INTEGER NOT NULL, migration_time INTEGER NOT NULL);
    CREATE TABLE state (key TEXT PRIMARY KEY, value BLOB);
    CREATE TABLE auth_kv (key TEXT PRIMARY KEY, value TEXT);
    CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT);`);
  const user = { additional_context: '', env_context: {}, content: { Prompt: { prompt: `is ${TOKEN} still valid?` } }, timestamp: null };
  const assistant = { Response: { message_id: 'm-1', content: 'no' } };
  const conversation = {
    conversation_id: 'c-1',
    next_message: null,
    history: [{ user, assistant, request_metadata: null }],
    transcript: [],
  };
  made.prepare('INSERT INTO conversations VALUES (?, ?)').run('/w', JSON.stringify(conversation));
  const put = made.prepare(`INSERT INTO ${table} VALUES (?, ?)`);
  for (let i = 0; i < beside; i++) put.run(`other-${i}`, 'x'.repeat(900));
  put.run(key, value);
  made.exec(`DELETE FROM ${table}`);
  const freePages = made.pragma('freelist_count', { simple: true });
  made.close();
  return { path, freePages };
}

const rows = (path: string, ...more: readonly string[]): Row[] => {
  const call = kirotrail([path, '-q', '-f', 'jsonl', ...more]);
  if ((call.code ?? 99) > 1) throw new Error(`exit ${call.code}: ${call.stderr}`);
  return rowsOf(call.stdout);
};
const promptOf = (all: readonly Row[]) => all.find(({ row_type }) => row_type === 'prompt')?.text;

describe('a token of a deleted login that somebody pasted', () => {
  const whole = JSON.stringify({ access_token: TOKEN, expires_at: '2025-01-01T00:00:00Z', region: 'us-east-1' });
  it.each<[string, Login]>([
    ['a gap of its page', { table: 'auth_kv', key: 'codewhisperer:odic:token', value: whole, beside: 0 }],
    ['a free page', { table: 'auth_kv', key: 'kirocli:odic:token', value: whole, beside: 30 }],
    ['a value that is no JSON', { table: 'auth_kv', key: 'kirocli:social:token', value: TOKEN, beside: 30 }],
    [
      'the state table',
      {
        table: 'state',
        key: 'telemetry-cognito-credentials',
        value: JSON.stringify({ session_token: TOKEN, access_key_id: 'A' }),
        beside: 30,
      },
    ],
  ])('is masked in the prompt: %s', (_, login) => {
    const { path, freePages } = database(login);
    expect(Number(freePages) > 0).toBe(login.beside > 0);
    const all = rows(path, '--secrets', 'redact');
    expect(promptOf(all)).toMatch(/^is \[REDACTED:[\w-]+:\w{8}\] still valid\?$/);
    expect(JSON.stringify(all)).not.toContain(TOKEN);
    const told = all.find(({ text }) => text.includes(`key=${login.key}`));
    expect(told?.secrets.map(({ source }) => source)).toContain('location');
    // Nothing but the deleted row tells that it is a secret.
    expect(promptOf(rows(path, '--secrets', 'redact', '--no-recover'))).toBe(`is ${TOKEN} still valid?`);
  });
});
