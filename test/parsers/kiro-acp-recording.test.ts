import { describe, expect, it } from 'vitest';
import { kiroAcpRecording } from '../../src/parsers/kiro-acp/recording.js';
import { shown } from '../support/kiro-v2-session.js';
import { draftsOf } from '../support/memory-source.js';

const T0 = Date.UTC(2026, 6, 2, 7, 15);
const S = 's-1';
const frame = (ms: number, dir: string, msg: unknown) => JSON.stringify({ ts: T0 + ms, dir, msg });
const read = (...lines: string[]) => draftsOf(kiroAcpRecording, lines.map((line) => `${line}\n`).join(''), { agent: 'kiro-cli' });
const update = (ms: number, value: object) =>
  frame(ms, 'in', { jsonrpc: '2.0', method: 'session/update', params: { sessionId: S, update: value } });
const chunk = (ms: number, words: string) => update(ms, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } });

describe('recording of the agent protocol', () => {
  it('gives a prompt with its time, and the directory of its session', () => {
    const rows = read(
      frame(0, 'out', { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd: '/srv/shop', mcpServers: [] } }),
      frame(5, 'in', { jsonrpc: '2.0', id: 1, result: { sessionId: S } }),
      frame(9, 'out', {
        jsonrpc: '2.0',
        id: 2,
        method: 'session/prompt',
        params: { sessionId: S, prompt: [{ type: 'text', text: 'go' }] },
      }),
    );
    expect(shown(rows)).toEqual([
      'log|log: source=acp to=agent method=session/new: {"cwd":"/srv/shop","mcpServers":[]}',
      'session|session: start source=acp: {"result":{"sessionId":"s-1"}}',
      'prompt|go',
    ]);
    expect(rows[2]).toEqual({
      row_type: 'prompt',
      text: 'go',
      origin: 'unknown',
      textKey: 'go',
      session_id: S,
      project_path: '/srv/shop',
      problem: '',
      details: { rpc_id: 2 },
      time: { ms: T0 + 9, ns: 0, source: 'record', original: String(T0 + 9) },
      source_line: 3,
      source_offset: rows[2]?.source_offset,
    });
    expect(rows[1]).toMatchObject({ session_id: S, project_path: '/srv/shop' });
  });

  it('joins the pieces of a message', () => {
    const rows = read(
      chunk(0, 'Hel'),
      chunk(1, 'lo'),
      update(2, { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } }),
      chunk(3, '.'),
    );
    expect(rows.map((d) => [d.row_type, d.text, d.time?.ms, d.details])).toEqual([
      ['assistant', 'Hello', T0, { chunks: 2, last_chunk: '2026-07-02T07:15:00.001Z' }],
      ['thinking', 'hm', T0 + 2, { chunks: 1 }],
      ['assistant', '.', T0 + 3, { chunks: 1 }],
    ]);
  });

  it('gives calls and what became of them', () => {
    const rows = read(
      update(0, {
        sessionUpdate: 'tool_call',
        toolCallId: 't1',
        title: 'Running: ls',
        kind: 'execute',
        status: 'pending',
        rawInput: { command: 'ls', __tool_use_purpose: 'look' },
        locations: [{ path: '/srv' }],
      }),
      update(1, { sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'in_progress' }),
      update(2, {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't1',
        status: 'completed',
        rawOutput: { items: [{ Json: { exit_status: 'exit status: 0', stdout: 'a', stderr: '' } }] },
      }),
      update(3, {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't2',
        status: 'failed',
        content: [{ type: 'content', content: { type: 'text', text: 'denied' } }],
      }),
    );
    expect(rows.map((d) => [d.row_type, d.text, d.tool_use_id, d.status, d.outcome, d.exit_code])).toEqual([
      ['tool_use', '{"command":"ls"}', 't1', undefined, undefined, undefined],
      ['log', expect.stringContaining('"status":"in_progress"'), undefined, undefined, undefined, undefined],
      ['tool_result', 'a', 't1', 'completed', 'pass', 0],
      ['tool_result', 'denied', 't2', 'failed', 'fail', null],
    ]);
    expect(rows[0]).toMatchObject({
      command: 'ls',
      file_paths: ['/srv'],
      details: { purpose: 'look', call: { title: 'Running: ls', kind: 'execute' } },
    });
  });

  const ask = (id: unknown, options?: unknown) =>
    frame(0, 'in', {
      jsonrpc: '2.0',
      id,
      method: 'session/request_permission',
      params: { sessionId: S, toolCall: { toolCallId: 't1', title: 'Running: rm x' }, options },
    });
  const say = (id: unknown, outcome: object) => frame(900, 'out', { jsonrpc: '2.0', id, result: { outcome } });

  it.each([
    [{ outcome: 'selected', optionId: 'allow_once' }, 'approved', 'allow_once'],
    [{ outcome: 'selected', optionId: 'allow_always' }, 'approved', 'allow_always'],
    [{ outcome: 'selected', optionId: 'reject_once' }, 'denied', 'reject_once'],
    [{ outcome: 'selected', optionId: 'o7' }, 'denied', 'o7'],
    [{ outcome: 'selected', optionId: 'o8' }, 'unknown', 'o8'],
    [{ outcome: 'cancelled' }, 'cancelled', 'interrupt'],
    [{}, 'unknown', 'unknown'],
  ])('joins question and answer %j', (outcome, decision, by) => {
    const rows = read(ask(7, [{ optionId: 'o7', kind: 'reject_once', name: 'No' }]), say(7, outcome));
    expect(rows[0]).toMatchObject({
      text: 'permission decision: requested tools=Running: rm x source=acp',
      decision: 'requested',
      tool_use_id: 't1',
      session_id: S,
    });
    expect(rows[1]).toMatchObject({
      row_type: 'permission',
      decision,
      decided_by: by,
      tool_use_id: 't1',
      session_id: S,
      time: { ms: T0 + 900 },
    });
    expect(rows[1]?.text).toBe(`permission decision: ${decision} by=${by} source=acp`);
  });

  it('does not take an answer of the agent to a question of the client with the same id for the decision', () => {
    const rows = read(
      frame(0, 'out', { id: 7, method: 'session/prompt', params: { sessionId: S, prompt: [] } }),
      ask(7),
      frame(2, 'in', { id: 7, result: { stopReason: 'end_turn' } }),
      say(7, { outcome: 'selected', optionId: 'allow_once' }),
    );
    expect(shown(rows).slice(2)).toEqual([
      'log|log: source=acp to=client answer_to=session/prompt: {"result":{"stopReason":"end_turn"}}',
      'permission|permission decision: approved by=allow_once source=acp',
    ]);
  });

  it('takes a message that is a text, times as text and in seconds, and other names of the directions', () => {
    const msg = { jsonrpc: '2.0', method: 'session/set_model', params: { sessionId: S, modelId: 'opus' } };
    const rows = read(
      JSON.stringify({ ts: String(T0), dir: 'out', msg: JSON.stringify(msg) }),
      JSON.stringify({ ts: T0 / 1000 + 0.25, dir: 'client->agent', msg }),
    );
    expect(rows.map((d) => [d.text, d.time?.ms])).toEqual([
      ['model: opus source=acp', T0],
      ['model: opus source=acp', T0 + 250],
    ]);
  });

  it('says that an answer has no question, and gives what is no message', () => {
    const rows = read(
      frame(0, 'in', { id: 1, result: { ok: true } }),
      frame(1, 'sideways', 'free text'),
      JSON.stringify({ dir: 'in', msg: [1] }),
    );
    expect(rows.map((d) => [d.text, d.problem])).toEqual([
      ['log: source=acp to=client answer_to=unknown: {"result":{"ok":true}}', 'the request to this answer is not in the recording'],
      ['log: source=acp: free text', 'not a JSON-RPC message'],
      ['log: source=acp: [1]', 'not a JSON-RPC message; the frame holds no time that can be read'],
    ]);
    expect(rows[1]?.details).toEqual({ frame: { dir: 'sideways' } });
  });

  it('is known by its content', () => {
    const detect = (head: string) => kiroAcpRecording.detect?.(Buffer.from(head));
    expect(detect(frame(0, 'in', {}))).toBe(true);
    expect(detect('{"ts":"1","dir":"client->agent","msg":')).toBe(true);
    expect(detect('{"ts":1,"dir":"up","msg":{}}')).toBe(false);
    expect(detect('{"ts":1,"level":"info"}')).toBe(false);
  });
});

describe('tokens', () => {
  const TOKEN = 'aoaAAAAAGm9zZWNyZXQtYmVhcmVyLXZhbHVl';
  const ANSWER = { accessToken: TOKEN, expiresAt: '2026-07-02T08:00:00Z', profileArn: 'arn:aws:x', other: TOKEN };
  const request = frame(0, 'in', { jsonrpc: '2.0', id: 3, method: '_kiro/auth/getAccessToken', params: {} });
  const answer = frame(1, 'out', { jsonrpc: '2.0', id: 3, result: ANSWER });

  it.each([
    ['an answer', [request, answer]],
    ['an answer whose request is not recorded', [answer]],
    ['an answer that is the bare token', [frame(1, 'out', { id: 3, result: TOKEN })]],
    ['a notification', [frame(1, 'out', { method: '_kiro/auth/accessToken', params: { accessToken: TOKEN } })]],
    ['a message that is a text', [JSON.stringify({ ts: T0, dir: 'out', msg: JSON.stringify({ id: 3, result: ANSWER }) })]],
    ['a message that is no JSON', [JSON.stringify({ ts: T0, dir: 'out', msg: `{"accessToken":"${TOKEN}"` })]],
    ['a frame with more fields', [JSON.stringify({ ts: T0, dir: 'out', msg: {}, accessToken: TOKEN })]],
    ['a torn line', [answer.slice(0, -3)]],
    ['two records on one line, one of them torn', [`${answer.slice(0, -3)}${request}`]],
    ['an error', [request, frame(1, 'out', { id: 3, error: { code: 1, message: TOKEN } })]],
  ])('never reach a row: %s', (_, lines) => {
    const rows = read(...lines);
    expect(JSON.stringify(rows)).not.toContain(TOKEN);
    expect(rows.length).toBeGreaterThan(0);
  });

  it('are named by length, with what is no secret beside them', () => {
    expect(read(request, answer)[1]).toMatchObject({
      text: 'log: source=acp to=agent answer_to=_kiro/auth/getAccessToken: token withheld',
      details: { token: 'token withheld', length: TOKEN.length, expiresAt: '2026-07-02T08:00:00Z', profileArn: 'arn:aws:x' },
    });
  });
});
