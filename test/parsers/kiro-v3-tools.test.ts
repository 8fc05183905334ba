import { describe, expect, it } from 'vitest';
import { rowsOf } from '../support/kiro-v3-log.js';

describe('calls and results of the v3 engine', () => {
  it('reads calls: command, paths, title, snapshots', () => {
    const call = (toolCallId: string, fields: object) => ({ type: 'tool_call', toolCallId, status: 'completed', ...fields });
    const rows = rowsOf([
      { type: 'turn_start', executionId: 'e' },
      call('c1', { toolName: 'execute_bash', args: { command: 'ls -l', cwd: '/x' }, kind: 'execute', title: 'List' }),
      call('c2', {
        toolName: 'str_replace',
        args: { path: 'a.ts', oldStr: '', newStr: 'x' },
        filePath: '/p/a.ts',
        preSnapshotId: 'p1',
        postSnapshotId: 'p2',
      }),
      call('c3', { toolName: 'todo_list', args: { command: 'create' }, kind: 'other' }),
      call('c4', { toolName: 'read_files', args: { paths: ['a', 'b'] } }),
      call('c5', { toolName: 'execute_pwsh', args: { command: 'dir' } }),
    ]).slice(1);
    expect(rows.map((d) => [d.row_type, d.tool_name, d.tool_use_id, d.command, d.file_paths])).toEqual([
      ['tool_use', 'execute_bash', 'c1', 'ls -l', []],
      ['tool_use', 'str_replace', 'c2', '', ['a.ts', '/p/a.ts']],
      ['tool_use', 'todo_list', 'c3', '', []],
      ['tool_use', 'read_files', 'c4', '', ['a', 'b']],
      ['tool_use', 'execute_pwsh', 'c5', 'dir', []],
    ]);
    expect(rows[0]?.text).toBe('{"command":"ls -l","cwd":"/x"}');
    expect(rows[0]?.details).toEqual({
      type: 'tool_call',
      payload: { status: 'completed', kind: 'execute', title: 'List' },
      approval: 'ran without being asked for',
    });
    expect(rows[1]?.details?.payload).toMatchObject({ preSnapshotId: 'p1', postSnapshotId: 'p2' });
    expect(rows[4]?.details?.engine_hint).toBe('Windows');
  });

  it('reads results: exit codes only of shell tools, outcomes only on evidence', () => {
    const pair = (id: string, toolName: string, result: object) => [
      { type: 'tool_call', toolCallId: id, toolName, args: {}, status: 'completed' },
      { type: 'tool_result', toolCallId: id, ...result },
    ];
    const rows = rowsOf([
      ...pair('1', 'execute_bash', { content: 'Output:\nok\n\nExit Code: 0', success: true, durationMs: 12 }),
      ...pair('2', 'execute_bash', { content: 'Output:\n\nExit Code: 2\n', success: true }),
      ...pair('3', 'execute_pwsh', { content: 'x\nExit Code: -1', success: true }),
      ...pair('4', 'read_file', { content: 'Exit Code: 0', success: true }),
      ...pair('5', 'fs_write', { content: 'no', success: false }),
      ...pair('6', 'fs_write', { content: 'no', success: 'yes' }),
      { type: 'tool_result', toolCallId: 'lost', content: 'x', success: true },
    ]).filter((d) => d.row_type === 'tool_result');
    expect(rows.map((d) => [d.tool_name, d.exit_code, d.status, d.outcome, d.duration_ms])).toEqual([
      ['execute_bash', 0, 'completed', 'pass', 12],
      ['execute_bash', 2, 'completed', 'fail', null],
      ['execute_pwsh', -1, 'completed', 'ambiguous', null],
      ['read_file', null, 'completed', 'ambiguous', null],
      ['fs_write', null, 'failed', 'fail', null],
      ['fs_write', null, 'unknown', 'ambiguous', null],
      ['', null, 'completed', 'ambiguous', null],
    ]);
    expect(rows[5]?.problem).toContain('success');
    expect(rows[5]?.details?.payload).toEqual({ success: 'yes' });
    expect(rows[6]?.problem).toBe('its call is not in this log');
  });

  it('names the file a long result was saved to', () => {
    const call = { type: 'tool_call', toolCallId: '1', toolName: 'grep_search', args: {}, status: 'completed' };
    const result = (content: string) => ({ type: 'tool_result', toolCallId: '1', content, success: true });
    const rows = rowsOf([call, result('head [saved to tool-outputs/grep_search-0a1b2c3d.txt]'), result('tool-outputs/other-0a1b2c3d.txt')]);
    expect(rows.map((d) => d.details?.tool_output)).toEqual([undefined, 'grep_search-0a1b2c3d.txt', undefined]);
  });
});
