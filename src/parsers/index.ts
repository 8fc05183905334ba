import { kiroAcpRecording } from './kiro-acp/recording.js';
import { kiroChatLog } from './kiro-chat-log.js';
import { kiroAgentConfig } from './kiro-config/agent.js';
import { kiroEngineLog } from './kiro-config/engine-log.js';
import { kiroHooks } from './kiro-config/hooks.js';
import { kiroMcp } from './kiro-config/mcp.js';
import { kiroPermissions } from './kiro-config/permissions.js';
import { kiroSettings } from './kiro-config/settings.js';
import { kiroV2History } from './kiro-v2/history.js';
import { kiroV2Journal } from './kiro-v2/journal.js';
import { kiroV2Lock } from './kiro-v2/lock.js';
import { kiroV2Session } from './kiro-v2/session.js';
import { kiroV2Tasks } from './kiro-v2/tasks.js';
import { kiroV3Cursor } from './kiro-v3/cursor.js';
import { kiroV3Messages } from './kiro-v3/messages.js';
import { kiroV3Session } from './kiro-v3/session.js';
import { kiroSessionIndex } from './kiro-v3/session-index.js';
import { kiroV3Snapshot } from './kiro-v3/snapshot.js';
import { kiroSpecSessions } from './kiro-v3/spec-sessions.js';
import { kiroV3ToolOutput } from './kiro-v3/tool-output.js';
import { kiroTrust } from './kiro-v3/trust.js';
import { kiroV3Workflow } from './kiro-v3/workflow.js';
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
import { qSsoCache } from './q-sso-cache.js';
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
  qSsoCache,
  qLog,
  qShellHistory,
  qKnowledge,
  qCheckpointRepository,
  kiroSessionIndex,
  kiroSpecSessions,
  kiroTrust,
  kiroV3Cursor,
  kiroV3Messages,
  kiroV3Session,
  kiroV3Snapshot,
  kiroV3ToolOutput,
  kiroV3Workflow,
  kiroV2Journal,
  kiroV2Session,
  kiroV2History,
  kiroV2Lock,
  kiroV2Tasks,
  kiroAcpRecording,
  kiroChatLog,
  kiroAgentConfig,
  kiroSettings,
  kiroPermissions,
  kiroMcp,
  kiroHooks,
  kiroEngineLog,
];
