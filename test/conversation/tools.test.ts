import { describe, expect, it } from 'vitest';
import { call, entry, json, pick, prompt, result, results, rows } from './support.js';

const ask = (...calls: ReturnType<typeof call>[]) => entry(0, prompt('go'), { calls });
const uses = (...calls: ReturnType<typeof call>[]) => rows([ask(...calls)]).filter((row) => row.row_type === 'tool_use');
const bash = call('t1', 'execute_bash', { command: 'make' });
const given = (...list: unknown[]) => rows([ask(bash), entry(1, results(...list))]).filter((row) => row.row_type === 'tool_result');
const output = (exit_status: unknown, stdout = 'out', stderr: unknown = '') => given(json('t1', { exit_status, stdout, stderr }))[0];

describe('calls', () => {
  it.each(['execute_bash', 'execute_cmd', 'shell'])('%s: the command has its column', (name) => {
    expect(uses(call('t1', name, { command: 'ls -la', summary: 'List' }))[0]).toMatchObject({
      tool_name: name,
      command: 'ls -la',
      text: '{"command":"ls -la","summary":"List"}',
    });
  });

  it('fs_write has a path, and its `command` is no shell command', () => {
    expect(uses(call('t1', 'fs_write', { command: 'create', path: '~/a.txt', file_text: 'x' }))[0]).toMatchObject({
      command: '',
      file_paths: ['~/a.txt'],
    });
  });

  it('fs_read: paths of all operations in order, and of the flat form of 1.10', () => {
    const operations = [
      { mode: 'Line', path: '/a' },
      { mode: 'Directory', path: '/b' },
      { mode: 'Image', image_paths: ['/c.png', '/d.png'] },
    ];
    expect(uses(call('t1', 'fs_read', { operations }))[0]?.file_paths).toEqual(['/a', '/b', '/c.png', '/d.png']);
    expect(uses(call('t1', 'fs_read', { mode: 'Image', image_paths: ['/e.png'] }))[0]?.file_paths).toEqual(['/e.png']);
  });

  it('a dummy name: the name and arguments the model gave, the stored ones beside them', () => {
    const dummy = { id: 't1', name: 'dummy', orig_name: 'lookup', args: {}, orig_args: { id: 7 } };
    expect(uses(dummy)[0]).toMatchObject({ tool_name: 'lookup', text: '{"id":7}', details: { stored_name: 'dummy', stored_args: {} } });
    const answered = rows([ask(dummy), entry(1, results(result('t1', 'found')))]);
    expect(pick(answered, 'tool_result', 'tool_name')).toEqual([['lookup']]);
  });

  it('without original name and arguments the stored ones serve', () => {
    expect(uses({ id: 't1', name: 'fs_read', args: { path: '/a' } })[0]).toMatchObject({
      tool_name: 'fs_read',
      text: '{"path":"/a"}',
      file_paths: ['/a'],
    });
  });

  it('the name the model gave, where it is another', () => {
    const metadata = {
      tool_use_ids_and_names: [
        ['t1', 'tickets___lookup'],
        ['t7', 'fs_write'],
      ],
    };
    const list = rows([entry(0, prompt('go'), { calls: [call('t1', 'lookup')] }, { metadata })]);
    expect(list.find((row) => row.row_type === 'tool_use')?.details).toMatchObject({
      name_by_model: 'tickets___lookup',
      tool_use_ids_and_names: [['t7', 'fs_write']],
    });
  });

  it('arguments of any form are shown', () => {
    expect(uses(call('t1', 'x', null), call('t2', 'x', 'text'), call('t3', 'x', [1, { a: '한' }])).map((row) => row.text)).toEqual([
      'null',
      'text',
      '[1,{"a":"한"}]',
    ]);
  });

  it('a whole number beyond 2^53 is flagged', () => {
    const [row] = uses(call('t1', 'x', { id: 12345678901234567000 }));
    expect(row?.problem).toBe('a number beyond 2^53 may be rounded');
    expect(uses(call('t1', 'x', { id: '12345678901234567890' }))[0]?.problem).toBe('');
  });
});

describe('exit codes', () => {
  it.each<[unknown, number | null, string]>([
    ['0', 0, 'pass'],
    ['1', 1, 'fail'],
    ['-1', -1, 'fail'],
    ['137', 137, 'fail'],
    [2, 2, 'fail'],
    ['exit status: 0', 0, 'pass'],
    ['exit status: 2', 2, 'fail'],
    ['exit code: 1', 1, 'fail'],
    ['signal: 9 (SIGKILL)', null, 'ambiguous'],
    ['', null, 'ambiguous'],
    ['1.5', null, 'ambiguous'],
    [null, null, 'ambiguous'],
  ])('%j', (stored, exit_code, outcome) => {
    expect(output(stored)).toMatchObject({ exit_code, outcome, status: 'completed' });
  });

  it('a bare 0 can also mean a signal; a later form cannot and is kept as stored', () => {
    expect(output('0')?.details.exit_code_note).toBe('also stored when a signal ended the command');
    expect(output('exit status: 0')?.details).toEqual({ exit_status: 'exit status: 0' });
    expect(output('signal: 9 (SIGKILL)')?.details).toEqual({ exit_status: 'signal: 9 (SIGKILL)' });
    expect(output('1')?.details).toEqual({});
  });
});

describe('results', () => {
  it('a command: its output, then its errors', () => {
    expect(output('0', 'out', '')?.text).toBe('out');
    expect(output('0', 'out', 'err')?.text).toBe('out\nstderr:\nerr');
    expect(output('0', 'out\n', 'err')?.text).toBe('out\nstderr:\nerr');
    expect(output('0', '', 'err')?.text).toBe('stderr:\nerr');
    expect(output('0', 'out', 5)).toMatchObject({ text: 'out', details: { result: { stderr: 5 } } });
  });

  it('in any order of members; further ones are kept', () => {
    const [row] = given(json('t1', { stderr: '', pid: 7, stdout: 'a', exit_status: '0' }));
    expect(row).toMatchObject({ text: 'a', exit_code: 0, details: { result: { pid: 7 } } });
  });

  it('an output that the program cut, and one that may have lost its beginning', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`).join('\n');
    expect(output('0', 'abc ... truncated')?.problem).toBe('stdout was cut by the program');
    expect(output('0', '', 'abc ... truncated')?.problem).toBe('stderr was cut by the program');
    const doubt = (name: string) => `${name} holds exactly 1024 lines: earlier lines may be missing`;
    expect(output('0', lines(1024))?.problem).toBe(doubt('stdout'));
    expect(output('0', `${lines(1024)}\n`, lines(1024))?.problem).toBe(`${doubt('stdout')}; ${doubt('stderr')}`);
    expect(output('0', lines(1023))?.problem).toBe('');
    expect(output('0', lines(1025))?.problem).toBe('');
  });

  it('an error of the tool', () => {
    expect(given(result('t1', 'An error occurred processing the tool: \nno such file', 'Error'))[0]).toMatchObject({
      status: 'failed',
      outcome: 'fail',
      exit_code: null,
      text: 'An error occurred processing the tool: \nno such file',
    });
  });

  it('a failed MCP call is stored as a success', () => {
    const answer = { content: [{ type: 'text', text: 'no access' }], isError: true };
    expect(given(json('t1', answer))[0]).toMatchObject({
      status: 'failed',
      outcome: 'fail',
      text: JSON.stringify(answer),
      details: { stored_status: 'Success' },
    });
    expect(given(json('t1', { content: [], isError: false }))[0]).toMatchObject({ status: 'completed', outcome: 'ambiguous' });
  });

  it('several blocks are joined by a line feed; a block of unknown form stays as it is', () => {
    const content = [{ Text: 'a' }, { Json: { b: 1 } }, { Json: null }, { Blob: 'c' }, 'd'];
    expect(given({ tool_use_id: 't1', content, status: 'Success' })[0]?.text).toBe('a\n{"b":1}\nnull\n{"Blob":"c"}\nd');
    expect(given({ tool_use_id: 't1', status: 'Success' })[0]).toMatchObject({ text: '', status: 'completed' });
  });

  it('a status of a later version, and none', () => {
    expect(given({ ...result('t1', 'a'), status: 'Pending' })[0]).toMatchObject({
      status: 'unknown',
      outcome: 'ambiguous',
      details: { stored_status: 'Pending' },
    });
    expect(given({ ...result('t1', 'a'), status: null })[0]).toMatchObject({ status: 'unknown', outcome: 'ambiguous', details: {} });
  });

  it('are joined by id: an orphan keeps its id and has no tool, a repeated one comes twice', () => {
    const list = given(result('gone', 'orphan'), result('t1', 'once'), result('t1', 'again'));
    expect(pick(list, 'tool_result', 'text', 'tool_use_id', 'tool_name')).toEqual([
      ['orphan', 'gone', ''],
      ['once', 't1', 'execute_bash'],
      ['again', 't1', 'execute_bash'],
    ]);
  });

  it('further members of a result are kept', () => {
    expect(given({ ...result('t1', 'a'), took: 5 })[0]?.details).toMatchObject({ took: 5 });
  });
});
