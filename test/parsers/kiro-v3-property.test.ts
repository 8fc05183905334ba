import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kiroV3Cursor } from '../../src/parsers/kiro-v3/cursor.js';
import { kiroV3Messages } from '../../src/parsers/kiro-v3/messages.js';
import { kiroV3Session } from '../../src/parsers/kiro-v3/session.js';
import { kiroSessionIndex } from '../../src/parsers/kiro-v3/session-index.js';
import { kiroV3Snapshot } from '../../src/parsers/kiro-v3/snapshot.js';
import { kiroSpecSessions } from '../../src/parsers/kiro-v3/spec-sessions.js';
import { kiroV3ToolOutput } from '../../src/parsers/kiro-v3/tool-output.js';
import { kiroTrust } from '../../src/parsers/kiro-v3/trust.js';
import { kiroV3Workflow } from '../../src/parsers/kiro-v3/workflow.js';
import type { FileParser } from '../../src/parsers/parser.js';
import { RowSchema } from '../../src/rows/row.js';
import { LOG } from '../support/kiro-v3-log.js';
import { draftsOf, missingLeaves } from '../support/memory-source.js';

const PARSERS: readonly FileParser[] = [
  kiroV3Messages,
  kiroV3Session,
  kiroV3ToolOutput,
  kiroV3Snapshot,
  kiroV3Cursor,
  kiroV3Workflow,
  kiroSessionIndex,
  kiroSpecSessions,
  kiroTrust,
];
const HINTS = new Set(['time', 'newRun', 'leads', 'identity', 'rank', 'textKey']);
const COLUMNS = RowSchema.partial();
const TYPES = [
  'user',
  'assistant',
  'tool_call',
  'tool_result',
  'pending_interaction',
  'interaction_resolved',
  'turn_start',
  'turn_end',
  'session_event',
  'usage_summary',
  'session_metadata',
  'session_start',
  'steering_inclusion',
  'ContextualHookInvoked',
  'sub_agent_start',
  'sub_agent_complete',
  'sub_agent_progress',
  'tombstone',
  'tool_revert',
  'mode_change',
  'error',
  'system',
  'agent_note',
  'of_tomorrow',
];
const KEYS = [
  'content',
  'source',
  'contextItems',
  'operationType',
  'reasoningModelId',
  'toolCallId',
  'toolName',
  'args',
  'status',
  'kind',
  'filePath',
  'success',
  'durationMs',
  'interactionType',
  'question',
  'options',
  'optionId',
  'outcome',
  'selectedOption',
  'executionId',
  'stopReason',
  'stopDetails',
  'refusal',
  'category',
  'explanation',
  'context',
  'promptTurnSummaries',
  'usage',
  'unit',
  'elapsedTime',
  'requestIds',
  'key',
  'value',
  'message',
  'text',
  'agentType',
  'forcedRole',
  'documents',
  'images',
  'hookId',
  'name',
  'hookActionType',
  'command',
  'output',
  'exitCode',
  'subSessionId',
  'subAgentName',
  'prompt',
  'response',
  'errorMessage',
  'effectiveFromMessageId',
  'fromMode',
  'toMode',
  'reason',
  'code',
  'root',
  'op',
  'sessionPath',
  'at',
  'title',
  'agentMode',
  'workspacePaths',
  'createdAt',
  'modelId',
  'autopilot',
  'createdReason',
  'parentSessionId',
  'byteOffset',
  'seq',
  'workflowId',
  '_meta',
  'kiro',
  'files',
  'policyDenial',
  'path',
  'type',
  '__proto__',
  'constructor',
  '',
];
const LEAF = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(
    'tool_approval',
    'user_input',
    'Say',
    'Reasoning',
    'accept',
    'reject',
    'selected',
    'answered',
    'c1',
    'r1',
    'r2',
    'execute_bash',
    'denied',
    'contextUsage',
  ),
);
const key = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...KEYS) }, { weight: 1, arbitrary: fc.string() });
const object = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.tuple(key, value), { maxLength: 7 }).map((entries) => Object.fromEntries(entries));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 4, withCrossShrink: true }, LEAF, fc.array(tie('tree'), { maxLength: 3 }), object(tie('tree'))),
}));
const record = fc
  .tuple(
    fc.constantFrom('r1', 'r2', 'r3', 'r-synthetic'),
    fc.constantFrom('2026-09-14T05:47:13.504Z', 'soon', undefined),
    fc.constantFrom(...TYPES),
    object(tree),
  )
  .map(([id, timestamp, type, fields]) => ({ id, timestamp, payload: { ...fields, type } }));
const FILES = [LOG, LOG.replace(/sess_[^/]+/, 'cli_x_12345678'), LOG.replace('messages.jsonl', 'sub-executions/a.jsonl'), 'messages.jsonl'];

function expectRow(draft: object): void {
  const columns = Object.fromEntries(Object.entries(draft).filter(([name]) => !HINTS.has(name)));
  expect(COLUMNS.safeParse(columns).error?.issues ?? []).toEqual([]);
  expect(() => JSON.stringify(columns)).not.toThrow();
}

describe.each(PARSERS.map((parser) => [parser.id, parser] as const))('%s', (_, parser) => {
  it('yields only rows for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => draftsOf(parser, bytes, { file: LOG }).forEach(expectRow)),
      { numRuns: 200 },
    );
  });

  it('yields only rows for any JSON value', () => {
    fc.assert(
      fc.property(fc.oneof(tree, fc.jsonValue()), (value) => draftsOf(parser, JSON.stringify(value), { file: LOG }).forEach(expectRow)),
      { numRuns: 200 },
    );
  });
});

describe('kiro-v3-messages', () => {
  it('yields only rows for any records, one or more for each', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 8 }), fc.constantFrom(...FILES), (records, file) => {
        const rows = draftsOf(kiroV3Messages, records.map((r) => JSON.stringify(r)).join('\n'), { file });
        rows.forEach(expectRow);
        expect(new Set(rows.map((row) => row.source_line)).size).toBe(records.length);
        expect(rows.filter((row) => row.row_type === 'error')).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('carries every string and number of any record', () => {
    fc.assert(
      fc.property(record, fc.constantFrom(...FILES), (value, file) => {
        const stored: unknown = JSON.parse(JSON.stringify(value));
        expect(missingLeaves(stored, draftsOf(kiroV3Messages, JSON.stringify(stored), { file }))).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  it('loses or changes at most the last record when the log is cut at any byte', () => {
    const log = Buffer.from(
      ['a', 'é', 'c']
        .map(
          (content, i) => `${JSON.stringify({ id: `r${i}`, timestamp: '2026-09-14T05:47:13.504Z', payload: { type: 'user', content } })}\n`,
        )
        .join(''),
    );
    const whole = draftsOf(kiroV3Messages, log, { file: LOG });
    for (let length = 0; length < log.length; length += 1) {
      const cut = draftsOf(kiroV3Messages, log.subarray(0, length), { file: LOG }).filter((d) => d.row_type !== 'error');
      expect(cut).toEqual(whole.slice(0, cut.length));
    }
  });
});

describe.each([kiroV3Session, kiroV3Workflow, kiroSpecSessions, kiroTrust].map((parser) => [parser.id, parser] as const))(
  '%s',
  (_, parser) => {
    it('carries every string and number of any object', () => {
      fc.assert(
        fc.property(object(tree), (value) => {
          const stored: unknown = JSON.parse(JSON.stringify(value));
          expect(missingLeaves(stored, draftsOf(parser, JSON.stringify(stored), { file: LOG }))).toEqual([]);
        }),
        { numRuns: 300 },
      );
    });
  },
);
