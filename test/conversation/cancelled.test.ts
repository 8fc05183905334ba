import { describe, expect, it } from 'vitest';
import {
  CANCELLED,
  call,
  cancelled,
  DENY_N,
  entry,
  interruptedEntry,
  pick,
  prompt,
  result,
  results,
  rows,
  said,
  told,
  utc,
} from './support.js';

const bash = call('t1', 'execute_bash', { command: 'make' });
const write = call('t2', 'fs_write', { command: 'create', path: '/tmp/a' });
const ask = (...calls: ReturnType<typeof call>[]) => entry(0, prompt('build it'), { text: 'I will.', calls });
const decisions = (list: ReturnType<typeof rows>) => pick(list, 'permission', 'text', 'tool_use_id', 'decision', 'decided_by', 'problem');
const execution = (list: ReturnType<typeof rows>) =>
  list.filter((row) => row.row_type === 'permission').map((row) => row.details.execution);

describe('ways to a cancelled call', () => {
  it('a bare n: the fixed sentence is the decision, not a prompt', () => {
    const list = rows([ask(bash), entry(1, cancelled(DENY_N, 't1'))]);
    expect(told(list)).toEqual([
      'model: model: claude-sonnet-4.5',
      'prompt: build it',
      'assistant: I will.',
      'tool_use: {"command":"make"}',
      `tool_result: cancelled ${CANCELLED}`,
      'permission: permission decision: denied by=n',
      'assistant: answer 1',
    ]);
    expect(decisions(list)).toEqual([['permission decision: denied by=n', 't1', 'denied', 'n', '']]);
    expect(list[5]?.details).toEqual({ execution: 'no', message: DENY_N });
    expect(pick(list, 'tool_result', 'tool_name', 'tool_use_id', 'status', 'outcome', 'timestamp_utc', 'exit_code')).toEqual([
      ['execute_bash', 't1', 'canceled', 'ambiguous', utc(1), null],
    ]);
    expect(list[5]?.timestamp_utc).toBe(utc(1));
  });

  it.each(['n', 'N'])('the letter %s itself, as stored before 1.13', (letter) => {
    const pairs = [ask(bash), entry(1, cancelled(letter, 't1'))].map(({ user, assistant }) => [
      { ...user, timestamp: undefined },
      assistant,
    ]);
    const list = rows(pairs);
    expect(decisions(list)).toEqual([['permission decision: denied by=n', 't1', 'denied', 'n', '']]);
    expect(pick(list, 'prompt', 'text')).toEqual([['build it']]);
  });

  it('other text: abandoned, and the text is a prompt', () => {
    const list = rows([ask(bash), entry(1, cancelled('use cmake instead', 't1'))], ['> use cmake instead', said('answer 1')]);
    expect(decisions(list)).toEqual([['permission decision: abandoned by=user-text', 't1', 'abandoned', 'user-text', '']]);
    expect(execution(list)).toEqual(['no']);
    expect(pick(list, 'prompt', 'text', 'origin', 'source_pointer').at(-1)).toEqual([
      'use cmake instead',
      'typed',
      '/history/1/user/content/CancelledToolUses/prompt',
    ]);
  });

  it('a deny rule names its tool; another call of the message was cancelled with it', () => {
    const rule = 'Tool use with fs_write was rejected because the arguments supplied were forbidden';
    const list = rows([ask(bash, write), entry(1, cancelled(rule, 't1', 't2'))]);
    expect(decisions(list)).toEqual([
      [
        'permission decision: cancelled by=deny-rule tool=fs_write',
        't1',
        'cancelled',
        'deny-rule',
        'cancelled with another call of the same message that was denied',
      ],
      ['permission decision: denied by=deny-rule tool=fs_write', 't2', 'denied', 'deny-rule', ''],
    ]);
    expect(pick(list, 'prompt', 'text')).toEqual([['build it']]);
  });

  it('the deny rule text met as an ordinary prompt is a denial of that tool', () => {
    const rule = 'Tool use with fs_write was rejected because the arguments supplied were forbidden';
    const list = rows([entry(0, prompt(rule))]);
    expect(pick(list, 'permission', 'text', 'tool_name', 'tool_use_id')).toEqual([
      ['permission decision: denied by=deny-rule tool=fs_write', 'fs_write', ''],
    ]);
  });

  it('an interrupt: the call may have run, both sentences are the program’s', () => {
    const text = 'The user interrupted the tool execution.';
    const list = rows([ask(bash), interruptedEntry(1, cancelled(text, 't1'))]);
    expect(decisions(list)).toEqual([['permission decision: cancelled by=interrupt', 't1', 'cancelled', 'interrupt', '']]);
    expect(execution(list)).toEqual(['unknown']);
    expect(pick(list, 'prompt', 'text')).toEqual([['build it']]);
    expect(pick(list, 'assistant', 'text', 'origin', 'model', 'timestamp_utc', 'timestamp_source').at(-1)).toEqual([
      'Tool uses were interrupted, waiting for the next user prompt',
      'automatic',
      '',
      utc(1),
      'message',
    ]);
  });

  it('a repair: no time among dated messages; nobody refused anything', () => {
    const list = rows([ask(bash), entry(1, cancelled('go on', 't1'), {}, { user: { timestamp: null } })]);
    expect(decisions(list)).toEqual([
      ['permission decision: cancelled by=auto-repair execution=unknown', 't1', 'cancelled', 'auto-repair', ''],
    ]);
    expect(pick(list, 'prompt', 'text', 'origin', 'timestamp_utc', 'timestamp_source').at(-1)).toEqual([
      'go on',
      'unknown',
      utc(1, 1),
      'request_start',
    ]);
  });

  it('a repair whose prompt is the automatic one of a resumed session', () => {
    const text = 'In a few words, summarize our conversation so far.';
    const list = rows([ask(bash), entry(1, cancelled(text, 't1'), {}, { user: { timestamp: null } })]);
    expect(pick(list, 'prompt', 'text', 'origin').at(-1)).toEqual([text, 'automatic']);
  });

  it('a repair as the first entry left is still a prompt, not tool output', () => {
    const list = rows([entry(0, cancelled('go on', 't1'), {}, { user: { timestamp: null } }), entry(1, prompt('next'))]);
    expect(pick(list, 'prompt', 'text')).toEqual([['go on'], ['next']]);
  });

  it('free text in a conversation without times may be either', () => {
    const undated = [ask(bash), entry(1, cancelled('stop that', 't1'))].map(({ user, assistant }) => [
      { ...user, timestamp: undefined },
      assistant,
    ]);
    const list = rows(undated);
    expect(decisions(list)).toEqual([
      ['permission decision: abandoned by=user-text-or-repair execution=unknown', 't1', 'abandoned', 'user-text-or-repair', ''],
    ]);
    expect(list.every((row) => row.timestamp_utc === '' && row.timestamp_source === 'none')).toBe(true);
  });

  it('no text at all: by whom is not known', () => {
    const list = rows([ask(bash), entry(1, cancelled(null, 't1'))]);
    expect(decisions(list)).toEqual([['permission decision: cancelled', 't1', 'cancelled', 'unknown', '']]);
  });

  it('no results: the decision still comes out', () => {
    expect(decisions(rows([ask(bash), entry(1, cancelled(DENY_N))]))).toEqual([
      ['permission decision: denied by=n', '', 'denied', 'n', ''],
    ]);
  });
});

describe('two calls, one of them denied', () => {
  const history = [ask(bash, write), entry(1, cancelled(DENY_N, 't1', 't2'))];

  it('y then n: the first was approved and went with the second', () => {
    const list = rows(history, ['> build it', said('I will.', 'execute_bash', 'fs_write'), '> y', '> n', said('answer 1')]);
    expect(decisions(list)).toEqual([
      ['permission decision: approved by=y tools=execute_bash source=transcript', 't1', 'approved', 'y', ''],
      ['permission decision: cancelled by=n', 't1', 'cancelled', 'n', 'cancelled with another call of the same message that was denied'],
      ['permission decision: denied by=n', 't2', 'denied', 'n', ''],
    ]);
  });

  it('n alone: which call was asked about is not recorded', () => {
    const list = rows(history, ['> build it', said('I will.', 'execute_bash', 'fs_write'), '> n', said('answer 1')]);
    const doubt = 'one of 2 calls was denied and all were cancelled; which one is not recorded';
    expect(decisions(list)).toEqual([
      ['permission decision: denied by=n', 't1', 'denied', 'n', doubt],
      ['permission decision: denied by=n', 't2', 'denied', 'n', doubt],
    ]);
  });

  it('n alone, when the other call never asks: it is the one that was denied', () => {
    const todo = call('t0', 'todo_list', { command: 'lookup' });
    const list = rows(
      [ask(todo, bash), entry(1, cancelled(DENY_N, 't0', 't1'))],
      ['> build it', said('I will.', 'todo_list', 'execute_bash'), '> n', said('answer 1')],
    );
    expect(pick(list, 'permission', 'text', 'tool_use_id')).toEqual([
      ['permission decision: cancelled by=n', 't0'],
      ['permission decision: denied by=n', 't1'],
    ]);
  });
});

describe('results that say the call was never run', () => {
  it('blocked by a hook', () => {
    const list = rows([ask(bash), entry(1, results(result('t1', 'PreToolHook blocked the tool execution: no make', 'Error')))]);
    expect(pick(list, 'tool_result', 'status', 'outcome', 'text')).toEqual([
      ['blocked', 'fail', 'PreToolHook blocked the tool execution: no make'],
    ]);
    expect(decisions(list)).toEqual([['permission decision: blocked by=hook', 't1', 'denied', 'hook', '']]);
    expect(execution(list)).toEqual(['no']);
  });

  it.each(['Failed to validate tool parameters: path', 'Tool validation failed: args'])('refused for its arguments: %s', (text) => {
    const list = rows([ask(bash), entry(1, results(result('t1', text, 'Error')))]);
    expect(pick(list, 'tool_result', 'status', 'outcome')).toEqual([['failed', 'fail']]);
    expect(decisions(list)).toEqual([['permission decision: rejected by=validation', 't1', 'denied', 'validation', '']]);
  });
});
