import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kiroIdeChat } from '../../src/parsers/kiro-ide/chat.js';
import { kiroIdeConfig } from '../../src/parsers/kiro-ide/config.js';
import { kiroIdeExecution } from '../../src/parsers/kiro-ide/execution.js';
import { kiroIdeExecutionIndex } from '../../src/parsers/kiro-ide/execution-index.js';
import { kiroIdeLog } from '../../src/parsers/kiro-ide/logs.js';
import { kiroIdeMigration } from '../../src/parsers/kiro-ide/migration.js';
import { kiroIdeSessionIndex } from '../../src/parsers/kiro-ide/session-index.js';
import { kiroIdeSettings } from '../../src/parsers/kiro-ide/settings.js';
import { kiroIdeUsage } from '../../src/parsers/kiro-ide/usage.js';
import { kiroIdeWorkspaceSession } from '../../src/parsers/kiro-ide/workspace-session.js';
import type { FileParser } from '../../src/parsers/parser.js';
import type { Draft } from '../../src/rows/draft.js';
import { RowSchema } from '../../src/rows/row.js';
import { AGENT, logFile, sessionFile, WORKSPACE } from '../support/kiro-ide.js';
import { draftsOf, missingLeaves } from '../support/memory-source.js';

const FILES: Readonly<Record<string, string>> = {
  'kiro-ide-chat': `${AGENT}/${WORKSPACE}/a.chat`,
  'kiro-ide-execution': logFile.file,
  'kiro-ide-log': 'Kiro/logs/1/window1/exthost/output_logging_1/5-Q Chat API.log',
};
const PARSERS: readonly FileParser[] = [
  kiroIdeWorkspaceSession,
  kiroIdeSessionIndex,
  kiroIdeMigration,
  kiroIdeChat,
  kiroIdeExecution,
  kiroIdeExecutionIndex,
  kiroIdeUsage,
  kiroIdeLog,
  kiroIdeConfig,
  kiroIdeSettings,
];
const HINTS = new Set(['time', 'newRun', 'leads', 'identity', 'rank', 'textKey']);
const COLUMNS = RowSchema.partial();
const KEYS =
  `sessionId title workspaceDirectory selectedModel autonomyMode history message role id content executionId contextItems promptLogs prompt
  completion model editorState chat metadata context validations workflowId workflow modelId startTime endTime actionId executions version type
  status chatSessionId actions input data messages messagesFromExecutionId userPrompt entries text name args success actionType actionState
  emittedAt output errorMessage intentResult command cwd file path files usageSummary usage unit usedTools workspaceContext result
  dateCreated hidden migratedAt v2SessionId workspaceHash v1WorkspaceDirectory promptTokens generatedTokens folder arn request response
  conversationState currentMessage userInputMessage events toolUseEvent commandName __proto__ constructor`
    .split(/\s+/)
    .concat('');
const LEAF = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(
    'user',
    'assistant',
    'human',
    'bot',
    'tool',
    'text',
    'toolUse',
    'toolUseResponse',
    'say',
    'runCommand',
    'Success',
    'On it.',
    'e1',
    't1',
  ),
);
const key = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...KEYS) }, { weight: 1, arbitrary: fc.string() });
const object = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.tuple(key, value), { maxLength: 7 }).map((entries) => Object.fromEntries(entries));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 5, withCrossShrink: true }, LEAF, fc.array(tie('tree'), { maxLength: 3 }), object(tie('tree'))),
}));

function expectRow(draft: Draft): void {
  const columns = Object.fromEntries(Object.entries(draft).filter(([name]) => !HINTS.has(name)));
  expect(COLUMNS.safeParse(columns).error?.issues ?? []).toEqual([]);
  expect(() => JSON.stringify(columns)).not.toThrow();
}

describe.each(PARSERS.map((parser) => [parser.id, parser] as const))('%s', (id, parser) => {
  const file = FILES[id] ?? sessionFile().file;

  it('yields only rows for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => draftsOf(parser, bytes, { file }).forEach(expectRow)),
      { numRuns: 200 },
    );
  });

  it('yields only rows for any JSON value', () => {
    fc.assert(
      fc.property(fc.oneof(tree, fc.jsonValue()), (value) => draftsOf(parser, JSON.stringify(value), { file }).forEach(expectRow)),
      { numRuns: 300 },
    );
  });
});

// What the type of a row tells. Texts inside arguments are JSON in a text, so that they are looked for in that form too.
const TOLD = new Set([
  'user',
  'assistant',
  'human',
  'bot',
  'tool',
  'text',
  'toolUse',
  'toolUseResponse',
  'say',
  'reasoning',
  'executionLog',
  'tool_use',
  'm1',
]);
function lost(value: unknown, drafts: readonly Draft[]): (string | number)[] {
  const texts = drafts.map((draft) => draft.text).join('\n');
  const held = (part: string) => texts.includes(part) || texts.includes(JSON.stringify(part).slice(1, -1));
  const numbers = (leaf: number) => held(String(leaf)) || held(JSON.stringify(leaf));
  return missingLeaves(value, drafts).filter((leaf) =>
    typeof leaf === 'number' ? !numbers(leaf) : !TOLD.has(leaf) && leaf.trim() !== '' && !held(leaf) && !held(leaf.trim()),
  );
}

const list = (value: fc.Arbitrary<unknown>) => fc.array(value, { maxLength: 4 });
const message = fc.record(
  {
    role: fc.oneof(fc.constantFrom('user', 'assistant', 'human', 'bot', 'tool'), tree),
    id: fc.constant('m1'),
    content: fc.oneof(LEAF, list(object(tree))),
    entries: fc.oneof({ weight: 4, arbitrary: list(object(tree)) }, tree),
  },
  { requiredKeys: [] },
);
const action = fc.record(
  {
    actionId: fc.oneof(fc.constantFrom('t1', 'tooluse_1'), LEAF),
    actionType: fc.oneof(fc.constantFrom('say', 'reasoning', 'runCommand', 'create', 'userInput', 'displayError', 'model', 'x'), tree),
    actionState: fc.oneof(fc.constantFrom('Success', 'Accepted', 'Canceled', 'Rejected', 'Running'), LEAF),
    emittedAt: fc.oneof(fc.integer({ min: 1.7e12, max: 1.8e12 }), LEAF),
    endTime: LEAF,
    input: fc.oneof(object(tree), tree),
    output: fc.oneof(object(tree), tree),
    errorMessage: LEAF,
    intentResult: tree,
    note: tree,
  },
  { requiredKeys: [] },
);
const SHAPES: readonly (readonly [FileParser, fc.Arbitrary<unknown>])[] = [
  [
    kiroIdeWorkspaceSession,
    fc.record(
      {
        sessionId: LEAF,
        selectedModel: tree,
        autonomyMode: tree,
        note: tree,
        history: list(
          fc.record({ message, executionId: LEAF, contextItems: tree, promptLogs: tree, editorState: tree }, { requiredKeys: [] }),
        ),
      },
      { requiredKeys: ['history'] },
    ),
  ],
  [
    kiroIdeChat,
    fc.record({ executionId: LEAF, chat: list(message), context: tree, metadata: tree, note: tree }, { requiredKeys: ['chat'] }),
  ],
  [
    kiroIdeExecution,
    fc.record(
      {
        executionId: LEAF,
        status: LEAF,
        startTime: LEAF,
        endTime: LEAF,
        model: tree,
        autonomyMode: tree,
        actions: list(action),
        input: fc.oneof(fc.record({ data: fc.record({ messages: list(message), userPrompt: LEAF, note: tree }) }), tree),
        context: fc.oneof(fc.record({ messages: list(message), note: tree }), tree),
        messagesFromExecutionId: list(message),
        usageSummary: tree,
      },
      { requiredKeys: ['actions'] },
    ),
  ],
  [kiroIdeSessionIndex, fc.array(object(tree), { minLength: 1, maxLength: 3 })],
  [kiroIdeExecutionIndex, fc.record({ version: LEAF, executions: list(object(tree)) })],
  [kiroIdeMigration, object(tree)],
];

it.each(SHAPES.map(([parser, shape]) => [parser.id, parser, shape] as const))('%s carries every string and number', (id, parser, shape) => {
  const file = FILES[id] ?? sessionFile().file;
  fc.assert(
    fc.property(shape, (value) => {
      const stored: unknown = JSON.parse(JSON.stringify(value));
      const drafts = draftsOf(parser, JSON.stringify(stored), { file });
      drafts.forEach(expectRow);
      expect(lost(stored, drafts)).toEqual([]);
    }),
    { numRuns: 4000 },
  );
});
