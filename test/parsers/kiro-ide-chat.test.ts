import { expect, it } from 'vitest';
import { kiroIdeChat } from '../../src/parsers/kiro-ide/chat.js';
import { splitPrompt } from '../../src/parsers/kiro-ide/prompt-text.js';
import { AGENT, brief, only, WORKSPACE } from '../support/kiro-ide.js';
import { jsonDraftsOf, missingLeaves } from '../support/memory-source.js';

const artifact = { agent: 'kiro-ide', file: `${AGENT}/${WORKSPACE}/a.chat` };
const CHAT = [
  { role: 'human', content: '<identity>\nYou are an assistant.\n</identity>' },
  { role: 'bot', content: 'I will follow these instructions.' },
  { role: 'tool', content: '/home/alice/proj/src/a.ts' },
  { role: 'bot', content: '' },
  { role: 'human', content: 'add a route' },
  { role: 'bot', content: 'Adding.\n<tool_use>\n<name>fsWrite</name>\n<path>r.ts</path>\n</tool_use>' },
  { role: 'tool', content: 'written' },
  { role: 'bot', content: 'Done.' },
];
const STORED = {
  executionId: 'ex-1',
  actionId: 'act',
  context: [{ type: 'steering', name: 'tech.md', content: 'tabs' }],
  validations: { editorProblems: { 'a.ts': ['unused'] } },
  chat: CHAT,
  metadata: { modelId: 'M1', modelProvider: 'qdev', workflow: 'act', workflowId: 'wf', startTime: 1753200000000, endTime: 1753200060000 },
};
const read = (value: unknown) => jsonDraftsOf(kiroIdeChat, value, artifact);

it('gives only the words of the person as a prompt, and no time to any message', () => {
  const drafts = read(STORED);
  expect(drafts.map(brief)).toEqual([
    'session | session: chat file workflow=act action=act execution=ex-1 | 2025-07-22T16:00:00.000Z',
    'model | model: M1 source=metadata | 2025-07-22T16:00:00.000Z',
    'context | tabs | ',
    'context | <identity>\nYou are an assistant.\n</identity> | ',
    'assistant | I will follow these instructions. | ',
    'tool_result | /home/alice/proj/src/a.ts | ',
    'prompt | add a route | ',
    'assistant | Adding.\n<tool_use>\n<name>fsWrite</name>\n<path>r.ts</path>\n</tool_use> | ',
    'tool_use | <name>fsWrite</name>\n<path>r.ts</path> | ',
    'tool_result | written | ',
    'assistant | Done. | ',
    'session | session: end of the execution execution=ex-1 | 2025-07-22T16:01:00.000Z',
  ]);
  expect(drafts[4]?.origin).toBe('automatic');
  expect(drafts[5]?.problem).toBe('no call stands ahead of it');
  expect(drafts[9]).toMatchObject({ tool_name: 'fsWrite', status: 'unknown', outcome: 'ambiguous', details: { paired: 'order' } });
  expect(new Set(drafts.map((row) => row.session_id))).toEqual(new Set(['wf']));
  expect(new Set(drafts.map((row) => row.project_path))).toEqual(new Set(['/home/alice/proj']));
  expect(missingLeaves(STORED, drafts).filter((leaf) => !['human', 'bot', 'tool'].includes(String(leaf)))).toEqual([]);
});

it('of several files of one execution the longest ranks first, and each row is joined with its copies', () => {
  const [long, short] = [read(STORED), read({ ...STORED, chat: CHAT.slice(0, 5) })];
  const prompt = (rows: ReturnType<typeof read>) => only(rows, 'prompt')[0];
  expect(prompt(long)?.identity).toBe(prompt(short)?.identity);
  expect(prompt(long)?.rank).toBeLessThan(prompt(short)?.rank ?? 0);
});

it('says what is missing', () => {
  const [row] = read({ executionId: 'e', actionId: 'a', chat: 'none' });
  expect(row?.problem).toBe('no start is recorded; no path in the file hashes to the workspace id; the file holds no list of messages');
  expect(
    read({ ...STORED, chat: [{ role: 'ghost', content: 'boo' }, 4] })
      .filter((draft) => draft.problem)
      .map((draft) => draft.problem),
  ).toEqual(['no path in the file hashes to the workspace id', 'this role is not known', 'chat message is not an object']);
});

it.each([
  ['hello', [], 'hello', []],
  [' kept  as it is\n', [], ' kept  as it is\n', []],
  ['[SYSTEM NOTE: go on]', ['[SYSTEM NOTE: go on]'], '', []],
  ['## Included Rules\nUse tabs.', ['## Included Rules\nUse tabs.'], '', []],
  ['I read </user-rule> and <EnvironmentContext> in the docs', [], 'I read </user-rule> and <EnvironmentContext> in the docs', []],
  ['a\n<EnvironmentContext>b', [], 'a', ['<EnvironmentContext>b']],
  [
    '<identity>x</identity><key_kiro_features>y</key_kiro_features><subagents>z</subagents>\n\nfix it',
    ['<identity>x</identity><key_kiro_features>y</key_kiro_features><subagents>z</subagents>'],
    'fix it',
    [],
  ],
])('takes %j apart', (text, before, said, after) => {
  const parts = splitPrompt(text);
  expect([parts.before, parts.said, parts.after]).toEqual([before, said, after]);
  // Nothing but blanks at the seams is lost.
  expect([...parts.before, parts.said, ...parts.after].join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
});
