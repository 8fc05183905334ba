import { aiDlcAudit } from './ai-dlc/audit.js';
import { aiDlcDrops } from './ai-dlc/drops.js';
import { aiDlcMarker } from './ai-dlc/markers.js';
import { aiDlcPending } from './ai-dlc/pending.js';
import { aiDlcQuestions } from './ai-dlc/questions.js';
import { aiDlcRequest } from './ai-dlc/requests.js';
import { aiDlcSession } from './ai-dlc/sessions.js';
import { aiDlcState } from './ai-dlc/state.js';
import { flowAgentsCommandLog } from './flow-agents/command-log.js';
import { flowAgentsDelegates } from './flow-agents/delegates.js';
import { flowAgentsSession } from './flow-agents/sessions.js';
import { flowAgentsSidecar } from './flow-agents/sidecar.js';
import { flowAgentsTelemetry } from './flow-agents/telemetry.js';
import { hookCapture } from './hook-capture/capture.js';
import { kiroAcpRecording } from './kiro-acp/recording.js';
import { kiroChatLog } from './kiro-chat-log.js';
import { kiroAgentConfig } from './kiro-config/agent.js';
import { kiroEngineLog } from './kiro-config/engine-log.js';
import { kiroHooks } from './kiro-config/hooks.js';
import { kiroMcp } from './kiro-config/mcp.js';
import { kiroPermissions } from './kiro-config/permissions.js';
import { kiroSettings } from './kiro-config/settings.js';
import { kiroIdeChat } from './kiro-ide/chat.js';
import { kiroIdeConfig } from './kiro-ide/config.js';
import { kiroIdeExecution } from './kiro-ide/execution.js';
import { kiroIdeExecutionIndex } from './kiro-ide/execution-index.js';
import { kiroIdeLog } from './kiro-ide/logs.js';
import { kiroIdeMigration } from './kiro-ide/migration.js';
import { kiroIdeSessionIndex } from './kiro-ide/session-index.js';
import { kiroIdeSettings } from './kiro-ide/settings.js';
import { kiroIdeState } from './kiro-ide/state.js';
import { kiroIdeDevdata, kiroIdeUsage } from './kiro-ide/usage.js';
import { kiroIdeWorkspaceSession } from './kiro-ide/workspace-session.js';
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
  kiroIdeWorkspaceSession,
  kiroIdeSessionIndex,
  kiroIdeMigration,
  kiroIdeChat,
  kiroIdeExecution,
  kiroIdeExecutionIndex,
  kiroIdeUsage,
  kiroIdeDevdata,
  kiroIdeState,
  kiroIdeLog,
  kiroIdeConfig,
  kiroIdeSettings,
  flowAgentsTelemetry,
  flowAgentsCommandLog,
  flowAgentsSidecar,
  flowAgentsDelegates,
  flowAgentsSession,
  aiDlcAudit,
  aiDlcState,
  aiDlcSession,
  aiDlcPending,
  aiDlcDrops,
  aiDlcMarker,
  aiDlcRequest,
  aiDlcQuestions,
  hookCapture,
];
