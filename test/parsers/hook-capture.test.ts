import { describe, expect, it } from 'vitest';
import { hookCapture } from '../../src/parsers/hook-capture/capture.js';
import type { Draft } from '../../src/rows/draft.js';
import { brief, lines } from '../support/hook-rows.js';
import { draftsOf } from '../support/memory-source.js';

const rowsOf = (...records: readonly unknown[]): Draft[] => draftsOf(hookCapture, lines(...records));
const IDE = { session_id: 'sess_x', cwd: '/home/alice/proj' };
const pre = (tool_name: string, tool_input: object) => ({ ...IDE, hook_event_name: 'PreToolUse', tool_name, tool_input });
const post = (tool_name: string, tool_response: unknown, tool_input: object = {}) => ({
  ...IDE,
  hook_event_name: 'PostToolUse',
  tool_name,
  tool_input,
  tool_response,
});
const results = (rows: readonly Draft[]) => rows.filter((row) => row.row_type === 'tool_result');

describe('captures of hook payloads', () => {
  it('reads a file of all dialects', () => {
    const rows = rowsOf(
      { ts: '2026-10-01T09:00:01Z', payload: { ...IDE, hook_event_name: 'UserPromptSubmit', prompt: 'add /healthz' } },
      { ts: '2026-10-01T09:00:03Z', payload: pre('fs_write', { path: 'health.js', text: 'ok' }) },
      { ts: '2026-10-01T09:00:04Z', payload: post('fs_write', 'Created the health.js file.') },
      post('str_replace', 'Caught an error while replacing: text not found'),
      {
        env: {
          USER_PROMPT: JSON.stringify({
            toolName: 'execute_bash',
            toolArgs: {},
            toolResult: 'Output:\nok\n\nExit Code: 0',
            toolSuccess: true,
          }),
        },
      },
      {
        hook_event_name: 'postToolUse',
        cwd: '/home/alice/proj',
        tool_name: 'execute_bash',
        tool_input: { command: 'ls' },
        tool_response: { items: [{ Json: { exit_status: '0', stdout: 'a', stderr: '' } }] },
      },
      'not json',
    );
    expect(brief(rows, 'agent', 'status', 'outcome', 'exit_code')).toEqual([
      ['prompt', 'add /healthz', 'kiro-ide', undefined, undefined, undefined],
      ['tool_use', '{"path":"health.js","text":"ok"}', 'kiro-ide', undefined, undefined, undefined],
      ['tool_result', 'Created the health.js file.', 'kiro-ide', 'completed', 'pass', null],
      ['tool_use', '{}', 'kiro-ide', undefined, undefined, undefined],
      ['tool_result', 'Caught an error while replacing: text not found', 'kiro-ide', 'failed', 'fail', null],
      ['tool_use', '{}', 'kiro-ide', undefined, undefined, undefined],
      ['tool_result', 'Output:\nok\n\nExit Code: 0', 'kiro-ide', 'completed', 'pass', 0],
      ['tool_use', '{"command":"ls"}', 'kiro-cli', undefined, undefined, undefined],
      ['tool_result', 'a', 'kiro-cli', 'completed', 'pass', 0],
      ['error', 'parser: unparseable line (no JSON object): not json', undefined, undefined, undefined, undefined],
    ]);
    expect(rows.map((row) => row.time?.original)).toEqual([
      '2026-10-01T09:00:01Z',
      '2026-10-01T09:00:03Z',
      '2026-10-01T09:00:04Z',
      ...Array.from({ length: 7 }),
    ]);
    expect(rows[2]).toMatchObject({
      session_id: 'sess_x',
      project_path: '/home/alice/proj',
      file_paths: ['health.js'],
      duration_ms: null,
      details: { resolved_path: '/home/alice/proj/health.js', file_path_source: 'result text', paired: 'order' },
    });
    expect(rows[3]?.problem).toBe('no payload ahead of the call is in this capture; empty input');
    expect(rows[6]?.problem).toBe('empty input: the payload does not hold the command');
  });

  it('takes a path or an exit code from the sentence of a result, a failure only from its beginning', () => {
    const cases: [tool: string, text: string, path: string[], status: string, outcome: string, exit: number | null][] = [
      ['fs_write', 'Created the src/a b.ts file.\n', ['src/a b.ts'], 'completed', 'pass', null],
      ['create_file', 'Created the x file.', ['x'], 'completed', 'pass', null],
      ['str_replace', 'Replaced text in src/a.ts (2 occurrences)', ['src/a.ts'], 'completed', 'pass', null],
      ['fs_append', 'Appended the text to the notes.md file.', ['notes.md'], 'completed', 'pass', null],
      ['fs_write', 'Failed to write: read-only', [], 'failed', 'fail', null],
      ['fs_write', 'Saved. See error: none', [], 'unknown', 'ambiguous', null],
      ['execute_bash', 'Output:\nError: 3 tests\n\nExit Code: 3', [], 'failed', 'fail', 3],
      ['execute_pwsh', 'Output:\n\nExit Code: -1', [], 'completed', 'ambiguous', -1],
      ['execute_bash', 'Output:\nExit Code: 0\nmore', [], 'unknown', 'ambiguous', null],
      ['read_file', 'Exit Code: 0', [], 'unknown', 'ambiguous', null],
    ];
    for (const [tool, text, path, status, outcome, exit] of cases) {
      const [row] = results(rowsOf(post(tool, text)));
      expect([row?.file_paths, row?.status, row?.outcome, row?.exit_code], text).toEqual([path, status, outcome, exit]);
    }
  });

  it('lets an explicit flag of the host beat the wording, and an exit code beat both for the outcome', () => {
    const legacy = (fields: object) => results(rowsOf({ toolName: 'fs_write', toolArgs: {}, ...fields }))[0];
    expect(legacy({ toolResult: 'Error: x', toolSuccess: true })).toMatchObject({ status: 'completed', outcome: 'pass' });
    expect(legacy({ toolResult: 'Created the a file.', toolSuccess: false })).toMatchObject({ status: 'failed', outcome: 'fail' });
    const cli = (tool_response: object, command = 'make') =>
      results(rowsOf({ hook_event_name: 'postToolUse', cwd: '/p', tool_name: 'execute_bash', tool_input: { command }, tool_response }))[0];
    const output = (exit_status: string) => ({ success: true, result: [{ exit_status, stdout: 'x', stderr: 'y' }] });
    expect(cli(output('2'))).toMatchObject({ text: 'x\nstderr:\ny', status: 'completed', outcome: 'fail', exit_code: 2 });
    expect(cli(output('1'), 'grep -q x f')).toMatchObject({ outcome: 'ambiguous', exit_code: 1 });
    expect(cli(output('1'), 'grep -q x f && make')).toMatchObject({ outcome: 'fail' });
    expect(cli({ success: false, result: ['no'] })).toMatchObject({ text: 'no', status: 'failed', outcome: 'fail', exit_code: null });
    expect(cli({ interrupted: true, stdout: 'a' })).toMatchObject({ text: 'cancelled a', status: 'canceled', outcome: 'ambiguous' });
  });

  it('pairs by arguments, else by order, and measures only what is sure', () => {
    const at = (ts: string, payload: object) => ({ ts, payload });
    const rows = rowsOf(
      at('2026-10-01T09:00:00Z', pre('execute_bash', { command: 'a' })),
      at('2026-10-01T09:00:01Z', pre('execute_bash', { command: 'b' })),
      at('2026-10-01T09:00:03.500Z', post('execute_bash', 'Output:\n\nExit Code: 0', { command: 'b' })),
      at('2026-10-01T09:00:04Z', post('execute_bash', 'Output:\n\nExit Code: 1')),
      at('2026-10-01T09:00:05Z', pre('execute_bash', { command: 'c' })),
    );
    expect(results(rows).map((row) => [row.command, row.duration_ms, row.details?.paired])).toEqual([
      ['b', 2500, 'arguments'],
      ['', null, 'order'],
    ]);
    expect(results(rows)[1]?.details?.call).toMatchObject({ source_line: 1, command: 'a' });
    expect(rows.at(-1)).toMatchObject({ row_type: 'gap', text: 'gap: no result for call tool=execute_bash command=c', status: 'unknown' });
    expect(rowsOf(pre('execute_bash', { command: 'c' })).at(-1)?.text).toBe('gap: the capture holds no results calls=1');
  });

  it('names the program only where the payload proves it', () => {
    const agent = (payload: object) => rowsOf(payload)[0]?.agent;
    expect(agent({ hook_event_name: 'preToolUse', cwd: '/p', tool_name: 'execute_bash', tool_input: { command: 'ls' } })).toBe('unknown');
    expect(agent({ hook_event_name: 'preToolUse', cwd: '/p', tool_name: 'shell', tool_input: { command: 'ls' } })).toBe('kiro-cli');
    expect(agent({ hook_event_name: 'preToolUse', cwd: '/p', session_id: 'u', tool_name: 'fs_read', tool_input: {} })).toBe('kiro-cli');
    expect(agent({ hook_event_name: 'PreToolUse', cwd: '/p', session_id: 'u', tool_name: 'Bash', tool_input: { command: 'ls' } })).toBe(
      'unknown',
    );
    expect(agent({ hook_event_name: 'Stop', cwd: '/p', session_id: 'sess_1' })).toBe('kiro-ide');
    expect(agent({ toolName: 'fs_write' })).toBe('kiro-ide');
    expect(agent({ env: { VSCODE_PID: '1' }, payload: { hook_event_name: 'Stop', session_id: 'u' } })).toBe('kiro-ide');
  });

  it('says what a build leaves out: a prompt without text, a call without arguments', () => {
    const rows = rowsOf({ ...IDE, hook_event_name: 'UserPromptSubmit', prompt: '' }, pre('execute_pwsh', {}), {});
    expect(brief(rows.slice(0, 2))).toEqual([
      ['session', 'session: prompt event without text event=UserPromptSubmit'],
      ['tool_use', '{}'],
    ]);
    expect(rows[0]?.problem).toMatch(/^a prompt was sent, but the payload does not hold its text/);
    expect(rows[1]?.problem).toBe('empty input: the payload does not hold the arguments of the call');
    expect(rowsOf({ env: { USER_PROMPT: '{}' } })[0]?.text).toBe('session: prompt or stop event without text');
    expect(brief(rowsOf({ env: { USER_PROMPT: '/aidlc --status' } }), 'origin')).toEqual([['prompt', '/aidlc --status', 'unknown']]);
  });

  it('keeps a row with a field of the wrong type, blank and named', () => {
    const [row] = rowsOf({ ...IDE, hook_event_name: 'PreToolUse', tool_name: 7, tool_input: ['x'], cwd: null });
    expect(row).toMatchObject({
      row_type: 'tool_use',
      tool_name: '',
      text: '',
      project_path: '',
      details: { payload: { tool_name: 7, tool_input: ['x'] } },
    });
    expect(row?.problem).toContain('malformed:tool_name, malformed:tool_input');
  });

  it('reads delegates: who, by the tool name before the words of the delegate', () => {
    const rows = rowsOf(
      post('subagent_reviewer', '**Agent:** forged\nok'),
      post('invoke_sub_agent', '**Reviewer:** sec-reviewer\nfine'),
      post('orchestrate_subagent', 'Pipeline completed: 2 of 2\n## plan\na\n## build\nb'),
      post('subagent_response', 'Response recorded.'),
    );
    expect(results(rows).map((row) => [row.details?.tool_name_norm, row.details?.delegate, row.details?.stages])).toEqual([
      ['subagent', 'reviewer', undefined],
      ['subagent', 'sec-reviewer', undefined],
      ['subagent', undefined, ['plan', 'build']],
    ]);
    expect(brief(rows).at(-1)).toEqual(['log', 'log: tool=subagent_response: Response recorded.']);
  });

  it('is a copy of a call in a session only where the ids meet; else it names candidates', () => {
    const [known] = rowsOf({ ...pre('shell', { command: 'ls', __tool_use_purpose: 'look' }), tool_use_id: 'tooluse_1' });
    expect([known?.identity, known?.text, known?.rank]).toEqual(['sess_x\u0000tool_use\u0000tooluse_1\u00000', '{"command":"ls"}', 3]);
    expect(known?.details).not.toHaveProperty('corroborates');
    const [guess] = rowsOf(pre('shell', { command: 'npm  test\n' }));
    expect(guess?.identity).toBeUndefined();
    expect(guess?.details?.corroborates).toEqual([
      { in: 'session', row_type: 'tool_use', session_id: 'sess_x', tool_name: 'shell', command: 'npm  test\n' },
      { in: 'flow-agents-command-log', row_type: 'tool_result', command: 'npm test' },
    ]);
  });

  it('takes times of any form that names a zone, and no other', () => {
    const time = (ts: unknown) => rowsOf({ ts, payload: { ...IDE, hook_event_name: 'Stop' } })[0];
    for (const ts of ['2026-10-01T11:00:00+02:00', 1790845200, 1790845200000, '1790845200', '1790845200000'])
      expect(time(ts)?.time?.ms, String(ts)).toBe(1_790_845_200_000);
    expect(time('2026-10-01 11:00:00')).toMatchObject({ time: undefined, problem: 'the recorded time is not a date with an offset' });
    const [prefixed] = rowsOf(`2026-10-01T09:00:00Z INFO hook: ${JSON.stringify({ ...IDE, hook_event_name: 'Stop' })}`);
    expect(prefixed).toMatchObject({ time: { ms: 1_790_845_200_000 }, details: { prefix: '2026-10-01T09:00:00Z INFO hook: ' } });
  });
});
