import { describe, expect, it } from 'vitest';
import { kiroAgentConfig } from '../../src/parsers/kiro-config/agent.js';
import { itReadsOneObject } from '../support/json-store-cases.js';
import { draftsOf, jsonDraftsOf, MTIME, missingLeaves } from '../support/memory-source.js';

const FILE = 'home/alice/.kiro/agents/dev.json';
const FROM = `(from ${FILE}, file mtime)`;

const DEV = {
  name: 'dev',
  description: 'Builds "all"',
  prompt: 'You build.\nCarefully.',
  model: 'claude-opus-5',
  mcpServers: { git: { command: 'uvx', args: ['mcp-git'], env: { TOKEN: 'abc' }, autoApprove: ['status', '*'], disabledTools: ['push'] } },
  tools: ['*'],
  allowedTools: ['read', '@git/status'],
  resources: ['file://README.md', { type: 'knowledgeBase', source: 'file://docs' }],
  hooks: { preToolUse: [{ command: 'audit.sh', matcher: 'shell', timeout_ms: 500 }] },
  toolsSettings: {
    shell: { allowedCommands: ['git status'], deniedCommands: ['rm .*'], denyByDefault: true, autoAllowReadonly: true },
    write: { allowedPaths: ['~/notes/**'] },
    aws: { allowedServices: ['s3'] },
    web_fetch: { trusted: ['.*example\\.com.*'], blocked: ['.*'] },
    fs_read: { deniedPaths: ['/etc'] },
    browser: { x: 1 },
    grep: { speed: 'fast' },
  },
  includeMcpJson: true,
  keyboardShortcut: 'ctrl+d',
  welcomeMessage: 'Hello there',
};

describe('kiro-agent-config', () => {
  itReadsOneObject(kiroAgentConfig, 'agent configuration', DEV);

  const rows = jsonDraftsOf(kiroAgentConfig, DEV, { file: FILE });

  it('gives one row per part, dated by the file, and carries everything', () => {
    expect(rows.map((d) => [d.row_type, d.source_pointer])).toEqual([
      ['config', undefined],
      ['model', '/model'],
      ['permission', '/allowedTools/0'],
      ['permission', '/allowedTools/1'],
      ['permission', '/toolsSettings/shell/allowedCommands'],
      ['permission', '/toolsSettings/shell/deniedCommands'],
      ['permission', '/toolsSettings/shell/denyByDefault'],
      ['permission', '/toolsSettings/shell/autoAllowReadonly'],
      ['permission', '/toolsSettings/write/allowedPaths'],
      ['permission', '/toolsSettings/aws/allowedServices'],
      ['permission', '/toolsSettings/web_fetch/trusted'],
      ['permission', '/toolsSettings/web_fetch/blocked'],
      ['permission', '/toolsSettings/fs_read/deniedPaths'],
      ['permission', '/toolsSettings/browser/x'],
      ['permission', '/toolsSettings/grep/speed'],
      ['config', '/mcpServers/git'],
      ['permission', '/mcpServers/git/autoApprove/0'],
      ['permission', '/mcpServers/git/autoApprove/1'],
      ['config', '/hooks/preToolUse/0'],
    ]);
    expect(rows.every((d) => d.time === MTIME && d.project_path === '')).toBe(true);
    expect(missingLeaves(DEV, rows)).toEqual([]);
    expect(rows[0]?.problem).toBe('');
    expect(rows[0]?.details?.note).toContain('v3 engine passes over');
  });

  it("knows the program's names of tools, and says of others only that they are not documented", () => {
    const decisions = rows.filter((d) => d.row_type === 'permission').map((d) => [d.decision, d.tool_name, d.problem]);
    expect(decisions.slice(0, 10).map(([decision]) => decision)).toEqual([
      'granted',
      'granted',
      'granted',
      'denied',
      'denied',
      'granted',
      'granted',
      'granted',
      'granted',
      'denied',
    ]);
    expect(decisions.slice(10, 13)).toEqual([
      ['denied', 'fs_read', ''],
      ['unknown', 'browser', 'settings of this tool are not documented: whether it has an effect is not known'],
      ['unknown', 'grep', 'this key is not documented: whether it has an effect is not known'],
    ]);
    expect(rows[2]?.text).toBe(`permission setting: allowedTools=read ${FROM}`);
    expect(rows[16]).toMatchObject({
      text: `permission setting: mcpServers.git.autoApprove=status ${FROM}`,
      decision: 'granted',
      tool_name: 'status',
      problem: 'v3 engine and IDE 1.0 ignore this list: policy decides there',
    });
    expect(rows[15]?.problem).toBe('');
  });

  it('marks a file the program replaced', () => {
    const copies = jsonDraftsOf(kiroAgentConfig, DEV, { file: `${FILE}.bak` });
    expect(copies).toHaveLength(rows.length);
    expect(copies.every((d) => d.recovered === 'superseded' && d.confidence === 'complete')).toBe(true);
    expect(copies[2]?.problem).toBe('a file the program replaced: it does not read it');
  });

  it('of a project names the project', () => {
    const place = { file: 'home/alice/work/.kiro/agents/dev.json', base: 'home/alice/work', inProject: true };
    expect(jsonDraftsOf(kiroAgentConfig, DEV, place).every((d) => d.project_path === 'home/alice/work')).toBe(true);
  });

  it('keeps what has another form than expected', () => {
    const odd = { model: 5, tools: 7, allowedTools: 'read', toolsSettings: 'all', permissions: 'none', extra: { a: 'b' } };
    const found = jsonDraftsOf(kiroAgentConfig, odd, { file: FILE });
    expect(found.map((d) => d.text)).toEqual([
      'agent configuration: tools=7',
      'model: 5 source=agent-config',
      `permission setting: allowedTools=read ${FROM}`,
      `permission setting: toolsSettings=all ${FROM}`,
      'agent configuration field: permissions="none"',
      'agent configuration field: extra={"a":"b"}',
    ]);
    expect(found.every((d) => d.problem !== '')).toBe(true);
    expect(missingLeaves(odd, found)).toEqual([]);
  });
});

describe('a Markdown agent', () => {
  const file = 'home/alice/.kiro/agents/reviewer.md';
  const read = (text: string | Buffer) => draftsOf(kiroAgentConfig, text, { file });
  const FRONT = [
    '---',
    'name: reviewer',
    'model: auto',
    'excludedTools: [shell]',
    'permissions:',
    '  rules:',
    '    - { capability: shell, match: ["git *"], effect: allow }',
    '    - { capability: write, effect: deny }',
    '  policies: [edit-workspace]',
    'hooks:',
    '  - { name: log, trigger: Stop, action: { type: command, command: ./log.sh } }',
    '---',
  ];

  it('is its front matter, and the text behind it as the prompt', () => {
    const rows = read([...FRONT, 'Review.', '', '---', 'Gently.', ''].join('\n'));
    expect(rows.map((d) => [d.row_type, d.text, d.decision])).toEqual([
      ['config', 'agent configuration: name=reviewer excludedTools=["shell"]: Review.\n\n---\nGently.\n', undefined],
      ['model', 'model: auto source=agent-config', undefined],
      [
        'permission',
        `permission setting: rule capability=shell match=["git *"] effect=allow scope=agent (from ${file}, file mtime)`,
        'granted',
      ],
      ['permission', `permission setting: rule capability=write effect=deny scope=agent (from ${file}, file mtime)`, 'unknown'],
      ['permission', `permission setting: policy=edit-workspace scope=agent (from ${file}, file mtime)`, 'unknown'],
      ['config', 'hook: name=log trigger=Stop type=command: ./log.sh', undefined],
    ]);
    expect(rows[3]?.problem).toBe('inert: Kiro knows no capability write and skips the rule');
    expect(rows[5]?.command).toBe('./log.sh');
  });

  it('may have CR LF and a byte order mark, no body, or a prompt in both places', () => {
    expect(read(`\ufeff${FRONT.join('\r\n')}\r\nGo.`)[0]?.text).toBe('agent configuration: name=reviewer excludedTools=["shell"]: Go.');
    expect(read('---\nname: x\n---\n').map((d) => d.text)).toEqual(['agent configuration: name=x']);
    expect(read('---\nprompt: a\n---\nb')[0]).toMatchObject({ text: 'agent configuration:: b', details: { front_matter_prompt: 'a' } });
  });

  it('without front matter is a prompt that something is wrong with', () => {
    expect(read('Only words').map((d) => d.text)).toEqual([
      'parser: agent configuration: no front matter between two lines of ---',
      'agent configuration:: Only words',
    ]);
    expect(read('').map((d) => d.text)).toEqual(['parser: agent configuration: empty file (0 bytes)']);
  });

  it('with broken or hostile front matter keeps the prompt', () => {
    const [fault, agent] = read('---\nname: "x\n---\nBody');
    expect(fault?.text).toMatch(/^parser: agent configuration: invalid YAML \(missing_char at line \d\)/);
    expect(agent?.text).toContain(': Body');
    const bomb = [
      'a: &a [x, x]',
      ...Array.from({ length: 12 }, (_, i) => `b${i}: &b${i} [*${i === 0 ? 'a' : `b${i - 1}`}, *${i === 0 ? 'a' : `b${i - 1}`}]`),
    ];
    expect(read(`---\n${bomb.join('\n')}\n---\nBody`).map((d) => d.text.slice(0, 80))).toEqual([
      expect.stringContaining('aliases or nesting without end'),
      'agent configuration:: Body',
    ]);
    const deep = `---\nname: ${'['.repeat(5000)}${']'.repeat(5000)}\n---\nBody`;
    expect(() => JSON.stringify(read(deep))).not.toThrow();
    expect(read(deep).at(-1)?.text).toContain('Body');
  });
});
