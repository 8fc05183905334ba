import { describe, expect, it } from 'vitest';
import { kiroV2History } from '../../src/parsers/kiro-v2/history.js';
import { kiroV2Lock } from '../../src/parsers/kiro-v2/lock.js';
import { kiroV2Tasks } from '../../src/parsers/kiro-v2/tasks.js';
import { itReadsOneObject } from '../support/json-store-cases.js';
import { FOLDER, SESSION, shown } from '../support/kiro-v2-session.js';
import { draftsOf, MTIME, memorySource } from '../support/memory-source.js';

describe('prompt history of a session', () => {
  const read = (content: string | Uint8Array) => draftsOf(kiroV2History, content, { file: `${FOLDER}/${SESSION}.history` });

  it('gives each line as an undated typed prompt', () => {
    expect(read('count the orders\nfix\\nit\n')).toEqual([
      {
        row_type: 'prompt',
        text: 'count the orders',
        origin: 'typed',
        command: '',
        rank: 2,
        textKey: 'count the orders',
        textOnly: true,
        problem: '',
        details: {},
        session_id: SESSION,
        source_line: 1,
        source_offset: 0,
      },
      {
        row_type: 'prompt',
        text: 'fix\nit',
        origin: 'typed',
        command: '',
        rank: 2,
        textKey: 'fix\nit',
        textOnly: true,
        problem: '',
        details: { line: 'fix\\nit' },
        session_id: SESSION,
        source_line: 2,
        source_offset: 17,
      },
    ]);
  });

  it('gives what a slash command means for permissions and history', () => {
    const rows = read('/tools trust shell read\n/tools trust-all\n/clear\n! ls\n');
    expect(shown(rows)).toEqual([
      'prompt|/tools trust shell read',
      'permission|permission decision: granted by=slash-command tools=shell source=history',
      'permission|permission decision: granted by=slash-command tools=read source=history',
      'prompt|/tools trust-all',
      'permission|permission decision: granted by=slash-command tools=* source=history',
      'prompt|/clear',
      'gap|gap: conversation cleared source=history: /clear',
      'prompt|! ls',
    ]);
    expect(rows[1]).toMatchObject({ decision: 'granted', session_id: SESSION, source_line: 1, tool_name: 'shell' });
    expect(rows.at(-1)?.command).toBe('ls');
  });

  it('accepts a header, CR LF and a byte order mark, and keeps a line with a foreign escape as stored', () => {
    const rows = read('\ufeff#V2\r\nC:\\temp\r\n\r\nlast');
    expect(rows.map((d) => [d.text, d.problem])).toEqual([
      ['C:\\temp', 'an escape the program does not write: the line is kept as stored'],
      ['last', 'the last line has no line feed: it may be cut off'],
    ]);
  });

  it('names a line that is not UTF-8 or too long, and goes on', () => {
    expect(shown(read(Buffer.from([0xff, 0x0a, 0x61, 0x0a])))).toEqual([
      'error|parser: unparseable line (not valid UTF-8): \\xff',
      'prompt|a',
    ]);
    const rows = [...kiroV2History.parse(memorySource(`${'z'.repeat(200)}\nnext\n`, {}, 100), new Map())];
    expect(shown(rows)).toEqual(['error|parser: unparseable line (200 bytes, too long to be read): zzzzzzzzzzzzzzzz', 'prompt|next']);
  });
});

describe('lock', () => {
  itReadsOneObject(kiroV2Lock, 'session lock', { pid: 1, started_at: '2026-07-22T08:00:00.090Z' });
  const read = (value: unknown) => draftsOf(kiroV2Lock, JSON.stringify(value), { file: `${FOLDER}/${SESSION}.lock` });
  const left = 'the process ended without cleaning up, or was running when the file was copied';

  it('gives process and start', () => {
    expect(read({ pid: 4242, started_at: '2026-07-22T08:00:00.090Z' })).toEqual([
      {
        row_type: 'session',
        text: 'session: lock left behind pid=4242',
        session_id: SESSION,
        problem: left,
        details: { pid: 4242 },
        time: { ms: Date.parse('2026-07-22T08:00:00.090Z'), ns: 0, source: 'record', original: '2026-07-22T08:00:00.090Z' },
      },
    ]);
  });

  it('of the v3 engine belongs to the session of its folder, and is undated', () => {
    const file = 'home/a/.kiro/sessions/32cfb46d463b7613/sess_a/.lock';
    expect(draftsOf(kiroV2Lock, '{"pid":7}', { file })[0]).toMatchObject({
      text: 'session: lock left behind pid=7',
      session_id: 'sess_a',
      time: undefined,
    });
  });

  it('stays undated without a time, and keeps what is unknown', () => {
    expect(read({ pid: 'x', started_at: 'yesterday', host: 'h' })[0]).toMatchObject({
      time: undefined,
      problem: `${left}; the lock holds no time that can be read; unknown fields: host`,
      details: { pid: 'x', started_at: 'yesterday', fields: { host: 'h' } },
    });
  });
});

describe('tasks', () => {
  const read = (content: string | Uint8Array) => draftsOf(kiroV2Tasks, content, { file: `${FOLDER}/${SESSION}/tasks/1.json` });

  it('gives a file of any form as one row', () => {
    expect(read('{ "id": 1,\n "title": "x" }')).toEqual([
      {
        row_type: 'session',
        text: 'task file: {"id":1,"title":"x"}',
        session_id: SESSION,
        time: MTIME,
        problem: 'the form of this file is not known: it is shown as stored',
      },
    ]);
    expect(read(Buffer.from([0x61, 0xff])).map((d) => d.text)).toEqual(['task file: a\\xff']);
    expect(read('').map((d) => d.row_type)).toEqual(['error']);
  });
});
