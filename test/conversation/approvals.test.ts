import { describe, expect, it } from 'vitest';
import { call, entry, pick, prompt, result, results, rows, said, told, utc } from './support.js';

const bash = call('t1', 'execute_bash', { command: 'make' });
const write = call('t2', 'fs_write', { path: 'a' });
const todo = call('t3', 'todo_list', { command: 'lookup' });
type Call = typeof bash;

/** A prompt, the calls, the lines typed while they waited, their results. */
function approved(calls: readonly Call[], lines: readonly string[]) {
  const answered = calls.map(({ id }) => result(id, 'done'));
  return rows(
    [entry(0, prompt('build'), { calls }), entry(1, results(...answered))],
    ['> build', said('', ...calls.map(({ name }) => name)), ...lines.map((line) => `> ${line}`), said('answer 1')],
  );
}
const approvals = (list: ReturnType<typeof rows>) => pick(list, 'permission', 'text', 'tool_name', 'tool_use_id', 'problem');
const howRun = (list: ReturnType<typeof rows>) =>
  list.filter((row) => row.row_type === 'tool_result').map((row) => [row.tool_use_id, row.details.approval]);

describe('approvals, from the transcript', () => {
  it('y: one call, undated, between the call and the request that brought its result', () => {
    const list = approved([bash], ['y']);
    expect(told(list)).toEqual([
      'model: model: claude-sonnet-4.5',
      'prompt: build',
      'tool_use: {"command":"make"}',
      'permission: permission decision: approved by=y tools=execute_bash source=transcript',
      'tool_result: done',
      'assistant: answer 1',
    ]);
    const row = list[3];
    expect(row).toMatchObject({
      timestamp_utc: '',
      timestamp_source: 'none',
      decision: 'approved',
      decided_by: 'y',
      tool_name: 'execute_bash',
      tool_use_id: 't1',
      recovered: 'transcript',
      confidence: 'complete',
      source_pointer: '/transcript/2',
      details: { window: { after: utc(0, 5), before: utc(1) } },
    });
    expect(howRun(list)).toEqual([['t1', 'answered']]);
  });

  it('t trusts the tool for the session; capitals count too', () => {
    for (const letter of ['t', 'T']) {
      const list = approved([bash], [letter]);
      expect(approvals(list)).toEqual([
        ['permission decision: approved by=t tools=execute_bash source=transcript', 'execute_bash', 't1', ''],
      ]);
      expect(list.find((row) => row.row_type === 'permission')?.details.trust).toBe('for the rest of the session');
    }
    expect(approvals(approved([bash], ['Y']))[0]?.[0]).toBe('permission decision: approved by=y tools=execute_bash source=transcript');
  });

  it('as many answers as calls: in their order', () => {
    const list = approved([bash, write], ['y', 't']);
    expect(approvals(list)).toEqual([
      ['permission decision: approved by=y tools=execute_bash source=transcript', 'execute_bash', 't1', ''],
      ['permission decision: approved by=t tools=fs_write source=transcript', 'fs_write', 't2', ''],
    ]);
    expect(howRun(list)).toEqual([
      ['t1', 'answered'],
      ['t2', 'answered'],
    ]);
  });

  it('a tool that never asks has no answer', () => {
    const list = approved([todo, bash], ['y']);
    expect(approvals(list)).toEqual([
      ['permission decision: approved by=y tools=execute_bash source=transcript', 'execute_bash', 't1', ''],
    ]);
  });

  it('fewer answers than calls that can ask: no id, and that is said', () => {
    const list = approved([bash, write], ['y']);
    expect(approvals(list)).toEqual([
      [
        'permission decision: approved by=y tools=execute_bash,fs_write source=transcript',
        '',
        '',
        'which of 2 calls this answered is not recorded',
      ],
    ]);
    expect(howRun(list)).toEqual([
      ['t1', undefined],
      ['t2', undefined],
    ]);
  });

  it('the same tool twice, one answer: the tool is known, the call is not', () => {
    const list = approved([bash, { ...bash, id: 't9' }], ['y']);
    expect(approvals(list)).toEqual([
      [
        'permission decision: approved by=y tools=execute_bash,execute_bash source=transcript',
        'execute_bash',
        '',
        'which of 2 calls this answered is not recorded',
      ],
    ]);
  });

  it('no answer between two known neighbours: the call ran without being asked for', () => {
    expect(
      howRun(
        rows(
          [entry(0, prompt('hello')), entry(1, prompt('build'), { calls: [bash] }), entry(2, results(result('t1', 'done')))],
          ['> hello', said('answer 0'), '> build', said('', 'execute_bash'), said('answer 2')],
        ),
      ),
    ).toEqual([['t1', 'ran without being asked for']]);
  });

  it('without a transcript nothing is said of approvals', () => {
    const list = rows([entry(0, prompt('build'), { calls: [bash] }), entry(1, results(result('t1', 'done')))]);
    expect(approvals(list)).toEqual([]);
    expect(howRun(list)).toEqual([['t1', undefined]]);
  });

  it('commands typed while a call waits do not decide it', () => {
    const list = approved([bash], ['!ls', '/help', 'y']);
    expect(approvals(list)).toEqual([
      ['permission decision: approved by=y tools=execute_bash source=transcript', 'execute_bash', 't1', ''],
    ]);
    expect(pick(list, 'prompt', 'text')).toEqual([['build'], ['!ls'], ['/help']]);
  });

  it('y where nothing waits is a prompt', () => {
    const list = rows([entry(0, prompt('hello'))], ['> hello', said('answer 0'), '> y']);
    expect(approvals(list)).toEqual([]);
    expect(pick(list, 'prompt', 'text', 'problem').at(-1)).toEqual(['y', 'no answer to this prompt is stored']);
  });

  it('answers to calls that history no longer holds name the tools only', () => {
    const list = rows([], ['> build', said('', 'execute_bash', 'fs_write'), '> y', '> n', said('stopped')]);
    expect(approvals(list)).toEqual([
      ['permission decision: approved by=y tools=execute_bash,fs_write source=transcript', '', '', ''],
      ['permission decision: denied by=n tools=execute_bash,fs_write source=transcript', '', '', ''],
    ]);
  });
});

describe('commands, from the transcript', () => {
  const typed = (line: string) => rows([entry(0, prompt('hello'))], ['> hello', said('answer 0'), `> ${line}`]).slice(3);
  const grant = (tools: string, decision = 'granted') =>
    `permission: permission decision: ${decision} by=slash-command tools=${tools} source=transcript`;

  it.each([
    ['/tools trust-all', [grant('*')]],
    ['/acceptall', [grant('*')]],
    ['/tools trust fs_write execute_bash', [grant('fs_write'), grant('execute_bash')]],
    ['/tools untrust fs_write', [grant('fs_write', 'revoked')]],
    ['/tools reset', [grant('*', 'revoked')]],
    ['/tools', []],
    ['/tools schema', []],
    ['/clear', ['gap: gap: conversation cleared source=transcript: /clear']],
    ['/compact', ['gap: gap: conversation compacted source=transcript: /compact']],
    ['/compact keep the plan', ['gap: gap: conversation compacted source=transcript: /compact keep the plan']],
    ['/load x', ['gap: gap: conversation replaced by a loaded one source=transcript: /load x']],
    ['/checkpoint restore 1', ['gap: gap: history cut back to a checkpoint source=transcript: /checkpoint restore 1']],
    ['/checkpoint list', []],
    ['/clearly', []],
    ['/save out', []],
  ])('%s', (line, more) => {
    const list = typed(line);
    expect(told(list)).toEqual([`prompt: ${line}`, ...more]);
    expect(list[0]).toMatchObject({
      origin: 'typed',
      recovered: 'transcript',
      source_pointer: '/transcript/2',
      problem: '',
      timestamp_utc: '',
    });
    for (const row of list.slice(1)) expect(row.problem).toBe('typed; whether it was carried out is not recorded');
  });

  it('!cmd carries its command', () => {
    expect(pick(typed('! ls -la /etc '), 'prompt', 'text', 'command', 'problem')).toEqual([['! ls -la /etc ', 'ls -la /etc', '']]);
  });

  it('a prompt that was never answered', () => {
    expect(pick(typed('are you there?'), 'prompt', 'text', 'origin', 'problem')).toEqual([
      ['are you there?', 'typed', 'no answer to this prompt is stored'],
    ]);
  });

  it('line feeds of typed text are stored as `> ` and a line feed', () => {
    expect(told(typed('first> \nsecond> \n> quoted'))).toEqual(['prompt: first\nsecond\n> quoted']);
  });

  it('a program error stands as text of the program', () => {
    const list = rows([entry(0, prompt('hello'))], ['> hello', said('answer 0'), 'Authentication expired - please log in again']).slice(3);
    expect(pick(list, 'assistant', 'text', 'origin', 'recovered', 'source_pointer')).toEqual([
      ['Authentication expired - please log in again', 'automatic', 'transcript', '/transcript/2'],
    ]);
  });

  it('elements that are no text are kept', () => {
    const list = rows([entry(0, prompt('hello'))], ['> hello', said('answer 0'), 7, { a: 1 }]).slice(3);
    expect(told(list)).toEqual(['assistant: 7', 'assistant: {"a":1}']);
  });
});

describe('answers that history no longer holds', () => {
  const list = rows(
    [entry(0, prompt('new'))],
    ['> old', said('old answer'), '> more', said('Calling.', 'fs_read'), '> new', said('answer 0')],
  );

  it('come out undated ahead of the history, with the calls they name', () => {
    expect(told(list)).toEqual([
      'recovered: transcript: recovered=2 assistant messages that history does not hold',
      'gap: gap: history is shorter than the transcript missing=2 assistant messages',
      'prompt: old',
      'assistant: old answer',
      'prompt: more',
      'assistant: Calling.',
      'tool_use: ',
      'model: model: claude-sonnet-4.5',
      'prompt: new',
      'assistant: answer 0',
    ]);
    expect(list[5]).toMatchObject({ origin: 'agent', recovered: 'transcript', timestamp_utc: '', source_pointer: '/transcript/3' });
    expect(list[6]).toMatchObject({ tool_name: 'fs_read', confidence: 'partial', recovered: 'transcript' });
    expect(list[6]?.problem).toBe('the transcript names the tool only; arguments and result are not there');
  });

  it('are not repeated when a snapshot holds them', () => {
    const old = entry(0, prompt('old'), { text: 'old answer' });
    const checkpoints = [{ tag: '1', timestamp: utc(1), description: 'old', history_snapshot: [old], is_turn: true, tool_name: null }];
    const both = rows([entry(5, prompt('new'))], ['> old', said('old answer'), '> new', said('answer 5')], {
      checkpoint_manager: { checkpoints },
    });
    expect(told(both)).toEqual([
      'model: model: claude-sonnet-4.5',
      'prompt: new',
      'assistant: answer 5',
      'session: session: checkpoint tag=1 turn=true: old',
      'recovered: checkpoint snapshot: tag=1 recovered=1 entries: old',
      'model: model: claude-sonnet-4.5',
      'prompt: old',
      'assistant: old answer',
    ]);
  });
});
