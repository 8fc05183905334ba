import { describe, expect, it } from 'vitest';
import { aiDlcAudit } from '../../src/parsers/ai-dlc/audit.js';
import { aiDlcDrops } from '../../src/parsers/ai-dlc/drops.js';
import { aiDlcMarker } from '../../src/parsers/ai-dlc/markers.js';
import { aiDlcPending } from '../../src/parsers/ai-dlc/pending.js';
import { aiDlcQuestions } from '../../src/parsers/ai-dlc/questions.js';
import { aiDlcRequest } from '../../src/parsers/ai-dlc/requests.js';
import { aiDlcSession } from '../../src/parsers/ai-dlc/sessions.js';
import { aiDlcState } from '../../src/parsers/ai-dlc/state.js';
import type { FileParser } from '../../src/parsers/parser.js';
import { brief } from '../support/hook-rows.js';
import { draftsOf } from '../support/memory-source.js';

const INTENT = 'shop/aidlc/spaces/main/intents/261001-checkout';
const read = (parser: FileParser, file: string, content: string | Uint8Array) =>
  draftsOf(parser, content, { file, base: 'shop', inProject: true });
const audit = (content: string | Uint8Array) => read(aiDlcAudit, `${INTENT}/audit/mira-laptop-ab12.md`, content);
const block = (title: string, fields: Readonly<Record<string, string>>) =>
  [`## ${title}`, '', ...Object.entries(fields).map(([key, value]) => `**${key}**: ${value}`), '', '---', ''].join('\n');
const AT = { Timestamp: '2026-10-01T09:00:00Z' };

describe('audit of AI-DLC', () => {
  it('gives a row for each block', () => {
    const rows = audit(
      [
        '# AI-DLC Audit Log\n\n---\n',
        block('Human turn', { ...AT, Event: 'HUMAN_TURN', Session: 'sess_a' }),
        block('Gate', { ...AT, Event: 'GATE_APPROVED', Stage: 'design' }),
        block('Gate', { ...AT, Event: 'GATE_REJECTED', Stage: 'code', 'User Input': 'not yet\\nsorry' }),
        block('Guard off', { ...AT, Event: 'GUARD_DISABLED' }),
        block('Blocked', { ...AT, Event: 'PLAN_APPROVAL_BLOCKED', Tool: 'Write', File: 'src/a.ts' }),
        block('Artifact Created', { ...AT, Event: 'ARTIFACT_CREATED', Tool: 'Write', File: 'src/a.ts', Context: 'code' }),
        block('Done', { ...AT, Event: 'SUBAGENT_COMPLETED', 'Agent Type': 'developer', 'Agent ID': 'a1', Message: 'built' }),
        block('Answer', { ...AT, Event: 'QUESTION_ANSWERED', Answer: 'B' }),
        block('Stage', { ...AT, Event: 'STAGE_STARTED', Stage: 'code' }),
        '## Remark\n\nlooks fine\n',
      ].join('\n'),
    );
    expect(brief(rows, 'decision', 'tool_name')).toEqual([
      ['session', 'session: event=HUMAN_TURN: Human turn', undefined, undefined],
      ['permission', 'permission decision: approved by=gate event=GATE_APPROVED stage=design', 'approved', ''],
      ['permission', 'permission decision: denied by=gate event=GATE_REJECTED stage=code: not yet\\nsorry', 'denied', ''],
      ['permission', 'permission decision: granted by=config event=GUARD_DISABLED', 'granted', ''],
      ['permission', 'permission decision: blocked by=hook event=PLAN_APPROVAL_BLOCKED tool=Write', 'denied', 'Write'],
      ['tool_result', 'code', undefined, 'Write'],
      ['tool_result', 'built', undefined, 'subagent'],
      ['prompt', 'B', undefined, undefined],
      ['session', 'session: event=STAGE_STARTED stage=code: Stage', undefined, undefined],
      ['log', 'log: audit note title=Remark: looks fine', undefined, undefined],
    ]);
    expect(rows[0]).toMatchObject({
      session_id: 'sess_a',
      time: { ms: 1_790_845_200_000, source: 'record' },
      source_line: 5,
      problem: 'the words of the person are not recorded here',
      details: { shard: 'mira-laptop-ab12', space: 'main', intent: '261001-checkout' },
    });
    expect(rows[5]).toMatchObject({ file_paths: ['src/a.ts'], status: 'completed', outcome: 'ambiguous' });
  });

  it('reads blocks without a line between them, CRLF, doubled keys; names bad times, cut ends, damaged bytes', () => {
    const text = '## A\r\n**Timestamp**: yesterday\r\n**Event**: X_Y\r\n**K**: 1\r\n**K**: 2\r\n## B\r\n**Event**: X_Z';
    const rows = audit(text);
    expect(rows.map((row) => row.details?.fields)).toEqual([{ Timestamp: 'yesterday', Event: 'X_Y', K: ['1', '2'] }, { Event: 'X_Z' }]);
    expect(rows.map((row) => row.problem)).toEqual([
      'the recorded time is not a date',
      'no time is recorded; the file ends here without a line feed: the block may be cut',
    ]);
    const [damaged] = audit(Buffer.concat([Buffer.from('## A\n**Event**: '), Buffer.from([0xff, 0x0a])]));
    expect(damaged?.problem).toContain('not valid UTF-8');
    expect(damaged?.details?.fields).toEqual({ Event: '\\xff' });
    expect(audit('')).toEqual([]);
  });
});

describe('small records of AI-DLC', () => {
  it('reads the state with its stages and the guard policy', () => {
    const text = '# State\n- **Current Stage**: code\n- **Guard Policy**: relaxed (user)\n\n- [x] design\n- [-] code\n- [S] ops\n';
    const rows = read(aiDlcState, `${INTENT}/aidlc-state.md`, text);
    expect(brief(rows)).toEqual([
      ['session', `session: workflow state stage=code stages=3: ${text}`],
      ['config', 'config: Guard Policy=relaxed (user)'],
    ]);
    expect(rows[0]?.details?.stages).toEqual([
      { mark: 'x', stage: 'design' },
      { mark: '-', stage: 'code' },
      { mark: 'S', stage: 'ops' },
    ]);
  });

  it('reads what the adapter keeps of sessions', () => {
    const hash = 'ab'.repeat(32);
    const at = (name: string) => `shop/aidlc/.aidlc-sessions/kiro-terminal/${hash}/${name}`;
    expect(brief(read(aiDlcSession, 'shop/aidlc/.aidlc-sessions/.kiro-ide-current-session', 'sess_a\n'), 'session_id')).toEqual([
      ['session', 'session: last session of the project: sess_a', 'sess_a'],
    ]);
    expect(read(aiDlcSession, at('turn'), 'x')[0]?.problem).toBe('the turn is no whole number');
    const [started] = read(aiDlcSession, at('session-started'), '2026-10-01T09:00:00Z');
    expect(started).toMatchObject({ time: { ms: 1_790_845_200_000, source: 'launched_at' }, details: { session_id_sha256: hash } });
    const latch = {
      turn: 3,
      raw: '/aidlc --status',
      args: ['--status'],
      output: 'ok',
      exitCode: 0,
      typed: true,
      source: 'prompt',
      ts: 1_790_845_200_000,
    };
    expect(brief(read(aiDlcSession, at('latch.json'), JSON.stringify(latch)), 'origin', 'outcome', 'exit_code')).toEqual([
      ['prompt', '/aidlc --status', 'typed', undefined, undefined],
      ['tool_result', 'ok', undefined, 'pass', 0],
    ]);
    expect(read(aiDlcSession, at('latch.json'), '{')[0]?.row_type).toBe('error');
  });

  it('reads pending calls, drops and marks', () => {
    const pending = (content: string) => read(aiDlcPending, 'shop/aidlc/.aidlc-sessions/kiro-ide-pending/1.json', content)[0];
    expect(pending('{"command":"npm test","session_id":"sess_a"}')).toMatchObject({
      row_type: 'tool_use',
      command: 'npm test',
      session_id: 'sess_a',
    });
    expect(pending('{"file":"/p/a.ts","size":3}')?.file_paths).toEqual(['/p/a.ts']);
    expect(pending('npm test')).toMatchObject({ text: 'npm test', command: '' });
    const line = 'audit-and-sensors: fs_write yielded no extractable path from toolResult: Saved it';
    const drops = read(
      aiDlcDrops,
      `${INTENT}/.aidlc-engine/hooks-health/kiro-adapter.drops`,
      `2026-10-01T09:00:00Z ${line}\n\nempty hook context\n`,
    );
    expect(brief(drops, 'tool_name')).toEqual([
      ['log', `hook drop: 2026-10-01T09:00:00Z ${line}`, 'fs_write'],
      ['log', 'hook drop: empty hook context', ''],
    ]);
    expect(drops[0]).toMatchObject({ time: { ms: 1_790_845_200_000 }, details: { hook: 'kiro-adapter', result_fragment: 'Saved it' } });
    expect(drops[1]).toMatchObject({ time: undefined, details: { window: { before: '1777629600' } } });
    const mark = (name: string, content: string) => read(aiDlcMarker, `${INTENT}/.aidlc-engine/${name}`, content)[0];
    expect(mark('hooks-health/run-sensors.last', '2026-10-01T09:00:00Z')).toMatchObject({
      text: 'session: hook ran hook=run-sensors file=run-sensors.last: 2026-10-01T09:00:00Z',
      time: { source: 'record' },
    });
    expect(mark('guard-refusals/1.json', '{"tool":"fs_write"}')).toMatchObject({
      row_type: 'permission',
      decision: 'denied',
      details: { record: { tool: 'fs_write' } },
    });
    expect(mark('human-turn', '')?.text).toBe('session: a person took a turn file=human-turn');
  });

  it('reads requests and answers', () => {
    const request = (name: string, content: string) => brief(read(aiDlcRequest, `${INTENT}/${name}`, content), 'origin');
    expect(request('project-description.json', '"add a \\"cart\\""')).toEqual([['prompt', 'add a "cart"', 'typed']]);
    expect(request('project-description.json', '{"a":1}')).toEqual([['prompt', '{"a":1}', 'unknown']]);
    expect(request('request.txt', 'do it')).toEqual([['prompt', 'do it', 'unknown']]);
    const text = '## Question 1\nWhich one?\nA) x\n[Answer]: A\nreally\n\n## Question 2\n[Answer]:\n';
    const rows = read(aiDlcQuestions, `${INTENT}/design/design-questions.md`, text);
    expect(brief(rows)).toEqual([
      ['session', `session: questions file=design-questions.md questions=2 answered=1: ${text}`],
      ['prompt', 'A\nreally'],
    ]);
    expect(rows[1]?.time).toBeUndefined();
    expect(rows[1]).toMatchObject({ source_line: 4, details: { question: '## Question 1\nWhich one?\nA) x' } });
  });
});
