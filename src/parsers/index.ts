import type { Parser } from './parser.js';
import { qAgentConfig } from './q-agent-config.js';
import { qCheckpointRepository } from './q-checkpoint-repository.js';
import { qDelegate } from './q-delegate.js';
import { qKnowledge } from './q-knowledge.js';
import { qLegacyContext } from './q-legacy-context.js';
import { qLog } from './q-log.js';
import { qMcp } from './q-mcp.js';
import { qPromptHistory } from './q-prompt-history.js';
import { qSave } from './q-save.js';
import { qSettings } from './q-settings.js';
import { qShellHistory } from './q-shell-history.js';
import { qSqlite } from './q-sqlite.js';
import { qTodo } from './q-todo.js';

/** Every parser. A test holds that each has a catalog entry of the same id, and each entry that is read a parser. */
export const PARSERS: readonly Parser[] = [
  qSqlite,
  qSave,
  qPromptHistory,
  qAgentConfig,
  qMcp,
  qLegacyContext,
  qSettings,
  qDelegate,
  qTodo,
  qLog,
  qShellHistory,
  qKnowledge,
  qCheckpointRepository,
];
