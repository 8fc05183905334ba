import { describe, expect, it } from 'vitest';
import { kiroV2Journal } from '../../src/parsers/kiro-v2/journal.js';
import { call, FOLDER, journalRows, record, result, SESSION, START, sessionFile, shown, text } from '../support/kiro-v2-session.js';
import { draftsOf } from '../support/memory-source.js';

const TURN = { message_ids: ['p1', null, 'a1', 'r1', 'a2'], end_reason: 'UserTurnEnd', end_timestamp: '2026-07-02T07:15:22.599156783Z' };

describe('messages', () => {
  it('gives a prompt with its time, session and place', () => {
    const rows = journalRows([record.prompt('p1', 'count the orders')], { json: sessionFile([]) });
    expect(rows).toEqual([
      {
        row_type: 'prompt',
        text: 'count the orders',
        time: { ms: Date.parse('2026-07-02T07:15:00Z'), ns: 0, source: 'message', original: String(START) },
        session_id: SESSION,
        project_path: '/srv/shop',
        parent_session_id: '',
        message_id: 'p1',
        model: '',
        origin: 'unknown',
        textKey: 'count the orders',
        source_line: 1,
        source_offset: 0,
        source_pointer: '/data/content/0',
        rank: 0,
        identity: `${SESSION}\u0000prompt\u0000second ${START}\u00000`,
        details: {},
        problem: '',
      },
    ]);
  });

  it.each([
    [1770983426, '2026-02-13T11:50:26.000Z', '1770983426'],
    [1770983426.420942, '2026-02-13T11:50:26.420Z', '1770983426.420942'],
    ['1770983426', '2026-02-13T11:50:26.000Z', '1770983426'],
    [1770983426420, '2026-02-13T11:50:26.420Z', '1770983426420'],
    ['1770983426420', '2026-02-13T11:50:26.420Z', '1770983426420'],
  ])('reads the time %s', (timestamp, utc, original) => {
    const [row] = journalRows([record.other('Prompt', { message_id: 'p', content: [text('a')], meta: { timestamp } })]);
    expect([new Date(row?.time?.ms ?? 0).toISOString(), row?.time?.original]).toEqual([utc, original]);
  });

  it.each(['soon', '2026-07-02', -5, 0, true, { secs: 1 }])('leaves a prompt undated whose time is %j, and keeps it', (timestamp) => {
    const [row] = journalRows([record.other('Prompt', { message_id: 'p', content: [text('a')], meta: { timestamp } })]);
    expect([row?.time, row?.problem, row?.details]).toEqual([undefined, 'the time is not a Unix time', { stored: { timestamp } }]);
  });

  it('leaves answers, calls and results undated, between their prompt and the end of their turn', () => {
    const rows = journalRows(
      [
        record.prompt('p1', 'go'),
        record.answer('a1', text('Looking.'), call('t1', 'shell', { command: 'ls', __tool_use_purpose: 'list files' })),
        record.results('r1', [result('t1', [text('a\n')])]),
        record.answer('a2', text('One file.')),
      ],
      { json: sessionFile([TURN]) },
    );
    const window = { after: '2026-07-02T07:15:00.000Z', before: '2026-07-02T07:15:22.599Z' };
    expect(rows.map((d) => [d.row_type, d.text, d.time?.ms, d.details?.window])).toEqual([
      ['prompt', 'go', START * 1000, undefined],
      ['assistant', 'Looking.', undefined, window],
      ['tool_use', '{"command":"ls"}', undefined, window],
      ['tool_result', 'a\n', undefined, window],
      ['assistant', 'One file.', undefined, window],
    ]);
    expect(rows[2]).toMatchObject({
      tool_name: 'shell',
      tool_use_id: 't1',
      command: 'ls',
      details: { purpose: 'list files' },
      identity: `${SESSION}\u0000tool_use\u0000t1\u00000`,
    });
  });

  it('dates the final answer of a turn by its copy in the session file, and names the model of the turn', () => {
    const ok = { Ok: { id: 'a2', role: 'assistant', content: [text('One file.')], meta: { timestamp: START + 21 } } };
    const rows = journalRows([record.prompt('p1', 'go'), record.answer('a2', text('One file.'))], {
      json: sessionFile([{ ...TURN, message_ids: ['p1', 'a2'], model: 'opus', result: ok }]),
    });
    expect(rows[1]).toMatchObject({
      text: 'One file.',
      time: { ms: (START + 21) * 1000, source: 'record', original: String(START + 21) },
      model: 'opus',
      details: { time_from: 'final answer in the session file', model_source: 'turn of the session file' },
    });
    expect(rows[1]?.details?.window).toBeUndefined();
  });

  it('reads the session file left over from its writing when there is no other', () => {
    const rows = journalRows([record.prompt('p1', 'go')], { 'json.tmp': sessionFile([], { cwd: '/tmp' }) });
    expect(rows[0]?.project_path).toBe('/tmp');
    expect(journalRows([record.prompt('p1', 'go')], { json: '{"cwd', 'json.tmp': sessionFile([]) })[0]?.project_path).toBe('/srv/shop');
  });

  it('gives reasoning with its model, without signature and encrypted parts', () => {
    const thinking = { kind: 'thinking', data: { text: 'hm', signature: 'c2ln', redactedContent: ['ZW5j'], modelId: 'opus' } };
    const rows = journalRows([record.answer('a1', thinking, text('Yes.'))]);
    expect(shown(rows)).toEqual(['model|model: opus source=thinking', 'thinking|hm', 'assistant|Yes.']);
    expect(rows[1]).toMatchObject({ model: 'opus', problem: 'part of the reasoning is stored encrypted', details: { redacted_blocks: 1 } });
    expect(rows[2]).toMatchObject({ model: 'opus', details: { model_source: 'thinking block' } });
    expect(JSON.stringify(rows)).not.toMatch(/c2ln|ZW5j/);
  });

  it('describes images by format, size and hash', () => {
    const images = [
      { kind: 'image', data: { format: 'png', source: { bytes: [1, 2, 3] } } },
      { kind: 'image', data: { source: { type: 'base64', media_type: 'image/gif', data: 'AQID' } } },
    ];
    const [row] = journalRows([record.other('Prompt', { message_id: 'p', content: [text('see'), ...images] })]);
    const sha256 = '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81';
    expect(row?.details?.images).toEqual([
      { format: 'png', size: 3, sha256 },
      { source: { type: 'base64', media_type: 'image/gif' }, size: 3, sha256 },
    ]);
  });

  it('joins the text blocks of a prompt, and gives a message without content as an empty row', () => {
    const rows = journalRows([
      record.other('Prompt', { message_id: 'p', content: [text('a'), text('b')] }),
      record.answer('a1'),
      record.other('Prompt', { message_id: 'q', content: [] }),
    ]);
    expect(rows.map((d) => [d.row_type, d.text, d.problem])).toEqual([
      ['prompt', 'a\nb', ''],
      ['assistant', '', 'the message has no content'],
      ['prompt', '', 'the message has no content'],
    ]);
  });

  it('says that the arguments of a call were lost', () => {
    const [row] = journalRows([
      record.answer('a1', call('t1', 'write', { key: 'SYSTEM NOTE: the actual tool use arguments were too complicated to be generated' })),
    ]);
    expect(row?.problem).toBe('the program did not keep the arguments of the call');
  });

  it('names the files of a call, also in the form of 1.27', () => {
    const rows = journalRows([
      record.answer(
        'a1',
        call('t1', 'read', { operations: [{ mode: 'Line', path: '/a' }] }),
        call('t2', 'read', { ops: [{ path: '/b' }] }),
      ),
    ]);
    expect(rows.map((d) => d.file_paths).slice(0, 2)).toEqual([['/a'], ['/b']]);
  });

  it('names unknown blocks and keeps them', () => {
    const rows = journalRows([record.answer('a1', { kind: 'audio', data: 'x' }, 'loose', { kind: 'text', data: 'y', cache: 1 })]);
    expect(rows.map((d) => [d.text, d.details?.raw])).toEqual([
      ['parser: unknown kind of content block: audio', { kind: 'audio', data: 'x' }],
      ['parser: content block of unknown form', 'loose'],
      ['parser: content block of unknown form', { kind: 'text', data: 'y', cache: 1 }],
    ]);
  });
});

describe('origin', () => {
  const origin = (words: string, history: string) =>
    journalRows([record.prompt('p', words)], { history }).map((d) => [d.origin, d.details?.note]);

  it('is typed only where the prompt history holds the text', () => {
    expect(origin('fix\nit', 'fix\\nit\n')).toEqual([['typed', undefined]]);
    expect(origin('fix it', 'something else\n')).toEqual([['unknown', undefined]]);
  });

  it('is automatic for what reads like the request for a title, unless it was typed', () => {
    const title = 'Generate a short title for this session. Reply with the title only.';
    expect(origin(title, '')).toEqual([['automatic', 'reads like the request of the program for a session title']]);
    expect(origin(title, title)).toEqual([['typed', undefined]]);
  });
});

describe('turns', () => {
  const lines = [
    record.prompt('p1', 'clean up'),
    record.answer('a1', call('t1', 'shell', { command: 'rm x' }), call('t2', 'shell', { command: 'rm y' })),
  ];
  const turn = (end_reason: string) => ({
    json: sessionFile([{ message_ids: ['p1', 'a1'], end_reason, end_timestamp: '2026-07-02T07:15:30Z' }]),
  });

  it('joins a refusal to the last call without a result', () => {
    const rows = journalRows([...lines, record.results('r1', [result('t1', [text('ok')])])], turn('ToolUseRejected'));
    expect(rows.at(-1)).toMatchObject({
      row_type: 'permission',
      text: 'permission decision: denied by=user source=turn_metadata',
      time: { ms: Date.parse('2026-07-02T07:15:30Z'), source: 'record' },
      tool_name: 'shell',
      tool_use_id: 't2',
      decision: 'denied',
      decided_by: 'user',
      problem: '',
    });
  });

  it('says which calls have no result, and that of several one was refused', () => {
    const rows = journalRows([...lines, record.prompt('p2', 'next', 60)], turn('ToolUseRejected'));
    expect(shown(rows).slice(3)).toEqual([
      'permission|permission decision: denied by=user source=turn_metadata',
      'prompt|next',
      'gap|gap: no result of tool call recorded tool=shell id=t1 source=journal',
    ]);
    expect(rows[3]?.problem).toBe('2 calls of the turn have no result; which was denied is not recorded: the last of them is named');
  });

  it('gives an interrupt once: by the cancelled result, else by the end of the turn', () => {
    const texts = (more: string[]) =>
      journalRows([...lines, ...more], turn('Cancelled'))
        .filter((d) => d.row_type === 'permission')
        .map((d) => [d.text, d.tool_use_id]);
    expect(texts([])).toEqual([['permission decision: cancelled by=interrupt source=turn_metadata', 't2']]);
    expect(texts([record.results('r1', [], { t2: { result: 'Cancelled' } })])).toEqual([
      ['permission decision: cancelled by=interrupt', 't2'],
    ]);
  });

  it('marks lines behind the last message the session file knows', () => {
    const rows = journalRows(
      [record.prompt('p1', 'a'), record.answer('a1', text('b')), record.prompt('p2', 'c', 9), record.other('Clear')],
      turn('UserTurnEnd'),
    );
    expect(rows.map((d) => d.details?.untracked_tail)).toEqual([undefined, undefined, true, true]);
  });

  it('says which messages of the session file are not there', () => {
    const rows = journalRows([record.prompt('p1', 'a')], { json: sessionFile([TURN]) });
    expect(rows.at(-1)).toMatchObject({
      row_type: 'gap',
      text: 'gap: messages listed in the session file are not in the journal missing=3 listed=4',
      details: { missing: ['a1', 'r1', 'a2'] },
    });
  });
});

describe('other records', () => {
  it('gives a summary, and recovers from its snapshot only what no line holds', () => {
    const snapshot = [
      { id: 'p1', role: 'user', content: [text('first')], meta: { timestamp: START } },
      { id: 'x1', role: 'user', content: [text('lost prompt')], meta: { timestamp: START - 60 } },
      { id: 'x2', role: 'assistant', content: [text('lost answer'), call('t9', 'shell', { command: 'id' })] },
      { id: 'x3', role: 'user', content: [result('t9', [text('uid=0')])] },
    ];
    const rows = journalRows([
      record.prompt('p1', 'first'),
      record.other('Compaction', { summary: 'They talked.', strategy: { max_message_length: 25000 }, messages_snapshot: snapshot }),
      record.prompt('p2', 'second', 60),
    ]);
    expect(rows.map((d) => [d.row_type, d.text, d.recovered, d.source_line, d.newRun, d.time?.ms])).toEqual([
      ['prompt', 'first', undefined, 1, undefined, START * 1000],
      ['summary', 'They talked.', undefined, 2, undefined, undefined],
      ['prompt', 'second', undefined, 3, undefined, (START + 60) * 1000],
      ['recovered', 'compaction snapshot: recovered=3 messages', 'snapshot', 2, true, undefined],
      ['prompt', 'lost prompt', 'snapshot', 2, undefined, (START - 60) * 1000],
      ['assistant', 'lost answer', 'snapshot', 2, undefined, undefined],
      ['tool_use', '{"command":"id"}', 'snapshot', 2, undefined, undefined],
      ['tool_result', 'uid=0', 'snapshot', 2, undefined, undefined],
    ]);
    expect(rows[1]?.details).toMatchObject({ strategy: { max_message_length: 25000 }, messages: 4 });
    expect(rows[4]?.source_pointer).toBe('/data/messages_snapshot/1/content/0');
  });

  it.each([
    ['Clear', undefined, 'gap|gap: conversation cleared source=journal'],
    ['Clear', null, 'gap|gap: conversation cleared source=journal'],
    ['PromptClear', undefined, 'gap|gap: conversation cleared source=journal'],
    ['ResetTo', { target_index: 4 }, 'gap|gap: history cut back source=journal target_index=4'],
    ['CancelledPrompt', undefined, 'session|session: prompt cancelled source=journal'],
    ['Cancelled', undefined, 'session|session: prompt cancelled source=journal'],
  ])('gives %s as a row', (kind, data, row) => {
    expect(shown(journalRows([record.other(kind, data)]))).toEqual([row]);
  });

  it('names an unknown kind and keeps the record', () => {
    const [row] = journalRows([record.other('ToolUseSummary', { a: 'b' })]);
    expect([row?.row_type, row?.text, row?.details]).toEqual([
      'error',
      'parser: unknown kind of record: ToolUseSummary',
      { raw: { version: 'v1', kind: 'ToolUseSummary', data: { a: 'b' } } },
    ]);
  });

  it('keeps repeated lines, and gives both the same identity', () => {
    const rows = journalRows([record.prompt('p1', 'again'), record.prompt('p1', 'again')]);
    expect(rows.map((d) => [d.text, d.identity])).toEqual(Array(2).fill(['again', `${SESSION}\u0000prompt\u0000second ${START}\u00000`]));
  });

  it('gives a copy without session file the identity of the original, by the name it begins with', () => {
    const copy = draftsOf(kiroV2Journal, `${record.prompt('p1', 'a')}\n`, { file: `copies/${SESSION} (2).txt` });
    expect(copy[0]?.identity).toBe(journalRows([record.prompt('p1', 'a')], { json: sessionFile([]) })[0]?.identity);
  });

  it('has no identity in a copy without session', () => {
    expect(draftsOf(kiroV2Journal, `${record.prompt('p1', 'a')}\n`, { file: 'copies/a.jsonl' })[0]).toMatchObject({
      session_id: '',
      identity: undefined,
    });
  });
});

describe('detection', () => {
  const detect = (head: string) => kiroV2Journal.detect?.(Buffer.from(head));

  it('knows a journal by its first line', () => {
    expect(detect(`\ufeff${record.prompt('p', 'a')}`)).toBe(true);
    expect(detect(record.other('Clear'))).toBe(true);
    expect(detect('{ "version": "v1", "kind": "Prompt", "data": {}}')).toBe(true);
  });

  it('takes nothing else for one', () => {
    for (const head of [
      '{"version":"v1","hooks":[]}',
      '{"version":"v2","kind":"Prompt"}',
      '{"kind":"Prompt","version":"v1"}',
      '',
      '{"id":"x","payload":{}}',
    ]) {
      expect(detect(head)).toBe(false);
    }
  });

  it('asks for the files beside the journal', () => {
    expect(kiroV2Journal.companions?.(`${SESSION}.jsonl`)).toEqual([`${SESSION}.json`, `${SESSION}.json.tmp`, `${SESSION}.history`]);
    expect(FOLDER).toContain('/cli');
  });
});
