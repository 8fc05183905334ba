import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kiroAcpRecording } from '../../src/parsers/kiro-acp/recording.js';
import { kiroChatLog } from '../../src/parsers/kiro-chat-log.js';
import { kiroV2History } from '../../src/parsers/kiro-v2/history.js';
import { kiroV2Journal } from '../../src/parsers/kiro-v2/journal.js';
import { kiroV2Lock } from '../../src/parsers/kiro-v2/lock.js';
import { kiroV2Session } from '../../src/parsers/kiro-v2/session.js';
import { kiroV2Tasks } from '../../src/parsers/kiro-v2/tasks.js';
import type { FileParser } from '../../src/parsers/parser.js';
import type { Draft } from '../../src/rows/draft.js';
import { RowSchema } from '../../src/rows/row.js';
import { call, journalRows, record, result, SESSION, sessionFile, text } from '../support/kiro-v2-session.js';
import { draftsOf, missingLeaves } from '../support/memory-source.js';

const STORES: readonly FileParser[] = [kiroV2Journal, kiroV2Session, kiroV2History, kiroV2Lock, kiroV2Tasks, kiroAcpRecording, kiroChatLog];
const COLUMNS = RowSchema.partial();
const HINTS = new Set(['time', 'newRun', 'leads', 'identity', 'rank', 'textKey', 'textOnly', 'sameSession']);

// Keys and values that reach the inner records more often than random ones do.
const KEYS = [
  'version',
  'kind',
  'data',
  'message_id',
  'id',
  'role',
  'content',
  'meta',
  'timestamp',
  'results',
  't1',
  'tool',
  'result',
  'Success',
  'Error',
  'Cancelled',
  'items',
  'Text',
  'Json',
  'Image',
  'Custom',
  'BuiltIn',
  'Mcp',
  'serverName',
  'toolName',
  'params',
  'tool_use_purpose',
  'toolUseId',
  'name',
  'input',
  '__tool_use_purpose',
  'status',
  'text',
  'signature',
  'modelId',
  'exit_status',
  'stdout',
  'stderr',
  'isError',
  'summary',
  'strategy',
  'messages_snapshot',
  'target_index',
  'format',
  'source',
  'command',
  'operations',
  'ops',
  'path',
  '__proto__',
  'constructor',
  '',
  'session_id',
  'cwd',
  'created_at',
  'updated_at',
  'title',
  'session_state',
  'conversation_metadata',
  'user_turn_metadatas',
  'Ok',
  'Err',
  'message_ids',
  'end_reason',
  'end_timestamp',
  'turn_duration',
  'secs',
  'nanos',
  'metering_usage',
  'value',
  'unit',
  'model',
  'rts_model_state',
  'model_info',
  'model_id',
  'permissions',
  'filesystem',
  'allowed_read_paths',
  'trusted_tools',
  'last_request',
  'agent_name',
  'pid',
  'started_at',
  'ts',
  'dir',
  'msg',
  'method',
  'sessionId',
  'update',
  'sessionUpdate',
  'prompt',
  'type',
  'toolCallId',
  'rawInput',
  'rawOutput',
  'toolCall',
  'options',
  'outcome',
  'optionId',
];
const WORDS = [
  'v1',
  'text',
  'thinking',
  'toolUse',
  'toolResult',
  'image',
  'json',
  'success',
  'error',
  'Cancelled',
  'Prompt',
  'AssistantMessage',
  'ToolResults',
  'Compaction',
  'Clear',
  'ResetTo',
  'CancelledPrompt',
  'assistant',
  'user',
  't1',
  'exit status: 1',
  '1782976521',
  'in',
  'out',
  'session/prompt',
  'session/update',
  'session/request_permission',
  'tool_call',
  'tool_call_update',
  'agent_message_chunk',
  'completed',
  'selected',
  'allow_once',
  'ToolUseRejected',
  '2026-07-02T07:15:22.599156783Z',
];
const leaf = () =>
  fc.oneof(
    fc.constantFrom(...WORDS),
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
const key = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...KEYS) }, { weight: 1, arbitrary: fc.string() });
const object = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.tuple(key, value), { maxLength: 6 }).map((entries) => Object.fromEntries(entries));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 5, withCrossShrink: true }, leaf(), fc.array(tie('tree'), { maxLength: 4 }), object(tie('tree'))),
}));

// Blocks and records that mostly have their shape, with anything in the place of a value.
const or = (value: fc.Arbitrary<unknown>) => fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: tree });
const shape = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .tuple(fc.record(Object.fromEntries(Object.entries(fields).map(([k, v]) => [k, or(v)])), { requiredKeys: [] }), object(tree))
    .map(([a, b]) => ({ ...b, ...a }));
const words = fc.string({ unit: 'binary', minLength: 1 });
const ids = fc.constantFrom('t1', 't2', 'm1', 'm2');
const output = shape({ exit_status: fc.constantFrom('exit status: 0', 1), stdout: words, stderr: words });
const item = fc.oneof(
  shape({ kind: fc.constantFrom('text', 'json'), data: fc.oneof(words, output) }),
  words.map((Text) => ({ Text })),
  output.map((Json) => ({ Json })),
  tree,
);
const block = fc.oneof(
  words.map((data) => ({ kind: 'text', data })),
  shape({ text: words, modelId: words }).map((data) => ({ kind: 'thinking', data })),
  shape({ toolUseId: ids, name: words, input: object(tree) }).map((data) => ({ kind: 'toolUse', data })),
  shape({ toolUseId: ids, content: fc.array(item, { maxLength: 3 }), status: fc.constantFrom('success', 'error') }).map((data) => ({
    kind: 'toolResult',
    data,
  })),
  tree,
);
const stored = shape({
  tool: object(tree),
  result: fc.oneof(fc.constant('Cancelled'), shape({ Success: shape({ items: fc.array(item, { maxLength: 3 }) }), Error: tree })),
});
const message = shape({
  message_id: ids,
  content: fc.array(block, { maxLength: 4 }),
  meta: shape({ timestamp: fc.integer() }),
  results: fc.dictionary(ids, stored, { maxKeys: 2 }),
});
const anyRecord = fc.oneof(
  fc.record({ version: fc.constant('v1'), kind: fc.constantFrom('Prompt', 'AssistantMessage', 'ToolResults'), data: message }),
  fc.record({
    version: leaf(),
    kind: fc.constantFrom('Compaction', 'ResetTo', 'Clear', 'X'),
    data: shape({ summary: words, strategy: tree, messages_snapshot: fc.array(message, { maxLength: 2 }) }),
  }),
  object(tree),
);

describe.each(STORES.map((parser) => [parser.id, parser] as const))('%s', (_, parser) => {
  it('yields only rows for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => draftsOf(parser, bytes).forEach(expectRow)),
      { numRuns: 200 },
    );
  });

  it('yields only rows for any JSON lines, whole or cut', () => {
    const lines = fc.array(
      fc.oneof(anyRecord, tree).map((value) => JSON.stringify(value)),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(lines, fc.nat(), fc.constantFrom('\n', '\r\n', ''), (texts, cut, end) => {
        const whole = texts.join(end);
        draftsOf(parser, whole).forEach(expectRow);
        draftsOf(parser, whole.slice(0, cut % (whole.length + 1))).forEach(expectRow);
      }),
      { numRuns: 400 },
    );
  });

  it('yields only rows whatever lies beside the file', () => {
    fc.assert(
      fc.property(anyRecord, tree, (own, beside) => {
        const files = { 'file.json': JSON.stringify(beside), 'file.jsonl': JSON.stringify(beside), 'file.history': JSON.stringify(beside) };
        draftsOf(parser, JSON.stringify(own), { file: 'a/file.x' }, files).forEach(expectRow);
      }),
      { numRuns: 200 },
    );
  });
});

describe('nothing is lost', () => {
  it('of any record of a journal', () => {
    fc.assert(
      fc.property(anyRecord, (value) => {
        const line: unknown = JSON.parse(JSON.stringify(value));
        expect(lost(line, journalRows(`${JSON.stringify(line)}\n`))).toEqual([]);
      }),
      { numRuns: 600 },
    );
  });

  it('of any session file', () => {
    const turn = shape({
      message_ids: fc.array(ids),
      result: object(tree),
      end_reason: words,
      end_timestamp: leaf(),
      model: words,
      metering_usage: fc.array(tree),
      turn_duration: tree,
    });
    const state = shape({
      conversation_metadata: shape({ user_turn_metadatas: fc.array(turn, { maxLength: 2 }), last_request: tree }),
      permissions: object(tree),
      agent_name: words,
      rts_model_state: tree,
    });
    fc.assert(
      fc.property(shape({ session_id: words, cwd: words, title: words, created_at: leaf(), session_state: state }), (value) => {
        const file: unknown = JSON.parse(JSON.stringify(value));
        expect(lost(file, draftsOf(kiroV2Session, JSON.stringify(file), { file: 'file.json' }))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});

describe('nothing is lost of a recording', () => {
  const content = fc.array(
    fc.oneof(
      words.map((one) => ({ type: 'text', text: one })),
      tree,
    ),
    { maxLength: 3 },
  );
  const update = shape({
    sessionUpdate: fc.constantFrom('tool_call', 'tool_call_update', 'agent_message_chunk', 'plan'),
    status: fc.constantFrom('completed', 'failed', 'pending'),
    content: fc.oneof(
      content,
      words.map((one) => ({ type: 'text', text: one })),
    ),
    rawInput: object(tree),
    rawOutput: shape({ items: fc.array(item, { maxLength: 2 }) }),
    title: words,
  });
  const params = shape({
    prompt: content,
    update,
    toolCall: object(tree),
    options: fc.array(tree, { maxLength: 2 }),
    modelId: words,
    cwd: words,
  });
  const method = fc.constantFrom('session/prompt', 'session/update', 'session/request_permission', 'session/set_model', 'session/new', 'x');
  const answer = shape({ outcome: shape({ outcome: fc.constantFrom('selected', 'cancelled'), optionId: words }) });
  const msg = shape({ method, params, result: answer, error: tree });

  it('whatever its frames hold', () => {
    fc.assert(
      fc.property(fc.array(shape({ ts: leaf(), dir: fc.constantFrom('in', 'out'), msg }), { maxLength: 3 }), (frames) => {
        const stored: unknown = JSON.parse(JSON.stringify(frames));
        const lines = Array.isArray(stored) ? stored.map((frame) => `${JSON.stringify(frame)}\n`).join('') : '';
        expect(lost(withoutProtocol(stored), draftsOf(kiroAcpRecording, lines))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

/** Directions, ids and names of messages, which rows say in their own words. */
function withoutProtocol(value: unknown): unknown {
  const OWN = new Set(['dir', 'method', 'id', 'sessionUpdate', 'outcome', 'type', 'optionId', 'sessionId', 'toolCallId']);
  if (Array.isArray(value)) return value.map(withoutProtocol);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([k, v]) => !OWN.has(k) && !(k === 'result' && typeof v === 'string'))
      .map(([k, v]) => [k, withoutProtocol(v)]),
  );
}

/** Leaves in no row. One may be part of a longer text, or of a JSON text, where it is written with escapes. */
function lost(value: unknown, rows: readonly Draft[]): (string | number)[] {
  const held = strings(rows);
  return missingLeaves(withoutExceptions(value), rows).filter((leaf) => {
    const escaped = typeof leaf === 'string' ? JSON.stringify(leaf).slice(1, -1) : String(leaf);
    return !held.some((one) => one.includes(String(leaf)) || one.includes(escaped));
  });
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

/** Leaves the catalog lists as not carried, ids, and tags that rows say in their own words. */
const EXCEPTIONS = new Set([
  'version',
  'kind',
  'signature',
  'redactedContent',
  'message_id',
  'id',
  'role',
  'status',
  'toolUseId',
  'message_ids',
  'turn_duration',
  'bytes',
  'data64',
]);

function withoutExceptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExceptions);
  if (typeof value !== 'object' || value === null) return value === 'Cancelled' || value === '' ? null : value;
  if ('kind' in value && value.kind === 'image') return null;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([k]) => !EXCEPTIONS.has(k) && k !== 'Image')
      .map(([k, v]) => [k, withoutExceptions(v)]),
  );
}

describe('a journal cut at any byte', () => {
  const LINES = [
    record.prompt('p1', 'prüfe das'),
    record.answer('a1', { kind: 'thinking', data: { text: 'hm', modelId: 'opus' } }, text('ja'), call('t1', 'shell', { command: 'ls' })),
    record.results('r1', [result('t1', [text('a')])], { t1: { result: 'Cancelled' } }),
    record.other('Compaction', { summary: 's', messages_snapshot: [{ id: 'x', role: 'user', content: [text('old')] }] }),
    record.prompt('p2', 'weiter', 60),
  ];
  const bytes = Buffer.from(`${LINES.join('\n')}\n`);

  it('loses at most its last record', () => {
    const live = (part: Buffer) =>
      journalRows(part, { json: sessionFile([]) }).filter((d) => !['error', 'gap', 'recovered'].includes(d.row_type) && !d.recovered);
    const whole = live(bytes);
    for (let length = 0; length < bytes.length; length++) {
      const part = bytes.subarray(0, length);
      const complete = part.toString('latin1').split('\n').length - 1;
      const kept = live(part);
      expect(kept).toEqual(whole.slice(0, kept.length));
      expect(kept.filter((d) => (d.source_line ?? 0) <= complete)).toEqual(whole.filter((d) => (d.source_line ?? 0) <= complete));
    }
    expect(whole.every((d) => d.session_id === SESSION)).toBe(true);
  });
});

/** The columns hold what the row schema allows, and the row can be written as JSON and read again unchanged. */
function expectRow(draft: object): void {
  const columns = Object.fromEntries(Object.entries(draft).filter(([name]) => !HINTS.has(name)));
  expect(COLUMNS.safeParse(columns).error?.issues ?? []).toEqual([]);
  expect(() => JSON.stringify(columns)).not.toThrow();
}
