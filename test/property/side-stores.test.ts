import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileParser } from '../../src/parsers/parser.js';
import { qAgentConfig } from '../../src/parsers/q-agent-config.js';
import { qCheckpointRepository } from '../../src/parsers/q-checkpoint-repository.js';
import { qDelegate } from '../../src/parsers/q-delegate.js';
import { qKnowledge } from '../../src/parsers/q-knowledge.js';
import { qLegacyContext } from '../../src/parsers/q-legacy-context.js';
import { qLog } from '../../src/parsers/q-log.js';
import { qMcp } from '../../src/parsers/q-mcp.js';
import { qPromptHistory } from '../../src/parsers/q-prompt-history.js';
import { qSettings } from '../../src/parsers/q-settings.js';
import { qShellHistory } from '../../src/parsers/q-shell-history.js';
import { qTodo } from '../../src/parsers/q-todo.js';
import { RowSchema } from '../../src/rows/row.js';
import { ROW_TYPES } from '../../src/rows/row-types.js';
import { draftsOf, jsonDraftsOf, missingLeaves } from '../support/memory-source.js';

const JSON_STORES: readonly FileParser[] = [qAgentConfig, qMcp, qLegacyContext, qSettings, qDelegate, qTodo, qKnowledge];
const STORES: readonly FileParser[] = [...JSON_STORES, qPromptHistory, qLog, qShellHistory, qCheckpointRepository];
const COLUMNS = RowSchema.partial();
const HINTS = new Set([
  'time',
  'newRun',
  'leads',
  'identity',
  'rank',
  'textKey',
  'textOnly',
  'sameSession',
  'eventCommand',
  'credentials',
  'withheld',
]);

// Values that reach the inner records more often than random keys do.
const KEYS = [
  'name',
  'model',
  'prompt',
  'allowedTools',
  'toolsSettings',
  'execute_bash',
  'allowedCommands',
  'mcpServers',
  'command',
  'args',
  'hooks',
  'preToolUse',
  'paths',
  'chat.defaultModel',
  'agent',
  'task',
  'status',
  'launched_at',
  'completed_at',
  'exit_code',
  'output',
  'summary',
  'cwd',
  'tasks',
  'task_description',
  'completed',
  'context',
  'modified_files',
  'id',
  'created_at',
  'source_path',
  '__proto__',
  'constructor',
  '',
];
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 5, withCrossShrink: true }, leaf(), fc.array(tie('tree'), { maxLength: 4 }), object(tie('tree'))),
}));

function leaf() {
  return fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('running', 'failed', '1761871929560'),
  );
}

function object(value: fc.Arbitrary<unknown>) {
  const key = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...KEYS) }, { weight: 1, arbitrary: fc.string() });
  return fc.array(fc.tuple(key, value), { maxLength: 6 }).map((entries) => Object.fromEntries(entries));
}

const LINES = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '#V2',
        '',
        '2025-05-13T08:27:41.441552Z ERROR q_chat: 949: x',
        '2025-05-13T08:27:41Z  INFO ',
        '- command: a\\',
        '  time: 1727000000',
      ),
      fc.string({ unit: 'binary' }),
    ),
  )
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end)));

describe.each(STORES.map((parser) => [parser.id, parser] as const))('%s', (_, parser) => {
  it('yields only rows for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => draftsOf(parser, bytes).forEach(expectRow)),
      { numRuns: 300 },
    );
  });

  it('yields only rows for any lines', () => {
    fc.assert(
      fc.property(LINES, (text) => draftsOf(parser, text).forEach(expectRow)),
      { numRuns: 300 },
    );
  });

  it('yields only rows for any JSON value', () => {
    fc.assert(
      fc.property(fc.oneof(tree, fc.jsonValue()), (value) => jsonDraftsOf(parser, value).forEach(expectRow)),
      { numRuns: 500 },
    );
  });
});

describe.each(JSON_STORES.map((parser) => [parser.id, parser] as const))('%s', (_, parser) => {
  it('carries every string and number of any JSON object', () => {
    fc.assert(
      fc.property(object(tree), (value) => {
        const stored: unknown = JSON.parse(JSON.stringify(value));
        expect(missingLeaves(stored, jsonDraftsOf(parser, stored))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

const SOUND_FILES: readonly (readonly [FileParser, string])[] = [
  [qPromptHistory, '#V2\nfirst\\nline\n/clear\nprüfe\\\\das\n! ls\n'],
  [qLog, '2025-05-13T08:27:41.441552Z ERROR q: 9: a\n  more\n2025-05-13T08:27:42Z  INFO s: q: 9: ü\n2025-05-13T08:27:43Z DEBUG q: 1: c\n'],
  [
    qShellHistory,
    '\n- command: ls\n  exit_code: 0\n  time: 1727000000\n' +
      '- command: é\\n\n  exit_code: 1\n  time: 1727000001\n- command: c\n  time: 1727000002',
  ],
];

describe.each(SOUND_FILES.map(([parser, text]) => [parser.id, parser, Buffer.from(text)] as const))('%s', (_, parser, bytes) => {
  it('loses or changes at most the last record when the file is cut at any byte', () => {
    const whole = draftsOf(parser, bytes);
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = draftsOf(parser, bytes.subarray(0, length)).filter((d) => d.row_type !== 'error');
      expect(cut.slice(0, -1)).toEqual(whole.slice(0, Math.max(0, cut.length - 1)));
      // A number that lost digits must not become another time.
      expect(whole.map((d) => d.time?.original)).toEqual(expect.arrayContaining(cut.flatMap((d) => d.time?.original ?? [])));
    }
  });
});

/** The columns hold what the row schema allows, and the row can be written as JSON and read again unchanged. */
function expectRow(draft: object): void {
  const columns = Object.fromEntries(Object.entries(draft).filter(([key]) => !HINTS.has(key)));
  const sound = COLUMNS.safeParse(columns);
  expect(sound.error?.issues ?? []).toEqual([]);
  expect(ROW_TYPES).toHaveProperty(String(columns.row_type));
  const defined = Object.entries(columns).filter(([, value]) => value !== undefined);
  expect(JSON.parse(JSON.stringify(columns))).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(defined))));
}
