import { describe, expect, it } from 'vitest';
import { kiroEngineLog } from '../../src/parsers/kiro-config/engine-log.js';
import { kiroHooks } from '../../src/parsers/kiro-config/hooks.js';
import { kiroMcp } from '../../src/parsers/kiro-config/mcp.js';
import { kiroPermissions } from '../../src/parsers/kiro-config/permissions.js';
import { kiroSettings } from '../../src/parsers/kiro-config/settings.js';
import { itReadsOneObject } from '../support/json-store-cases.js';
import { draftsOf, jsonDraftsOf, MTIME, missingLeaves } from '../support/memory-source.js';

const HOME = 'home/alice/.kiro';
const PROJECT = { base: 'home/alice/work', inProject: true };

describe('kiro-settings', () => {
  const GOOD = {
    'chat.defaultModel': 'auto',
    'chat.agentEngine': 'v3',
    chat: { enableThinking: true, defaultModel: 'claude-opus-5' },
    a: { b: 'c' },
  };
  itReadsOneObject(kiroSettings, 'settings', GOOD);

  it('gives one row per setting, those of a nested group too, and each default model', () => {
    const rows = jsonDraftsOf(kiroSettings, GOOD);
    expect(rows.map((d) => [d.row_type, d.text, d.model, d.source_pointer])).toEqual([
      ['config', 'setting: chat.defaultModel="auto"', undefined, '/chat.defaultModel'],
      ['model', 'model: auto source=settings', 'auto', '/chat.defaultModel'],
      ['config', 'setting: chat.agentEngine="v3"', undefined, '/chat.agentEngine'],
      ['config', 'setting: chat.enableThinking=true', undefined, '/chat/enableThinking'],
      ['config', 'setting: chat.defaultModel="claude-opus-5"', undefined, '/chat/defaultModel'],
      ['model', 'model: claude-opus-5 source=settings', 'claude-opus-5', '/chat/defaultModel'],
      ['config', 'setting: a={"b":"c"}', undefined, '/a'],
    ]);
    expect(rows.every((d) => d.time === MTIME && d.project_path === '')).toBe(true);
    expect(jsonDraftsOf(kiroSettings, { chat: true }).map((d) => d.text)).toEqual(['setting: chat=true']);
  });
});

describe('kiro-permissions', () => {
  const GOOD = {
    rules: [{ capability: 'shell', match: ['git status *'], exclude: ['git push *'], effect: 'allow' }],
    policies: ['some-preset'],
  };
  itReadsOneObject(kiroPermissions, 'permission rules', GOOD);
  const user = { file: `${HOME}/settings/permissions.yaml` };
  const YAML = [
    'rules:',
    '  - capability: shell',
    '    match: ["git status *"]',
    '    exclude: ["git push *"]',
    '    effect: allow',
    '  - { capability: fs_write, effect: deny }',
    '  - { capability: all, effect: ask }',
    '  - { capability: read, effect: allow }',
    '  - { capability: shell, effect: maybe, note: x }',
    '  - words',
    'policies: [some-preset]',
    'other: 1',
  ].join('\n');

  it('gives one row per rule', () => {
    const from = `(from ${user.file}, file mtime)`;
    expect(draftsOf(kiroPermissions, YAML, user).map((d) => [d.text, d.decision, d.problem])).toEqual([
      [
        `permission setting: rule capability=shell match=["git status *"] exclude=["git push *"] effect=allow scope=user ${from}`,
        'granted',
        '',
      ],
      [`permission setting: rule capability=fs_write effect=deny scope=user ${from}`, 'denied', ''],
      [`permission setting: rule capability=all effect=ask scope=user ${from}`, 'requested', ''],
      [
        `permission setting: rule capability=read effect=allow scope=user ${from}`,
        'unknown',
        'inert: Kiro knows no capability read and skips the rule',
      ],
      [
        `permission setting: rule capability=shell effect=maybe scope=user ${from}`,
        'unknown',
        'no effect that Kiro knows (allow, ask, deny); fields that are not documented: note',
      ],
      [`permission setting: rule words scope=user ${from}`.replace(' scope=user', ''), 'unknown', 'not an object in a list: no effect'],
      [`permission setting: policy=some-preset scope=user ${from}`, 'unknown', 'what the preset allows is not recorded here'],
      [`permission setting: other=1 scope=user ${from}`, 'unknown', 'a field that is not documented'],
    ]);
    expect(missingLeaves(GOOD, jsonDraftsOf(kiroPermissions, GOOD))).toEqual([]);
  });

  it('says that the CLI does not read the file of a project', () => {
    const rows = draftsOf(kiroPermissions, YAML, { file: 'home/alice/work/.kiro/settings/permissions.yaml', ...PROJECT });
    expect(rows.every((d) => d.problem?.includes('Kiro CLI does not read this file in a project (kirodotdev/Kiro#11037)'))).toBe(true);
    expect(rows[0]).toMatchObject({ decision: 'granted', project_path: 'home/alice/work' });
  });

  it('names the workspace by its hash', () => {
    const file = `${HOME}/workspace-roots/32cfb46d463b7613/permissions.yaml`;
    const [row] = draftsOf(kiroPermissions, YAML, { file });
    expect(row?.text).toContain('scope=workspace:32cfb46d463b7613');
    expect(row?.problem).toBe('');
  });

  it('says when the JSON form is not read for a YAML file beside it', () => {
    const json = { file: `${HOME}/settings/permissions.json` };
    expect(draftsOf(kiroPermissions, JSON.stringify(GOOD), json, { 'permissions.yaml': '' })[0]?.problem).toBe('');
    expect(draftsOf(kiroPermissions, JSON.stringify(GOOD), json, { 'permissions.yaml': 'rules: []' })[0]?.problem).toContain(
      'read only where',
    );
  });

  it('takes a key that is a list for the text it is written in, however deep', () => {
    const depth = 400;
    const key = '['.repeat(depth) + ']'.repeat(depth);
    const rows = draftsOf(kiroPermissions, `rules: []\n? ${key}\n: x\n`, user);
    expect(rows.map((row) => row.text).join('\n')).toContain(key);
    // Written anew by its levels it would have a line for each.
    expect(JSON.stringify(rows).length).toBeLessThan(20 * key.length);
  });

  it('shows a file without rules, and one that cannot be read', () => {
    expect(draftsOf(kiroPermissions, '', user).map((d) => d.text)).toEqual([
      `permission rules: none scope=user (from ${user.file}, file mtime)`,
    ]);
    expect(draftsOf(kiroPermissions, 'rules: [', user)[0]?.text).toMatch(/^parser: permission rules: invalid YAML/);
    expect(draftsOf(kiroPermissions, '- a\n', user).map((d) => d.text)).toEqual(['parser: permission rules is not an object']);
    expect(draftsOf(kiroPermissions, Buffer.from('rules: []\n# \xff', 'latin1'), user)[0]?.text).toContain('not valid UTF-8');
  });
});

describe('kiro-mcp', () => {
  const GOOD = {
    mcpServers: { web: { url: 'https://mcp.example.com', headers: { Authorization: 'Bearer t' }, autoApprove: ['fetch'] } },
    inputs: ['x'],
  };
  itReadsOneObject(kiroMcp, 'MCP configuration', GOOD);

  it('gives one row per server and one per tool that was to run without a question', () => {
    const rows = jsonDraftsOf(kiroMcp, GOOD, { file: `${HOME}/settings/mcp.json` });
    expect(rows.map((d) => [d.row_type, d.text, d.problem])).toEqual([
      ['config', 'mcp server: name=web type=stdio url=https://mcp.example.com', ''],
      [
        'permission',
        `permission setting: mcpServers.web.autoApprove=fetch (from ${HOME}/settings/mcp.json, file mtime)`,
        'v3 engine and IDE 1.0 ignore this list: policy decides there',
      ],
      ['config', 'mcp configuration field: inputs=["x"]', 'a field that is not documented'],
    ]);
    expect(missingLeaves(GOOD, rows)).toEqual([]);
    expect(jsonDraftsOf(kiroMcp, { mcpServers: { a: { autoApprove: true }, b: 1 } })[2]).toMatchObject({ decision: 'unknown' });
  });
});

describe('kiro-hooks', () => {
  it('reads a hook of the IDE before 1.0, and says that 1.x does not run it', () => {
    const read = (hook: unknown) => jsonDraftsOf(kiroHooks, hook, { file: 'p/.kiro/hooks/format.kiro.hook' });
    const hook = {
      enabled: true,
      name: 'Format',
      description: 'keep it tidy',
      version: '1.0.0',
      when: { type: 'fileEdited', patterns: ['**/*.ts', '**/*.js'] },
      then: { type: 'runCommand', command: 'npm run format' },
    };
    const inert = 'the form of 0.12 and earlier: Kiro 1.x does not run it';
    expect(read(hook)).toMatchObject([
      {
        row_type: 'config',
        text: 'hook: name=Format trigger=fileEdited matcher=**/*.ts **/*.js type=runCommand enabled=true: npm run format',
        command: 'npm run format',
        problem: inert,
        details: hook,
      },
    ]);
    expect(read({ name: 5, then: { type: 'askAgent', prompt: 'look' }, more: 1 })[0]).toMatchObject({
      text: 'hook: type=askAgent: look',
      problem: expect.stringContaining('no event is named; fields that are not documented: more'),
    });
    expect(read([])[0]?.row_type).toBe('error');
  });

  const HOOKS = [
    {
      name: 'lint',
      trigger: 'PostFileSave',
      matcher: '*.ts',
      action: { type: 'command', command: 'npm run lint' },
      timeout: 60,
      enabled: false,
    },
    { name: 'ask', trigger: 'Stop', action: { type: 'agent', prompt: 'Sum up' }, confirm: true },
    { name: 'odd', trigger: 'Never', extra: 'x' },
    'words',
  ];
  const GOOD = { version: 'v1', hooks: HOOKS };
  itReadsOneObject(kiroHooks, 'hook file', GOOD);

  it('gives one row per hook', () => {
    const rows = jsonDraftsOf(kiroHooks, GOOD);
    expect(rows.map((d) => [d.text, d.command, d.problem])).toEqual([
      ['hook file: hooks=4', undefined, ''],
      ['hook: name=lint trigger=PostFileSave matcher=*.ts type=command timeout=60 enabled=false: npm run lint', 'npm run lint', ''],
      ['hook: name=ask trigger=Stop type=agent confirm=true: Sum up', '', ''],
      [
        'hook: name=odd trigger=Never: ',
        '',
        'neither a command nor a prompt; a trigger that is not documented; fields that are not documented: extra',
      ],
      ['hook: words', undefined, 'the hook is not a JSON object'],
    ]);
    expect(missingLeaves(GOOD, rows)).toEqual([]);
    expect(jsonDraftsOf(kiroHooks, { hooks: HOOKS[0], more: 1 }).map((d) => d.text)).toEqual([
      'hook file: hooks=0',
      expect.stringContaining('name=lint'),
      'hook file field: more=1',
    ]);
  });
});

describe('kiro-engine-log', () => {
  const ID = 'sess_11111111-2222-4333-8444-555555555555';
  const line = (message: unknown, more: object = {}) =>
    JSON.stringify({ timestamp: '2026-09-14T05:47:13.504Z', level: 'INFO', message, ...more });

  it('gives one row per record, with the session a message names', () => {
    const lines = [
      line(`ACP session/new sessionId=${ID} modeId=vibe`),
      line(`Saved session ${ID} (4 messages) to /x`),
      line('plain', { pid: 7 }),
    ];
    const rows = draftsOf(kiroEngineLog, lines.join('\n'));
    expect(rows.map((d) => [d.row_type, d.text, d.session_id, d.time?.original, d.problem])).toEqual([
      ['log', `log: level=INFO: ACP session/new sessionId=${ID} modeId=vibe`, ID, '2026-09-14T05:47:13.504Z', ''],
      ['log', `log: level=INFO: Saved session ${ID} (4 messages) to /x`, ID, '2026-09-14T05:47:13.504Z', ''],
      ['log', 'log: level=INFO: plain', '', '2026-09-14T05:47:13.504Z', ''],
    ]);
    expect(rows[2]?.details).toEqual({ level: 'INFO', record: { pid: 7 } });
  });

  it('keeps what has another form', () => {
    const rows = draftsOf(kiroEngineLog, `${line({ a: 'b' })}\n{"level":"X","message":"m"}\nat foo\n${line('end').slice(0, 30)}`);
    expect(rows.map((d) => [d.row_type, d.problem])).toEqual([
      ['log', 'no message'],
      ['log', 'the time of the record is not a date'],
      ['error', expect.stringContaining('invalid JSON')],
      ['error', expect.stringContaining('the file ends here')],
    ]);
    expect(rows[0]?.details?.message).toEqual({ a: 'b' });
  });
});
