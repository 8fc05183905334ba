import { describe, expect, it } from 'vitest';
import { qMcp } from '../../src/parsers/q-mcp.js';
import { itReadsOneObject } from '../support/json-store-cases.js';
import { jsonDraftsOf, MTIME, missingLeaves } from '../support/memory-source.js';

const GOOD = {
  mcpServers: {
    git: { command: 'npx', args: ['-y', 'server-git'], env: { GIT_TOKEN: 'v' }, disabled: true, autoApprove: ['push'] },
    web: {
      type: 'http',
      url: 'https://mcp.example.com/x?key=1',
      headers: { Authorization: 'Bearer t' },
      oauth: { redirectUri: 'http://127.0.0.1:1' },
    },
  },
};

describe('q-mcp', () => {
  itReadsOneObject(qMcp, 'MCP configuration', GOOD);

  it('gives one row per server', () => {
    const rows = jsonDraftsOf(qMcp, GOOD, { inProject: true, base: 'work/site' });
    expect(rows).toEqual([
      {
        row_type: 'config',
        text: 'mcp server: name=git type=stdio disabled=true: npx -y server-git',
        command: 'npx -y server-git',
        problem: 'fields the program does not know: autoApprove',
        details: GOOD.mcpServers.git,
        credentials: [{ column: 'details', pointer: '/env/GIT_TOKEN', rule: 'mcp-env', key: 'GIT_TOKEN' }],
        source_pointer: '/mcpServers/git',
        time: MTIME,
        project_path: 'work/site',
      },
      {
        row_type: 'config',
        text: 'mcp server: name=web type=http url=https://mcp.example.com/x?key=1',
        command: '',
        problem: '',
        details: GOOD.mcpServers.web,
        credentials: [{ column: 'details', pointer: '/headers/Authorization', rule: 'mcp-header', key: 'Authorization' }],
        source_pointer: '/mcpServers/web',
        time: MTIME,
        project_path: 'work/site',
      },
    ]);
    expect(missingLeaves(GOOD, rows)).toEqual([]);
  });

  it('keeps one strange server and one unknown field to one row each', () => {
    const rows = jsonDraftsOf(qMcp, { mcpServers: { a: 'x', b: { command: 7, args: ['y'] } }, inputs: [1] });
    expect(rows.map((d) => [d.text, d.problem])).toEqual([
      ['mcp server: name=a: x', 'the server is not a JSON object'],
      ['mcp server: name=b type=stdio: y', 'command: Invalid input: expected string, received number'],
      ['mcp configuration field: inputs=[1]', 'a field the program does not know'],
    ]);
    expect(rows[1]?.details).toEqual({ command: 7, args: ['y'] });
  });

  it('keeps a huge argument whole', () => {
    const rows = jsonDraftsOf(qMcp, { mcpServers: { a: { command: 'sh', args: ['-c', 'x'.repeat(1_000_000)] } } });
    expect(rows[0]?.command).toHaveLength(1_000_006);
  });
});
