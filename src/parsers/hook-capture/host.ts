import { isObject, type JsonObject } from '../../evidence/json.js';
import type { Payload } from './payload.js';

// Which program sent a payload. No field names it, so that the agent is given only where the payload can come from one program.

export interface Host {
  readonly agent: 'kiro-ide' | 'kiro-cli' | 'unknown';
  readonly details: JsonObject;
}

// Claude Code and others write payloads of the same shape; these tools are none of Kiro's.
const OTHER_HOSTS_TOOLS = new Set([
  'Bash',
  'Write',
  'Edit',
  'MultiEdit',
  'Read',
  'Glob',
  'Grep',
  'Task',
  'WebFetch',
  'WebSearch',
  'TodoWrite',
]);
// `execute_bash` and `fs_write` have been names in all three programs.
const IDE_TOOLS =
  /^(?:execute_pwsh|str_replace|fs_append|delete_file|invoke_sub_agent|orchestrate_subagent|subagent_.+|control_bash_process)$/;

export function hostOf(payload: Payload, env: JsonObject): Host {
  const { dialect, event, tool, session, response, rest } = payload;
  const because = (agent: Host['agent'], agent_evidence: string, candidates?: readonly string[]): Host => ({
    agent,
    details: { agent_evidence, ...(candidates ? { agent_candidates: candidates } : {}) },
  });
  if (dialect === 'kiro-ide 0.12') return because('kiro-ide', 'camelCase keys without an event name: Kiro IDE 0.12');
  if (OTHER_HOSTS_TOOLS.has(tool) || Object.hasOwn(rest, 'transcript_path')) {
    return because('unknown', 'tool names or fields of another program (unknown-host)');
  }
  if (Object.hasOwn(env, 'VSCODE_IPC_HOOK') || Object.hasOwn(env, 'VSCODE_PID')) {
    return because('kiro-ide', 'the environment of the hook holds VSCODE_IPC_HOOK or VSCODE_PID');
  }
  if (dialect === 'kiro-ide 1.x') {
    if (event === '') return because('unknown', 'the payload names no event');
    if (session.startsWith('sess_')) return because('kiro-ide', 'event name and session id in the form of Kiro IDE 1.x');
    if (IDE_TOOLS.test(tool)) return because('kiro-ide', 'event name and tool in the form of Kiro IDE 1.x');
    return because('unknown', 'event names of this form are written by several programs', ['kiro-ide', 'unknown-host']);
  }
  // Amazon Q CLI has no session id in its payloads and never gave results as items (aws/amazon-q-developer-cli: docs/hooks.md).
  if (isObject(response) && Array.isArray(response.items)) return because('kiro-cli', 'result in the form of Kiro CLI 2.6');
  if (session !== '') return because('kiro-cli', 'session id in a payload with the event names of the CLI');
  if (payload.answer !== undefined) return because('kiro-cli', 'stop event with the answer, as of Kiro CLI 2.6');
  if (payload.kind === 'start' && payload.prompt !== undefined) return because('kiro-cli', 'start event with a prompt, as of Kiro CLI 2.6');
  if (tool === 'shell' || tool === 'write' || tool === 'subagent') return because('kiro-cli', 'tool name of Kiro CLI');
  return because('unknown', 'the payload is the same in both command line programs', ['amazon-q-cli', 'kiro-cli']);
}
