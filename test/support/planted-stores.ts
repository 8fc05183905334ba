import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { characters, random } from '../secrets/generate.js';
import { writeFileDeep } from './cli.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** A token of its own for each file; made at run time. */
const tokenOf = (number: number) => `gh${'p_'}${characters(random(9000 + number), 'base62', 36)}`;

const IDE = 'home/.config/Kiro/User/globalStorage/kiro.kiroagent';
const WORK = 'home/work/shop';
const INTENT = `${WORK}/aidlc/spaces/main/intents/260914-export`;
const T0 = Date.UTC(2026, 6, 2, 7, 15);

/** Stores that have no fixture, as small as they are recognised. */
const MORE: Readonly<Record<string, string | object>> = {
  [`${IDE}/config.json`]: { contextProviders: [{ name: 'one that looks up files' }] },
  [`${IDE}/dev_data/tokens_generated.jsonl`]: '{"model":"agent of the day","provider":"q dev","promptTokens":12,"generatedTokens":3}\n',
  [`${IDE}/workspace-sessions/L3NydgYW__/._migration-status.json`]: { status: 'done and dusted' },
  'home/.config/Kiro/User/settings.json': { 'kiroAgent.trustedCommands': ['npm run all'], 'editor.title': 'a title of three' },
  'home/.config/Kiro/logs/20260501T101112/window1/exthost/kiro.kiroAgent/Kiro Logs.log':
    '2026-05-01 10:11:12.345 [info] fetched the page of the shop\n2026-05-01T10:11:13Z [error] it did not work\n',
  [`${WORK}/.vscode/settings.json`]: { 'kiroAgent.trustedTools': ['read the files'] },
  [`${WORK}/.kiro/skills/deploy/SKILL.md`]: '---\nname: deploy\ndescription: puts it there\n---\nRun the script and wait.\n',
  [`${WORK}/.kiro/settings/lsp.json`]: { servers: [{ name: 'the one for rust' }] },
  [`${INTENT}/design/design-questions.md`]:
    '# Questions\n\n## Question 1\nWhich one is it?\nA) the first one\n\n[Answer]: A\nreally the first\n',
  [`${INTENT}/verification/notes.md`]: 'The numbers were looked at.\n',
  [`${INTENT}/.aidlc-engine/marker.json`]: { note: 'a mark of the engine' },
  [`${WORK}/aidlc/.aidlc-sessions/kiro-ide-pending/one.json`]: { prompt: 'a prompt that waits', ts: '2026-09-14T05:47:00Z' },
  'home/tmp/kiro-log/kiro-chat.log': '2026-05-13T08:27:41Z  INFO chat_cli::api: 12: sent the request off\n',
  'home/recordings/acp.jsonl': [
    { ts: T0, dir: 'out', msg: { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd: '/srv/shop', mcpServers: [] } } },
    { ts: T0 + 5, dir: 'in', msg: { jsonrpc: '2.0', id: 1, result: { sessionId: 's-1' } } },
    {
      ts: T0 + 9,
      dir: 'out',
      msg: {
        ...{ jsonrpc: '2.0', id: 2, method: 'session/prompt' },
        params: { sessionId: 's-1', prompt: [{ type: 'text', text: 'go on with it' }] },
      },
    },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
};

/** Fixtures of every kind of store, with a token in each free text of each file that is text, and of the state of the editor. */
export function plantStores(target: string): ReadonlyMap<string, string> {
  for (const part of ['home', 'real-shaped', 'cases']) cpSync(join(FIXTURES, part), join(target, part), { recursive: true });
  for (const [path, content] of Object.entries(MORE))
    writeFileDeep(join(target, path), typeof content === 'string' ? content : JSON.stringify(content));
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
