import { describe, expect, it } from 'vitest';
import { call, entry, pick, prompt, result, results, rows, said, told, utc } from './support.js';

const checkpoint = (tag: string, minute: number, history_snapshot: readonly unknown[], changes: object = {}) => ({
  tag,
  timestamp: utc(minute),
  description: `step ${tag}`,
  history_snapshot,
  is_turn: true,
  tool_name: null,
  ...changes,
});
const manager = (checkpoints: readonly unknown[], more: object = {}) => ({
  checkpoint_manager: { shadow_repo_path: '/shadow', work_tree_path: '/home/mira/shop', checkpoints, ...more },
});
const [a, b, c, d] = [0, 1, 2, 3].map((n) => entry(n, prompt(`p${n}`)));

describe('checkpoints', () => {
  it('give what history lacks, once, behind a notice', () => {
    const list = rows(
      [d],
      [],
      manager([checkpoint('0', 10, []), checkpoint('1', 11, [a, b]), checkpoint('2', 12, [a, b, c]), checkpoint('3', 13, [a, b, d])]),
    );
    expect(told(list).filter((line) => !/^(model|assistant)/.test(line))).toEqual([
      'prompt: p3',
      'session: session: checkpoint tag=0 turn=true: step 0',
      'session: session: checkpoint tag=1 turn=true: step 1',
      'recovered: checkpoint snapshot: tag=1 recovered=2 entries: step 1',
      'prompt: p0',
      'prompt: p1',
      'session: session: checkpoint tag=2 turn=true: step 2',
      'recovered: checkpoint snapshot: tag=2 recovered=1 entries: step 2',
      'prompt: p2',
      'session: session: checkpoint tag=3 turn=true: step 3',
    ]);
    expect(pick(list, 'prompt', 'text', 'recovered', 'confidence', 'timestamp_utc', 'source_pointer')).toEqual([
      ['p3', '', '', utc(3), '/history/0/user/content/Prompt/prompt'],
      ['p0', 'snapshot', 'complete', utc(0), '/checkpoint_manager/checkpoints/1/history_snapshot/0/user/content/Prompt/prompt'],
      ['p1', 'snapshot', 'complete', utc(1), '/checkpoint_manager/checkpoints/1/history_snapshot/1/user/content/Prompt/prompt'],
      ['p2', 'snapshot', 'complete', utc(2), '/checkpoint_manager/checkpoints/2/history_snapshot/2/user/content/Prompt/prompt'],
    ]);
    expect(pick(list, 'recovered', 'timestamp_utc', 'timestamp_source', 'recovered')[0]).toEqual([utc(11), 'record', 'snapshot']);
  });

  it('never repeat a call or its result', () => {
    const calls = [call('t1', 'fs_write', { path: '/a' })];
    const history = [entry(0, prompt('write'), { calls }), entry(1, results(result('t1', '')))];
    const list = rows(history, [], manager([checkpoint('1.1', 5, history)]));
    expect(pick(list, 'tool_use', 'recovered')).toEqual([['']]);
    expect(pick(list, 'tool_result', 'recovered')).toEqual([['']]);
    expect(pick(list, 'recovered', 'text')).toEqual([]);
  });

  it('a copy whose call was renamed to dummy later is the same entry', () => {
    const stored = (name: string) => entry(0, prompt('x'), { calls: [{ id: 't1', name, orig_name: 'lookup', args: {}, orig_args: {} }] });
    expect(pick(rows([stored('dummy')], [], manager([checkpoint('1', 5, [stored('lookup')])])), 'recovered', 'text')).toEqual([]);
  });

  it('name tool, description and changed files', () => {
    const list = rows(
      [a],
      [],
      manager([checkpoint('1.1', 5, [b], { is_turn: false, tool_name: 'fs_write', description: 'Fix type' })], {
        file_stats_cache: { '1.1': { added: 0, modified: 1, deleted: 2 } },
      }),
    );
    expect(told(list).filter((line) => /checkpoint/.test(line))).toEqual([
      'session: session: checkpoint tag=1.1 tool=fs_write added=0 modified=1 deleted=2: Fix type',
      'recovered: checkpoint snapshot: tag=1.1 tool=fs_write recovered=1 entries: Fix type',
    ]);
    expect(list.find((row) => row.text.startsWith('session: checkpoint'))).toMatchObject({
      tool_name: 'fs_write',
      details: { entries: 1 },
    });
  });

  it('entries without ids and times count by their place', () => {
    const bare = [{ ...a?.user, timestamp: null }, { Response: { message_id: null, content: 'same' } }];
    const list = rows([bare], [], manager([checkpoint('1', 5, [bare, bare])]));
    expect(pick(list, 'recovered', 'text')).toEqual([['checkpoint snapshot: tag=1 recovered=1 entries: step 1']]);
  });

  it('an unreadable time and an unreadable entry are kept', () => {
    const list = rows([a], [], manager([checkpoint('1', 5, [7], { timestamp: 'noon' }), 'x']));
    expect(list.find((row) => row.text.startsWith('session: checkpoint'))?.details).toMatchObject({ unreadable_timestamp: 'noon' });
    expect(pick(list, 'error', 'source_pointer', 'recovered')).toEqual([
      ['/checkpoint_manager/checkpoints/0/history_snapshot/0', 'snapshot'],
      ['/checkpoint_manager/checkpoints/1', ''],
    ]);
  });
});

describe('tangent mode', () => {
  const tangent = (main_history: readonly unknown[], changes: object = {}) => ({
    tangent_state: {
      main_history,
      main_next_message: null,
      main_transcript: [],
      main_latest_summary: null,
      tangent_start_time: [2026, 63, 21, 45, 12, 819902000, 0, 0, 0],
      ...changes,
    },
  });

  it('began at the time of its nine numbers', () => {
    const list = rows([a, b], [], tangent([a]));
    expect(pick(list, 'session', 'text', 'timestamp_utc', 'timestamp_source', 'timestamp_original')).toEqual([
      ['session: tangent mode entered entries=1 transcript=0', '2026-03-04T21:45:12.819Z', 'record', '[2026,63,21,45,12,819902000,0,0,0]'],
    ]);
    expect(pick(list, 'recovered', 'text')).toEqual([]);
  });

  it('holds what the history lacks', () => {
    const list = rows([b], [], tangent([a, b]));
    expect(told(list).slice(3)).toEqual([
      'session: session: tangent mode entered entries=2 transcript=0',
      'recovered: tangent mode: main conversation held aside, recovered=1 entries',
      'model: model: claude-sonnet-4.5',
      'prompt: p0',
      'assistant: answer 0',
    ]);
    expect(pick(list, 'prompt', 'recovered')).toEqual([[''], ['tangent']]);
  });

  it('accepts a text as time, and keeps what is none', () => {
    expect(pick(rows([a], [], tangent([], { tangent_start_time: '2026-03-04T22:45:12+01:00' })), 'session', 'timestamp_utc')).toEqual([
      ['2026-03-04T21:45:12.000Z'],
    ]);
    const [row] = rows([a], [], tangent([], { tangent_start_time: [2026, 400, 0] })).filter(({ row_type }) => row_type === 'session');
    expect(row).toMatchObject({ timestamp_utc: '', details: { unreadable_start: [2026, 400, 0] } });
  });

  it('its summary, pending message and transcript, where they differ', () => {
    const list = rows(
      [a],
      ['> p0', said('answer 0')],
      tangent([a], {
        main_latest_summary: ['earlier', null],
        main_next_message: b?.user,
        main_transcript: ['> p0', said('answer 0'), '> aside', said('gone')],
      }),
    );
    expect(told(list).slice(4)).toEqual(['summary: earlier', 'prompt: p1', 'prompt: aside', 'assistant: gone']);
    expect(list.slice(4).map((row) => [row.recovered, row.source_pointer])).toEqual([
      ['tangent', '/tangent_state/main_latest_summary/0'],
      ['', '/tangent_state/main_next_message/content/Prompt/prompt'],
      ['tangent', '/tangent_state/main_transcript/2'],
      ['tangent', '/tangent_state/main_transcript/3'],
    ]);
  });

  it('a summary that is that of the conversation comes once', () => {
    const latest_summary = ['same', null];
    expect(pick(rows([a], [], { latest_summary, ...tangent([a], { main_latest_summary: latest_summary }) }), 'summary', 'text')).toEqual([
      ['same'],
    ]);
  });
});
