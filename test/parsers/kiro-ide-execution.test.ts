import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { kiroIdeExecution } from '../../src/parsers/kiro-ide/execution.js';
import { kiroIdeExecutionIndex } from '../../src/parsers/kiro-ide/execution-index.js';
import { AGENT, brief, EXECUTION, LOG, logFile, only, SAVES, SESSION, WORKSPACE } from '../support/kiro-ide.js';
import { jsonDraftsOf, missingLeaves } from '../support/memory-source.js';

const read = (value: unknown, artifact: object = logFile) => jsonDraftsOf(kiroIdeExecution, value, artifact);
const CARRIED_BY_TYPE = new Set(['user', 'assistant', 'human', 'bot', 'tool', 'text', 'toolUse', 'toolUseResponse', 'executionLog']);
/** Leaves that are in no row. Arguments are JSON in a text; a message may be given in parts. */
function lost(value: unknown, drafts: ReturnType<typeof read>): (string | number)[] {
  const texts = drafts.map((draft) => draft.text).join('\n');
  const held = (part: string) => texts.includes(part) || texts.includes(JSON.stringify(part).slice(1, -1));
  return missingLeaves(value, drafts).filter(
    (leaf) => typeof leaf !== 'string' || !(CARRIED_BY_TYPE.has(leaf) || held(leaf) || leaf.split('\n').every(held)),
  );
}
const act = (actionType: string, more: object) => ({
  actionId: `x-${actionType}`,
  actionType,
  actionState: 'Success',
  emittedAt: 1779912005000,
  ...more,
});
const withActions = (...actions: unknown[]) => ({ ...EXECUTION, actions, usageSummary: [] });
/** Rows of actions alone. */
const actionsOf = (...actions: unknown[]) =>
  read(withActions(...actions)).filter((draft) => draft.source_pointer?.startsWith('/actions') === true);

describe('an execution log', () => {
  it('gives prompt, calls, decision, results, answer, end and credits', () => {
    const drafts = read(EXECUTION);
    expect(drafts.map(brief)).toEqual([
      'session | session: execution started execution=ex-0001 workflow=chat-agent | 2026-05-27T20:00:01.000Z',
      'prompt | add /healthz | 2026-05-27T20:00:01.000Z',
      'session | session: request classified intent=do | 2026-05-27T20:00:01.500Z',
      'tool_use | {"file":"health.js","modifiedContent":"ok\\n"} | 2026-05-27T20:00:10.000Z',
      'permission | permission decision: approved by=user action=create state=Accepted | ',
      'tool_result |  | ',
      'tool_use | {"command":"npm test","cwd":"/home/alice/proj"} | 2026-05-27T20:00:20.000Z',
      'tool_result | 1 failing | ',
      'assistant | Added, one test fails. | 2026-05-27T20:00:30.000Z',
      'session | session: execution ended execution=ex-0001 status=succeed | 2026-05-27T20:00:31.000Z',
      'usage | usage: credit=0.12 tools=fs_write,execute_bash | 2026-05-27T20:00:31.000Z',
    ]);
    expect(new Set(drafts.map((draft) => draft.session_id))).toEqual(new Set([SESSION]));
    // The path of the command has the hash of the folder.
    expect(new Set(drafts.map((draft) => draft.project_path))).toEqual(new Set(['/home/alice/proj']));
    expect(drafts.filter((draft) => draft.problem)).toEqual([]);
    expect(drafts[3]).toMatchObject({
      tool_name: 'create',
      tool_use_id: 'tooluse_a2',
      file_paths: ['health.js'],
      source_pointer: '/actions/1',
    });
    expect(drafts[3]?.details?.file_sha256).toEqual({ modifiedContent: createHash('sha256').update('ok\n').digest('hex') });
    expect(drafts[5]).toMatchObject({ status: 'completed', outcome: 'ambiguous', exit_code: null });
    expect(drafts[6]).toMatchObject({ command: 'npm test' });
    expect(drafts[7]).toMatchObject({ status: 'failed', outcome: 'fail', exit_code: 1 });
    expect(drafts[9]?.duration_ms).toBe(30_000);
    expect(lost(EXECUTION, drafts)).toEqual([]);
  });

  it.each([
    ['Success', 0, 'completed', 'pass'],
    ['Success', 3, 'failed', 'fail'],
    ['Success', -1, 'completed', 'ambiguous'],
    ['Success', undefined, 'completed', 'ambiguous'],
    ['Canceled', undefined, 'canceled', 'ambiguous'],
    ['Rejected', undefined, 'blocked', 'ambiguous'],
    ['Error', undefined, 'failed', 'fail'],
    ['Weird', undefined, 'unknown', 'ambiguous'],
  ])('a command in the state %s with exit code %s is %s, %s', (actionState, exitCode, status, outcome) => {
    const output = { output: 'o', ...(exitCode === undefined ? {} : { exitCode }) };
    const rows = actionsOf(act('runCommand', { actionState, input: { command: 'ls' }, output, endTime: 1779912005250 }));
    expect(only(rows, 'tool_result')).toMatchObject([{ status, outcome, exit_code: exitCode ?? null, duration_ms: 250 }]);
    expect(only(rows, 'tool_result')[0]?.text).toBe(status === 'canceled' ? 'cancelled o' : 'o');
    expect(only(rows, 'permission').map((row) => row.decision)).toEqual(actionState === 'Rejected' ? ['denied'] : []);
  });

  it('a call that was running has no result; an acceptance in autopilot proves no decision', () => {
    expect(actionsOf(act('readFile', { actionState: 'Running', input: { path: 'a' } })).map((row) => row.row_type)).toEqual(['tool_use']);
    const rows = read({ ...withActions(act('create', { actionState: 'Accepted' })), autonomyMode: 'Autopilot' });
    expect(only(rows, 'permission').map((row) => [row.text, row.decided_by])).toEqual([
      ['permission setting: autonomyMode=Autopilot (from execution log)', 'config'],
      ['permission decision: approved by=unknown action=create state=Accepted', 'unknown'],
    ]);
  });

  it('reads every kind of action, an unknown one as a call', () => {
    const actions = [
      act('reasoning', { output: { message: 'Think.' } }),
      act('displayError', { errorMessage: 'No network' }),
      act('model', { endTime: 1779912005400 }),
      act('taskStatus', { input: { taskId: 't1' } }),
      act('userInput', { input: { question: 'Deploy?' }, output: { answer: 'no' } }),
      act('readFiles', { input: { files: [{ path: 'a' }, { path: 'b' }] }, output: 'text' }),
      act('invokeSubAgent', { input: { name: 'reviewer', prompt: 'p' }, output: { message: 'fine' }, subExecutionId: 'sub-1' }),
      act('ofTomorrow', { input: [1, 'two'], output: { a: [3.5] } }),
      { emittedAt: 1779912005900, note: 'bare' },
    ];
    const rows = actionsOf(...actions);
    expect(rows.map((row) => `${row.row_type} ${row.text}`)).toEqual([
      'thinking Think.',
      'log log: shown to the user as an error: No network',
      'session session: model request state=Success',
      'session session: task status state=Success',
      'tool_use {"question":"Deploy?"}',
      'prompt no',
      'tool_use {"files":[{"path":"a"},{"path":"b"}]}',
      'tool_result text',
      'tool_use {"name":"reviewer","prompt":"p"}',
      'tool_result fine',
      'tool_use [1,"two"]',
      'tool_result {"a":[3.5]}',
      'session session: action without a type',
    ]);
    expect(rows[2]?.duration_ms).toBe(400);
    expect(rows[6]?.file_paths).toEqual(['a', 'b']);
    expect(lost(actions, rows)).toEqual([]);
  });

  it('an execution that was stopped ends with its last action', () => {
    const stopped = { ...EXECUTION, status: 'user-aborted', endTime: 1779990000000 };
    const end = read(stopped).find((row) => row.text.includes('ended'));
    expect(end?.time?.ms).toBe(1779912030000);
    expect(end?.duration_ms).toBeNull();
    expect(end?.problem).toContain('teardown');
    expect(lost(stopped, read(stopped))).toEqual([]);
  });

  it.each([
    [1779912001, '1779912001'],
    ['1779912001000', '1779912001000'],
    ['2026-05-27T20:00:01Z', '2026-05-27T20:00:01Z'],
  ])('reads a start written as %j', (startTime, original) => {
    const time = read({ ...EXECUTION, startTime })[0]?.time;
    expect([time?.ms, time?.original]).toEqual([1779912001000, original]);
  });

  it('has no project where no path proves one, and says so', () => {
    const [row] = read(withActions());
    expect([row?.project_path, row?.problem]).toEqual(['', 'no path in the log hashes to the workspace id']);
    expect(row?.details?.workspace_id).toBe(WORKSPACE);
    expect(read({ ...withActions(), workspaceContext: { cwd: '/elsewhere' } })[0]).toMatchObject({
      project_path: '/elsewhere',
      problem: 'the workspace id does not match the recorded path',
    });
    expect(read(EXECUTION, { file: logFile.file.replace(LOG, '0'.repeat(32)) })[0]?.problem).toBe(
      'the file is not named after its execution',
    );
    expect(read(EXECUTION, { file: 'copy.json' })[0]?.problem).toBe('');
  });
});

const entry = (role: string, ...entries: unknown[]) => ({ role, entries });
const words = (text: string) => ({ type: 'text', text });
const EARLIER = [
  entry('human', words('<identity>\nYou are an assistant.\n</identity>')),
  entry('bot', words('I will follow these instructions.')),
  entry('human', words('first question\n<EnvironmentContext>\nopen: a.ts\n</EnvironmentContext>')),
  entry('bot', words('First answer.'), { type: 'toolUse', id: 'tooluse_old', name: 'read_file', args: { path: 'a.ts' } }),
  entry('tool', { type: 'toolUseResponse', id: 'tooluse_old', name: 'read_file', success: true, message: 'content of a' }),
  entry('human', words('add /healthz')),
  entry('bot', words('Added, one test fails.'), {
    type: 'toolUse',
    id: 'tooluse_a2',
    name: 'fs_write',
    args: { path: 'health.js', text: 'ok\n' },
  }),
  entry('tool', { type: 'toolUseResponse', id: 'tooluse_a2', name: 'fs_write', success: true, message: 'Created the health.js file.' }),
];
const MESSAGES = [
  { role: 'user', content: 'first question' },
  { role: 'assistant', content: [{ type: 'executionLog', text: 'ex-0000' }] },
  { role: 'user', content: [words('add /healthz')] },
];

describe('the conversation that a log repeats', () => {
  const data = { messages: MESSAGES, messagesFromExecutionId: EARLIER };
  it.each([
    ['context', { ...EXECUTION, input: { data: { messages: MESSAGES } }, context: { messages: EARLIER } }],
    ['the root', { ...EXECUTION, input: { data: { messages: MESSAGES } }, messagesFromExecutionId: EARLIER }],
    ['input', { ...EXECUTION, input: { data } }],
    ['all three', { ...EXECUTION, input: { data }, context: { messages: EARLIER }, messagesFromExecutionId: EARLIER }],
  ])('is read from %s, marked as recovered, without what the log says itself', (_, stored) => {
    const drafts = read(stored);
    const copies = drafts.filter((row) => row.recovered);
    expect(copies.map((row) => [row.row_type, row.text, row.origin ?? ''])).toEqual([
      ['prompt', 'first question', 'typed'],
      ['context', '<identity>\nYou are an assistant.\n</identity>', 'injected'],
      ['assistant', 'I will follow these instructions.', 'automatic'],
      ['context', '<EnvironmentContext>\nopen: a.ts\n</EnvironmentContext>', 'injected'],
      ['assistant', 'First answer.', 'agent'],
      ['tool_use', '{"path":"a.ts"}', 'agent'],
      ['tool_result', 'content of a', ''],
    ]);
    expect(copies.filter((row) => row.time)).toEqual([]);
    expect(only(drafts, 'recovered').map((row) => row.text)).toEqual([
      'recovered: conversation repeated in an execution log execution=ex-0001 recovered=7 rows',
    ]);
    // Joined with the rows of the execution that answered the first question.
    expect(copies.filter((row) => /ex-0000$/.test(row.identity ?? '')).map((row) => row.text)).toEqual(['first question', 'First answer.']);
    expect(
      only(drafts, 'prompt')
        .filter((row) => !row.recovered)
        .map((row) => row.text),
    ).toEqual(['add /healthz']);
    const call = drafts.find((row) => row.row_type === 'tool_use' && row.tool_use_id === 'tooluse_a2');
    expect(call).toMatchObject({ tool_name: 'fs_write', details: { called: { path: 'health.js', text: 'ok\n' } } });
    expect(drafts.find((row) => row.row_type === 'tool_result' && row.tool_use_id === 'tooluse_a2')?.text).toBe(
      'Created the health.js file.',
    );
    expect(lost(stored, drafts)).toEqual([]);
  });

  it('a list of context items takes the place of the messages in some builds', () => {
    const drafts = read({ ...EXECUTION, context: [{ type: 'steering', name: 'tech.md', content: 'use tabs' }] });
    expect(only(drafts, 'context')).toMatchObject([
      { text: 'use tabs', file_paths: ['tech.md'], origin: 'injected', source_pointer: '/context/0' },
    ]);
  });
});

it('the list of executions gives the row that the log gives too', () => {
  const stored = {
    version: '2.0.0',
    executions: [
      { executionId: 'ex-0001', type: 'chat-agent', status: 'running', startTime: 1779912001000, endTime: 0, chatSessionId: SESSION },
      { executionId: 'gone', type: 'spec-generation', status: 'failed', startTime: 1779913001000, endTime: 1779913002000 },
      'x',
    ],
  };
  const artifact = {
    file: `${AGENT}/${WORKSPACE}/f62de366d0006e17ea00a01f6624aabf`,
    listing: new Map([[SAVES, [LOG, 'ffffffffffffffffffffffffffffffff', 'notes.txt']]]),
  };
  const drafts = jsonDraftsOf(kiroIdeExecutionIndex, stored, artifact);
  expect(drafts.map(brief)).toEqual([
    'config | list of executions: executions=3 | ',
    'session | session: execution started execution=ex-0001 workflow=chat-agent | 2026-05-27T20:00:01.000Z',
    'session | session: execution started execution=gone workflow=spec-generation | 2026-05-27T20:16:41.000Z',
    `gap | gap: execution listed without log execution=gone file=283bb9deef02e6843abfb538efa1eca7 | `,
    'error | parser: list of executions: an entry is not an object | ',
    'gap | gap: execution log not listed file=ffffffffffffffffffffffffffffffff | ',
  ]);
  const inLog = read(EXECUTION)[0];
  expect([drafts[1]?.identity, drafts[1]?.text]).toEqual([inLog?.identity, inLog?.text]);
  expect(drafts[2]).toMatchObject({ duration_ms: 1000, rank: 1, details: { status: 'failed' } });
  expect(missingLeaves(stored, drafts)).toEqual([]);
  expect(SAVES).toHaveLength(32);
});
