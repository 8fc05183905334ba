import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { testFolder } from '../support/cli.js';
import { AGENT, EXECUTION, INDEX, indexFile, logFile, SESSION, STORED, sessionFile, WORKSPACE } from '../support/kiro-ide.js';
import { timelineOf, writeFiles } from '../support/timeline.js';

const folder = testFolder();

const CATALOGUE = {
  version: '2.0.0',
  executions: [
    {
      executionId: 'ex-0001',
      type: 'chat-agent',
      status: 'succeed',
      startTime: 1779912001000,
      endTime: 1779912031000,
      chatSessionId: SESSION,
    },
    {
      executionId: 'ex-gone',
      type: 'chat-agent',
      status: 'failed',
      startTime: 1779913001000,
      endTime: 1779913002000,
      chatSessionId: SESSION,
    },
  ],
};
const next = { ...EXECUTION, executionId: 'ex-0002', startTime: 1779912100000, endTime: 1779912101000, actions: [], usageSummary: [] };
/** The second request, in the same words; its log repeats the first. */
const NEXT = {
  ...next,
  workspaceContext: { cwd: '/home/alice/proj' },
  input: {
    data: {
      messages: [
        { role: 'user', content: 'add /healthz' },
        { role: 'assistant', content: [{ type: 'executionLog', text: 'ex-0001' }] },
        { role: 'user', content: 'add /healthz' },
      ],
    },
  },
};
const history = [
  ...STORED.history,
  { message: { role: 'user', content: 'add /healthz' } },
  { message: { role: 'assistant', content: 'On it.' }, executionId: 'ex-0002' },
];

const write = (name: string, files: Readonly<Record<string, unknown>>) => writeFiles(join(folder, name), files);

it('joins session, index, list and logs into one conversation', async () => {
  const root = write('whole', {
    [sessionFile().file]: { ...STORED, history },
    [indexFile.file]: INDEX,
    [logFile.file]: EXECUTION,
    [`${dirname(logFile.file)}/renamed`]: NEXT,
    [`${AGENT}/${WORKSPACE}/f62de366d0006e17ea00a01f6624aabf`]: CATALOGUE,
    [`${AGENT}/index/lancedb/a.lance/data.json`]: EXECUTION,
    [`${AGENT}/index/inside.json`]: EXECUTION,
    [`${AGENT}/vectors/b.lance/data.json`]: EXECUTION,
  });
  const { manifest, rows } = await timelineOf(root);
  const primary = rows.filter((row) => row.duplicate_of === '');
  expect(rows.filter((row) => row.row_type === 'error')).toEqual([]);
  // The same words twice are two prompts, each dated by its own execution; every copy is marked.
  const prompts = primary.filter((row) => row.row_type === 'prompt');
  expect(prompts.map((row) => [row.text, row.timestamp_utc, row.source_pointer])).toEqual([
    ['add /healthz', '2026-05-27T20:00:01.000Z', '/input/data/messages/0'],
    ['add /healthz', '2026-05-27T20:01:40.000Z', '/input/data/messages/2'],
  ]);
  expect(rows.filter((row) => row.row_type === 'prompt')).toHaveLength(5);
  expect(new Set(rows.filter((row) => row.row_type !== 'config').map((row) => row.session_id))).toEqual(
    new Set([SESSION, '99999999-2222-4333-8444-555555555555']),
  );
  // Listed, and nothing more is there.
  expect(primary.filter((row) => row.row_type === 'gap').map((row) => row.text)).toEqual([
    'gap: session listed, its file is not there file=99999999-2222-4333-8444-555555555555.json',
    'gap: execution listed without log execution=ex-gone file=cadef4e06a2110f809fd1eaada51171c',
  ]);
  expect(primary.some((row) => row.text === 'On it.')).toBe(false);
  const read = rows.map((row) => row.source_file);
  expect(read.filter((file) => /lance|\/index\//.test(file))).toEqual([]);
  expect(JSON.stringify(manifest)).toContain('lancedb');
});

it.each([
  'home/alice/.config/Kiro/User',
  'Users/alice/Library/Application Support/Kiro/User',
  'C/Users/alice/AppData/Roaming/kiro/User',
  'home/alice/.kiro-server/data/User',
])('finds the stores below %s', async (data) => {
  const at = (file: string) => file.replace('home/alice/.config/Kiro/User', data);
  const root = write(`places-${data.replaceAll('/', '-')}`, {
    [at(sessionFile().file)]: STORED,
    [at(logFile.file)]: EXECUTION,
    [at(`${AGENT}/${WORKSPACE}/x.chat`)]: { executionId: 'c', actionId: 'act', chat: [{ role: 'human', content: 'hi' }] },
    [at(`${AGENT}/profile.json`)]: { arn: 'a', name: 'n' },
    [`${data}/settings.json`]: { 'kiroAgent.trustedCommands': ['*'] },
  });
  const { rows } = await timelineOf(root);
  expect(new Set(rows.map((row) => row.user))).toEqual(new Set(['alice']));
  expect(new Set(rows.map((row) => row.agent))).toEqual(new Set(['kiro-ide']));
  expect(new Set(rows.map((row) => row.source_file)).size).toBe(5);
});

it('gives the same for a root deep in the store', async () => {
  const root = write('deep', { [logFile.file]: EXECUTION });
  const { rows } = await timelineOf(join(root, dirname(logFile.file)));
  expect(rows.filter((row) => row.row_type === 'tool_use')).toHaveLength(2);
});
