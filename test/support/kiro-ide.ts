import type { Draft } from '../../src/rows/draft.js';
import { toUtcText } from '../../src/rows/time.js';

export const AGENT = 'home/alice/.config/Kiro/User/globalStorage/kiro.kiroagent';
export const SESSION = '11111111-2222-4333-8444-555555555555';
/** Folder of sessions of /home/alice/proj, and the id of that workspace. */
export const ENCODED = 'L2hvbWUvYWxpY2UvcHJvag__';
export const WORKSPACE = '2af6b4a70d443ffdfe2b93b75008d7d9';
export const SAVES = '414d1636299d2b9e4ce7e17fb11f63e9';
/** Name of the log of the execution ex-0001. */
export const LOG = '742e579cde6b2caeab722c1f55e9df35';

export const sessionFile = (id = SESSION) => ({ agent: 'kiro-ide', file: `${AGENT}/workspace-sessions/${ENCODED}/${id}.json` });
export const indexFile = { agent: 'kiro-ide', file: `${AGENT}/workspace-sessions/${ENCODED}/sessions.json` };
export const logFile = { agent: 'kiro-ide', file: `${AGENT}/${WORKSPACE}/${SAVES}/${LOG}` };

export const INDEX = [
  { sessionId: SESSION, title: 'Add health route', dateCreated: '1779912000000', workspaceDirectory: '/home/alice/proj' },
  {
    sessionId: '99999999-2222-4333-8444-555555555555',
    title: 'Hidden one',
    dateCreated: 1779912600000,
    workspaceDirectory: '/home/alice/proj',
    hidden: true,
  },
];

export const STORED = {
  sessionId: SESSION,
  title: 'Add health route',
  workspaceDirectory: '/home/alice/proj',
  selectedModel: 'auto',
  autonomyMode: 'full',
  history: [
    {
      message: { role: 'user', id: 'm1', content: [{ type: 'text', text: 'add /healthz' }] },
      contextItems: [{ name: '.env', content: 'API_KEY=not-a-real-key' }],
    },
    { message: { role: 'assistant', id: 'm2', content: 'On it.' }, executionId: 'ex-0001' },
  ],
};

const action = (actionId: string, actionType: string, emittedAt: number, more: object) => ({
  type: 'AgentExecutionAction',
  executionId: 'ex-0001',
  actionId,
  actionType,
  actionState: 'Success',
  emittedAt,
  ...more,
});

export const EXECUTION = {
  executionId: 'ex-0001',
  chatSessionId: SESSION,
  workflowType: 'chat-agent',
  status: 'succeed',
  startTime: 1779912001000,
  endTime: 1779912031000,
  input: { data: { messages: [{ role: 'user', content: [{ type: 'text', text: 'add /healthz' }] }], messagesFromExecutionId: [] } },
  actions: [
    action('a1', 'intentClassification', 1779912001500, { intentResult: { classification: 'do' } }),
    action('tooluse_a2', 'create', 1779912010000, { actionState: 'Accepted', input: { file: 'health.js', modifiedContent: 'ok\n' } }),
    action('tooluse_a3', 'runCommand', 1779912020000, {
      input: { command: 'npm test', cwd: '/home/alice/proj' },
      output: { output: '1 failing', exitCode: 1 },
    }),
    action('a4', 'say', 1779912030000, { output: { message: 'Added, one test fails.' } }),
  ],
  usageSummary: [{ unit: 'credit', unitPlural: 'credits', usage: 0.12, usedTools: ['fs_write', 'execute_bash'] }],
};

/** A row in short: type, text, time. */
export const brief = ({ row_type, text, time }: Draft) => `${row_type} | ${text} | ${time === undefined ? '' : toUtcText(time.ms)}`;

export function only(drafts: readonly Draft[], row_type: string): Draft[] {
  return drafts.filter((draft) => draft.row_type === row_type);
}
