import { describe, expect, it } from 'vitest';
import type { Draft } from '../../src/rows/draft.js';
import { LOG, line, read, rowsOf, texts } from '../support/kiro-v3-log.js';

const OPTIONS = [
  { optionId: 'accept', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always-accept', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Deny', kind: 'reject_once' },
  { optionId: 'odd', name: 'Deny too', kind: 'reject_always' },
];
const START = { type: 'turn_start', executionId: 'e' };
const END = { type: 'turn_end', executionId: 'e', stopReason: 'end_turn' };
const pending = (toolCallId: string, fields: object = {}) => ({
  type: 'pending_interaction',
  interactionType: 'tool_approval',
  toolCallId,
  question: 'Run it?',
  options: OPTIONS,
  executionId: toolCallId,
  ...fields,
});
const resolved = (toolCallId: string, selectedOption?: string, outcome = 'selected') => ({
  type: 'interaction_resolved',
  toolCallId,
  outcome,
  selectedOption,
  executionId: toolCallId,
});
const call = (toolCallId: string, status = 'completed', fields: object = {}) => ({
  type: 'tool_call',
  toolCallId,
  toolName: 'execute_bash',
  args: { command: 'ls' },
  status,
  ...fields,
});
const permissions = (rows: readonly Draft[]) => rows.filter((d) => d.row_type === 'permission');
const view = (rows: readonly Draft[]) => permissions(rows).map((d) => [d.text, d.tool_use_id, d.decision, d.decided_by]);

describe('permissions of the v3 engine', () => {
  it('joins question, answer and call', () => {
    const rows = rowsOf([START, pending('c1'), resolved('c1', 'accept'), call('c1')]);
    expect(view(rows)).toEqual([
      ['permission decision: requested tool=execute_bash: Run it?', 'c1', 'requested', undefined],
      ['permission decision: approved by=accept tool=execute_bash', 'c1', 'approved', 'accept'],
    ]);
    expect(rows[3]?.details?.approval).toBe('answered: approved');
    expect(permissions(rows).map((d) => [d.problem, d.tool_name])).toEqual([
      ['', 'execute_bash'],
      ['', 'execute_bash'],
    ]);
  });

  it.each([
    ['always-accept', 'approved', 'a standing rule was asked for with it'],
    ['reject', 'denied', ''],
    ['odd', 'denied', 'a standing rule was asked for with it'],
    ['else', 'unknown', 'what was decided is not clear'],
  ])('reads the answer %s', (option, decision, problem) => {
    const [, row] = permissions(rowsOf([START, pending('c1'), resolved('c1', option), call('c1', 'denied')]));
    expect(row).toMatchObject({
      text: `permission decision: ${decision} by=${option} tool=execute_bash`,
      decision,
      decided_by: option,
      problem,
    });
  });

  it('reads an answer that was cancelled, and one by option id alone', () => {
    expect(
      view(
        rowsOf([pending('c1'), resolved('c1', undefined, 'cancelled'), pending('c2', { options: [] }), resolved('c2', 'always-reject')]),
      ),
    ).toEqual([
      ['permission decision: requested: Run it?', 'c1', 'requested', undefined],
      ['permission decision: cancelled by=interrupt', 'c1', 'cancelled', 'interrupt'],
      ['permission decision: requested: Run it?', 'c2', 'requested', undefined],
      ['permission decision: denied by=always-reject', 'c2', 'denied', 'always-reject'],
    ]);
  });

  it('takes a question left open by the end of its turn for abandoned', () => {
    const rows = rowsOf([START, pending('c1'), END, resolved('c1', 'accept')]);
    expect(view(rows)).toEqual([
      ['permission decision: requested: Run it?', 'c1', 'requested', undefined],
      ['permission decision: abandoned', 'c1', 'abandoned', ''],
      ['permission decision: approved by=accept', 'c1', 'approved', 'accept'],
    ]);
    expect(rows.at(-1)?.problem).toBe('answered after the end of its turn');
  });

  it('does not let the end of another turn abandon a question', () => {
    const other = { type: 'turn_end', executionId: 'other' };
    expect(view(rowsOf([START, pending('c1'), other, resolved('c1', 'accept'), END])).map(([, , decision]) => decision)).toEqual([
      'requested',
      'approved',
    ]);
    const two = [START, { type: 'turn_start', executionId: 'other' }, pending('c1'), other, END];
    expect(permissions(rowsOf(two)).map((d) => [d.decision, d.source_line])).toEqual([
      ['requested', 3],
      ['abandoned', 5],
    ]);
  });

  it('says when neither answer nor end is recorded, and keeps an answer without a question', () => {
    expect(permissions(rowsOf([START, pending('c1'), resolved('c2', 'reject')])).map((d) => [d.decision, d.problem])).toEqual([
      ['requested', 'neither an answer nor the end of the turn is recorded'],
      ['denied', 'its question is not in the log'],
    ]);
  });

  it('does not take a question of the agent for one of permission', () => {
    const rows = rowsOf([
      START,
      pending('c1', { interactionType: 'user_input', options: [{ title: 'Blue' }] }),
      resolved('c1', 'Blue', 'answered'),
      END,
    ]);
    expect(texts(rows).slice(1, 3)).toEqual([
      'session|session: question of the agent: Run it?',
      'session|session: answer to the agent outcome=answered: Blue',
    ]);
    expect(permissions(rows)).toEqual([]);
  });

  it('spreads one approval of edits over the calls it names', () => {
    const files = [
      { path: 'a', toolCallId: 'c1' },
      { path: 'b', toolCallId: 'c2' },
    ];
    const rows = rowsOf([
      START,
      pending('turn_approval_1_2_x', { _meta: { kiro: { files } } }),
      resolved('turn_approval_1_2_x', 'accept'),
      call('c1'),
      call('c3'),
    ]);
    expect(permissions(rows).map((d) => [d.tool_use_id, d.decision, d.details?.approval_id])).toEqual([
      ['c1', 'requested', 'turn_approval_1_2_x'],
      ['c2', 'requested', 'turn_approval_1_2_x'],
      ['c1', 'approved', 'turn_approval_1_2_x'],
      ['c2', 'approved', 'turn_approval_1_2_x'],
    ]);
    expect(rows.slice(-2).map((d) => d.details?.approval)).toEqual(['answered: approved', 'ran without being asked for']);
  });

  it('does not say that a call was not asked for where an approval names no calls, or lines are lost', () => {
    const silent = (rows: readonly Draft[]) => rows.filter((d) => d.details?.approval !== undefined);
    expect(silent(rowsOf([START, pending('turn_approval_1_2_x'), call('c1')]))).toEqual([]);
    expect(silent(rowsOf([call('c1')]))).toEqual([]);
    expect(silent(rowsOf([START, call('c1', 'failed')]))).toEqual([]);
    expect(silent(read(`${line('t', 1, START)}\n{"id":"torn\n${line('c', 2, call('c1'))}\n`))).toEqual([]);
    expect(silent(rowsOf([START, call('c1')]))).toHaveLength(1);
  });

  it('reads what the record of a call says by itself', () => {
    const policyDenial = { capability: 'fs_write', resource: '/etc/passwd', effect: 'deny', source: 'user' };
    expect(
      view(rowsOf([START, call('c1', 'denied'), call('c2', 'approved'), call('c3', 'completed', { _meta: { kiro: { policyDenial } } })])),
    ).toEqual([
      ['permission decision: denied by=policy tool=execute_bash', 'c1', 'denied', 'policy'],
      ['permission decision: approved by=unknown tool=execute_bash', 'c2', 'approved', 'unknown'],
      ['permission decision: denied by=policy tool=execute_bash capability=fs_write resource=/etc/passwd', 'c3', 'denied', 'policy'],
    ]);
    // With a question and its answer in the log the status says nothing new.
    expect(permissions(rowsOf([START, pending('c1'), resolved('c1', 'accept'), call('c1', 'approved')]))).toHaveLength(2);
  });

  it('marks the result of a denied call as blocked, not as failed', () => {
    const result = { type: 'tool_result', toolCallId: 'c1', content: 'User denied', success: false };
    const rows = rowsOf([START, pending('c1'), resolved('c1', 'reject'), call('c1', 'denied'), result]);
    expect(rows.at(-1)).toMatchObject({ row_type: 'tool_result', status: 'blocked', outcome: 'ambiguous' });
  });

  it('carries the call of a sub-agent, whose questions stand in the log of its parent', () => {
    const rows = rowsOf([START, pending('tooluse_child'), resolved('tooluse_child', 'accept')], {}, LOG);
    expect(permissions(rows).map((d) => d.tool_use_id)).toEqual(['tooluse_child', 'tooluse_child']);
  });
});
