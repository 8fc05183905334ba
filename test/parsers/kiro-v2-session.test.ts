import { describe, expect, it } from 'vitest';
import { kiroV2Session } from '../../src/parsers/kiro-v2/session.js';
import { itReadsOneObject } from '../support/json-store-cases.js';
import { FOLDER, record, SESSION, sessionFile, shown, text } from '../support/kiro-v2-session.js';
import { draftsOf, missingLeaves } from '../support/memory-source.js';

const read = (content: string, journal?: string, name = `${SESSION}.json`) =>
  draftsOf(
    kiroV2Session,
    content,
    { file: `${FOLDER}/${name}`, agent: 'kiro-cli' },
    journal === undefined ? {} : { [`${SESSION}.jsonl`]: journal },
  );

const OK = { Ok: { id: 'a1', role: 'assistant', content: [text('42')], meta: { timestamp: 1782976521 } } };
const TURN = {
  loop_id: { agent_id: { name: 'kiro_default', parent_id: null, rand: null }, rand: 1467849346 },
  result: OK,
  message_ids: ['p1', 'a1'],
  total_request_count: 1,
  turn_duration: { secs: 1, nanos: 490633908 },
  end_reason: 'UserTurnEnd',
  end_timestamp: '2026-07-02T07:15:22.599156783Z',
  input_token_count: 0,
  model: 'claude-opus-5',
  context_usage_percentage: 1.76,
  metering_usage: [
    { value: 0.1, unit: 'credit', unitPlural: 'credits' },
    { value: 0.2, unit: 'credit', unitPlural: 'credits' },
  ],
};
const JOURNAL = `${record.prompt('p1', 'count')}\n${record.answer('a1', text('42'))}\n`;

describe('session file', () => {
  itReadsOneObject(kiroV2Session, 'session file', { session_id: SESSION, cwd: '/', session_state: null });

  it('gives the start of a session', () => {
    const [row] = read(
      sessionFile([], { parent_session_id: 'parent-1', imported_from: 'v1', goal: 'ship it' }, { agent_name: 'kiro_default' }),
      '',
    );
    expect(row).toEqual({
      row_type: 'session',
      text: 'session: start agent=kiro_default parent=parent-1 imported_from=v1: count the orders',
      time: { ms: Date.parse('2026-07-02T07:14:01.091Z'), ns: 312031, source: 'record', original: '2026-07-02T07:14:01.091312031Z' },
      session_id: SESSION,
      project_path: '/srv/shop',
      parent_session_id: 'parent-1',
      identity: `${SESSION}\u0000session\u0000${SESSION}\u0000start`,
      rank: 0,
      problem: '',
      details: {
        updated_at: '2026-07-02T07:16:00.5Z',
        session_created_reason: 'subagent',
        imported_from: 'v1',
        goal: 'ship it',
        state: { version: 'v1' },
      },
    });
  });

  it.each([
    ['a newborn session', { session_state: null }],
    ['a session without turns', { session_state: { version: 'v1', conversation_metadata: {} } }],
  ])('takes %s as it is', (_, more) => {
    const rows = read(sessionFile([], more), '');
    expect(rows.map((d) => [d.row_type, d.problem])).toEqual([['session', '']]);
  });

  it('gives figures and model of a turn', () => {
    const rows = read(sessionFile([TURN]), JOURNAL);
    expect(shown(rows)).toEqual([
      'session|session: start: count the orders',
      'model|model: claude-opus-5',
      'usage|usage: credits=0.3 context_usage=1.76 duration_ms=1490 end_reason=UserTurnEnd model=claude-opus-5 messages=2',
    ]);
    expect(rows[1]).toMatchObject({ model: 'claude-opus-5', details: { window: { before: '2026-07-02T07:15:22.599Z' } } });
    expect(rows[1]?.time).toBeUndefined();
    expect(rows[2]).toMatchObject({
      duration_ms: 1490,
      time: { ns: 156783, source: 'record', original: '2026-07-02T07:15:22.599156783Z' },
    });
  });

  it.each([
    [1782976522, '2026-07-02T07:15:22.000Z'],
    [1782976522599, '2026-07-02T07:15:22.599Z'],
    [{ secs_since_epoch: 1782976522, nanos_since_epoch: 599156783 }, '2026-07-02T07:15:22.599Z'],
  ])('reads the end time %j', (end_timestamp, utc) => {
    const usage = read(sessionFile([{ ...TURN, end_timestamp }]), JOURNAL).find((d) => d.row_type === 'usage');
    expect(new Date(usage?.time?.ms ?? 0).toISOString()).toBe(utc);
  });

  it('names a change of the model, also the one after the last turn', () => {
    const state = { rts_model_state: { model_info: { model_id: 'c' } } };
    const rows = read(sessionFile([TURN, { ...TURN, model: 'b' }, { ...TURN, model: 'b' }], {}, state), JOURNAL).filter(
      (d) => d.row_type === 'model',
    );
    expect(rows.map((d) => [d.text, d.time?.original])).toEqual([
      ['model: claude-opus-5', undefined],
      ['model: claude-opus-5 -> b', undefined],
      ['model: b -> c source=session_state', '2026-07-02T07:16:00.5Z'],
    ]);
    expect(rows[1]?.details).toEqual({ window: { after: '2026-07-02T07:15:22.599Z', before: '2026-07-02T07:15:22.599Z' } });
  });

  it('gives the copy of the answer only where the journal does not hold it', () => {
    const answers = (journal?: string) =>
      read(sessionFile([TURN]), journal)
        .filter((d) => d.row_type === 'assistant')
        .map((d) => [d.text, d.time?.original, d.problem, d.recovered]);
    expect(answers(JOURNAL)).toEqual([]);
    expect(answers(JOURNAL.replaceAll('"version":"v1","kind"', '"version": "v1", "kind"'))).toEqual([]);
    expect(answers()).toEqual([['42', '1782976521', 'journal is missing', undefined]]);
    expect(answers(`${record.prompt('p1', 'count')}\n`)).toEqual([
      ['42', '1782976521', 'the journal does not hold this message', undefined],
    ]);
  });

  it('says that the journal is missing, and keeps the ids of its messages', () => {
    expect(read(sessionFile([TURN])).at(-1)).toMatchObject({
      row_type: 'gap',
      text: 'gap: journal of the session is missing messages=2',
      details: { message_ids: ['p1', 'a1'] },
    });
  });

  it('gives a refusal where the journal cannot', () => {
    const refused = sessionFile([{ ...TURN, end_reason: 'ToolUseRejected' }]);
    const texts = (journal?: string) => shown(read(refused, journal)).filter((line) => line.startsWith('permission'));
    expect(texts(JOURNAL)).toEqual([]);
    expect(texts()).toEqual(['permission|permission decision: denied by=user source=turn_metadata']);
  });

  it('gives the error a turn ended in', () => {
    const Err = {
      Stream: { original_request_id: 'req-1', original_status_code: 500, original_message: 'overloaded', kind: { kind: 'interrupted' } },
    };
    const row = read(sessionFile([{ ...TURN, result: { Err } }]), JOURNAL).find((d) => d.text.startsWith('session: turn'));
    expect(row).toMatchObject({
      text: 'session: turn ended in an error kind=Stream status=500: overloaded',
      request_id: 'req-1',
      details: { error: Err },
      time: { ns: 156783 },
    });
  });

  it('gives each grant and denial of the session', () => {
    const permissions = {
      filesystem: { allowed_read_paths: ['/srv/shop'], denied_write_paths: ['/etc'] },
      trusted_tools: ['shell'],
      denied_tools: ['web_fetch'],
      allowed_commands: ['git .*'],
      future: ['x'],
    };
    const rows = read(sessionFile([], {}, { permissions }), '').slice(1);
    expect(rows.map((d) => [d.text, d.decision])).toEqual([
      ['permission setting: session filesystem.allowed_read_paths=/srv/shop (session state, updated_at)', 'granted'],
      ['permission setting: session filesystem.denied_write_paths=/etc (session state, updated_at)', 'denied'],
      ['permission setting: session trusted_tools=shell (session state, updated_at)', 'granted'],
      ['permission setting: session denied_tools=web_fetch (session state, updated_at)', 'denied'],
      ['permission setting: session allowed_commands=git .* (session state, updated_at)', 'granted'],
      ['permission setting: session future=x (session state, updated_at)', 'unknown'],
    ]);
    expect(rows[2]).toMatchObject({
      tool_name: 'shell',
      time: { source: 'record', original: '2026-07-02T07:16:00.5Z' },
      source_pointer: '/session_state/permissions/trusted_tools/0',
      problem: 'a state at the last writing of the file: when it was granted is not recorded',
    });
  });

  it('gives a request under way as context', () => {
    const conversation_metadata = { user_turn_metadatas: [], last_request: { system: 'be kind' }, user_turn_start_request: null };
    const [, row] = read(sessionFile([], {}, { conversation_metadata }), '');
    expect(row).toMatchObject({
      row_type: 'context',
      text: '{"system":"be kind"}',
      origin: 'automatic',
      details: { request: 'last_request' },
    });
  });

  it('gives a file left over from writing a lower rank, with equal identities', () => {
    const [file] = read(sessionFile([TURN]), JOURNAL);
    const [tmp] = read(sessionFile([TURN]), JOURNAL, `${SESSION}.json.tmp`);
    expect([tmp?.rank, tmp?.identity === file?.identity]).toEqual([1, true]);
  });

  it('says that the id differs from the file name, and names turns of another form', () => {
    const rows = read(sessionFile(['x'], { session_id: 'other' }), '');
    expect(rows.map((d) => [d.row_type, d.problem])).toEqual([
      ['session', 'the session id differs from the file name'],
      ['error', 'entry of the turn list is not a JSON object'],
    ]);
  });

  it('does not take another JSON object for a session', () => {
    expect(read('{"theme":"dark"}').map((d) => [d.text, d.details])).toEqual([
      ['parser: session file: neither session_id nor session_state in it', { value: { theme: 'dark' } }],
    ]);
  });

  it('carries every value of a full file', () => {
    const state = {
      rts_model_state: {
        conversation_id: SESSION,
        model_info: { model_id: 'm', description: 'fast', rate_multiplier: 2.2 },
        context_usage_percentage: 1.5,
      },
      permissions: { filesystem: { allowed_read_paths: ['/a'] }, trusted_tools: ['t'], tier: { x: 'y' } },
      agent_name: 'kiro_default',
      goal: 'g',
    };
    const file = sessionFile([{ ...TURN, result: { Ok: OK.Ok, note: 'n' } }], { extra: { deep: [1, 'two'] } }, state);
    expect(missingLeaves({ ...JSON.parse(file) }, read(file)).filter((leaf) => leaf !== 490633908 && leaf !== 'assistant')).toEqual([]);
  });

  it('is known by its content', () => {
    const detect = (head: string) => kiroV2Session.detect?.(Buffer.from(head));
    expect(detect(sessionFile([]))).toBe(true);
    expect(detect(JSON.stringify(JSON.parse(sessionFile([])), null, 2))).toBe(true);
    expect(detect('{"session_id":"x","cwd":"/"}')).toBe(false);
    expect(detect('{"cwd":"/","session_id":"x","session_state":{}}')).toBe(false);
  });
});
