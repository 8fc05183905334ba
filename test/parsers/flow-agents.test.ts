import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { flowAgentsCommandLog } from '../../src/parsers/flow-agents/command-log.js';
import { flowAgentsDelegates } from '../../src/parsers/flow-agents/delegates.js';
import { flowAgentsSession } from '../../src/parsers/flow-agents/sessions.js';
import { flowAgentsTelemetry } from '../../src/parsers/flow-agents/telemetry.js';
import { brief, lines } from '../support/hook-rows.js';
import { draftsOf } from '../support/memory-source.js';

const PROJECT = { file: 'home/mira/work/shop/.kontourai/telemetry/full.jsonl', base: 'home/mira/work/shop', inProject: true };
const BASE = {
  schema_version: '0.3.0',
  session_id: 'r-1',
  agent: { name: 'dev', runtime: 'kiro', version: '1' },
  context: { cwd: '/home/mira/work/shop' },
};
const event = (n: number, event_type: string, fields: object = {}) => ({
  ...BASE,
  timestamp: String(1_762_938_000_000 + n * 1000),
  event_id: `e${n}`,
  event_type,
  hook: { runtime_session_id: '5ea02c47' },
  ...fields,
});
const telemetry = (...events: readonly unknown[]) => draftsOf(flowAgentsTelemetry, lines(...events), PROJECT);

describe('telemetry of Flow Agents', () => {
  it('gives a row for each event; redacted texts are said, redaction of what never was is no call', () => {
    const rows = telemetry(
      event(0, 'session.start', { tool: { input: null, output: null }, turn: { prompt_text: null }, usage: { model: 'claude-sonnet-4' } }),
      event(1, 'turn.user', { turn: { prompt_text: null, prompt_length: 27 } }),
      event(2, 'tool.invoke', { tool: { name: 'execute_bash', normalized_name: 'execute_bash', input: { command: 'npm test' } } }),
      event(3, 'tool.result', {
        tool: { name: 'execute_bash', output: null, duration_ms: 812, outcome: 'fail', exit_code: 1, status: 'failed' },
      }),
      event(4, 'tool.permission_request', { tool: { name: 'fs_write' }, permission: { description: 'write a.ts' } }),
      event(5, 'agent.delegate', { delegation: { targets: ['reviewer'] } }),
      event(6, 'session.usage', { usage: { model: 'claude-sonnet-4', duration_s: 42, input_tokens: 10, output_tokens: 20 } }),
      event(7, 'workflow.outcome', { workflow_outcome: { process_status: 'completed', quality_status: 'not_independently_evaluated' } }),
      event(8, 'session.end', { session: { duration_s: 42 } }),
      event(9, 'tool.result', { tool: { input: null, output: null } }),
      event(10, 'new.kind'),
    );
    expect(brief(rows, 'tool_name', 'outcome')).toEqual([
      ['session', 'session: start agent=dev runtime=kiro model=claude-sonnet-4', undefined, undefined],
      ['prompt', '', undefined, undefined],
      ['tool_use', '{"command":"npm test"}', 'execute_bash', undefined],
      ['tool_result', '', 'execute_bash', 'fail'],
      ['permission', 'permission asked: tool=fs_write: write a.ts', 'fs_write', undefined],
      ['tool_use', '["reviewer"]', 'subagent', undefined],
      ['usage', 'usage: model=claude-sonnet-4 duration_s=42 input_tokens=10 output_tokens=20', undefined, undefined],
      ['session', 'session: workflow outcome process_status=completed quality_status=not_independently_evaluated', undefined, undefined],
      ['session', 'session: end agent=dev runtime=kiro duration_s=42', undefined, undefined],
      ['session', 'session: event type=tool.result', undefined, undefined],
      ['session', 'session: event type=new.kind', undefined, undefined],
    ]);
    expect(rows[1]).toMatchObject({ problem: 'the text of the prompt was not kept', details: { record: { turn: { prompt_length: 27 } } } });
    expect(rows[3]).toMatchObject({
      status: 'failed',
      exit_code: 1,
      duration_ms: 812,
      session_id: '5ea02c47',
      project_path: '/home/mira/work/shop',
      message_id: 'e3',
      time: { ms: 1_762_938_003_000, original: '1762938003000' },
      problem: 'the output was not kept',
    });
    expect(rows[3]?.details?.corroborates).toEqual([
      { in: 'session', row_type: 'tool_result', session_id: '5ea02c47', tool_name: 'execute_bash' },
    ]);
    expect(rows[8]?.duration_ms).toBe(42_000);
    expect(rows[9]?.problem).toBe('the event names no tool: no call is proved');
  });

  it('takes status, outcome, exit code and duration as recorded, and guesses none', () => {
    const result = (tool: object) => telemetry(event(1, 'tool.result', { tool: { name: 'shell', output: 'x', ...tool } }))[0];
    expect(result({})).toMatchObject({ status: 'unknown', outcome: 'ambiguous', exit_code: null, duration_ms: null });
    expect(result({ exit_code: 0 })).toMatchObject({ status: 'unknown', outcome: 'pass', exit_code: 0 });
    expect(result({ status: 'canceled', outcome: 'ambiguous' })).toMatchObject({ status: 'canceled', outcome: 'ambiguous' });
    expect(result({ outcome: 'pass', exit_code: 2 })?.problem).toBe('recorded as pass, with exit code 2');
    expect(result({ status: 'great', outcome: 'x', exit_code: '0', duration_ms: -1 })).toMatchObject({
      status: 'unknown',
      outcome: 'ambiguous',
      exit_code: null,
      duration_ms: null,
      details: { record: { tool: { status: 'great', outcome: 'x', exit_code: '0', duration_ms: -1 } } },
    });
  });

  it('gives the last message of the assistant once, though three events repeat it', () => {
    const hook = { runtime_session_id: '5ea02c47', last_assistant_message: 'Done.' };
    const rows = telemetry(event(1, 'session.usage', { hook }), event(2, 'session.end', { hook }));
    expect(brief(rows)).toEqual([
      ['assistant', 'Done.'],
      ['usage', 'usage:'],
      ['session', 'session: end agent=dev runtime=kiro'],
    ]);
    expect(rows[2]?.details?.last_assistant_message).toBe('as on line 1');
  });

  it('names the same event in both files alike, the fuller one first', () => {
    const one = event(2, 'tool.result', { tool: { name: 'shell', output: null, exit_code: 0 } });
    const of = (file: string) => draftsOf(flowAgentsTelemetry, JSON.stringify(one), { ...PROJECT, file })[0];
    const [full, less] = [of('p/.kontourai/telemetry/full.jsonl'), of('p/.kontourai/telemetry/analytics.jsonl.1')];
    expect([full?.identity, full?.text, full?.rank]).toEqual([less?.identity, less?.text, 4]);
    expect(less?.rank).toBe(5);
  });

  it('keeps an event without a time, and a line that is none', () => {
    const rows = telemetry({ ...event(1, 'turn.user'), timestamp: 'soon' }, '{"schema_version":"0.3.0",');
    expect(rows[0]).toMatchObject({ time: undefined, details: { record: { timestamp: 'soon' } } });
    expect(rows[0]?.problem).toContain('the record holds no time that can be read');
    expect(rows[1]?.row_type).toBe('error');
  });
});

const ZERO = '0'.repeat(40);
const FIRST = 'a3f9e2b7d5c84f1e6a0d2c3b9f7e1a4d8c6b5f2e9a0d3c7b1f4e8a2d6c0b9f3';
const SEEN = { observed_at_commit: ZERO, worktree_clean: true, source: 'postToolUse-capture' };
const TEST = { command: 'npm test', observedResult: 'pass', exitCode: 0, capturedAt: '2026-10-01T09:00:00.000Z', ...SEEN };
const LINT = { ...TEST, command: 'npm run lint', observedResult: 'fail', exitCode: 2, capturedAt: '2026-10-01T09:01:00.000Z' };
// As given in the description of the format.
const HASH_1 = '94ad67948149cd79175530fc8d756b7b7a5793041300964acddff336b10cd272';
const HASH_2 = '2b76786e0cce89a18a0800acd7b72b29a8954ebfdc6eefd8bf33fb1fd6c05bd7';
const CHAINED = [
  { ...TEST, _chain: { seq: 1, prevHash: FIRST, hash: HASH_1 } },
  { ...LINT, _chain: { seq: 2, prevHash: HASH_1, hash: HASH_2 } },
];

describe('command log of Flow Agents', () => {
  const rowsOf = (...records: readonly unknown[]) =>
    draftsOf(flowAgentsCommandLog, lines(...records), { ...PROJECT, file: 'shop/.kontourai/flow-agents/checkout/command-log.jsonl' });
  const verdict = (...records: readonly unknown[]) => rowsOf(...records).at(-1);

  it('gives a result for each command', () => {
    const rows = rowsOf(...CHAINED, { ...TEST, observedResult: 'ambiguous', exitCode: null });
    expect(brief(rows.slice(0, 3), 'command', 'status', 'outcome', 'exit_code')).toEqual([
      ['tool_result', 'command log: result=pass exit_code=0: npm test', 'npm test', 'completed', 'pass', 0],
      ['tool_result', 'command log: result=fail exit_code=2: npm run lint', 'npm run lint', 'failed', 'fail', 2],
      ['tool_result', 'command log: result=ambiguous exit_code=unknown: npm test', 'npm test', 'unknown', 'ambiguous', null],
    ]);
    expect(rows[0]).toMatchObject({ time: { ms: 1_790_845_200_000 }, project_path: 'home/mira/work/shop', details: { slug: 'checkout' } });
  });

  it('checks the chain: sound, forked, broken, or none', () => {
    expect(verdict(...CHAINED)?.text).toBe('log: command log chain verdict=ok records=2 legacy=0 lines=[]');
    expect(verdict(TEST, LINT)?.text).toContain('verdict=legacy records=0 legacy=2');
    const changed = rowsOf({ ...CHAINED[0], exitCode: 1 }, CHAINED[1]);
    expect(changed.map((row) => row.problem)).toEqual([
      'recorded as pass, with exit code 1; chain: the record is not the one its hash was made of',
      '',
      'the chain is broken at line 1: records were changed, removed or put in',
    ]);
    expect(rowsOf(CHAINED[1])[0]?.problem).toBe('chain: the record it follows is not there');
    const twin = { ...TEST, command: 'x' };
    const hash = createHash('sha256')
      .update(FIRST + JSON.stringify(Object.fromEntries(Object.entries(twin).sort(([a], [b]) => (a < b ? -1 : 1)))))
      .digest('hex');
    expect(verdict(CHAINED[0], { ...twin, _chain: { seq: 1, prevHash: FIRST, hash } })?.text).toContain('verdict=forked');
    expect(verdict(CHAINED[0], LINT)?.problem).toContain('broken at line 2');
  });

  it('keeps records with fields missing or of a wrong type', () => {
    const [row] = rowsOf({ command: 5, observedResult: 'good', exitCode: '0', capturedAt: 'today' });
    expect(row).toMatchObject({ command: '', outcome: 'ambiguous', exit_code: null, time: undefined });
    expect(row?.details?.record).toEqual({ command: 5, observedResult: 'good', exitCode: '0', capturedAt: 'today' });
    expect(rowsOf('')).toEqual([]);
  });
});

describe('small records of Flow Agents', () => {
  it('reads what a delegate reported, as its own word', () => {
    const record = {
      timestamp: '2026-07-05T00:00:07Z',
      agent_id: 'a-3',
      kind: 'evidence',
      status: 'pass',
      model: 'm',
      summary: 'tests ran',
    };
    expect(brief(draftsOf(flowAgentsDelegates, JSON.stringify(record)), 'status', 'outcome', 'model')).toEqual([
      ['delegate', 'delegate: kind=evidence agent=a-3 status=pass: tests ran', 'completed', 'ambiguous', 'm'],
    ]);
  });

  it('reads a session, and a call whose result never came', () => {
    const of = (name: string, content: string) => draftsOf(flowAgentsSession, content, { file: `p/.kontourai/telemetry/sessions/${name}` });
    const session = { session_id: 's', agent_name: 'dev', start_time: 1_762_938_000, end_time: 1_762_938_042, pid: 7, duration_s: 42 };
    expect(brief(of('s.session', JSON.stringify(session)), 'session_id')).toEqual([
      ['session', 'session: start agent=dev pid=7', 's'],
      ['session', 'session: end duration_s=42', 's'],
    ]);
    const [open] = of('toolstart-s-abc', '1762938000123\n');
    expect([open?.row_type, open?.text, open?.time?.ms]).toEqual(['gap', 'gap: no result for call key=s-abc', 1_762_938_000_123]);
    expect(of('toolstart-s-abc', 'x')[0]?.row_type).toBe('error');
  });
});
