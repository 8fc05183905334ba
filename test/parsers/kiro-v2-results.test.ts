import { describe, expect, it } from 'vitest';
import { call, journalRows, record, result, shown, text } from '../support/kiro-v2-session.js';

const json = (data: unknown) => ({ kind: 'json', data });
const output = (exit_status: unknown, stdout = 'a\n', stderr = '') => ({ exit_status, stdout, stderr });
const stored = (outcome: unknown, tool: unknown = { kind: { BuiltIn: { ExecuteCmd: { command: 'ls', working_dir: null } } } }) => ({
  t1: { tool, result: outcome },
});
const rowsOf = (content: unknown[], results?: unknown) =>
  journalRows([record.answer('a1', call('t1', 'shell', { command: 'ls' })), record.results('r1', content, results)]).slice(1);

describe('results of calls', () => {
  it('gives one row for a result stored twice', () => {
    const rows = rowsOf(
      [result('t1', [json(output('exit status: 0'))])],
      stored({ Success: { items: [{ Json: output('exit status: 0') }] } }),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      row_type: 'tool_result',
      text: 'a\n',
      tool_name: 'shell',
      tool_use_id: 't1',
      status: 'completed',
      outcome: 'pass',
      exit_code: 0,
      problem: '',
      details: { exit_status: 'exit status: 0', kind: { BuiltIn: { ExecuteCmd: { command: 'ls' } } } },
    });
  });

  it.each([
    ['exit status: 0', 0, 'pass'],
    ['0', 0, 'pass'],
    [0, 0, 'pass'],
    ['exit status: 127', 127, 'fail'],
    ['exit code: 1', 1, 'fail'],
    ['exit code: 0xc0000005', 0xc0000005, 'fail'],
    ['signal: 9 (SIGKILL)', null, 'ambiguous'],
    ['', null, 'ambiguous'],
  ])('reads the exit status %j', (status, code, outcome) => {
    expect(rowsOf([result('t1', [json(output(status))])])[0]).toMatchObject({ exit_code: code, outcome, details: { exit_status: status } });
  });

  it('shows standard error behind standard output', () => {
    expect(rowsOf([result('t1', [json(output('exit status: 1', 'a', 'b'))])])[0]?.text).toBe('a\nstderr:\nb');
  });

  it('says when both copies differ, and keeps both', () => {
    const [row] = rowsOf([result('t1', [text('short')])], stored({ Success: { items: [{ Text: 'the whole text' }] } }));
    expect(row).toMatchObject({
      text: 'the whole text',
      details: { content_text: 'short' },
      problem: 'the text given to the model and the stored result differ: the former is in the details',
    });
  });

  it('says when both copies disagree on success', () => {
    const [row] = rowsOf([result('t1', [text('x')], 'success')], stored({ Error: { Custom: 'x' } }));
    expect([row?.status, row?.outcome, row?.problem]).toEqual([
      'failed',
      'fail',
      'the content block says success, the stored result error',
    ]);
  });

  it('reads every form of error', () => {
    const texts = [{ Custom: 'no' }, { Io: { context: 'disk' } }, { items: [{ Text: 'a' }] }, 'plain'].map(
      (e) => rowsOf([], stored({ Error: e }))[0],
    );
    expect(texts.map((d) => [d?.text, d?.status])).toEqual([
      ['no', 'failed'],
      ['{"Io":{"context":"disk"}}', 'failed'],
      ['a', 'failed'],
      ['plain', 'failed'],
    ]);
  });

  it('gives a cancelled call with the decision', () => {
    const rows = rowsOf([result('t1', [text('stopped')], 'error')], stored('Cancelled'));
    expect(shown(rows)).toEqual(['tool_result|cancelled stopped', 'permission|permission decision: cancelled by=interrupt']);
    expect(rows[0]).toMatchObject({ status: 'canceled', outcome: 'ambiguous' });
    expect(rows[1]).toMatchObject({ decision: 'cancelled', decided_by: 'interrupt', tool_use_id: 't1', tool_name: 'shell' });
    expect(shown(rowsOf([], stored('Cancelled')))[0]).toBe('tool_result|cancelled ');
  });

  it('names the server of an MCP tool, and fails on its own error mark', () => {
    const tool = { tool_use_purpose: 'look up', kind: { Mcp: { serverName: 'jira', toolName: 'get_issue', params: { key: 'A-1' } } } };
    const [row] = rowsOf([], { t7: { tool, result: { Success: { items: [{ Json: { isError: true, content: [] } }] } } } });
    expect(row).toMatchObject({
      tool_name: 'get_issue',
      tool_use_id: 't7',
      status: 'failed',
      outcome: 'fail',
      details: { server: 'jira', purpose: 'look up', mcp: { params: { key: 'A-1' } } },
      source_pointer: '/data/results/t7',
    });
  });

  it('pairs several results by id, and keeps one that has no partner', () => {
    const rows = rowsOf([result('t2', [text('two')]), result('t1', [text('one')]), result('t1', [text('one again')])], {
      ...stored({ Success: { items: [{ Text: 'one' }] } }),
      t3: { result: { Success: { items: [] } } },
    });
    expect(rows.filter((d) => d.row_type === 'tool_result').map((d) => [d.tool_use_id, d.text])).toEqual([
      ['t2', 'two'],
      ['t1', 'one'],
      ['t1', 'one again'],
      ['t3', ''],
    ]);
  });

  it('describes images of a result and shows items of unknown form', () => {
    const [row] = rowsOf([
      result('t1', [{ kind: 'image', data: { format: 'png', source: { bytes: [7] } } }, { kind: 'sound', data: 1 }, 9]),
    ]);
    expect([row?.text, row?.details?.images]).toEqual([
      '{"kind":"sound","data":1}\n9',
      [expect.objectContaining({ format: 'png', size: 1 })],
    ]);
  });

  it('does not decide what the store does not say', () => {
    expect(rowsOf([result('t1', [text('x')], 'maybe')])[0]).toMatchObject({
      status: 'unknown',
      outcome: 'ambiguous',
      details: { stored_status: 'maybe' },
    });
  });
});
