import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import type { Random } from './random.js';

/** A store written as the program writes it, with the truth about every entry that was ever in it. */
export interface Store {
  readonly path: string;
  readonly database: Database.Database;
  readonly random: Random;
  readonly directories: readonly string[];
  readonly open: Map<string, Talk>;
  readonly truth: Truth;
  readonly shape: Shape;
  /** Time of the latest entry, in Unix milliseconds. */
  clock: number;
}

export interface Shape {
  /** Of a conversation, in bytes: median and sigma of a log-normal, and its bounds. */
  readonly size: readonly [median: number, sigma: number, min: number, max: number];
  readonly resultMax: number;
  readonly clearChance: number;
}

export interface Truth {
  /** Every entry ever saved, by the SHA-256 of its bytes. */
  readonly entries: Map<string, { readonly bytes: Buffer; readonly prompt: string }>;
  readonly prompts: Set<string>;
}

export interface Talk {
  readonly directory: string;
  readonly target: number;
  id: string;
  entries: string[];
  size: number;
  transcript: string[];
  pending: readonly { readonly id: string; readonly name: string }[];
  summary: unknown;
}

const WORDS = (
  'the build fails when module loads its config file twice before test run order total customer invoice cache token queue retry ' +
  'größe naïve café 파일 오류 설정 실행 données über später 結果 確認 проверка файл сервер query index table column row commit branch merge ' +
  'review deploy server client request response header payload timeout worker thread buffer stream reader writer schema key value'
).split(' ');
const TRAP = '{"user":{"additional_context":"" }}';
const TOOLS = {
  native___: Array.from({ length: 9 }, (_, i) => ({
    ToolSpecification: {
      name: `tool_${i}`,
      description: WORDS.join(' '),
      input_schema: { json: { type: 'object', properties: { a: { type: 'string' } } } },
    },
  })),
};

export function createStore(path: string, random: Random, directories: number, shape: Shape, pragmas: readonly string[] = []): Store {
  const database = new Database(path);
  for (const pragma of ['cache_size = -2000', 'synchronous = OFF', ...pragmas]) database.pragma(pragma);
  database.exec(`BEGIN;
    CREATE TABLE migrations (id INTEGER PRIMARY KEY, version INTEGER NOT NULL, migration_time INTEGER NOT NULL);
    CREATE TABLE history (id INTEGER PRIMARY KEY, command TEXT, shell TEXT, pid INTEGER, session_id TEXT, cwd TEXT, start_time INTEGER,
      hostname TEXT, exit_code INTEGER, end_time INTEGER, duration INTEGER);
    CREATE TABLE state (key TEXT PRIMARY KEY, value BLOB);
    CREATE TABLE auth_kv (key TEXT PRIMARY KEY, value TEXT);
    CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT);
    COMMIT;`);
  return {
    path,
    database,
    random,
    directories: Array.from({ length: directories }, (_, i) => `/home/mira/code/project-${i}-${random.hex(6)}`),
    open: new Map(),
    truth: { entries: new Map(), prompts: new Set() },
    shape,
    clock: 1_755_000_000_000,
  };
}

/** Box-Muller, clipped. */
export function logNormal(random: Random, median: number, sigma: number, min: number, max: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random.float())) * Math.cos(2 * Math.PI * random.float());
  return Math.round(Math.min(max, Math.max(min, median * Math.exp(sigma * normal))));
}

function prose(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    const chance = random.float();
    text += chance < 0.04 ? '\n' : chance < 0.05 ? TRAP : chance < 0.06 ? '"' : chance < 0.07 ? '\\' : `${random.pick(WORDS)} `;
  }
  return text.slice(0, length);
}

export function newTalk(store: Store, directory: string, size?: number): Talk {
  const { random, shape } = store;
  const target = size ?? logNormal(random, ...shape.size);
  const talk = { directory, target, id: random.uuid(), entries: [], size: 9000, transcript: [], pending: [], summary: null };
  store.open.set(directory, talk);
  return talk;
}

/** One assistant message: an entry more, and the whole conversation saved. */
export function turn(store: Store, talk: Talk): void {
  grow(store, talk);
  save(store, talk);
}

/** An entry more, not saved yet. */
export function grow(store: Store, talk: Talk): void {
  const { random, truth, shape } = store;
  const prompt = talk.pending.length > 0 ? '' : `#${random.hex(10)} ${prose(random, logNormal(random, 90, 0.8, 10, 1500))}`;
  const calls = random.chance(0.55)
    ? Array.from({ length: random.chance(0.15) ? 2 : 1 }, () => ({
        id: `tooluse_${random.hex(22)}`,
        name: random.pick(['fs_read', 'fs_write', 'execute_bash']),
      }))
    : [];
  const answer =
    calls.length > 0 ? prose(random, logNormal(random, 80, 0.7, 1, 600)) : prose(random, logNormal(random, 700, 0.9, 20, 6000));
  const messageId = random.uuid();
  store.clock += random.int(2000, 90_000);
  const { clock } = store;
  const content =
    talk.pending.length > 0
      ? {
          ToolUseResults: {
            tool_use_results: talk.pending.map(({ id }) => ({
              tool_use_id: id,
              content: [{ Text: prose(random, logNormal(random, 900, 1.1, 40, shape.resultMax)) }],
              status: 'Success',
            })),
          },
        }
      : { Prompt: { prompt } };
  const uses = calls.map(({ id, name }) => {
    const args = { command: name, text: prose(random, name === 'fs_write' ? logNormal(random, 700, 0.9, 20, 6000) : 40) };
    return { id, name, orig_name: name, args, orig_args: args };
  });
  const entry = JSON.stringify({
    user: {
      additional_context: '',
      env_context: { env_state: { operating_system: 'linux', current_working_directory: talk.directory, environment_variables: [] } },
      content,
      timestamp: talk.pending.length > 0 && random.chance(0.5) ? null : new Date(clock).toISOString(),
      images: null,
    },
    assistant:
      calls.length > 0
        ? { ToolUse: { message_id: messageId, content: answer, tool_uses: uses } }
        : { Response: { message_id: messageId, content: answer } },
    request_metadata: {
      request_id: random.uuid(),
      message_id: messageId,
      request_start_timestamp_ms: clock + 100,
      stream_end_timestamp_ms: clock + 2000,
      time_to_first_chunk: { secs: 1, nanos: 4000 },
      time_between_chunks: Array.from({ length: random.int(3, 40) }, () => ({ secs: 0, nanos: random.int(1, 999_999_999) })),
      user_prompt_length: 1,
      response_size: Buffer.byteLength(answer),
      chat_conversation_type: calls.length > 0 ? 'ToolUse' : 'NotToolUse',
      tool_use_ids_and_names: calls.map(({ id, name }) => [id, name]),
      model_id: 'claude-sonnet-4',
      message_meta_tags: [],
    },
  });
  const bytes = Buffer.from(entry);
  truth.entries.set(createHash('sha256').update(bytes).digest('hex'), { bytes, prompt });
  if (prompt !== '') {
    truth.prompts.add(prompt);
    talk.transcript.push(`> ${prompt.replaceAll('\n', '> \n')}`);
  }
  talk.transcript.push(`${answer}\n[Tool uses: ${calls.length > 0 ? calls.map(({ name }) => name).join(',') : 'none'}]`);
  talk.entries.push(entry);
  talk.size += bytes.length + Buffer.byteLength(answer) + Buffer.byteLength(prompt);
  talk.pending = calls;
}

export function valueOf(talk: Talk): string {
  const n = talk.entries.length;
  return (
    `{"conversation_id":"${talk.id}","next_message":null,"history":[${talk.entries.join(',')}],"valid_history_range":[0,${n}],` +
    `"transcript":${JSON.stringify(talk.transcript)},"tools":${JSON.stringify(TOOLS)},"context_manager":null,"context_message_length":0,` +
    `"latest_summary":${JSON.stringify(talk.summary)},"model_info":null,"file_line_tracker":{},"checkpoint_manager":null,"mcp_enabled":true}`
  );
}

export function save(store: Store, talk: Talk): void {
  const { database, random } = store;
  database.prepare('INSERT OR REPLACE INTO conversations (key, value) VALUES (?, ?)').run(talk.directory, valueOf(talk));
  const put = (table: string, key: string, value: string) =>
    database.prepare(`INSERT OR REPLACE INTO ${table} (key, value) VALUES (?, ?)`).run(key, value);
  if (random.chance(0.1)) put('state', 'telemetry.lastHeartbeatDate', `2025-0${random.int(1, 9)}-1${random.int(0, 9)}`);
  if (random.chance(0.06))
    put('state', 'telemetry-cognito-credentials', JSON.stringify({ access_key_id: 'not-real', session_token: random.hex(700) }));
  if (random.chance(0.04))
    put('auth_kv', 'codewhisperer:odic:token', JSON.stringify({ access_token: random.hex(800), region: 'us-east-1' }));
  if (random.chance(0.03)) put('state', 'changelog.showCount', String(random.int(1, 9)));
  if (random.chance(0.03)) {
    database
      .prepare('INSERT INTO history (command, shell, pid, session_id, cwd, start_time, hostname, exit_code) VALUES (?,?,?,?,?,?,?,?)')
      .run(`make ${random.hex(8)}`, 'zsh', 100, random.uuid(), talk.directory, Math.floor(store.clock / 1000), 'host', 0);
  }
}

/** Grows all conversations to their sizes, in bursts over the directories; the first may have a size of its own. */
export function fill(store: Store, first?: number): void {
  const growing = store.directories.map((directory, i) => newTalk(store, directory, i === 0 ? first : undefined));
  while (growing.length > 0) {
    const i = store.random.int(0, growing.length - 1);
    const talk = growing[i];
    if (talk === undefined) break;
    for (let n = store.random.int(1, 6); n > 0; n--) turn(store, talk);
    while (talk.size >= talk.target && talk.pending.length > 0) turn(store, talk);
    if (talk.size >= talk.target) growing.splice(i, 1);
  }
}

/** A new conversation in the same directory. */
export function replace(store: Store, directory: string): void {
  const talk = newTalk(store, directory);
  turn(store, talk);
}

export function age(store: Store, saves: number, directory?: string): void {
  for (let i = 0; i < saves; i++) {
    const talk = store.open.get(directory ?? store.random.pick(store.directories));
    if (talk !== undefined) turn(store, talk);
  }
}
