import { expect, it } from 'vitest';
import { kiroIdeChat } from '../../src/parsers/kiro-ide/chat.js';
import { kiroIdeExecution } from '../../src/parsers/kiro-ide/execution.js';
import { kiroIdeWorkspaceSession } from '../../src/parsers/kiro-ide/workspace-session.js';
import { EXECUTION, logFile, only, STORED, sessionFile } from '../support/kiro-ide.js';
import { draftsOf } from '../support/memory-source.js';

const session = (content: string | Uint8Array) => draftsOf(kiroIdeWorkspaceSession, content, sessionFile());
const log = (content: string | Uint8Array) => draftsOf(kiroIdeExecution, content, logFile);
const shape = (rows: ReturnType<typeof log>) => rows.map((row) => `${row.row_type} ${row.text}`);

it('a session of one line of 11 MB is read entry by entry', () => {
  const history = Array.from({ length: 119 }, (_, i) => ({
    message: { role: i % 2 === 0 ? 'user' : 'assistant', id: `m${i}`, content: `${i} ${'word '.repeat(19_000)}` },
    ...(i % 2 === 0 ? {} : { executionId: `ex-${i}` }),
  }));
  const text = JSON.stringify({ ...STORED, history });
  expect(text.length).toBeGreaterThan(11e6);
  const drafts = session(text);
  expect([only(drafts, 'prompt').length, only(drafts, 'assistant').length, only(drafts, 'error').length]).toEqual([60, 59, 0]);
  expect(only(drafts, 'prompt')[59]?.source_pointer).toBe('/history/118/message');
});

it('a log cut at any byte gives the actions ahead of the cut, and says that it is cut', () => {
  const text = JSON.stringify(EXECUTION);
  const whole = shape(log(text));
  for (let cut = 1; cut < text.length; cut += 7) {
    const rows = log(text.slice(0, cut));
    expect(only(rows, 'error').length).toBeGreaterThan(0);
    const calls = (all: string[]) => all.filter((row) => row.startsWith('tool_use'));
    expect(whole.filter((row) => row.startsWith('tool_use')).slice(0, calls(shape(rows)).length)).toEqual(calls(shape(rows)));
  }
  const cut = log(text.slice(0, text.indexOf('"actionId":"a4"')));
  expect(only(cut, 'tool_result')).toHaveLength(2);
  expect(only(cut, 'error').map((row) => row.problem)).toEqual([
    `execution log: unexpected end at byte ${text.indexOf('"actionId":"a4"')}`,
    'execution log: the value is cut off',
  ]);
});

it('byte order marks of UTF-8 and UTF-16 are read', () => {
  const text = JSON.stringify(EXECUTION);
  const little = Buffer.from(`\ufeff${text}`, 'utf16le');
  const big = Buffer.from(little).swap16();
  for (const bytes of [Buffer.from(`\ufeff${text}`), little, big]) expect(shape(log(bytes))).toEqual(shape(log(text)));
});

it('a damaged byte costs its value a note only', () => {
  const [ahead = '', behind = ''] = JSON.stringify(EXECUTION).split('1 failing');
  const bytes = Buffer.concat([Buffer.from(ahead), Buffer.from([0xff]), Buffer.from(behind)]);
  expect(only(log(bytes), 'tool_result')[1]).toMatchObject({ text: '\ufffd', problem: expect.stringContaining('not valid UTF-8') });
});

it.each(['', '   ', 'null', '7', '"x"', '[]', '{', '{"actions":', '\u0000\u0001'])('%j gives an error row', (content) => {
  for (const rows of [session(content), log(content), draftsOf(kiroIdeChat, content)]) {
    expect(only(rows, 'error').length, JSON.stringify(rows)).toBeGreaterThan(0);
  }
});

it('members of the wrong type are kept and cost nothing else', () => {
  const rows = log(
    JSON.stringify({
      executionId: 5,
      chatSessionId: ['s'],
      startTime: 'soon',
      endTime: {},
      status: 1,
      input: 'text-in',
      context: 'text-context',
      actions: [5, null, { actionType: 7, input: 'in', output: 9, emittedAt: 'now' }],
      usageSummary: [{ usage: 'much', unit: 3 }, 'x'],
    }),
  );
  const held = JSON.stringify(rows);
  for (const part of ['"s"', 'soon', 'text-in', 'text-context', '"now"', 'much', '"in"', '9']) expect(held).toContain(part);
  expect(only(rows, 'error').map((row) => row.source_pointer)).toEqual(['/actions/0', '/actions/1']);
  const mixed = session(
    JSON.stringify({ ...STORED, selectedModel: { id: 'm' }, autonomyMode: 4, history: [1, { message: 'x' }, { message: { role: 2 } }] }),
  );
  expect(only(mixed, 'error')).toHaveLength(1);
  expect(JSON.stringify(mixed)).toContain('"id":"m"');
  expect(only(session(JSON.stringify({ ...STORED, history: 'gone' })), 'session')[0]?.details).toMatchObject({ history: 'gone' });
});

it('a nesting without end and a number without bounds are named, not fatal', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const rows = log(`{"executionId":"e","actions":[{"actionId":"a","actionType":"search","input":${deep},"n":1e999}]}`);
  expect(only(rows, 'tool_use')[0]?.problem).toContain('nested too deeply');
  expect(JSON.stringify(rows)).toContain('Infinity');
});
