import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aiDlcAudit } from '../../src/parsers/ai-dlc/audit.js';
import { aiDlcDrops } from '../../src/parsers/ai-dlc/drops.js';
import { aiDlcMarker } from '../../src/parsers/ai-dlc/markers.js';
import { aiDlcPending } from '../../src/parsers/ai-dlc/pending.js';
import { aiDlcQuestions } from '../../src/parsers/ai-dlc/questions.js';
import { aiDlcRequest } from '../../src/parsers/ai-dlc/requests.js';
import { aiDlcSession } from '../../src/parsers/ai-dlc/sessions.js';
import { aiDlcState } from '../../src/parsers/ai-dlc/state.js';
import { flowAgentsCommandLog } from '../../src/parsers/flow-agents/command-log.js';
import { flowAgentsDelegates } from '../../src/parsers/flow-agents/delegates.js';
import { flowAgentsSession } from '../../src/parsers/flow-agents/sessions.js';
import { flowAgentsSidecar } from '../../src/parsers/flow-agents/sidecar.js';
import { flowAgentsTelemetry } from '../../src/parsers/flow-agents/telemetry.js';
import { hookCapture } from '../../src/parsers/hook-capture/capture.js';
import type { FileParser } from '../../src/parsers/parser.js';
import type { Draft } from '../../src/rows/draft.js';
import { RowSchema } from '../../src/rows/row.js';
import { lostLeaves } from '../support/hook-rows.js';
import { draftsOf } from '../support/memory-source.js';

const JSON_PARSERS: readonly FileParser[] = [
  hookCapture,
  flowAgentsTelemetry,
  flowAgentsCommandLog,
  flowAgentsDelegates,
  flowAgentsSidecar,
  flowAgentsSession,
];
const TEXT_PARSERS: readonly FileParser[] = [
  aiDlcAudit,
  aiDlcState,
  aiDlcSession,
  aiDlcPending,
  aiDlcDrops,
  aiDlcMarker,
  aiDlcRequest,
  aiDlcQuestions,
];
const PARSERS = [...JSON_PARSERS, ...TEXT_PARSERS];
const NAMES = [
  'p/x.jsonl',
  'p/aidlc/spaces/s/intents/i/audit/h.md',
  'p/aidlc/.aidlc-sessions/kiro-terminal/aa/latch.json',
  'p/project-description.json',
  'p/.aidlc-engine/guard-refusals/x.json',
  'p/.kontourai/telemetry/sessions/toolstart-a',
];
const HINTS = new Set(['time', 'newRun', 'leads', 'identity', 'rank', 'textKey', 'eventCommand']);
const COLUMNS = RowSchema.partial();
const KEYS = (
  'hook_event_name hookEventName event session_id sessionId cwd prompt user_prompt message tool_name toolName tool_input toolArgs ' +
  'tool_response toolResult toolSuccess tool_success tool_use_id assistant_response success result items Text Json stdout stderr ' +
  'exit_status exitCode code status is_error error interrupted payload stdin input data env USER_PROMPT VSCODE_PID argv ts timestamp ' +
  'command path operations targetFile __tool_use_purpose event_type event_id schema_version hook runtime_session_id raw_input ' +
  'last_assistant_message model agent name runtime context tool normalized_name output duration_ms outcome exit_code usage turn ' +
  'prompt_text prompt_length permission description delegation targets session duration_s workflow_outcome process_status ' +
  'observedResult capturedAt _chain prevHash hash seq source task_slug verdict checks id kind summary criteria evidence_refs excerpt ' +
  'goal_fit critiques findings severity reviewer reviewed_at transitions at reason current_step active_slug phase updated_at ' +
  'agent_id role start_time end_time raw args typed __proto__ constructor x'
).split(' ');
const VALUES = (
  'PreToolUse PostToolUse PostToolUseFailure preToolUse postToolUse UserPromptSubmit userPromptSubmit Stop stop SessionStart agentSpawn ' +
  'PermissionRequest PreTaskExec sess_a execute_bash shell fs_write str_replace subagent_response orchestrate_subagent ' +
  'tool.invoke tool.result turn.user session.start session.usage session.end agent.delegate tool.permission_request workflow.outcome ' +
  'pass fail ambiguous completed failed npm_test command 2026-10-01T09:00:00Z 1790845200000'
).split(' ');
const leaf = fc.oneof(
  fc.constantFrom(...VALUES, 'Output:\nx\n\nExit Code: 1', 'Created the a file.', 'Error: x', '{"toolName":"shell","toolSuccess":true}'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
);
const object = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.tuple(fc.constantFrom(...KEYS), value), { maxLength: 8 }).map((entries) => Object.fromEntries(entries));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaf, fc.array(tie('tree'), { maxLength: 3 }), object(tie('tree'))),
}));
const tool = fc.record(
  { tool_name: fc.constantFrom('shell', 'fs_write', 'str_replace', 'x'), tool_input: object(tree), tool_response: tree },
  { requiredKeys: [] },
);
const payload = fc
  .tuple(object(tree), tool, fc.constantFrom(...VALUES.slice(0, 13)))
  .map(([fields, call, hook_event_name]) => ({ ...fields, ...call, hook_event_name }));
const legacy = fc.record(
  { toolName: fc.constantFrom('fs_write', 'shell'), toolArgs: object(tree), toolResult: tree, toolSuccess: tree },
  { requiredKeys: [] },
);
const wrapped = fc.oneof(
  fc.record({ ts: leaf, payload, argv: tree }, { requiredKeys: ['payload'] }),
  fc.record({ time: leaf, stdin: payload.map((value) => JSON.stringify(value)) }),
  fc.record({ env: fc.record({ USER_PROMPT: legacy.map((value) => JSON.stringify(value)), HOME: leaf }), x: tree }),
  fc.dictionary(fc.constantFrom('a', 'b', 'c'), payload, { minKeys: 1 }),
);
const event = fc.tuple(object(tree), fc.constantFrom(...VALUES.slice(22, 31)), object(tree)).map(([fields, event_type, call]) => ({
  schema_version: '1',
  event_type,
  timestamp: '1790845200000',
  event_id: 'e',
  tool: call,
  ...fields,
}));
const logged = object(tree).map((fields) => ({ command: 'npm test', observedResult: 'pass', ...fields }));
const sidecar = fc
  .tuple(object(tree), fc.constantFrom('checks', 'criteria', 'critiques', 'transitions', 'later'), fc.array(object(tree), { maxLength: 3 }))
  .map(([fields, key, list]) => ({ ...fields, [key]: list }));

function expectRow(draft: Draft): void {
  const columns = Object.fromEntries(Object.entries(draft).filter(([name]) => !HINTS.has(name)));
  expect(COLUMNS.safeParse(columns).error?.issues ?? []).toEqual([]);
  expect(() => JSON.stringify(columns)).not.toThrow();
}

/** What JSON gives back: the parser sees no `undefined`, and `__proto__` is a key like any other. */
const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Texts that hold a payload are read: their leaves are those of the payload. */
function opened(value: unknown): unknown {
  if (typeof value === 'string' && /^\s*\{/.test(value)) {
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }
  if (Array.isArray(value)) return value.map(opened);
  return typeof value === 'object' && value !== null ? Object.entries(value).map(([, child]) => opened(child)) : value;
}

describe.each(PARSERS.map((parser) => [parser.id, parser] as const))('%s', (_, parser) => {
  it('yields only rows for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(...NAMES), (bytes, file) =>
        draftsOf(parser, bytes, { file }).forEach(expectRow),
      ),
      { numRuns: 200 },
    );
  });

  it('yields only rows for any JSON value, whole or cut', () => {
    fc.assert(
      fc.property(fc.oneof(tree, payload, event, fc.jsonValue()), fc.constantFrom(...NAMES), fc.nat(), (value, file, at) => {
        const text = JSON.stringify(value) ?? '';
        draftsOf(parser, text, { file }).forEach(expectRow);
        draftsOf(parser, text.slice(0, at % (text.length + 1)), { file }, { 'command-log.jsonl': text }).forEach(expectRow);
      }),
      { numRuns: 300 },
    );
  });
});

const COVERED: readonly [string, FileParser, fc.Arbitrary<unknown>][] = [
  ['payloads', hookCapture, payload],
  ['payloads of 0.12', hookCapture, legacy.filter((value) => Object.keys(value).length > 0)],
  ['wrapped payloads', hookCapture, wrapped],
  ['events', flowAgentsTelemetry, event],
  ['logged commands', flowAgentsCommandLog, logged],
  ['delegate events', flowAgentsDelegates, object(tree)],
  ['workflow records', flowAgentsSidecar, sidecar],
  ['session records', flowAgentsSession, object(tree)],
];

describe.each(COVERED)('rows of %s', (_, parser, arbitrary) => {
  it('hold every string and number of the record', () => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        const record = stored(value);
        const rows = draftsOf(parser, JSON.stringify(record), { file: 'p/x.json' });
        expect(rows.length).toBeGreaterThan(0);
        expect(lostLeaves(opened(record), rows.map(withOpened))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Rows with texts that hold JSON opened too, so that both sides are compared alike. */
function withOpened(row: Draft): Draft {
  return { ...row, details: { ...row.details, opened: opened({ ...row }) } };
}

describe('hook-capture', () => {
  it('reads every whole payload of a file, whatever stands between', () => {
    const noise = fc.constantFrom('', 'noise', '{"torn":"', '{"a":', '}', '[', 'NAME={', '\u0000');
    const stop = { hook_event_name: 'Stop', session_id: 'sess_a', cwd: '/p' };
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 6 }), (parts) => {
        const text = parts.flatMap((part) => [part, JSON.stringify(stop)]).join('\n');
        const rows = draftsOf(hookCapture, text);
        expect(rows.filter((row) => row.text === 'session: stop event=Stop')).toHaveLength(parts.length);
      }),
      { numRuns: 300 },
    );
  });
});
