import { describe, expect, it } from 'vitest';
import { kiroV3Messages } from '../../src/parsers/kiro-v3/messages.js';
import { at, line, read, rowsOf, SESSION, texts } from '../support/kiro-v3-log.js';

const SIDECAR = JSON.stringify({ id: SESSION, workspacePaths: ['/home/alice/Proj', '/srv'], parentSessionId: 'sess_parent' });

describe('kiro-v3-messages', () => {
  it('reads a prompt with every column', () => {
    const content = `${line('u1', 1, { type: 'user', content: 'count the orders', source: 'chat' })}\n`;
    expect(read(content, undefined, { 'session.json': SIDECAR })).toEqual([
      {
        row_type: 'prompt',
        text: 'count the orders',
        time: { ms: Date.parse(at(1)), ns: 0, source: 'message', original: at(1) },
        message_id: 'u1',
        session_id: SESSION,
        project_path: '/home/alice/Proj',
        parent_session_id: 'sess_parent',
        source_line: 1,
        source_offset: 0,
        source_pointer: '/payload/content',
        rank: 0,
        identity: `kiro-v3\u0000prompt\u0000u1\u0000${at(1)}\u00000`,
        origin: 'typed',
        textKey: 'count the orders',
        problem: '',
        details: { type: 'user', payload: { source: 'chat' } },
      },
    ]);
  });

  it.each([
    [{ source: 'chat' }, 'typed'],
    [{}, 'unknown'],
    [{ _meta: { kiro: { userMessageTag: 'prompt_1' } } }, 'typed'],
    [{ _meta: { kiro: { userMessageTag: 'other' } } }, 'unknown'],
    [{ source: 'steer' }, 'typed'],
    [{ source: 'api' }, 'automatic'],
    [{ source: 'hook' }, 'injected'],
    [{ source: 'chat', _meta: { kiro: { syntheticUserMessageReason: 'steering-injection' } } }, 'agent'],
    [{ source: 'new kind' }, 'unknown'],
  ])('tells who wrote a user record: %j', (fields, origin) => {
    expect(rowsOf([{ type: 'user', content: 'x', ...fields }]).map((d) => d.origin)).toEqual([origin]);
  });

  it('takes a text wrapped in hook tags for a hook, and no other element', () => {
    const rows = rowsOf(
      ['<HOOK_INSTRUCTION>\nrun it\n</HOOK_INSTRUCTION>', '<div>mine</div>'].map((content) => ({ type: 'user', content, source: 'chat' })),
    );
    expect(rows.map((d) => d.origin)).toEqual(['injected', 'typed']);
  });

  it('flattens blocks, hashes attachments and gives context items rows of their own', () => {
    const rows = rowsOf([
      {
        type: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
          { type: 'image', data: 'AAEC', mimeType: 'image/png' },
        ],
        images: [{ data: 'data:image/png;base64,AAEC', mimeType: 'image/png' }],
        documents: [{ data: 'not base64!', name: 'n.txt' }],
        contextItems: [{ name: 'file', content: 'body', uri: 'file:///a' }, 'odd'],
      },
    ]);
    const sha256 = 'ae4b3280e56e2faf83f414a6e3dabe9d5fbe18976544c05fed121accb85b53fc';
    expect(texts(rows)).toEqual(['prompt|a\nb', 'context|body', 'context|odd']);
    expect(rows[0]?.details).toMatchObject({
      content: [{ type: 'image', mimeType: 'image/png', size: 3, sha256 }],
      images: [{ mimeType: 'image/png', size: 3, sha256 }],
      documents: [{ name: 'n.txt', size: 11, note: 'not base64: size and hash of the text' }],
    });
    expect(rows.slice(1).map((d) => [d.origin, d.source_pointer, d.file_paths])).toEqual([
      ['injected', '/payload/contextItems/0', ['file:///a']],
      ['injected', '/payload/contextItems/1', undefined],
    ]);
  });

  it('tells answers, reasoning and summaries apart, and names encrypted reasoning and models', () => {
    const rows = rowsOf([
      { type: 'assistant', content: '...', operationType: 'Reasoning', reasoningSignature: 'sig', reasoningModelId: 'qdev::auto' },
      { type: 'assistant', content: 'think', operationType: 'Reasoning', reasoningModelId: 'qdev::auto' },
      { type: 'assistant', content: 'hi', operationType: 'Say' },
      { type: 'assistant', content: 'p', operationType: 'Print' },
      { type: 'assistant', content: 's', operationType: 'Summary', reasoningModelId: 'claude' },
      { type: 'assistant', content: 'new', operationType: 'Sing' },
      { type: 'assistant', content: 'bare' },
    ]);
    expect(texts(rows)).toEqual([
      'model|model: auto',
      'thinking|...',
      'thinking|think',
      'assistant|hi',
      'assistant|p',
      'model|model: auto -> claude',
      'summary|s',
      'assistant|new',
      'assistant|bare',
    ]);
    expect(rows.map((d) => d.model)).toEqual(['auto', 'auto', 'auto', '', '', 'claude', 'claude', '', '']);
    expect(rows[1]).toMatchObject({
      details: { encrypted: true, signature_characters: 3 },
      problem: 'the reasoning is stored encrypted: its text is not here',
    });
    expect(rows[2]?.details).not.toHaveProperty('encrypted');
    expect(rows[7]?.problem).toBe('unknown kind of operation');
  });

  it('gives the course of a session one row each', () => {
    expect(
      texts(
        rowsOf([
          { type: 'turn_start', executionId: 'e1' },
          { type: 'session_event', category: 'session_pause', context: { executionId: 'e1', status: 'success' } },
          {
            type: 'usage_summary',
            promptTurnSummaries: [{ unit: 'credit', usage: 0.25 }],
            elapsedTime: 1500,
            status: 'success',
            requestIds: ['q1'],
          },
          { type: 'usage_summary', promptTurnSummaries: null },
          { type: 'session_metadata', key: 'contextUsage', value: { usagePercentage: 12.5 }, executionId: 'e1' },
          { type: 'session_metadata', key: 'displayError', value: { message: 'slow down', errorType: 'Throttling' } },
          { type: 'session_metadata', key: 'recap', value: { text: 'so far' } },
          { type: 'session_metadata', key: 'other', value: [1] },
          { type: 'turn_end', executionId: 'e1', stopReason: 'refusal', stopDetails: { refusal: { category: 'c', explanation: 'no' } } },
          { type: 'session_start', agentType: 'vibe', content: 'You are', forcedRole: 'r', messageId: 'm' },
          { type: 'mode_change', fromMode: 'vibe', toMode: 'spec', reason: 'asked' },
          { type: 'error', message: 'boom', code: 7, details: { a: 1 } },
          { type: 'system', content: 'note' },
          { type: 'agent_note', content: 'note' },
          { type: 'tool_revert', toolCallId: 'c9' },
          { type: 'of_tomorrow', secret: 'kept' },
        ]),
      ),
    ).toEqual([
      'session|session: turn started id=e1',
      'session|session: event=session_pause status=success turn=e1',
      'usage|usage: status=success unit=credit usage=0.25',
      'usage|usage:',
      'usage|usage: context percentage=12.5',
      'session|session: error shown kind=Throttling: slow down',
      'session|session: recap: so far',
      'session|session: metadata key=other: [1]',
      'session|session: turn ended reason=refusal refusal=c id=e1: no',
      'session|session: started agent_type=vibe forced_role=r: You are',
      'session|session: mode changed from=vibe to=spec: asked',
      'session|session: error code=7: boom',
      'session|session: system: note',
      'session|session: agent_note: note',
      'session|session: changes of a call taken back call=c9',
      'session|session: record of unknown type=of_tomorrow',
    ]);
  });

  it('carries figures of a turn, and never takes session_start for a prompt', () => {
    const rows = rowsOf([
      { type: 'turn_end', executionId: 'e' },
      { type: 'session_start', content: 'first words?' },
      { type: 'usage_summary', elapsedTime: 1500, requestIds: ['q1'] },
      { type: 'unknown_one', secret: 'kept' },
    ]);
    expect(rows[1]?.problem).toBe('the log holds no prompt of the first turn: this text may be it');
    expect(rows[2]).toMatchObject({ duration_ms: 1500, request_id: 'q1' });
    expect(rows[3]).toMatchObject({ problem: 'unknown record type', details: { payload: { type: 'unknown_one', secret: 'kept' } } });
  });

  it('reads steering and hooks as context that nobody typed', () => {
    const rows = rowsOf([
      { type: 'steering_inclusion', documents: ['file:///a.md', { id: 'b', displayName: 'B', content: 'be kind', scope: 'user' }] },
      {
        type: 'ContextualHookInvoked',
        hookId: 'h.json#hook-0',
        name: 'lint',
        hookActionType: 'runCommand',
        status: 'failed',
        command: 'npm run lint',
        output: 'bad',
        exitCode: 1,
        operationId: 'o',
      },
      { type: 'ContextualHookInvoked', hookId: 'h.json#hook-1', name: 'ask', hookActionType: 'askAgent', status: 'awaiting_approval' },
    ]);
    expect(texts(rows)).toEqual([
      'context|file:///a.md',
      'context|be kind',
      'context|bad',
      'context|hook: id=h.json#hook-1 action=askAgent status=awaiting_approval: ask',
    ]);
    expect(rows.map((d) => [d.origin, d.command, d.exit_code, d.status, d.outcome])).toEqual([
      ['injected', undefined, undefined, undefined, undefined],
      ['injected', undefined, undefined, undefined, undefined],
      ['injected', 'npm run lint', 1, 'failed', 'fail'],
      ['injected', '', null, 'unknown', 'ambiguous'],
    ]);
  });

  it('reads sub-agents as delegates', () => {
    const rows = rowsOf([
      { type: 'sub_agent_start', parentExecutionId: 'e', subSessionId: 's1', subAgentName: 'reviewer', prompt: 'look', explanation: 'why' },
      { type: 'sub_agent_progress', subSessionId: 's1', message: 'half' },
      { type: 'sub_agent_complete', subSessionId: 's1', response: 'done', status: 'success' },
      { type: 'sub_agent_complete', subSessionId: 's2', status: 'error', errorMessage: 'lost' },
    ]);
    expect(texts(rows)).toEqual([
      'delegate|delegate task launched: agent=reviewer sub_session=s1: look',
      'delegate|delegate task progress: agent=reviewer sub_session=s1: half',
      'delegate|delegate task completed: agent=reviewer sub_session=s1\noutput: done',
      'delegate|delegate task failed: sub_session=s2\nerror: lost',
    ]);
    expect(rows[3]).toMatchObject({ outcome: 'fail', problem: 'may be a repair: then the time is when the session was loaded again' });
  });

  it('files the run of a sub-agent under its parent', () => {
    const file = `home/alice/.kiro/sessions/32cfb46d463b7613/${SESSION}/sub-executions/abc.jsonl`;
    const [row] = rowsOf([{ type: 'tool_call', toolCallId: 'c', toolName: 'execute_bash', args: {}, status: 'completed' }], {}, file);
    expect(row).toMatchObject({ session_id: SESSION, details: { sub_session_id: 'abc' } });
    expect(row?.details).not.toHaveProperty('approval');
  });

  it('says when the log is shorter than what was uploaded of it', () => {
    const rows = rowsOf([{ type: 'turn_start', executionId: 'e' }], { 'publish.cursor': '900:3' });
    expect(rows.at(-1)).toMatchObject({
      row_type: 'gap',
      text: 'gap: log is shorter than what was uploaded of it uploaded=900 size=101',
      session_id: SESSION,
    });
    expect(rowsOf([{ type: 'turn_start', executionId: 'e' }], { 'publish.cursor': '101:1' })).toHaveLength(1);
  });

  it('knows a log by its first record', () => {
    const detect = (text: string) => kiroV3Messages.detect?.(Buffer.from(text));
    expect(detect(`\ufeff${line('a', 1, { type: 'user', content: 'x' })}`)).toBe(true);
    expect(detect('{"id":"a","timestamp":"b","payload":{"session_id":"x"}}')).toBe(false);
  });
});
