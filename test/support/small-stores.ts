const IDE = 'home/.config/Kiro/User/globalStorage/kiro.kiroagent';
const WORK = 'home/work/shop';
const INTENT = `${WORK}/aidlc/spaces/main/intents/260914-export`;
const T0 = Date.UTC(2026, 6, 2, 7, 15);

/** Stores that have no fixture, as small as they are recognised. */
const MORE: Readonly<Record<string, string | object>> = {
  [`${IDE}/config.json`]: { contextProviders: [{ name: 'one that looks up files' }] },
  [`${IDE}/dev_data/tokens_generated.jsonl`]: '{"model":"agent of the day","provider":"q dev","promptTokens":12,"generatedTokens":3}\n',
  [`${IDE}/workspace-sessions/L3NydgYW__/._migration-status.json`]: { status: 'done and dusted' },
  'home/.config/Kiro/User/settings.json': { 'kiroAgent.trustedCommands': ['npm run all'], 'editor.title': 'a title of three' },
  'home/.config/Kiro/logs/20260501T101112/window1/exthost/kiro.kiroAgent/Kiro Logs.log':
    '2026-05-01 10:11:12.345 [info] fetched the page of the shop\n2026-05-01T10:11:13Z [error] it did not work\n',
  [`${WORK}/.vscode/settings.json`]: { 'kiroAgent.trustedTools': ['read the files'] },
  [`${WORK}/.kiro/skills/deploy/SKILL.md`]: '---\nname: deploy\ndescription: puts it there\n---\nRun the script and wait.\n',
  [`${WORK}/.kiro/settings/lsp.json`]: { servers: [{ name: 'the one for rust' }] },
  [`${INTENT}/design/design-questions.md`]:
    '# Questions\n\n## Question 1\nWhich one is it?\nA) the first one\n\n[Answer]: A\nreally the first\n',
  [`${INTENT}/verification/notes.md`]: 'The numbers were looked at.\n',
  [`${INTENT}/.aidlc-engine/marker.json`]: { note: 'a mark of the engine' },
  [`${WORK}/aidlc/.aidlc-sessions/kiro-ide-pending/one.json`]: { prompt: 'a prompt that waits', ts: '2026-09-14T05:47:00Z' },
  'home/tmp/kiro-log/kiro-chat.log': '2026-05-13T08:27:41Z  INFO chat_cli::api: 12: sent the request off\n',
  'home/recordings/acp.jsonl': [
    { ts: T0, dir: 'out', msg: { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd: '/srv/shop', mcpServers: [] } } },
    { ts: T0 + 5, dir: 'in', msg: { jsonrpc: '2.0', id: 1, result: { sessionId: 's-1' } } },
    {
      ts: T0 + 9,
      dir: 'out',
      msg: {
        ...{ jsonrpc: '2.0', id: 2, method: 'session/prompt' },
        params: { sessionId: 's-1', prompt: [{ type: 'text', text: 'go on with it' }] },
      },
    },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
};

/** By path; content as it lies on disk. */
export const SMALL_STORES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(MORE).map(([path, content]) => [path, typeof content === 'string' ? content : JSON.stringify(content)]),
);
