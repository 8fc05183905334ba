import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { z } from 'zod';

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));

/** Each folder under `fixtures/sources` becomes one database of the home; the time stands for its last write. */
const DATABASES = [
  { source: 'amazon-q', target: '.local/share/amazon-q/data.sqlite3', mtime: new Date('2025-11-14T08:00:05Z') },
  { source: 'codewhisperer', target: '.local/share/codewhisperer/data.sqlite3', mtime: new Date('2025-05-21T09:20:00Z') },
  { source: 'kiro-cli', target: '.local/share/kiro-cli/data.sqlite3', mtime: new Date('2026-07-02T07:15:22Z') },
] as const;

/**
 * The writes in their order. The program saves the whole conversation after every assistant message, each time under a new
 * rowid; `saves` repeats the write so that rowids count messages as they do in real databases. With times, the conversation
 * goes to the table of Kiro CLI that holds several for one directory.
 */
const BuildSchema = z.array(
  z.strictObject({
    key: z.string(),
    source: z.string(),
    saves: z.int().positive(),
    created_at: z.int().optional(),
    updated_at: z.int().optional(),
  }),
);
const ValueSchema = z.looseObject({ conversation_id: z.string() });

/** Builds the databases of the fixture home (or of another folder) and returns their paths. Same sources, same bytes. */
export function buildFixtures(home = join(FIXTURES, 'home')): string[] {
  const scratch = mkdtempSync(join(tmpdir(), 'kirotrail-fixtures-'));
  try {
    return DATABASES.map(({ source, target, mtime }) => {
      const built = join(scratch, `${source}.sqlite3`);
      writeDatabase(join(FIXTURES, 'sources', source), built);
      const path = join(home, target);
      install(readFileSync(built), path, mtime);
      return path;
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function writeDatabase(source: string, path: string): void {
  const db = new Database(path);
  try {
    // The vendor issues no PRAGMA: these are the defaults of its SQLite build. Only `synchronous` is ours, for speed.
    for (const setting of ['page_size = 4096', 'auto_vacuum = 0', 'journal_mode = DELETE', 'secure_delete = 0', 'synchronous = OFF']) {
      db.pragma(setting);
    }
    db.exec(readFileSync(join(source, 'database.sql'), 'utf8'));
    for (const { key, source: file, saves, created_at, updated_at } of BuildSchema.parse(readJson(join(source, 'build.json')))) {
      const stored = ValueSchema.parse(readJson(join(source, file)));
      const value = JSON.stringify(stored);
      const timed = created_at !== undefined;
      const columns = timed ? '_v2 (key, conversation_id, value, created_at, updated_at)' : ' (key, value)';
      const values = timed ? [key, stored.conversation_id, value, created_at, updated_at] : [key, value];
      const save = db.prepare(`INSERT OR REPLACE INTO conversations${columns} VALUES (${values.map(() => '?').join(', ')})`);
      // One transaction per save: pages freed by one save are reused by the next, as in the program.
      for (let i = 0; i < saves; i++) save.run(...values);
    }
  } finally {
    db.close();
  }
}

/** Leaves an equal file alone, so that tests running side by side never see a half-written one. */
function install(bytes: Buffer, path: string, mtime: Date): void {
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) {
    mkdirSync(dirname(path), { recursive: true });
    const partial = `${path}.${process.pid}.partial`;
    writeFileSync(partial, bytes);
    chmodSync(partial, 0o600);
    utimesSync(partial, mtime, mtime);
    renameSync(partial, path);
  } else if (statSync(path).mtimeMs !== mtime.getTime()) {
    utimesSync(path, mtime, mtime);
  }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const path of buildFixtures()) console.log(path);
}
