import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Row } from '../../src/rows/row.js';
import { testFolder } from '../support/cli.js';
import { AGENT, ENCODED, EXECUTION, INDEX, indexFile, logFile, SESSION, STORED, sessionFile } from '../support/kiro-ide.js';
import { jsonl, timelineOf, writeFiles } from '../support/timeline.js';

// A conversation of the IDE before 1.0 that 1.x took over into its own store: each event is told once, its copies are marked.

const MARKER = `${AGENT}/workspace-sessions/${ENCODED}/._migration-${SESSION}.json`;
const marker = (v2SessionId: string) => ({ migratedAt: 1781949600500, v2SessionId, v1WorkspaceDirectory: '/home/alice/proj' });
/** The newer store as it is when times are kept; else all of it bears that of the migration. */
const V2 = (timestamp = '2026-05-27T20:00:20.000Z') => {
  const record = (id: string, payload: object) => ({ id, timestamp, payload });
  return jsonl(
    record('u1', { type: 'user', content: 'add /healthz' }),
    record('c1', { type: 'tool_call', toolCallId: 'run_command_tooluse_a3', toolName: 'execute_bash', args: { command: 'npm test' } }),
    record('r1', { type: 'tool_result', toolCallId: 'run_command_tooluse_a3', content: '1 failing', success: true }),
    record('a1', { type: 'assistant', content: 'Added, one test fails.', operationType: 'Say' }),
    record('u2', { type: 'user', content: 'thanks' }),
  );
};
const OLD = { [indexFile.file]: INDEX, [sessionFile().file]: STORED, [logFile.file]: EXECUTION };
const newer = (id: string, at?: string) => ({ [`home/alice/.kiro/sessions/2af6b4a70d443ffd/${id}/messages.jsonl`]: V2(at) });

const talk = (rows: readonly Row[]) =>
  rows
    .filter(({ row_type }) => /^(?:prompt|assistant|tool_)/.test(row_type))
    .map((row) => ({ row, said: `${row.row_type} ${row.tool_name} ${row.text.slice(0, 24)}` }));

it.each(['sess_22222222-2222-4333-8444-555555555555', SESSION])('lies in both stores, and is told once: as %s', async (id) => {
  const root = writeFiles(join(testFolder(), 'home'), { ...OLD, [MARKER]: marker(id), ...newer(id) });
  const { rows } = await timelineOf(root);
  const all = talk(rows);
  const byId = new Map(all.map(({ row, said }) => [row.row_id, `${row.source_file.endsWith('messages.jsonl') ? 'new' : 'old'} ${said}`]));
  const old = all.filter(({ row }) => !row.source_file.endsWith('messages.jsonl'));
  expect(all.filter(({ row }) => row.source_file.endsWith('messages.jsonl')).every(({ row }) => row.duplicate_of === '')).toBe(true);
  expect(old.map(({ row, said }) => [said, byId.get(row.duplicate_of) ?? ''])).toEqual([
    // The session file's copy of the prompt, and that of the log, are copies of the same row.
    ['prompt  add /healthz', 'new prompt  add /healthz'],
    ['prompt  add /healthz', 'new prompt  add /healthz'],
    ['tool_use create {"file":"health.js","mod', ''],
    ['tool_result create ', ''],
    ['tool_use runCommand {"command":"npm test","c', 'new tool_use execute_bash {"command":"npm test"}'],
    ['tool_result runCommand 1 failing', 'new tool_result execute_bash 1 failing'],
    ['assistant  Added, one test fails.', 'new assistant  Added, one test fails.'],
  ]);
});

it('is told by the older store where the newer one is not there, or nothing joins the two', async () => {
  const none = (rows: readonly Row[]) => talk(rows).filter(({ row }) => row.duplicate_of !== '' && /^sess_/.test(row.session_id));
  const gone = await timelineOf(writeFiles(join(testFolder(), 'home'), { ...OLD, [MARKER]: marker('sess_gone') }));
  const unmarked = await timelineOf(writeFiles(join(testFolder(), 'home'), { ...OLD, ...newer('sess_x') }));
  for (const { rows } of [gone, unmarked]) {
    expect(none(rows)).toEqual([]);
    expect(talk(rows).find(({ row }) => row.source_pointer === '/input/data/messages/0')?.row.duplicate_of).toBe('');
  }
});

it('is told by the older store where the newer one bears the time of the migration', async () => {
  const files = { ...OLD, [MARKER]: marker('sess_x'), ...newer('sess_x', '2026-06-20T10:00:00.000Z') };
  const { rows } = await timelineOf(writeFiles(join(testFolder(), 'home'), files));
  const primary = talk(rows).filter(({ row }) => row.duplicate_of === '');
  expect(primary.map(({ row, said }) => [said.slice(0, 36), row.timestamp_utc])).toEqual([
    ['prompt  add /healthz', '2026-05-27T20:00:01.000Z'],
    ['tool_use create {"file":"health.js",', '2026-05-27T20:00:10.000Z'],
    ['tool_result create ', ''],
    ['tool_use runCommand {"command":"npm ', '2026-05-27T20:00:20.000Z'],
    ['assistant  Added, one test fails.', '2026-05-27T20:00:30.000Z'],
    // The older store does not say when the command ended.
    ['tool_result execute_bash 1 failing', '2026-06-20T10:00:00.000Z'],
    ['prompt  thanks', '2026-06-20T10:00:00.000Z'],
  ]);
});

it('tells two runs of one command apart by their ids', async () => {
  const [, , run] = EXECUTION.actions;
  const again = { ...EXECUTION, actions: [{ ...run, actionId: 'tooluse_other' }, ...EXECUTION.actions] };
  const files = { ...OLD, [logFile.file]: again, [MARKER]: marker('sess_x'), ...newer('sess_x') };
  const { rows } = await timelineOf(writeFiles(join(testFolder(), 'home'), files));
  const calls = talk(rows).filter(({ row }) => row.row_type === 'tool_use' && row.command === 'npm test' && row.session_id === SESSION);
  expect(calls.map(({ row }) => [row.tool_use_id, row.duplicate_of === ''])).toEqual([
    ['tooluse_other', true],
    ['tooluse_a3', false],
  ]);
});
