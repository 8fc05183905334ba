import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../src/evidence/scratch.js';
import { openSnapshot } from '../../src/evidence/sqlite.js';
import { kiroIdeConfig } from '../../src/parsers/kiro-ide/config.js';
import { kiroIdeLog } from '../../src/parsers/kiro-ide/logs.js';
import { kiroIdeSettings } from '../../src/parsers/kiro-ide/settings.js';
import { kiroIdeState } from '../../src/parsers/kiro-ide/state.js';
import { kiroIdeDevdata, kiroIdeUsage } from '../../src/parsers/kiro-ide/usage.js';
import type { DatabaseParser } from '../../src/parsers/parser.js';
import type { Draft } from '../../src/rows/draft.js';
import { artifactOf, tempFolder } from '../evidence/helpers.js';
import { AGENT, brief, only } from '../support/kiro-ide.js';
import { draftsOf, jsonDraftsOf, missingLeaves } from '../support/memory-source.js';

describe('databases', () => {
  let scratch: Scratch;
  beforeEach(() => {
    scratch = createScratch();
  });
  afterEach(() => scratch.remove());

  function read(parser: DatabaseParser, build: (database: Database.Database) => void): Draft[] {
    const path = join(tempFolder(), 'data.sqlite3');
    const database = new Database(path);
    build(database);
    database.close();
    const artifact = artifactOf('data.sqlite3');
    const snapshot = openSnapshot(path, artifact, scratch);
    try {
      return parser.units(snapshot, artifact).flatMap((unit) => [...parser.parse(snapshot, unit, artifact)]);
    } finally {
      snapshot.close();
    }
  }

  it('the token ledger gives one row for each request, in UTC', () => {
    const drafts = read(kiroIdeDevdata, (database) => {
      database.exec(`CREATE TABLE tokens_generated (id INTEGER PRIMARY KEY, model TEXT, provider TEXT, tokens_prompt INTEGER,
        tokens_generated INTEGER, timestamp TEXT, note TEXT);
        CREATE TABLE other (a); INSERT INTO other VALUES (1);
        INSERT INTO tokens_generated VALUES (1, 'agent', 'qdev', 1200, 34, '2026-05-01 10:11:12', 'n1');
        INSERT INTO tokens_generated VALUES (2, 'agent', NULL, 5, 6, 'yesterday', NULL);`);
    });
    expect(drafts.map(brief)).toEqual([
      'config | database: rows: tokens_generated=2 other=1 | ',
      'usage | usage: model=agent provider=qdev prompt_tokens=1200 generated_tokens=34 | 2026-05-01T10:11:12.000Z',
      'usage | usage: model=agent prompt_tokens=5 generated_tokens=6 | ',
    ]);
    expect(drafts[0]?.problem).toBe('tables not read by this version: other');
    expect(drafts[1]).toMatchObject({ source_line: 1, details: { id: 1, note: 'n1' } });
    expect(drafts[1]?.time).toMatchObject({ original: '2026-05-01 10:11:12', source: 'row_created' });
    expect(drafts[2]).toMatchObject({ problem: 'no usable time is recorded', details: { timestamp: 'yesterday' } });
  });

  it('of which any byte is damaged are read without an exception, and tell of each key or of the damage', () => {
    const path = join(tempFolder(), 'state.vscdb');
    const database = new Database(path);
    database.exec(`CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
      INSERT INTO ItemTable VALUES ('kiro.kiroAgent', '{"lastPrompt":"go on"}')`);
    database.close();
    const sound = readFileSync(path);
    const artifact = artifactOf('state.vscdb');
    // The last bytes of the second page hold the row, its first ones say where.
    const places = [...Array(16).keys(), ...Array.from({ length: 64 }, (_, i) => 4095 - i)].map((i) => 4096 + i);
    for (const [place, bits] of places.flatMap((place) => [[place, 0x80] as const, [place, 0x7f] as const])) {
      const bytes = Buffer.from(sound);
      bytes[place] = (bytes[place] ?? 0) ^ bits;
      writeFileSync(path, bytes);
      const snapshot = openSnapshot(path, artifact, scratch);
      const drafts = kiroIdeState.units(snapshot, artifact).flatMap((unit) => [...kiroIdeState.parse(snapshot, unit, artifact)]);
      expect(drafts.length + snapshot.problems.length).toBeGreaterThan(0);
      snapshot.close();
    }
  });

  it('the state tells folders and credits, and of secrets only that they are there', () => {
    const values: Record<string, unknown> = {
      'history.recentlyOpenedPathsList': {
        entries: [
          { folderUri: 'file:///home/alice/my%20proj' },
          { fileUri: 'file:///c%3A/x/a.ts' },
          { workspace: { id: 'w', configPath: 'file:///w.code' } },
        ],
      },
      'kiro.kiroAgent': {
        'kiro.resourceNotifications.usageState': {
          usageBreakdowns: [{ currentUsage: 12.5, usageLimit: 50, percentageUsed: 25, resetDate: '2026-06-01' }],
        },
        lastMode: 'vibe',
        accessToken: 'SECRET-1',
        nested: { refreshToken: 'SECRET-2', theme: 'dark' },
      },
      'secret://{"extensionId":"kiro.kiroagent","key":"x"}': 'SECRET-3',
      'workbench.panel': { size: 3 },
    };
    const drafts = read(kiroIdeState, (database) => {
      database.exec('CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)');
      const insert = database.prepare('INSERT INTO ItemTable VALUES (?, ?)');
      for (const [key, value] of Object.entries(values)) insert.run(key, typeof value === 'string' ? value : JSON.stringify(value));
      insert.run('kiro.broken', Buffer.from('{"a":'));
    });
    expect(drafts.map((draft) => `${draft.row_type} ${draft.text}`)).toEqual([
      'config recently opened: folder=file:///home/alice/my%20proj',
      'config recently opened: file=file:///c%3A/x/a.ts',
      'config recently opened: workspace=file:///w.code',
      'usage usage: as last shown used=12.5 limit=50 percent=25 reset=2026-06-01',
      'config state: kiro.kiroAgent/lastMode=vibe',
      'config credential stored: table=ItemTable key=kiro.kiroAgent/accessToken bytes=8',
      'config state: kiro.kiroAgent/nested={"refreshToken":"[withheld, 8 bytes]","theme":"dark"}',
      'config credential stored: table=ItemTable key=secret://{"extensionId":"kiro.kiroagent","key":"x"} bytes=8',
      'config state: kiro.broken={"a":',
      'config state: other keys of the editor, not read: keys=1',
    ]);
    expect(drafts[0]?.project_path).toBe('/home/alice/my proj');
    expect(JSON.stringify(drafts)).not.toContain('SECRET-');
    expect(drafts.at(-1)?.details).toEqual({ bytes_by_key: { 'workbench.panel': 10 } });
    expect(drafts.every((draft) => draft.time === undefined)).toBe(true);
  });

  it('a database without the table says so', () => {
    expect(read(kiroIdeState, (database) => database.exec('CREATE TABLE x (a)')).map((draft) => draft.problem)).toEqual([
      'no table ItemTable',
    ]);
  });
});

it('the ledger of lines has no times, and goes on behind a bad line', () => {
  const lines = '{"model":"agent","provider":"qdev","promptTokens":7,"generatedTokens":9}\n{"model":"age\n{"model":"m"}\n';
  const drafts = draftsOf(kiroIdeUsage, lines);
  expect(drafts.map((draft) => [draft.row_type, draft.source_line, draft.time, draft.problem === ''])).toEqual([
    ['usage', 1, undefined, true],
    ['error', 2, undefined, false],
    ['usage', 3, undefined, false],
  ]);
  expect(drafts[0]?.text).toBe('usage: model=agent provider=qdev prompt_tokens=7 generated_tokens=9');
});

describe('logs', () => {
  const log = (name: string, text: string) =>
    draftsOf(kiroIdeLog, text, { file: `h/Kiro/logs/1/window1/exthost/output_logging_2/${name}` });

  it('keep local times as text and join the lines of a message', () => {
    const drafts = log(
      '3-Kiro Logs.log',
      '2026-05-01 10:11:12.345 [info] fetched https://x.test/\n  more\r\n2026-05-01T10:11:13Z [error] \u001b[31mno\u001b[0m\n',
    );
    expect(drafts.map(brief)).toEqual([
      'log | log: level=info: fetched https://x.test/\n  more | ',
      'log | log: level=error: no | 2026-05-01T10:11:13.000Z',
    ]);
    expect(drafts[0]).toMatchObject({ source_line: 1, source_offset: 0, details: { local_time: '2026-05-01 10:11:12.345' } });
    expect(drafts[1]).toMatchObject({ source_line: 3, problem: '' });
  });

  it('of the client give prompts and results of tools as recovered rows', () => {
    const request = {
      clientName: 'c',
      commandName: 'GenerateAssistantResponseCommand',
      input: {
        conversationState: {
          conversationId: 'conv-1',
          currentMessage: {
            userInputMessage: {
              content: 'fix it',
              modelId: 'M',
              userInputMessageContext: { toolResults: [{ toolUseId: 't1', status: 'success', content: [{ text: 'ok' }] }] },
            },
          },
        },
      },
    };
    const drafts = log('q-client.log', `2026-05-01 10:11:12.345 [debug] ${JSON.stringify(request)}\n`);
    expect(drafts.map((draft) => [draft.row_type, draft.text.slice(0, 12), draft.recovered ?? '', draft.session_id ?? ''])).toEqual([
      ['log', 'log: level=d', '', ''],
      ['prompt', 'fix it', 'transcript', 'conv-1'],
      ['tool_result', 'ok', 'transcript', 'conv-1'],
    ]);
    expect(only(drafts, 'prompt')[0]).toMatchObject({ model: 'M', origin: 'unknown' });
    expect(missingLeaves(request, drafts).filter((leaf) => !drafts[0]?.text.includes(String(leaf)))).toEqual([]);
  });

  it('of the API give whole answers and calls that came in pieces', () => {
    const block = {
      response: {
        conversationId: 'conv-1',
        fullResponse: 'Done.',
        events: [
          { toolUseEvent: { toolUseId: 't1', name: 'fs_write', input: '{"path":' } },
          { toolUseEvent: { toolUseId: 't1', name: 'fs_write', input: '"a"}', stop: true } },
          { meteringEvent: { unit: 'credit', usage: 0.4 } },
        ],
      },
    };
    const drafts = log('5-Q Chat API.log', `${JSON.stringify(block, null, 2)}\n${'='.repeat(31)}\n{"half":`);
    expect(drafts.map((draft) => [draft.row_type, draft.text.slice(0, 30)])).toEqual([
      ['log', expect.stringContaining('"response"')],
      ['assistant', 'Done.'],
      ['tool_use', '{"path":"a"}'],
      ['usage', 'usage: credit=0.4'],
      ['log', 'log:: {"half":'],
    ]);
    expect(drafts[2]).toMatchObject({ tool_name: 'fs_write', tool_use_id: 't1', session_id: 'conv-1', recovered: 'transcript' });
  });
});

describe('settings', () => {
  const TEXT = `\ufeff{
    // what may run
    "kiroAgent.trustedCommands": ["npm *", "echo // no comment",],
    "kiroAgent.commandDenylist": ["rm -rf"], /* never */
    "kiroAgent.autopilot": true,
    "kiroAgent.modelSelection": "auto",
    "editor.fontSize": 12,
  }`;

  it('tell each standing grant and denial', () => {
    const drafts = draftsOf(kiroIdeSettings, TEXT, { file: 'home/alice/.config/Kiro/User/settings.json' });
    expect(drafts.map((draft) => [draft.text, draft.decision ?? ''])).toEqual([
      ['permission setting: kiroAgent.trustedCommands=npm * (from settings.json, file mtime)', 'granted'],
      ['permission setting: kiroAgent.trustedCommands=echo // no comment (from settings.json, file mtime)', 'granted'],
      ['permission setting: kiroAgent.commandDenylist=rm -rf (from settings.json, file mtime)', 'denied'],
      ['permission setting: kiroAgent.autopilot=true (from settings.json, file mtime)', 'granted'],
      ['setting: kiroAgent.modelSelection=auto', ''],
      ['settings of the editor, not read: keys=1', ''],
    ]);
    expect(drafts[1]?.source_pointer).toBe('/kiroAgent.trustedCommands/1');
  });

  it('of a project that the agent does not use say nothing', () => {
    const project = { file: 'p/.vscode/settings.json', inProject: true, base: 'p' };
    expect(draftsOf(kiroIdeSettings, '{"editor.fontSize":1}', project)).toEqual([]);
    expect(draftsOf(kiroIdeSettings, '{"a":', project)).toEqual([]);
    expect(draftsOf(kiroIdeSettings, '{"kiroAgent.autopilot":', project).map((draft) => draft.row_type)).toEqual(['error']);
    expect(draftsOf(kiroIdeSettings, '{"kiroAgent.trustedTools":["x"]}', project)).toMatchObject([
      { project_path: 'p', decision: 'granted' },
    ]);
  });
});

it('small files give what they hold', () => {
  const read = (name: string, value: unknown) => jsonDraftsOf(kiroIdeConfig, value, { file: `${AGENT}/${name}` });
  const arn = 'arn:aws:codewhisperer:us-east-1:123456789012:profile/EXAMPLE';
  expect(read('profile.json', { arn, name: 'P' })[0]).toMatchObject({ text: `service profile: arn=${arn} name=P`, row_type: 'config' });
  expect(read('config.json', { contextProviders: [{ name: 'file' }], apiKey: 'SECRET' }).map((draft) => draft.text)).toEqual([
    'setting: contextProviders=[{"name":"file"}] (from config.json)',
    'setting: apiKey=[withheld, 6 bytes] (from config.json)',
  ]);
  expect(read('workspace.json', { folder: 'file:///c%3A/work/shop' })[0]).toMatchObject({ project_path: 'c:\\work\\shop' });
  expect(draftsOf(kiroIdeConfig, '4711\n', { file: 'x/Kiro/code.lock' }).map((draft) => draft.text)).toEqual(['process lock: pid=4711']);
  expect(draftsOf(kiroIdeConfig, 'zz', { file: 'x/Kiro/code.lock' }).map((draft) => draft.row_type)).toEqual(['error']);
});
