import { describe, expect, it } from 'vitest';
import type { Draft } from '../../src/rows/draft.js';
import { at, LOG, line, read, rowsOf } from '../support/kiro-v3-log.js';

const user = (content: string) => ({ type: 'user', content });
const tombstone = (kind: string, effectiveFromMessageId: string) => ({ type: 'tombstone', kind, effectiveFromMessageId });
const marks = (rows: readonly Draft[]) =>
  rows.map((d) => [d.message_id, d.recovered ?? '', d.details?.superseded_by ?? d.details?.out_of_context ?? d.details?.removed_by ?? '']);

describe('tombstones', () => {
  it('marks what a revert takes out, and drops nothing', () => {
    const rows = rowsOf([user('a'), user('b'), user('c'), tombstone('checkpoint_revert', 'r2'), user('d')]);
    expect(marks(rows)).toEqual([
      ['r1', '', ''],
      ['r2', 'superseded', 'r4'],
      ['r3', 'superseded', 'r4'],
      ['r4', '', ''],
      ['r5', '', ''],
    ]);
    expect(rows[3]?.text).toBe('session: tombstone kind=checkpoint_revert from=r2 records=2');
    expect(rows[1]?.details?.superseded_by).toBe('r4');
  });

  it('marks what a summary takes out of the context only, and lets a later one name the summary', () => {
    const summary = { type: 'assistant', content: 's', operationType: 'Summary' };
    const rows = rowsOf([user('a'), tombstone('summarization', 'r1'), summary, user('b'), tombstone('checkpoint_revert', 'r3'), user('c')]);
    expect(marks(rows)).toEqual([
      ['r1', '', 'r2'],
      ['r2', '', ''],
      ['r3', 'superseded', 'r5'],
      ['r4', 'superseded', 'r5'],
      ['r5', '', ''],
      ['r6', '', ''],
    ]);
    expect(rows[0]?.details?.out_of_context).toBe('r2');
  });

  it('takes nothing out when the record it names is not there or was taken out before', () => {
    const rows = rowsOf([
      user('a'),
      user('b'),
      tombstone('checkpoint_revert', 'r2'),
      tombstone('checkpoint_revert', 'r2'),
      tombstone('checkpoint_revert', 'x'),
    ]);
    expect(rows.slice(3).map((d) => d.problem)).toEqual(
      Array(2).fill('the record it names is not in the log, or was taken out before: nothing is taken out'),
    );
    expect(marks(rows)[0]).toEqual(['r1', '', '']);
  });

  it('does not take a kind it does not know for a revert', () => {
    const [row] = rowsOf([user('a'), tombstone('new_kind', 'r1')]);
    expect([row?.recovered, row?.details?.removed_by]).toEqual([undefined, 'r2']);
  });

  it('says which changes were taken back', () => {
    const rows = rowsOf([
      { type: 'tool_call', toolCallId: 'c', toolName: 'fs_write', args: {} },
      { type: 'tool_revert', toolCallId: 'c' },
    ]);
    expect(rows[0]?.details?.changes_reverted).toBe(true);
    expect(rows[1]).toMatchObject({ text: 'session: changes of a call taken back tool=fs_write call=c', tool_use_id: 'c' });
  });
});

describe('repairs', () => {
  it('have no time of their own', () => {
    const call = { type: 'tool_call', toolCallId: 'c', toolName: 'execute_bash', args: { command: 'ls' }, status: 'running' };
    const result = { type: 'tool_result', toolCallId: 'c', content: 'Interrupted\nExit Code: 1', success: false, durationMs: 0 };
    const rows = read(
      [line('c-call', 1, call), line('c-result-synthetic', 500, result), line('e-turn-end-synthetic', 500, { type: 'turn_end' })].join(
        '\n',
      ),
    );
    expect(rows.map((d) => [d.row_type, d.time?.original, d.details?.synthetic, d.details?.reload_time])).toEqual([
      ['tool_use', at(1), undefined, undefined],
      ['tool_result', undefined, true, at(500)],
      ['session', undefined, true, at(500)],
    ]);
    expect(rows[1]).toMatchObject({ status: 'unknown', outcome: 'ambiguous', exit_code: null, duration_ms: null });
    expect(rows[1]?.problem).toContain('written when the session was loaded again');
  });
});

describe('forks', () => {
  it('rank behind what they were copied from, under the same identity', () => {
    const fork = JSON.stringify({ id: 'sess_f', createdReason: 'rewind', parentSessionId: 'sess_p' });
    const file = LOG.replace(/sess_[^/]+/, 'sess_f');
    const [copy] = rowsOf([user('a')], { 'session.json': fork }, file);
    const [original] = rowsOf([user('a')]);
    expect(copy?.identity).toBe(original?.identity);
    expect([original?.rank, copy?.rank, copy?.session_id, copy?.parent_session_id]).toEqual([0, 1, 'sess_f', 'sess_p']);
  });

  it('of which a subagent is none', () => {
    expect(rowsOf([user('a')], { 'session.json': '{"createdReason":"subagent"}' })[0]?.rank).toBe(0);
  });
});

describe('converted sessions', () => {
  const OLD = '7d0e1c52-1111-4222-8333-444444444444';
  const file = LOG.replace(/sess_[^/]+/, `cli_${OLD}_ab12cd34`);

  it('keep prompts dated, leave converted rows undated, and share identities with the older store', () => {
    const rows = read(
      [
        line('p1', 1, user('hello')),
        line('a1-thinking-0', 100, { type: 'assistant', content: 'hm', operationType: 'Reasoning' }),
        line('a1-text-1', 100, { type: 'assistant', content: 'one', operationType: 'Say' }),
        line('a1-text-2', 100, { type: 'assistant', content: 'two', operationType: 'Say' }),
        line('a1-tool-3', 101, { type: 'tool_call', toolCallId: 't1', toolName: 'shell', args: { command: 'ls' }, status: 'completed' }),
        line('t1-result', 101, { type: 'tool_result', toolCallId: 't1', content: 'x', success: true }),
        line('a2-text-0', 101, { type: 'assistant', content: 'end', operationType: 'Say' }),
        line('u2', 200, user('go on')),
        line('u3-say', 201, { type: 'assistant', content: 'native', operationType: 'Say' }),
      ].join('\n'),
      file,
    );
    const id = (...parts: unknown[]) => [OLD, ...parts].join('\u0000');
    expect(rows.map((d) => [d.row_type, d.time?.original, d.details?.conversion_time, d.identity, d.rank])).toEqual([
      ['prompt', at(1), undefined, id('prompt', `second ${Date.parse(at(1)) / 1000}`, 0), 1],
      ['thinking', undefined, at(100), id('thinking', 'a1', 0), 1],
      ['assistant', undefined, at(100), id('assistant', 'a1', 0), 1],
      ['assistant', undefined, at(100), id('assistant', 'a1', 1), 1],
      ['tool_use', undefined, at(101), id('tool_use', 't1', 0), 1],
      ['tool_result', undefined, at(101), id('tool_result', 't1', 0), 1],
      ['assistant', undefined, at(101), id('assistant', 'a2', 0), 1],
      ['prompt', at(200), undefined, id('prompt', `second ${Date.parse(at(200)) / 1000}`, 0), 1],
      ['assistant', at(201), undefined, `kiro-v3\u0000assistant\u0000u3-say\u0000${at(201)}\u00000`, 1],
    ]);
    expect(rows[4]?.details).not.toHaveProperty('approval');
  });

  it('stay undated in a fork, under the same identity', () => {
    const answer = line('a1-text-0', 100, { type: 'assistant', content: 'one' });
    const parent = file.split('/').at(-2);
    const fork = JSON.stringify({ createdReason: 'rewind', parentSessionId: parent });
    const [original] = read(answer, file);
    const [copy] = read(answer, LOG, { 'session.json': fork });
    const [orphan] = read(answer);
    expect([copy?.time, copy?.identity, copy?.details?.conversion_time]).toEqual([undefined, original?.identity, at(100)]);
    expect([orphan?.time, orphan?.details?.conversion_time]).toEqual([undefined, at(100)]);
  });
});
