import { describe, expect, it } from 'vitest';
import { qAgentConfig } from '../../src/parsers/q-agent-config.js';
import { itReadsOneObject } from '../support/json-store-cases.js';
import { jsonDraftsOf, MTIME, missingLeaves } from '../support/memory-source.js';

const FILE = 'home/alice/.aws/amazonq/cli-agents/dev.json';
const read = (value: unknown) => jsonDraftsOf(qAgentConfig, value, { file: FILE });
const permissions = (value: unknown) =>
  read(value)
    .filter((d) => d.row_type === 'permission')
    .map((d) => [d.text, d.decision, d.tool_name, d.problem]);

const DEV = {
  $schema: 'https://example.com/agent-v1.json',
  name: 'dev',
  description: 'Builds "all"',
  prompt: 'You build.\nCarefully.',
  model: 'claude-sonnet-4',
  mcpServers: { fetch: { command: 'uvx', args: ['mcp-server-fetch', '--port', 8080], env: { TOKEN: 'abc' }, timeout: 60000 } },
  tools: ['*'],
  toolAliases: { '@git/status': 'status' },
  allowedTools: ['fs_read', '@context7/get-library-docs', '@fetch', '@builtin/use_aws', 'git_*'],
  resources: ['file://README.md'],
  hooks: { preToolUse: [{ command: 'audit.sh', matcher: 'execute_bash', timeout_ms: 500 }], onSave: [{ command: 'x' }] },
  toolsSettings: {
    execute_bash: { allowed_commands: ['^kubectl get pods$'], allowReadOnly: true, deniedCommands: ['touch .*'], autoAllowReadonly: false },
    fs_write: { allowedPaths: ['~/notes/**'], deniedPaths: 'none' },
    '@git/push': { force: true },
  },
  useLegacyMcpJson: true,
};

describe('q-agent-config', () => {
  itReadsOneObject(qAgentConfig, 'agent configuration', DEV);

  it('gives one row per part, dated by the file', () => {
    const rows = read(DEV);
    expect(rows.map((d) => [d.row_type, d.source_pointer])).toEqual([
      ['config', undefined],
      ['model', '/model'],
      ['permission', '/allowedTools/0'],
      ['permission', '/allowedTools/1'],
      ['permission', '/allowedTools/2'],
      ['permission', '/allowedTools/3'],
      ['permission', '/allowedTools/4'],
      ['permission', '/toolsSettings/execute_bash/allowed_commands'],
      ['permission', '/toolsSettings/execute_bash/allowReadOnly'],
      ['permission', '/toolsSettings/execute_bash/deniedCommands'],
      ['permission', '/toolsSettings/execute_bash/autoAllowReadonly'],
      ['permission', '/toolsSettings/fs_write/allowedPaths'],
      ['permission', '/toolsSettings/fs_write/deniedPaths'],
      ['permission', '/toolsSettings/@git~1push/force'],
      ['config', '/mcpServers/fetch'],
      ['config', '/hooks/preToolUse/0'],
      ['config', '/hooks/onSave/0'],
    ]);
    expect(rows.every((d) => d.time === MTIME && d.project_path === '')).toBe(true);
    expect(missingLeaves(DEV, rows)).toEqual([]);
  });

  it('states standing grants in the fixed texts', () => {
    const from = `(from ${FILE}, file mtime)`;
    expect(permissions(DEV)).toEqual([
      [`permission setting: allowedTools=fs_read ${from}`, 'granted', 'fs_read', ''],
      [`permission setting: allowedTools=@context7/get-library-docs ${from}`, 'granted', 'get-library-docs', ''],
      [`permission setting: allowedTools=@fetch ${from}`, 'granted', '', ''],
      [`permission setting: allowedTools=@builtin/use_aws ${from}`, 'granted', 'use_aws', ''],
      [`permission setting: allowedTools=git_* ${from}`, 'granted', '', ''],
      [
        `permission setting: toolsSettings.execute_bash.allowed_commands=["^kubectl get pods$"] ${from}`,
        'unknown',
        'execute_bash',
        'the program knows no such key for this tool: no effect',
      ],
      [
        `permission setting: toolsSettings.execute_bash.allowReadOnly=true ${from}`,
        'unknown',
        'execute_bash',
        'read by 1.13 to 1.15 only; no effect in later versions',
      ],
      [`permission setting: toolsSettings.execute_bash.deniedCommands=["touch .*"] ${from}`, 'denied', 'execute_bash', ''],
      [
        `permission setting: toolsSettings.execute_bash.autoAllowReadonly=false ${from}`,
        'unknown',
        'execute_bash',
        'false: nothing is granted by it',
      ],
      [`permission setting: toolsSettings.fs_write.allowedPaths=["~/notes/**"] ${from}`, 'granted', 'fs_write', ''],
      [
        `permission setting: toolsSettings.fs_write.deniedPaths=none ${from}`,
        'unknown',
        'fs_write',
        'a value of the wrong type: the program ignores the settings of this tool',
      ],
      [
        `permission setting: toolsSettings.@git/push.force=true ${from}`,
        'unknown',
        '@git/push',
        'the program reads no settings of this tool: no effect',
      ],
    ]);
    expect(read(DEV).find((d) => d.row_type === 'permission')?.decided_by).toBe('config');
  });

  it('states model, agent, server and hooks', () => {
    const rows = read(DEV);
    expect(rows.slice(0, 2).map((d) => [d.text, d.model])).toEqual([
      [
        'agent configuration: name=dev description="Builds \\"all\\"" tools=["*"] ' +
          'resources=["file://README.md"] toolAliases={"@git/status":"status"} useLegacyMcpJson=true: You build.\nCarefully.',
        undefined,
      ],
      ['model: claude-sonnet-4 source=agent-config', 'claude-sonnet-4'],
    ]);
    expect(rows.slice(-3).map((d) => [d.text, d.command, d.problem])).toEqual([
      ['mcp server: name=fetch type=stdio timeout=60000: uvx mcp-server-fetch --port 8080', 'uvx mcp-server-fetch --port 8080', ''],
      ['hook: trigger=preToolUse matcher=execute_bash timeout_ms=500: audit.sh', 'audit.sh', ''],
      ['hook: trigger=onSave: x', 'x', 'the program knows no such trigger'],
    ]);
  });

  it('gives rows of a project file the project', () => {
    const rows = jsonDraftsOf(qAgentConfig, { name: 'ci', allowedTools: ['execute_bash'] }, { base: 'home/work/site', inProject: true });
    expect(rows.map((d) => d.project_path)).toEqual(['home/work/site', 'home/work/site']);
  });

  it('shows an unknown field, and says on every grant that the program rejects the file', () => {
    const rows = read({ name: 'a', allowedTools: ['fs_write'], alwaysAllow: ['x'] });
    const verdict = 'the program (1.13 to 1.19) rejects this file and what it grants: unknown fields alwaysAllow';
    expect(rows.map((d) => [d.row_type, d.problem])).toEqual([
      ['config', verdict],
      ['permission', verdict],
      ['config', 'a field the program does not know: it rejects the whole file'],
    ]);
    expect(rows[2]?.text).toBe('agent configuration field: alwaysAllow=["x"]');
  });

  it('survives fields of a wrong type, and grants nothing by them', () => {
    const odd = {
      name: 5,
      allowedTools: 'fs_read',
      toolsSettings: [1],
      mcpServers: 'm',
      hooks: { stop: 'x', preToolUse: [7] },
      model: {},
      prompt: 9,
    };
    const rows = read(odd);
    expect(rows.map((d) => [d.row_type, d.text, d.decision])).toEqual([
      ['config', 'agent configuration: name=5', undefined],
      ['model', 'model: {} source=agent-config', undefined],
      ['permission', `permission setting: allowedTools=fs_read (from ${FILE}, file mtime)`, 'unknown'],
      ['permission', `permission setting: toolsSettings=[1] (from ${FILE}, file mtime)`, 'unknown'],
      ['config', 'mcp servers: m', undefined],
      ['config', 'hook: name=stop: x', undefined],
      ['config', 'hook: trigger=preToolUse: 7', undefined],
    ]);
    expect(missingLeaves(odd, rows)).toEqual([]);
  });

  it('reads keys named like built-in members of objects as ordinary keys', () => {
    const rows = [...jsonDraftsOf(qAgentConfig, JSON.parse('{"name":"a","toolsSettings":{"__proto__":{"constructor":["x"]}}}'))];
    expect(rows[1]?.text).toBe('permission setting: toolsSettings.__proto__.constructor=["x"] (from home/alice/file, file mtime)');
    expect(rows[1]?.decision).toBe('unknown');
  });

  it('keeps a huge value whole', () => {
    expect(read({ name: 'a', prompt: 'p'.repeat(2_000_000) })[0]?.text).toHaveLength('agent configuration: name=a: '.length + 2_000_000);
  });
});
