import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testFolder } from '../support/cli.js';
import { jsonl, timelineOf, writeFiles } from '../support/timeline.js';

// One run of a command, told by the conversation, by a hook that kept its payloads, and by the log of commands.

const SESSION = 'sess_11111111-2222-4333-8444-555555555555';
const PROJECT = '/home/alice/shop';
const at = (seconds: number) => new Date(Date.UTC(2026, 8, 14, 5, 47) + seconds * 1000).toISOString();
const record = (id: string, seconds: number, payload: object) => ({ id, timestamp: at(seconds), payload });
const ran = (call: string, seconds: number, command: string, code: number) => [
  record(`${call}-call`, seconds, { type: 'tool_call', toolCallId: call, toolName: 'execute_bash', args: { command }, kind: 'execute' }),
  record(`${call}-result`, seconds, { type: 'tool_result', toolCallId: call, content: `Output:\nx\n\nExit Code: ${code}`, success: true }),
];
const payload = (seconds: number, event: string, more: object) => ({
  ts: at(seconds),
  payload: { session_id: SESSION, hook_event_name: event, cwd: PROJECT, ...more },
});
const shell = { tool_name: 'execute_bash' };
const logged = (seconds: number, command: string, exitCode: number) => ({
  command,
  observedResult: exitCode === 0 ? 'pass' : 'fail',
  exitCode,
  capturedAt: at(seconds),
  source: 'postToolUse-capture',
});

const HOME = {
  [`home/alice/.kiro/sessions/_global/${SESSION}/messages.jsonl`]: jsonl(
    record('u1', 0, { type: 'user', content: 'run the tests' }),
    ...ran('c1', 5, 'npm test', 1),
    ...ran('c2', 60, 'npm test', 0),
    record('a1', 70, { type: 'assistant', content: 'Fixed.', operationType: 'Say' }),
  ),
  'home/alice/shop/.kiro/hook-captures/events.jsonl': jsonl(
    payload(0.2, 'UserPromptSubmit', { prompt: 'run the tests' }),
    payload(1, 'PreToolUse', { ...shell, tool_input: { command: 'npm test' } }),
    payload(5.1, 'PostToolUse', { ...shell, tool_input: {}, tool_response: 'Output:\nx\n\nExit Code: 1' }),
    payload(56, 'PreToolUse', { ...shell, tool_input: { command: 'npm test' } }),
    payload(60.1, 'PostToolUse', { ...shell, tool_input: {}, tool_response: 'Output:\nx\n\nExit Code: 0' }),
  ),
  'home/alice/shop/.kontourai/flow-agents/fix/command-log.jsonl': jsonl(
    logged(5.2, 'npm test', 1),
    logged(60.2, 'npm test', 0),
    logged(90, 'npm test', 0),
  ),
};

it('is one row and its copies, each with its own place and time', async () => {
  const root = writeFiles(join(testFolder(), 'home'), HOME);
  const { rows } = await timelineOf(root);
  const events = rows.filter(({ row_type }) => /^(?:prompt|tool_)/.test(row_type));
  const primaries = events.filter((row) => row.duplicate_of === '');
  const store = (file: string) => (file.endsWith('messages.jsonl') ? 'session' : file.includes('hook') ? 'capture' : 'log');
  // The last line of the log tells of a run that neither of the others holds.
  expect(primaries.map((row) => [row.row_type, store(row.source_file), row.message_id, row.exit_code])).toEqual([
    ['prompt', 'session', 'u1', null],
    ['tool_use', 'session', 'c1-call', null],
    ['tool_result', 'session', 'c1-result', 1],
    ['tool_use', 'session', 'c2-call', null],
    ['tool_result', 'session', 'c2-result', 0],
    ['tool_result', 'log', '', 0],
  ]);
  const copies = (id: string) => {
    const primary = primaries.find((row) => row.message_id === id);
    return events.filter((row) => row.duplicate_of === primary?.row_id).map((row) => [store(row.source_file), row.timestamp_utc]);
  };
  expect(copies('u1')).toEqual([['capture', at(0.2)]]);
  expect(copies('c1-call')).toEqual([['capture', at(1)]]);
  expect(copies('c1-result')).toEqual([
    ['capture', at(5.1)],
    ['log', at(5.2)],
  ]);
  expect(copies('c2-result')).toEqual([
    ['capture', at(60.1)],
    ['log', at(60.2)],
  ]);
});

it('without the conversation is told by the capture, which holds the output', async () => {
  const { [`home/alice/.kiro/sessions/_global/${SESSION}/messages.jsonl`]: _, ...others } = HOME;
  const { rows } = await timelineOf(writeFiles(join(testFolder(), 'home'), others));
  const results = rows.filter(({ row_type }) => row_type === 'tool_result');
  expect(results.map((row) => [row.source_line, row.source_file.endsWith('events.jsonl'), row.duplicate_of === ''])).toEqual([
    [3, true, true],
    [1, false, false],
    [5, true, true],
    [2, false, false],
    [3, false, true],
  ]);
});
