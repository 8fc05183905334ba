import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { characters, random } from '../secrets/generate.js';
import { writeFileDeep } from './cli.js';
import { SMALL_STORES } from './small-stores.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** A token of its own for each file; made at run time. */
const tokenOf = (number: number) => `gh${'p_'}${characters(random(9000 + number), 'base62', 36)}`;

/** Fixtures of every kind of store, with a token in each free text of each file that is text, and of the state of the editor. */
export function plantStores(target: string): ReadonlyMap<string, string> {
  for (const part of ['home', 'real-shaped', 'cases']) cpSync(join(FIXTURES, part), join(target, part), { recursive: true });
  for (const [path, content] of Object.entries(SMALL_STORES)) writeFileDeep(join(target, path), content);
  const planted = new Map<string, string>();
  for (const path of [...filesIn(target, '')]) {
    const full = join(target, path);
    const bytes = readFileSync(full);
    // databases, archives and texts in no encoding: databases are planted by hand elsewhere
    if (bytes.includes(0) || !Buffer.from(bytes.toString('utf8')).equals(bytes)) continue;
    const token = tokenOf(planted.size);
    const text = bytes.toString('utf8');
    // once as it is, and once within the base64 of something longer
    const changed = withToken(text, `${token} ${Buffer.from(`a${token} b`).toString('base64')}`);
    if (!changed.includes(token)) continue;
    writeFileSync(full, changed);
    planted.set(path, token);
  }
  const state = 'home/.config/Kiro/User/globalStorage/state.vscdb';
  planted.set(state, tokenOf(planted.size));
  writeFileDeep(join(target, state), '');
  const db = new Database(join(target, state));
  db.exec('CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)');
  const entries = { 'kiro.kiroAgent': JSON.stringify({ lastPrompt: `the one with ${planted.get(state)}` }) };
  for (const [key, value] of Object.entries(entries)) db.prepare('INSERT INTO ItemTable VALUES (?, ?)').run(key, value);
  db.close();
  return planted;
}

function* filesIn(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(root, path);
    else if (entry.isFile() && statSync(join(root, path)).size < 1_000_000) yield path;
  }
}

/** JSON is planted in its strings, JSON in lines in those of each line, other text behind each line that has words in it. */
function withToken(text: string, token: string): string {
  const whole = parsed(text);
  if (whole !== undefined) return JSON.stringify(inStrings(whole, token), null, 2);
  return text
    .split('\n')
    .map((line) => {
      const value = parsed(line);
      if (typeof value === 'object' && value !== null) return JSON.stringify(inStrings(value, token));
      return /[A-Za-z]\S* \S/.test(line) && !/^(?:#|>|---|```|#V2)/.test(line) ? `${line} ${token}` : line;
    })
    .join('\n');
}

function parsed(text: string): unknown {
  try {
    return /^\s*[[{]/.test(text) ? JSON.parse(text) : undefined;
  } catch {
    return undefined; // text, or damaged on purpose
  }
}

/** Free text has a blank between words; ids, times, kinds and paths have none. */
function inStrings(value: unknown, token: string): unknown {
  if (typeof value === 'string') return /[a-z] [A-Za-z]/.test(value) ? `${value} ${token}` : value;
  if (Array.isArray(value)) return value.map((item: unknown) => inStrings(item, token));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inStrings(member, token)]));
}
