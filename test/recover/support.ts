import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { createRandom } from '../../bench/random.js';
import { createStore, fill, type Shape, type Store } from '../../bench/recover-store.js';
import type { ByteSource } from '../../src/evidence/source.js';
import { liveIndexOf, type RecoveredEntry, type RecoveryInput, type RecoverySummary, recover } from '../../src/recover/index.js';

export const SMALL: Shape = { size: [25_000, 0.5, 10_000, 60_000], resultMax: 5000, clearChance: 0 };

const folders: string[] = [];
const stores: Store[] = [];
afterEach(() => {
  for (const { database } of stores.splice(0)) database.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A filled store in a folder that goes with the test. */
export function storeOf(pragmas: readonly string[] = [], seed = 1, directories = 6, shape = SMALL): Store {
  const folder = mkdtempSync(join(tmpdir(), 'kirotrail-recover-test-'));
  folders.push(folder);
  const store = createStore(join(folder, 'data.sqlite3'), createRandom(seed, 77), directories, shape, pragmas);
  stores.push(store);
  fill(store);
  return store;
}

/** Moves all conversations to the table of later versions, in a file without free pages; their keys. */
export function moveToV2(store: Store, suffix: string): string[] {
  const { database } = store;
  database.exec(`CREATE TABLE conversations_v2 (key TEXT NOT NULL, conversation_id TEXT NOT NULL, value TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (key, conversation_id))`);
  const put = database.prepare('INSERT INTO conversations_v2 VALUES (?, ?, ?, 1763107923702, 1763107927415)');
  const keys: string[] = [];
  for (const row of database.prepare('SELECT key, value FROM conversations').raw().all()) {
    if (!Array.isArray(row)) continue;
    keys.push(`${row[0]}${suffix}`);
    put.run(keys.at(-1), JSON.parse(String(row[1])).conversation_id, row[1]);
  }
  database.exec('DELETE FROM conversations');
  database.exec('VACUUM');
  return keys;
}

export function sourceOf(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

export interface Bytes {
  readonly main?: Buffer;
  readonly wal?: Buffer;
  readonly journal?: Buffer;
}

export function bytesOf(store: Store, ...more: ('wal' | 'journal')[]): Bytes {
  const main = readFileSync(store.path);
  return Object.assign({ main }, ...more.map((suffix) => ({ [suffix]: readFileSync(`${store.path}-${suffix}`) })));
}

export function inputOf({ main, wal, journal }: Bytes): RecoveryInput {
  return { main: main && sourceOf(main), wal: wal && sourceOf(wal), journal: journal && sourceOf(journal) };
}

export function recovered(bytes: Bytes, state: 'merged' | 'file' = 'merged'): { entries: RecoveredEntry[]; summary: RecoverySummary } {
  const input = inputOf(bytes);
  const result = recover(input, liveIndexOf(input, state));
  return { entries: [...result.entries()], summary: result.summary };
}

export const hash = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** What `dd` would cut out of the files, one slice after the other. */
export function cutOut(bytes: Bytes, entry: RecoveredEntry): Buffer {
  return Buffer.concat(entry.slices.map(({ file, offset, length }) => bytes[file]?.subarray(offset, offset + length) ?? Buffer.alloc(0)));
}

export const aliveIn = (store: Store): Set<string> =>
  new Set([...store.open.values()].flatMap(({ entries }) => entries.map((entry) => hash(entry))));

/** Hashes of the whole entries, and those of dead entries as the store knows them. */
export function compare(store: Store, entries: readonly RecoveredEntry[]) {
  const alive = aliveIn(store);
  const found = new Set(
    entries.filter(({ kind, confidence }) => kind === 'entry' && confidence === 'complete').map(({ sha256 }) => sha256),
  );
  const dead = [...store.truth.entries.keys()].filter((key) => !alive.has(key));
  return {
    found: found.size,
    dead: dead.length,
    missing: dead.filter((key) => !found.has(key)).length,
    wrong: [...found].filter((key) => !store.truth.entries.has(key)).length,
    alive: [...found].filter((key) => alive.has(key)).length,
  };
}
