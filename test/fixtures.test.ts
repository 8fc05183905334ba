import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFixtures } from '../scripts/build-fixtures.js';
import { bucketOf } from '../src/parsers/kiro-v3/bucket.js';

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));
const HOME = join(FIXTURES, 'home');
const WORK = '/home/mira/work';

interface Assistant {
  content: string;
  tool_uses?: { id: string; name: string; orig_name: string }[];
}
type Entry = {
  user: { content: Record<string, { prompt?: string; tool_use_results?: { tool_use_id: string }[] }>; timestamp?: string | null };
  assistant: Record<string, Assistant>;
};
interface State {
  conversation_id: string;
  history: (Entry | [Entry['user'], Entry['assistant']])[];
  transcript: string[];
  model_info?: { model_id: string };
}

const readState = (path: string): State & Record<string, unknown> => JSON.parse(readFileSync(join(FIXTURES, path), 'utf8'));
const assistantOf = (entry: State['history'][number]): Assistant | undefined =>
  Object.values(Array.isArray(entry) ? entry[1] : entry.assistant)[0];

/** Walks both lists from the end: how many assistant elements stand between the aligned ones, and how many are left in front. */
function align(history: State['history'], transcript: string[]): { skipped: number; front: number } {
  const spoken = transcript.filter((element) => /\n\[Tool uses: [^\]\n]+\]$/.test(element));
  let at = spoken.length - 1;
  let skipped = 0;
  for (const entry of history.toReversed()) {
    const said = assistantOf(entry);
    const uses = said?.tool_uses ?? [];
    const names = uses.map((use) => use.orig_name).join(',') || 'none';
    const wanted = `${said?.content}\n[Tool uses: ${names}]`;
    while (at >= 0 && spoken[at] !== wanted) {
      at -= 1;
      skipped += 1;
    }
    if (at < 0) throw new Error(`not in the transcript: ${wanted}`);
    at -= 1;
  }
  return { skipped, front: at + 1 };
}

const BASE =
  'conversation_id next_message history valid_history_range transcript tools context_manager context_message_length latest_summary';
const V114 = `${BASE} model_info file_line_tracker mcp_enabled`;
const V117 = `${BASE} model_info file_line_tracker checkpoint_manager mcp_enabled`;
const KIRO = `${V117} mcp_last_checked mcp_server_versions mcp_disabled_due_to_api_failure user_turn_metadata`;
/** Fields of the version that wrote the conversation; messages in history; assistant elements between and in front of them. */
const CONVERSATIONS: [path: string, fields: string, entries: number, skipped: number, front: number][] = [
  ['sources/codewhisperer/legacy.json', `${BASE} model`, 4, 0, 1],
  ['sources/amazon-q/notes.json', `${BASE} model`, 5, 0, 0],
  ['sources/amazon-q/infra.json', V114, 6, 0, 5],
  ['sources/amazon-q/api.json', V114, 18, 0, 0],
  ['sources/amazon-q/site.json', V117, 4, 3, 0],
  ['sources/amazon-q/scratch-old.json', V117, 6, 0, 0],
  ['sources/amazon-q/shop.json', V117, 13, 0, 0],
  ['sources/amazon-q/release.json', V117, 12, 0, 0],
  ['sources/amazon-q/glossary.json', `${V117} tangent_state`, 13, 0, 0],
  ['sources/amazon-q/scratch.json', V117, 1, 0, 0],
  ['sources/kiro-cli/orders.json', KIRO, 3, 0, 0],
  ['sources/kiro-cli/notes-old.json', KIRO, 1, 0, 0],
  ['sources/kiro-cli/notes.json', KIRO, 2, 0, 0],
  ['home/exports/survey.md', `${BASE} model`, 3, 0, 0],
  ['home/exports/cleanup', `${BASE} model`, 0, 0, 24],
  ['home/exports/release-talk', V117, 11, 0, 0],
];

describe('conversations', () => {
  it.each(CONVERSATIONS)('%s aligns with its transcript and has the fields of its version', (path, fields, entries, skipped, front) => {
    const state = readState(path);
    expect(Object.keys(state)).toEqual(fields.split(' '));
    expect(state.history).toHaveLength(entries);
    expect(align(state.history, state.transcript)).toEqual({ skipped, front });
    expect(statSync(join(FIXTURES, path)).size).toBeLessThan(60_000);
    const users = state.history.map((entry) => (Array.isArray(entry) ? entry[0] : entry.user));
    const stamps = users.filter((user) => 'timestamp' in user);
    expect(stamps).toHaveLength(fields.includes('model_info') ? entries : 0);
    const zones = new Set(stamps.flatMap((user) => (user.timestamp ? [/(Z|[+-]\d\d:\d\d)$/.exec(user.timestamp)?.[1]] : [])));
    expect(zones.size).toBe(stamps.length > 0 ? 1 : 0);
  });

  it('lists every source and every export', () => {
    const sources = readdirSync(join(FIXTURES, 'sources'), { recursive: true, encoding: 'utf8' });
    const json = sources.filter((name) => name.endsWith('.json') && !name.endsWith('build.json')).map((name) => `sources/${name}`);
    const exported = readdirSync(join(HOME, 'exports')).map((name) => `home/exports/${name}`);
    expect([...json, ...exported].sort()).toEqual(CONVERSATIONS.map(([path]) => path).sort());
  });

  it('holds one conversation three times, each later copy beginning with the same messages', () => {
    const [saved, kept, loaded] = ['home/exports/release-talk', 'sources/amazon-q/shop.json', 'sources/amazon-q/release.json'].map(
      readState,
    );
    expect(new Set([saved, kept, loaded].map((state) => state?.conversation_id)).size).toBe(1);
    expect(kept?.history.slice(0, 11)).toEqual(saved?.history);
    const renamed = loaded?.history
      .slice(0, 11)
      .flatMap((entry) => (assistantOf(entry)?.tool_uses ?? []).filter((use) => use.name === 'dummy'));
    expect(renamed?.map((use) => use.orig_name)).toEqual(['lookup_ticket', 'fetch_page']);
  });

  it('answers every call once, except where a fixture says otherwise', () => {
    const odd = CONVERSATIONS.flatMap(([path]) => {
      let open: string[] = [];
      const wrong: string[] = [];
      for (const entry of readState(path).history) {
        const content = Object.values(Array.isArray(entry) ? entry[0].content : entry.user.content)[0];
        const answered = content?.tool_use_results?.map((result) => result.tool_use_id) ?? [];
        wrong.push(...answered.filter((id) => !open.includes(id)), ...open.filter((id) => !answered.includes(id)));
        open = assistantOf(entry)?.tool_uses?.map((use) => use.id) ?? [];
      }
      return [...wrong, ...open];
    });
    expect(odd.map((id) => id.replace(/^tooluse_|0+$/g, ''))).toEqual(['notes-orphan', 'notes-move', 'api-wc']);
  });
});

describe('databases', () => {
  let folder: string;
  let paths: string[];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kirotrail-test-'));
    paths = buildFixtures(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are the same bytes each time, in either place, with fixed times', () => {
    const first = paths.map((path) => readFileSync(path));
    for (const path of paths) rmSync(path);
    const same = Array(paths.length).fill(true);
    expect(buildFixtures(folder).map((path) => readFileSync(path).equals(first[paths.indexOf(path)] ?? Buffer.alloc(0)))).toEqual(same);
    const inHome = buildFixtures();
    expect(inHome.map((path) => relative(HOME, path))).toEqual(paths.map((path) => relative(folder, path)));
    expect(inHome.map((path, i) => readFileSync(path).equals(first[i] ?? Buffer.alloc(0)))).toEqual(same);
    expect(inHome.map((path) => statSync(path).mtime.toISOString())).toEqual([
      '2025-11-14T08:00:05.000Z',
      '2025-05-21T09:20:00.000Z',
      '2026-07-02T07:15:22.000Z',
    ]);
  });

  const open = (index: number) => new Database(paths[index], { readonly: true, fileMustExist: true });
  const column = (db: Database.Database, sql: string) => db.prepare(sql).pluck().all();

  it('have the tables and settings of the program', () => {
    for (const index of [0, 1]) {
      const db = open(index);
      expect(column(db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")).toEqual([
        'auth_kv',
        'conversations',
        'history',
        'migrations',
        'state',
      ]);
      expect(column(db, 'SELECT version FROM migrations ORDER BY id')).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      const settings = ['page_size', 'auto_vacuum', 'journal_mode'].map((name) => db.pragma(name, { simple: true }));
      expect(settings).toEqual([4096, 0, 'delete']);
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      db.close();
    }
  });

  it('count the saved messages in their rowids and keep a replaced conversation in free pages', () => {
    const db = open(0);
    expect(db.prepare('SELECT rowid, key FROM conversations ORDER BY rowid').raw().all()).toEqual([
      [5, `${WORK}/notes`],
      [16, `${WORK}/infra`],
      [34, `${WORK}/api`],
      [41, `${WORK}/site`],
      [60, `${WORK}/shop`],
      [61, `${WORK}/release`],
      [73, `${WORK}/glossary`],
      [74, `${WORK}/scratch`],
    ]);
    expect(db.pragma('freelist_count', { simple: true })).toBeGreaterThan(5);
    const bytes = readFileSync(paths[0] ?? '');
    for (const part of [1, 2, 3]) expect(bytes.includes(`SCRATCH-OLD-ANSWER-${part}`)).toBe(true);
    expect(bytes.includes('old-access-not-real')).toBe(true);
    expect(column(db, "SELECT count(*) FROM conversations WHERE value LIKE '%SCRATCH-OLD%' OR value LIKE '{ %'")).toEqual([0]);
    db.close();
  });

  it('have a second table in Kiro CLI: several conversations in one directory, one in several', () => {
    const db = open(2);
    expect(column(db, 'SELECT version FROM migrations ORDER BY id')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(column(db, 'SELECT count(*) FROM conversations')).toEqual([0]);
    const rows = db.prepare('SELECT rowid, key, substr(conversation_id, 1, 8) FROM conversations_v2 ORDER BY rowid').raw().all();
    expect(rows).toEqual([
      [1, `${WORK}/api`, '5f0c7d1e'],
      [2, `${WORK}/shop`, '5f0c7d1e'],
      [5, `${WORK}/shop`, '7d0e1c52'],
    ]);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
  });

  it('tell an upgraded install from a fresh one', () => {
    const [fresh, old] = [open(0), open(1)];
    const batches = 'SELECT count(*) FROM migrations GROUP BY migration_time ORDER BY migration_time';
    expect([column(fresh, batches), column(old, batches)]).toEqual([[8], [6, 2]]);
    expect([fresh, old].map((db) => column(db, 'SELECT count(*) FROM history'))).toEqual([[0], [4]]);
    expect(old.prepare('SELECT rowid, key FROM conversations').raw().all()).toEqual([[5, `${WORK}/legacy`]]);
    fresh.close();
    old.close();
  });
});

const V2_KINDS = 'AssistantMessage CancelledPrompt Clear Compaction Prompt ResetTo ToolResults'.split(' ');
const V3_TYPES = (
  'ContextualHookInvoked agent_note assistant error interaction_resolved mode_change pending_interaction session_event ' +
  'session_metadata session_start steering_inclusion sub_agent_complete sub_agent_progress sub_agent_start system tombstone ' +
  'tool_call tool_result tool_revert turn_end turn_start usage_summary user'
).split(' ');
const SESSIONS = join(HOME, '.kiro/sessions');

describe('sessions of Kiro CLI', () => {
  const logs = readdirSync(SESSIONS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  const records = (names: string[]): { kind?: string; id: string; payload: { type: string } }[] =>
    names.flatMap((name) => readFileSync(join(SESSIONS, name), 'utf8').trimEnd().split('\n')).map((line) => JSON.parse(line));
  const older = logs.filter((name) => name.startsWith('cli/'));
  const newer = logs.filter((name) => !name.startsWith('cli/'));

  it('show every kind of record of both engines', () => {
    expect([...new Set(records(older).map(({ kind }) => kind))].sort()).toEqual(V2_KINDS);
    expect([...new Set(records(newer).map(({ payload }) => payload.type))].sort()).toEqual(V3_TYPES);
  });

  it('lie in the folder of their workspace', () => {
    const folders = readdirSync(SESSIONS).filter((name) => name !== 'cli');
    expect(folders).toEqual([bucketOf([`${WORK}/shop`])]);
  });

  it('hold one conversation in all three engines, and one session with a fork', () => {
    const { conversation_id: id } = readState('sources/kiro-cli/orders.json');
    expect(older).toContain(`cli/${id}.jsonl`);
    expect(newer.filter((name) => name.includes(`/cli_${id}_`))).toHaveLength(1);
    const ids = (part: string) => records(newer.filter((name) => name.includes(part))).map((record) => record.id);
    expect(ids('/sess_1c9b4f0e').slice(0, 22)).toEqual(ids('/sess_4e3d2c1b').slice(0, 22));
  });
});

describe('home', () => {
  it('is sound; a line that is not UTF-8 and a broken agent file lie in a home of their own', () => {
    expect(readFileSync(join(HOME, '.aws/amazonq/.cli_bash_history')).includes('editor\r\n')).toBe(true);
    const bytes = readFileSync(join(HOME, '../damaged/home/.aws/amazonq/.cli_bash_history'));
    expect(bytes.subarray(0, 4).toString()).toBe('#V2\n');
    expect(
      bytes
        .toString('latin1')
        .split('\n')
        .filter((line) => line.includes('caf\xe9 \xff menu')),
    ).toHaveLength(1);
  });

  it('holds the raw form of a prompt whose hidden characters the stored prompt lacks', () => {
    const { transcript, history } = readState('sources/amazon-q/shop.json');
    const raw = transcript.find((element) => element.includes('SHOP-7\u200b'));
    expect(raw).toMatch(/\?\u{e006d}\u{e0061}\u{e0069}\u{e006c}\u{e0020}\u{e0069}\u{e0074}$/u);
    expect(JSON.stringify(history)).not.toMatch(/\u200b|[\u{e0000}-\u{e007f}]/u);
  });
});
