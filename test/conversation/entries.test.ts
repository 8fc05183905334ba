import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  at,
  bytesOf,
  call,
  conversation,
  draftsOf,
  entry,
  pick,
  prompt,
  result,
  results,
  rows,
  rowsOf,
  said,
  told,
  utc,
} from './support.js';

const bash = call('t1', 'execute_bash', { command: 'make' });

describe('rows of an entry', () => {
  it('stand in this order: model, prompt or results, context, answer, calls', () => {
    const user = { additional_context: 'branch: main' };
    const list = rows([
      entry(0, prompt('build'), { text: 'I will.', calls: [bash, call('t2', 'fs_read')] }, { user }),
      entry(
        1,
        results(result('t1', 'a'), result('t2', 'b')),
        {},
        { user: { additional_context: 'branch: dev' }, metadata: { model_id: 'm2' } },
      ),
    ]);
    expect(told(list)).toEqual([
      'model: model: claude-sonnet-4.5',
      'prompt: build',
      'context: branch: main',
      'assistant: I will.',
      'tool_use: {"command":"make"}',
      'tool_use: {}',
      'model: model: claude-sonnet-4.5 -> m2',
      'tool_result: a',
      'tool_result: b',
      'context: branch: dev',
      'assistant: answer 1',
    ]);
    expect(list.map((row) => row.source_pointer)).toEqual([
      '/history/0/request_metadata',
      '/history/0/user/content/Prompt/prompt',
      '/history/0/user/additional_context',
      '/history/0/assistant/ToolUse/content',
      '/history/0/assistant/ToolUse/tool_uses/0',
      '/history/0/assistant/ToolUse/tool_uses/1',
      '/history/1/request_metadata',
      '/history/1/user/content/ToolUseResults/tool_use_results/0',
      '/history/1/user/content/ToolUseResults/tool_use_results/1',
      '/history/1/user/additional_context',
      '/history/1/assistant/Response/content',
    ]);
    expect(list[2]).toMatchObject({ origin: 'injected', timestamp_utc: utc(0) });
    expect(list.every((row) => row.source_line === 7 && row.session_id !== '' && row.project_path === '/home/mira/shop')).toBe(true);
  });

  it('additional context comes once until it changes, and again after it was gone', () => {
    const context = (n: number, text: string) => entry(n, prompt(`p${n}`), {}, { user: { additional_context: text } });
    const list = rows([context(0, 'x'), context(1, 'x'), context(2, ''), context(3, 'x')]);
    expect(pick(list, 'context', 'source_pointer')).toEqual([
      ['/history/0/user/additional_context'],
      ['/history/3/user/additional_context'],
    ]);
  });

  it('an answer without text that makes calls has no text row; one without both has an empty one', () => {
    expect(pick(rows([entry(0, prompt('a'), { calls: [bash] })]), 'assistant', 'text')).toEqual([]);
    expect(pick(rows([entry(0, prompt('a'), { text: '' })]), 'assistant', 'text')).toEqual([['']]);
  });

  it('ids and the figures of the request: ids on every row of the answer, figures on the first', () => {
    const list = rows([entry(0, prompt('a'), { text: 'b', calls: [bash] })]).slice(2);
    expect(list.map((row) => [row.row_type, row.message_id, row.request_id, row.duration_ms])).toEqual([
      ['assistant', 'm0', 'r0', 4000],
      ['tool_use', 'm0', 'r0', null],
    ]);
    expect(list[0]?.details).toEqual({
      request_start_timestamp_ms: at(0, 1),
      user_prompt_length: 10,
      response_size: 20,
      chat_conversation_type: 'ToolUse',
    });
    expect(list[1]?.details).toEqual({});
  });

  it('the directory and the system, where they change', () => {
    const inFolder = (n: number, current_working_directory: string) =>
      entry(n, prompt(`p${n}`), {}, { user: { env_context: { env_state: { operating_system: 'linux', current_working_directory } } } });
    const list = rows([inFolder(0, '/home/mira/shop'), inFolder(1, '/srv'), inFolder(2, '/srv'), inFolder(3, '/home/mira/shop')]);
    expect(list.filter((row) => row.row_type === 'prompt').map((row) => row.details)).toEqual([
      { operating_system: 'linux' },
      { working_directory: '/srv' },
      {},
      {},
    ]);
  });

  it('environment variables, which no version writes', () => {
    const env_context = {
      env_state: {
        environment_variables: [
          { key: 'A', value: '1' },
          { key: 'B', value: '2' },
        ],
      },
    };
    expect(pick(rows([entry(0, prompt('a'), {}, { user: { env_context } })]), 'context', 'text')).toEqual([['environment:\nA=1\nB=2']]);
  });
});

describe('times', () => {
  const time = (list: ReturnType<typeof rows>, type: 'prompt' | 'assistant' | 'tool_use' | 'tool_result') =>
    pick(list, type, 'timestamp_utc', 'timestamp_source', 'timestamp_original').at(-1);
  const one = (changes: Parameters<typeof entry>[3]) => rows([entry(0, prompt('a'), { text: 'b', calls: [bash] }, changes)]);

  it('of the prompt: its own, else the start of its request', () => {
    expect(time(one({}), 'prompt')).toEqual([utc(0), 'message', utc(0)]);
    const without = one({ user: { timestamp: null } });
    expect(time(without, 'prompt')).toEqual([utc(0, 1), 'request_start', String(at(0, 1))]);
  });

  it('of results: the start of the request that delivered them; their own where it is stored', () => {
    const delivered = (timestamp: string | null) =>
      rows([entry(0, prompt('a'), { calls: [bash] }), entry(1, results(result('t1', 'x')), {}, { user: { timestamp } })]);
    expect(time(delivered(null), 'tool_result')).toEqual([utc(1, 1), 'request_start', String(at(1, 1))]);
    expect(time(delivered('2025-11-14T09:00:30Z'), 'tool_result')).toEqual(['2025-11-14T09:00:30.000Z', 'message', '2025-11-14T09:00:30Z']);
  });

  it('of answer and calls: the end of the stream, else the start of the request, else the message', () => {
    for (const type of ['assistant', 'tool_use'] as const) {
      expect(time(one({}), type)).toEqual([utc(0, 5), 'stream_end', String(at(0, 5))]);
      expect(time(one({ metadata: { stream_end_timestamp_ms: null } }), type)).toEqual([utc(0, 1), 'request_start', String(at(0, 1))]);
      expect(time(one({ metadata: null }), type)).toEqual([utc(0), 'message', utc(0)]);
    }
  });

  it('nine digits are cut, not rounded; an offset is taken into account; both stay as stored', () => {
    const stamp = '2025-11-14T09:12:03.481999999+09:00';
    expect(time(one({ user: { timestamp: stamp } }), 'prompt')).toEqual(['2025-11-14T00:12:03.481Z', 'message', stamp]);
    expect(
      draftsOf(bytesOf(conversation([entry(0, prompt('a'), {}, { user: { timestamp: stamp } })]))).find((d) => d.row_type === 'prompt')
        ?.time?.ns,
    ).toBe(999_999);
  });

  it('a stamp that is no time is kept beside the time of the request', () => {
    const list = one({ user: { timestamp: 'yesterday' } });
    expect(time(list, 'prompt')).toEqual([utc(0, 1), 'request_start', String(at(0, 1))]);
    expect(list[1]?.details.unreadable_timestamp).toBe('yesterday');
  });

  it('a local time without offset is no time', () => {
    const list = one({ user: { timestamp: '2025-11-14T09:12:03' }, metadata: null });
    expect(list.every((row) => row.timestamp_utc === '')).toBe(true);
    expect(list.find((row) => row.row_type === 'prompt')?.details.unreadable_timestamp).toBe('2025-11-14T09:12:03');
  });

  it.each([0, -5, 9e15])('%d is no time of a request, and is kept', (stream_end_timestamp_ms) => {
    const list = one({ metadata: { stream_end_timestamp_ms } });
    expect(time(list, 'assistant')).toEqual([utc(0, 1), 'request_start', String(at(0, 1))]);
    expect(list.find((row) => row.row_type === 'assistant')).toMatchObject({ duration_ms: null, details: { stream_end_timestamp_ms } });
  });

  it('a stream that ended before it began has no duration', () => {
    expect(pick(one({ metadata: { stream_end_timestamp_ms: at(0, 0) } }), 'assistant', 'duration_ms')).toEqual([[null]]);
  });
});

describe('model', () => {
  const models = (list: ReturnType<typeof rows>) => pick(list, 'model', 'text', 'source_pointer');
  const used = (n: number, model_id: string | null) => entry(n, prompt(`p${n}`), {}, { metadata: { model_id } });

  it('the first, and each change', () => {
    expect(models(rows([used(0, 'a'), used(1, 'a'), used(2, 'b'), used(3, 'a')]))).toEqual([
      ['model: a', '/history/0/request_metadata'],
      ['model: a -> b', '/history/2/request_metadata'],
      ['model: b -> a', '/history/3/request_metadata'],
    ]);
  });

  it('an entry without metadata keeps the model of the one before it, not that of the conversation', () => {
    const list = rows([used(0, 'a'), entry(1, prompt('p1'), {}, { metadata: null }), used(2, 'a')], [], { model_info: { model_id: 'z' } });
    expect(models(list)).toEqual([['model: a', '/history/0/request_metadata']]);
    expect(pick(list, 'assistant', 'model')).toEqual([['a'], ['a'], ['a']]);
    expect(list.filter((row) => row.row_type === 'assistant').map((row) => row.details.model_source)).toEqual([
      undefined,
      'previous entry',
      undefined,
    ]);
  });

  it('model_info only where no request names one', () => {
    const list = rows([used(0, null), used(1, null)], [], { model_info: { model_id: 'z' } });
    expect(models(list)).toEqual([['model: z source=model_info', '/history/0/request_metadata']]);
    expect(list.filter((row) => row.row_type === 'assistant').map((row) => [row.model, row.details.model_source])).toEqual([
      ['z', 'model_info'],
      ['z', 'model_info'],
    ]);
  });

  it('the older `model`, where there is no model_info', () => {
    const members = { model_info: undefined, model: 'CLAUDE_3_7_SONNET_20250219_V1_0' };
    expect(models(rows([used(0, null)], [], members))).toEqual([
      ['model: CLAUDE_3_7_SONNET_20250219_V1_0 source=model', '/history/0/request_metadata'],
    ]);
    expect(models(rows([], [], members))).toEqual([['model: CLAUDE_3_7_SONNET_20250219_V1_0 source=model', '/model']]);
  });

  it('none at all', () => {
    expect(models(rows([used(0, null)], [], { model_info: null }))).toEqual([]);
  });
});

describe('stored forms', () => {
  it('pairs, triples and objects, mixed', () => {
    const [a, b, c] = [entry(0, prompt('a')), entry(1, prompt('b')), entry(2, prompt('c'))];
    const list = rows([[a?.user, a?.assistant], [b?.user, b?.assistant, b?.request_metadata], c]);
    expect(pick(list, 'prompt', 'text', 'source_pointer')).toEqual([
      ['a', '/history/0/0/content/Prompt/prompt'],
      ['b', '/history/1/0/content/Prompt/prompt'],
      ['c', '/history/2/user/content/Prompt/prompt'],
    ]);
    expect(pick(list, 'assistant', 'text', 'source_pointer', 'request_id', 'timestamp_source')).toEqual([
      ['answer 0', '/history/0/1/Response/content', '', 'message'],
      ['answer 1', '/history/1/1/Response/content', 'r1', 'stream_end'],
      ['answer 2', '/history/2/assistant/Response/content', 'r2', 'stream_end'],
    ]);
    expect(pick(list, 'error', 'text')).toEqual([]);
  });

  it('a tag of a later version: its raw form in an error row, the rest of the entry beside it', () => {
    const later = { Spoken: { audio: 'x' } };
    const list = rows([entry(0, later), { ...entry(1, prompt('a')), assistant: { Sung: { score: 7 } } }, entry(2, 'Silence')]);
    expect(told(list).filter((line) => !line.startsWith('model'))).toEqual([
      'error: parser: unknown kind of user message: Spoken',
      'assistant: answer 0',
      'prompt: a',
      'error: parser: unknown kind of assistant message: Sung',
      'error: parser: unknown kind of user message: Silence',
      'assistant: answer 2',
    ]);
    expect(list.filter((row) => row.row_type === 'error').map((row) => row.details.raw)).toEqual([
      later,
      { Sung: { score: 7 } },
      'Silence',
    ]);
  });

  it('unknown fields, wherever they stand', () => {
    const odd = entry(0, { Prompt: { prompt: 'a', mood: 'calm' } }, { calls: [{ ...bash, color: 'red' } as typeof bash] });
    (odd.user as { later?: number }).later = 1;
    (odd.user.env_context as { more?: number }).more = 2;
    const list = rows([{ ...odd, weight: 3 }]);
    expect(list.find((row) => row.row_type === 'prompt')?.details).toMatchObject({ later: 1 });
    const row = list.find(({ text }) => text.startsWith('unknown fields'));
    expect(row).toMatchObject({ row_type: 'context', problem: 'fields of a version not known here', source_pointer: '/history/0' });
    expect(row?.details).toEqual({
      weight: 3,
      'user.env_context.more': 2,
      'user.content.Prompt.mood': 'calm',
      'assistant.ToolUse.tool_uses.0.color': 'red',
    });
  });
});

describe('a field of the wrong type costs one error row', () => {
  const errorsOf = (list: ReturnType<typeof rows>) => pick(list, 'error', 'text', 'source_pointer');
  const rest = (list: ReturnType<typeof rows>) => told(list).filter((line) => !/^(model|error)/.test(line));
  const [first] = [entry(0, prompt('a'))];

  it.each<[string, unknown, string]>([
    ['timestamp', { ...first, user: { ...first?.user, timestamp: 5 } }, 'user.timestamp=5'],
    ['images', { ...first, user: { ...first?.user, images: 'none' } }, 'user.images=none'],
    ['env_context', { ...first, user: { ...first?.user, env_context: [1] } }, 'user.env_context=[1]'],
    ['additional_context', { ...first, user: { ...first?.user, additional_context: {} } }, 'user.additional_context={}'],
    ['request_metadata', { ...first, request_metadata: 'lost' }, 'request_metadata=lost'],
    ['message_id', { ...first, assistant: { Response: { message_id: 9, content: 'answer 0' } } }, 'assistant.Response.message_id=9'],
  ])('%s', (_, stored, odd) => {
    const list = rows([stored]);
    expect(errorsOf(list)).toEqual([[`parser: field of unexpected shape set aside: ${odd}`, '/history/0']]);
    expect(rest(list)).toEqual(['prompt: a', 'assistant: answer 0']);
  });

  it('a result or a call without its id: the others come out', () => {
    const list = rows([
      entry(0, prompt('a'), { calls: [bash, { name: 'fs_read' } as typeof bash] }, { metadata: { tool_use_ids_and_names: [] } }),
      entry(1, results({ content: [] }, result('t1', 'done'))),
    ]);
    expect(errorsOf(list)).toEqual([
      ['parser: field of unexpected shape set aside: assistant.ToolUse.tool_uses.1={"name":"fs_read"}', '/history/0'],
      ['parser: field of unexpected shape set aside: user.content.ToolUseResults.tool_use_results.0={"content":[]}', '/history/1'],
    ]);
    expect(rest(list)).toEqual(['prompt: a', 'tool_use: {"command":"make"}', 'tool_result: done', 'assistant: answer 1']);
  });

  it.each<[string, unknown, string]>([
    ['no entry', 7, 'entry: unexpected shape'],
    ['no user message', { assistant: { Response: { content: 'x' } } }, 'user: Invalid input: expected object, received undefined'],
    ['no content', { ...first, user: {} }, 'user.content: Invalid input'],
    ['no prompt', entry(0, { Prompt: {} }), 'user.content.Prompt.prompt: Invalid input: expected string, received undefined'],
  ])('%s: the entry is lost, its neighbours are not', (_, stored, why) => {
    const list = rows([entry(4, prompt('before')), stored, entry(5, prompt('after'))]);
    expect(pick(list, 'error', 'source_pointer')).toEqual([['/history/1']]);
    expect(list.find((row) => row.row_type === 'error')?.text).toContain(`history entry could not be read (${why}`);
    expect(list.find((row) => row.row_type === 'error')?.details.raw).toEqual(stored);
    expect(pick(list, 'prompt', 'text')).toEqual([['before'], ['after']]);
  });
});

describe('messages around the history', () => {
  it('next_message: a prompt that was not answered', () => {
    const list = rows([entry(0, prompt('a'))], [], { next_message: entry(1, prompt('b')).user });
    expect(pick(list, 'prompt', 'text', 'problem', 'timestamp_utc', 'source_pointer').at(-1)).toEqual([
      'b',
      'not answered',
      utc(1),
      '/next_message/content/Prompt/prompt',
    ]);
    expect(pick(list, 'assistant', 'text')).toEqual([['answer 0']]);
  });

  it('next_message that cannot be read', () => {
    const list = rows([], [], { next_message: { content: 5 } });
    expect(pick(list, 'error', 'source_pointer')).toEqual([['/next_message']]);
  });

  it('latest_summary with its request, and as a plain string', () => {
    const { request_metadata } = entry(3, prompt('x'));
    const metadata = { ...(request_metadata as object), message_meta_tags: ['Compact'] };
    const [row] = rows([], [], { latest_summary: ['* earlier work', metadata] }).filter(({ row_type }) => row_type === 'summary');
    expect(row).toMatchObject({
      text: '* earlier work',
      origin: 'agent',
      model: 'claude-sonnet-4.5',
      message_id: 'm3',
      request_id: 'r3',
      timestamp_utc: utc(3, 5),
      timestamp_source: 'stream_end',
      source_pointer: '/latest_summary/0',
    });
    expect(row?.details).toMatchObject({ message_meta_tags: ['Compact'], user_prompt_length: 10 });
    expect(pick(rows([], [], { latest_summary: '* earlier' }), 'summary', 'text', 'timestamp_utc', 'source_pointer')).toEqual([
      ['* earlier', '', '/latest_summary'],
    ]);
  });

  it('a conversation without id says so and keeps its rows', () => {
    const list = rows([entry(0, prompt('a'))], [], { conversation_id: 5 });
    expect(pick(list, 'error', 'text')).toEqual([['parser: conversation without conversation_id']]);
    expect(pick(list, 'prompt', 'text', 'session_id')).toEqual([['a', '']]);
  });
});

describe('images', () => {
  it('give format, size and hash, never their bytes', () => {
    const png = [137, 80, 78, 71, 13, 10, 26, 10];
    const images = [
      { format: 'Png', source: { Bytes: png } },
      { format: 'Gif', source: 'Unknown' },
      'x',
      { format: 'Jpeg', source: { Bytes: [256] } },
    ];
    const list = rows([
      entry(0, prompt('look'), { calls: [bash] }),
      entry(1, results(result('t1', 'See images data supplied')), {}, { user: { images } }),
    ]);
    const row = list.find(({ row_type }) => row_type === 'tool_result');
    expect(row?.details.images).toEqual([
      { format: 'Png', size: 8, sha256: createHash('sha256').update(Buffer.from(png)).digest('hex') },
      { format: 'Gif', source: 'Unknown' },
      { problem: 'image of unexpected shape' },
      { format: 'Jpeg', problem: 'image bytes of unexpected shape' },
    ]);
    expect(JSON.stringify(list)).not.toContain('137');
  });
});

describe('version', () => {
  const version = (history: readonly unknown[], members: object) => {
    const value = { conversation_id: 'x', history, transcript: [], ...members };
    return /version=(\S+)/.exec(rowsOf(draftsOf(bytesOf(value)))[0]?.text ?? '')?.[1];
  };
  const stamped = (timestamp: string | undefined) => ({ ...entry(0, prompt('a'), {}, { user: { timestamp } }) });
  const old = stamped(undefined);

  it.each<[string, readonly unknown[], object]>([
    ['>=1.17.0', [old], { checkpoint_manager: null }],
    ['>=1.15.0', [old], { tangent_state: { main_history: [] } }],
    ['>=1.15.0', [stamped('2025-11-14T09:00:00+01:00')], { mcp_enabled: true }],
    ['>=1.14.1', [stamped('2025-11-14T09:00:00Z')], { mcp_enabled: true, model_info: {} }],
    ['>=1.14.0', [old], { model_info: {} }],
    ['>=1.13.3', [stamped('2025-11-14T09:00:00Z')], {}],
    ['>=1.13.2', [old], { file_line_tracker: {} }],
    ['>=1.13.0', [old], {}],
    ['>=1.13.0', [], { latest_summary: ['x', {}] }],
    ['1.10-1.12', [[old.user, old.assistant]], { latest_summary: 'x' }],
  ])('%s', (hint, history, members) => {
    expect(version(history, members)).toBe(hint);
  });
});

it('answers and history align from the end, also when a text repeats', () => {
  const history = [0, 1, 2].map((n) => entry(n, prompt(`p${n}`), { text: 'ok' }));
  const list = rows(history, ['> p0', said('ok'), '> lost', '> p1', said('ok'), '> p2', said('ok')]);
  expect(pick(list, 'prompt', 'text', 'origin', 'recovered')).toEqual([
    ['p0', 'typed', ''],
    ['lost', 'typed', 'transcript'],
    ['p1', 'typed', ''],
    ['p2', 'typed', ''],
  ]);
  expect(pick(list, 'assistant', 'recovered')).toEqual([[''], [''], ['']]);
});

it('an answer without text stands in the transcript with its tools only, with or without a line feed', () => {
  for (const element of ['\n[Tool uses: execute_bash]', '[Tool uses: execute_bash]']) {
    const list = rows([entry(0, prompt('a'), { calls: [bash] })], ['> a', element]);
    expect(told(list)).toEqual(['model: model: claude-sonnet-4.5', 'prompt: a', 'tool_use: {"command":"make"}']);
  }
});
