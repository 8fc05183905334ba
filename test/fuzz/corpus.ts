import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { buildFixtures } from '../../scripts/build-fixtures.js';
import { loadCatalog } from '../../src/catalog/load.js';
import { collect } from '../../src/collect/collect.js';
import type { Collected } from '../../src/collect/collection.js';
import { PARSERS } from '../../src/parsers/index.js';
import { SMALL_STORES } from '../support/small-stores.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const AMAZON_Q = '.local/share/amazon-q/data.sqlite3';

/** Databases of the cases that are not made by the fixture builder. */
const CASES = [
  '02-q-denied-and-interrupted',
  '03-q-checkpoint-cjk-recovered',
  '07-q-invalid-utf8-text',
  '22-q-orphan-and-repeated-results',
];

export interface CorpusFile {
  readonly found: Collected;
  readonly bytes: Buffer;
  /** Write-ahead log that lies beside it. */
  readonly wal: Buffer | undefined;
}

export interface Corpus {
  readonly byStore: ReadonlyMap<string, readonly CorpusFile[]>;
  /** All artifacts, by path: files look for their companions there. */
  readonly byFile: ReadonlyMap<string, Collected>;
}

/** Every fixture file by store, found as a run finds them. */
export function buildCorpus(folder: string): Corpus {
  for (const part of ['home', 'damaged', 'cases', 'real-shaped', 'findings'])
    cpSync(join(FIXTURES, part), join(folder, part), { recursive: true });
  for (const [path, content] of Object.entries(SMALL_STORES)) put(join(folder, path), content);
  buildFixtures(join(folder, 'home'));
  for (const name of CASES)
    build(join(folder, 'cases', name, 'home', AMAZON_Q), readFileSync(join(FIXTURES, 'cases', name, 'data.sql'), 'utf8'));
  buildIde(join(folder, 'home/.config/Kiro/User/globalStorage'));
  buildWithLog(folder);
  const detectors = PARSERS.flatMap(({ id, detect }) => (detect === undefined ? [] : [{ store: id, detect }]));
  const { artifacts } = collect([folder], loadCatalog(), { detectors });
  const byStore = new Map<string, CorpusFile[]>();
  for (const found of artifacts) {
    if (!found.store.read) continue;
    const wal = found.sidecars.find(({ suffix }) => suffix === '-wal');
    const file = { found, bytes: readFileSync(found.path), wal: wal === undefined ? undefined : readFileSync(wal.path) };
    byStore.set(found.store.id, [...(byStore.get(found.store.id) ?? []), file]);
  }
  return { byStore, byFile: new Map(artifacts.map((found) => [found.artifact.file, found])) };
}

function put(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

function build(path: string, sql: string): void {
  const database = new Database(put(path, ''));
  database.exec(sql);
  database.close();
}

function buildIde(folder: string): void {
  build(
    join(folder, 'state.vscdb'),
    `CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
     INSERT INTO ItemTable VALUES ('kiro.kiroAgent', '{"lastPrompt":"go on","history":[{"at":1783000000000}]}')`,
  );
  build(
    join(folder, 'kiro.kiroagent/dev_data/devdata.sqlite'),
    `CREATE TABLE tokens_generated (id INTEGER PRIMARY KEY, model TEXT, provider TEXT, tokens_prompt INTEGER,
       tokens_generated INTEGER DEFAULT 0, timestamp DATETIME DEFAULT CURRENT_TIMESTAMP);
     INSERT INTO tokens_generated (model, provider, tokens_prompt, timestamp) VALUES ('agent', 'q', 12, '2026-05-01 10:00:00')`,
  );
}

/** Closing would fold the log into the database: both are copied while it is open. */
function buildWithLog(folder: string): void {
  const live = join(folder, 'live');
  const database = new Database(live);
  database.exec(readFileSync(join(FIXTURES, 'cases/06-kiro-cli-wal-pending/data.sql'), 'utf8'));
  for (const ending of ['', '-wal'])
    put(join(folder, 'wal/home/.local/share/kiro-cli', `data.sqlite3${ending}`), readFileSync(live + ending));
  database.close();
}
