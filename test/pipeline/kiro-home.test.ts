import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../support/cli.js';
import { jsonl, timelineOf, writeFiles } from '../support/timeline.js';

// KIRO_HOME=/x: what lies in `.kiro` otherwise lies directly in /x.

const CONFIG = {
  'agents/dev.json': { name: 'dev', tools: ['*'], allowedTools: ['fs_read'], mcpServers: { db: { command: 'db-server' } } },
  'settings/cli.json': { 'chat.defaultModel': 'claude-x' },
  'settings/mcp.json': { mcpServers: { web: { command: 'web-server' } } },
  'settings/permissions.yaml': 'rules:\n  - capability: shell\n    match: ["git status *"]\n    effect: allow\n',
  'steering/tone.md': 'be brief',
  'hooks/lint.json': {
    version: 'v1',
    hooks: [{ name: 'lint', trigger: 'PostToolUse', action: { type: 'command', command: 'npm run lint' } }],
  },
};
const under = (folder: string, files: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(files).map(([path, value]) => [`${folder}/${path}`, value]));

async function storesOf(files: Readonly<Record<string, unknown>>, root = '') {
  const { manifest, rows } = await timelineOf(join(writeFiles(join(testFolder(), 'image'), files), root));
  return { stores: manifest.inputs.map(({ store, path }) => `${store} ${path}`).sort(), rows };
}

const found = (folder: string) => [
  `kiro-agent-config ${folder}agents/dev.json`,
  `kiro-hooks ${folder}hooks/lint.json`,
  `kiro-mcp ${folder}settings/mcp.json`,
  `kiro-permissions ${folder}settings/permissions.yaml`,
  `kiro-settings ${folder}settings/cli.json`,
  `kiro-steering ${folder}steering/tone.md`,
];

describe('a moved home of Kiro', () => {
  it.each([
    ['x', '', 'x/'],
    ['x', 'x', ''],
    ['home/alice/tools/kiro', '', 'home/alice/tools/kiro/'],
  ])('is known by what lies in it: %s, evidence from "%s"', async (folder, root, prefix) => {
    const { stores, rows } = await storesOf(under(folder, CONFIG), root);
    expect(stores).toEqual(found(prefix));
    // Its rules are those of a user, not of a project.
    expect(new Set(rows.map((row) => row.project_path))).toEqual(new Set(['']));
    expect(new Set(rows.map((row) => row.user))).toEqual(new Set([folder.includes('alice') ? 'alice' : '']));
    expect(rows.find((row) => row.source_file.endsWith('permissions.yaml'))).toMatchObject({ decision: 'granted' });
    expect(rows.some((row) => row.command === 'npm run lint' || row.text.includes('npm run lint'))).toBe(true);
  });

  const id = '7d0e1c52-1111-4222-8333-444444444444';
  it.each([
    ['settings of the CLI', { 'settings/cli.json': { 'chat.defaultAgent': 'dev' } }],
    ['servers beside agents', { 'settings/mcp.json': { mcpServers: {} } }],
    ['rules beside agents', { 'settings/permissions.yaml': 'rules:\n  - capability: shell\n    effect: ask\n' }],
    ['sessions of v2', { [`sessions/cli/${id}.history`]: 'hi\n' }],
    ['sessions of v3', { 'sessions/32cfb46d463b7613/sess_a/session.json': { id: 'sess_a' } }],
    ['migrated sessions', { [`sessions/32cfb46d463b7613/${id}/messages.jsonl`]: '' }],
    ['an index of sessions', { 'session-index/32cfb46d463b7613.jsonl': jsonl({ op: 'add', sessionPath: 'b/sess_a', at: 1 }) }],
  ])('is told by %s', async (_what, files) => {
    const { stores } = await storesOf(under('x', { 'agents/dev.json': CONFIG['agents/dev.json'], ...files }));
    expect(stores).toContain('kiro-agent-config x/agents/dev.json');
    expect(stores).toHaveLength(2);
  });

  it.each([
    ['names alone', { 'settings/other.json': {}, 'steering/a.md': 'x', 'sessions/cli/notes.txt': 'x' }],
    ['settings of another program', { 'settings/cli.json': { theme: 'dark' }, 'settings/mcp.json': { servers: {} } }],
    ['servers without anything beside them', { 'settings/mcp.json': { mcpServers: {} }, 'agents/dev.json': undefined }],
    ['sessions of another program', { 'sessions/32cfb46d463b7613/one.json': {}, 'sessions/today/sess_a/x.json': {} }],
  ])('is not told by %s', async (_what, files) => {
    const all = Object.entries({ 'agents/dev.json': CONFIG['agents/dev.json'], ...files }).filter(([, value]) => value !== undefined);
    const { stores } = await storesOf(under('x', Object.fromEntries(all)));
    expect(stores).toEqual([]);
  });

  it('is no project of a home that has its own', async () => {
    const { stores, rows } = await storesOf({
      ...under('home/alice/.kiro', { 'settings/cli.json': CONFIG['settings/cli.json'] }),
      ...under('home/alice/kiro-b', CONFIG),
    });
    expect(stores).toHaveLength(7);
    expect(new Set(rows.map((row) => `${row.user}|${row.project_path}`))).toEqual(new Set(['alice|']));
  });
});
