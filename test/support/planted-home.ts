import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { characters, random } from '../secrets/generate.js';
import { writeFileDeep } from './cli.js';

/** Made at run time: no text that looks like a live token is in the repository. */
const make = (seed: number, size: number, alphabet: string, ...prefix: readonly string[]) =>
  prefix.join('') + characters(random(seed), alphabet, size);

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const LABEL = `${'PRIVATE'} KEY-----`;
const BODY = make(100, 256, 'base64', 'MIIE').replace(/.{64}/g, '$&\n');

/** Planted values by the place they are planted in. */
export const SECRETS = {
  prompt: make(1, 36, 'base62', 'gh', 'p_'),
  assistantText: make(2, 24, 'base62', 'xo', 'xb-123456789012-210987654321-'),
  nestedArgument: make(3, 32, 'base62', 's', 'k_live_'),
  argumentInString: make(4, 95, 'base64url', 'sk-', 'ant-api03-'),
  commandArgument: make(5, 18, 'symbols', 'q7R%'),
  resultJson: make(6, 40, 'base64'),
  resultText: make(7, 36, 'base62', 'np', 'm_'),
  environment: `c0rrect"Hor\\se/${make(8, 8, 'base62')}\u00e9`,
  additionalContext: `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iss: 'acme', sub: '42' })}.${make(9, 86, 'base64url')}`,
  transcript: make(10, 22, 'base62', 'glp', 'at-'),
  summary: make(11, 150, 'base64url', 'py', 'pi-AgEIcHlwaS5vcmc'),
  checkpoint: `${make(12, 22, 'base64url', 'S', 'G.')}.${make(112, 43, 'base64url')}`,
  tangent: make(13, 34, 'base62', 'h', 'f_'),
  fileName: make(14, 35, 'base64url', 'AI', 'za'),
  objectKey: make(15, 36, 'base62', 'gh', 's_'),
  projectPath: make(16, 36, 'base62', 'gh', 'o_'),
  awsKeyId: make(17, 16, 'base32', 'AK', 'IA'),
  agentUrl: make(18, 20, 'base62'),
  mcpEnvironment: make(19, 32, 'base62'),
  mcpHeader: make(20, 40, 'base62'),
  mcpArgument: make(21, 14, 'symbols', 'T4n#'),
  mcpQuery: make(22, 32, 'hex'),
  mcpOauth: make(23, 20, 'lower'),
  hook: make(24, 12, 'base62', 'H0!'),
  delegateTask: make(25, 64, 'hex', 'do', 'p_v1_'),
  delegateOutput: BODY.slice(0, 64),
  todo: make(27, 32, 'hex'),
  todoContext: make(28, 90, 'base64url', 'hv', 's.'),
  promptHistory: make(29, 16, 'base62', 'Pw9-'),
  shellTable: make(30, 14, 'base62', 'Ms5'),
  shellText: make(31, 14, 'base62', 'Pg7'),
  log: make(32, 48, 'base62'),
  setting: make(33, 32, 'base62'),
  state: make(34, 36, 'base62', 'gh', 'u_'),
  legacyHook: make(35, 12, 'base62', 'L8-'),
  v2Prompt: make(36, 32, 'hex', 'da', 'pi'),
  v2Tool: make(37, 40, 'base64url', 'ks', 'k_7'),
  v2History: make(38, 16, 'base62', 'V2h-'),
  v2Title: make(39, 36, 'base62', 'gh', 'r_'),
  v2Grant: make(40, 14, 'base62', 'Gr4'),
  v3Prompt: make(41, 52, 'base62', 'gs', 'k_'),
  v3Hook: make(42, 16, 'base62', 'V3-h'),
  v3Command: make(43, 16, 'base62', 'V3-c'),
  v3Output: make(44, 40, 'base62', 'dck', 'r_pat_').slice(0, 36),
  v3Title: make(45, 36, 'base62', 'np', 'm_'),
  kiroEnvironment: make(46, 24, 'base62', 'Kx1'),
  kiroHook: make(47, 16, 'base62', 'Kh9-'),
  unreadName: make(48, 36, 'base62', 'gh', 'p_'),
  linkTarget: make(49, 36, 'base62', 'gh', 'p_'),
  hookPayload: make(50, 16, 'base62', 'Hp3-'),
  savedChat: make(51, 16, 'base62', 'Sc6-'),
} as const;

/** Of stored logins and token files: they are in no output, whatever the policy. */
export const LOGINS = {
  accessToken: make(60, 230, 'base64', 'aoa', 'AAAAA'),
  refreshToken: make(61, 230, 'base64', 'aor', 'AAAAA'),
  nestedToken: make(62, 20, 'lower'),
  clientSecret: make(63, 24, 'lower'),
  plainLogin: make(64, 24, 'lower'),
  cognitoSecret: make(65, 24, 'lower'),
  cognitoSession: make(66, 40, 'lower'),
  ssoAccess: make(67, 30, 'lower'),
  ssoRefresh: make(68, 30, 'lower'),
  ssoClientSecret: make(69, 30, 'lower'),
  oauthAccess: make(70, 30, 'lower'),
  oauthRegistration: make(71, 30, 'lower'),
  wholeFile: make(72, 30, 'lower'),
  replaced: make(73, 60, 'lower'),
} as const;

/** Those of them that a prompt repeats: nothing but the store says that they are credentials. */
const { wholeFile: _, replaced: __, ...TYPED } = LOGINS;

export const CONVERSATION = '7d1e0c52-3b1f-4a60-9c55-0b6f0e3a9d77';
export const PROMPT = `deploy with ${SECRETS.prompt} please`;
const SESSION = '1b9f6c10-77aa-4d1e-8c3b-5a6e7f809113';
const SESS = 'sess_2c9b4f0e-3d2a-4b5c-8e7f-60718293a4b5';
const PROJECT = `/home/mira/work/${SECRETS.projectPath}`;

const percent = encodeURIComponent(SECRETS.environment);
const encoded = (before: string) => Buffer.from(`${before}${SECRETS.environment} and more`).toString('base64');

interface Step {
  readonly user: object | string;
  readonly assistant: object;
  readonly context?: string;
  readonly variables?: readonly object[];
}

function entry({ user, assistant, context, variables }: Step, i: number): object {
  return {
    user: {
      additional_context: context ?? '',
      env_context: {
        env_state: { operating_system: 'linux', current_working_directory: PROJECT, environment_variables: variables ?? [] },
      },
      content: typeof user === 'string' ? { Prompt: { prompt: user } } : user,
      timestamp: new Date(Date.UTC(2025, 10, 1, 10, 0, i)).toISOString(),
      images: null,
    },
    assistant,
    request_metadata: null,
  };
}

const say = (id: string, content: string) => ({ Response: { message_id: id, content } });

function conversation(): object {
  const s = SECRETS;
  const call = (id: string, name: string, args: object) => ({ id, name, orig_name: name, args, orig_args: args });
  const history = [
    entry(
      {
        user: PROMPT,
        context: `--- CONTEXT ENTRY BEGIN ---\nlogged in with ${s.additionalContext}\n--- CONTEXT ENTRY END ---\n\n`,
        variables: [
          { key: 'DB_PASSWORD', value: s.environment },
          { key: 'LOG_LEVEL', value: 'trace-all' },
        ],
        assistant: {
          ToolUse: {
            message_id: 'm-0',
            content: `I use the bot ${s.assistantText} for it.`,
            tool_uses: [
              call('tooluse_a', 'execute_bash', { command: `curl -u admin:${s.commandArgument} https://ci.acme.dev`, summary: 'Call' }),
              call('tooluse_b', 'acme___post', {
                body: { items: [{ card: { key: s.nestedArgument } }], [s.objectKey]: 1 },
                json: JSON.stringify({ stdout: JSON.stringify({ note: `key ${s.argumentInString}` }) }),
              }),
              call('tooluse_c', 'fs_read', { operations: [{ mode: 'Line', path: `/srv/${s.fileName}/notes.txt` }] }),
            ],
          },
        },
      },
      0,
    ),
    entry(
      {
        user: {
          ToolUseResults: {
            tool_use_results: [
              {
                tool_use_id: 'tooluse_a',
                content: [{ Json: { exit_status: '0', stdout: `aws_secret_access_key = ${s.resultJson}\nid ${s.awsKeyId}`, stderr: '' } }],
                status: 'Success',
              },
              { tool_use_id: 'tooluse_b', content: [{ Text: `//packages.example/:_authToken=${s.resultText}\n` }], status: 'Success' },
            ],
          },
        },
        assistant: say('m-1', `The password is stored: ${s.environment}. In a link it is ${percent}, in code ${encoded('')}.`),
      },
      1,
    ),
    entry({ user: `the logins: ${Object.values(TYPED).join(' and ')}`, assistant: say('m-4', 'I see them') }, 4),
    entry({ user: `once more ${encoded('a')} ${encoded('ab')} ${JSON.stringify(s.environment)}`, assistant: say('m-2', 'ok') }, 2),
  ];
  const main = [entry({ user: 'start', assistant: say('m-3', `main line has ${s.tangent}`) }, 3)];
  return {
    conversation_id: CONVERSATION,
    next_message: null,
    history,
    valid_history_range: [0, history.length],
    transcript: [`> sign in as ${s.transcript} first`, 'Done.\n[Tool uses: none]', `> ${PROMPT}`],
    tools: {},
    context_manager: null,
    context_message_length: 0,
    latest_summary: [`## SUMMARY\nupload used ${s.summary}`, { request_id: 'r-1', message_id: 'm-9' }],
    model_info: null,
    checkpoint_manager: {
      shadow_repo_path: `/home/mira/.aws/amazonq/cli-checkouts/${CONVERSATION}`,
      work_tree_path: PROJECT,
      checkpoints: [
        {
          tag: '1',
          timestamp: '2025-11-01T10:00:05Z',
          description: `mail with ${s.checkpoint}`,
          history_snapshot: [history[0]],
          is_turn: true,
          tool_name: null,
        },
      ],
    },
    tangent_state: {
      main_history: main,
      main_next_message: null,
      main_transcript: [],
      main_latest_summary: null,
      tangent_start_time: null,
    },
  };
}

function writeDatabase(path: string): void {
  const s = SECRETS;
  mkdirSync(dirname(path), { recursive: true });
  const db = new Database(path);
  db.exec(`
    CREATE TABLE migrations (id INTEGER PRIMARY KEY, version INTEGER NOT NULL, migration_time INTEGER NOT NULL);
    CREATE TABLE history (id INTEGER PRIMARY KEY, command TEXT, shell TEXT, pid INTEGER, session_id TEXT, cwd TEXT, start_time INTEGER,
      hostname TEXT, exit_code INTEGER, end_time INTEGER, duration INTEGER);
    CREATE TABLE state (key TEXT PRIMARY KEY, value BLOB);
    CREATE TABLE auth_kv (key TEXT PRIMARY KEY, value TEXT);
    CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT);`);
  const logins = db.prepare('INSERT INTO auth_kv VALUES (?, ?)');
  // deleted, and its bytes stay in a free block of the page
  logins.run('codewhisperer:old:token', JSON.stringify({ access_token: LOGINS.replaced }));
  db.exec("DELETE FROM auth_kv WHERE key = 'codewhisperer:old:token'");
  logins.run(
    'codewhisperer:odic:token',
    JSON.stringify({ access_token: LOGINS.accessToken, refresh_token: LOGINS.refreshToken, expires_at: '2026-01-02T03:04:05Z' }),
  );
  logins.run(
    'codewhisperer:odic:device-registration',
    JSON.stringify({ client_id: 'client', client_secret: LOGINS.clientSecret, client_secret_expires_at: '2025-11-01T10:00:00.000Z' }),
  );
  logins.run('kirocli:other:token', JSON.stringify({ login: [{ access_token: LOGINS.nestedToken }] }));
  logins.run('kirocli:plain:token', JSON.stringify(LOGINS.plainLogin));
  const state = db.prepare('INSERT INTO state VALUES (?, ?)');
  state.run(
    'telemetry-cognito-credentials',
    JSON.stringify({ access_key_id: s.awsKeyId, secret_key: LOGINS.cognitoSecret, session_token: LOGINS.cognitoSession }),
  );
  state.run('user.note', JSON.stringify(`uses ${s.state}`));
  db.prepare('INSERT INTO history (command, shell, session_id, cwd, start_time, exit_code) VALUES (?, ?, ?, ?, ?, 0)').run(
    `mysql -h db -u root -p${s.shellTable}! app`,
    'bash',
    's-1',
    PROJECT,
    1761990000,
  );
  db.prepare('INSERT INTO conversations VALUES (?, ?)').run(PROJECT, JSON.stringify(conversation()));
  db.close();
}

const lines = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Writes a home with every planted value; the same bytes each time. */
export function plantHome(home: string): string {
  const s = SECRETS;
  const put = (path: string, content: string | object) =>
    writeFileDeep(join(home, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  writeDatabase(join(home, '.local/share/amazon-q/data.sqlite3'));
  put(
    '.local/share/amazon-q/history',
    `\n- command: PGPASSWORD=${s.shellText} psql -h db\n  exit_code: 0\n  shell: bash\n  session_id: s-1\n  cwd: /home/mira\n` +
      '  time: 1737364000\n',
  );
  put('.local/share/amazon-q/settings.json', { 'chat.defaultModel': 'm', 'acme.apiKey': s.setting });
  put('.aws/amazonq/.cli_bash_history', `#V2\n${PROMPT}\nexport DB_PASSWORD=${s.promptHistory}\\nnext\n`);
  put('.aws/sso/cache/kiro-auth-token.json', { accessToken: LOGINS.ssoAccess, refreshToken: LOGINS.ssoRefresh, region: 'us-east-1' });
  put('.aws/sso/cache/0a.json', { clientId: 'c', clientSecret: LOGINS.ssoClientSecret, expiresAt: '2026-01-01T00:00:00Z' });
  put('.aws/sso/cache/x.token.json', { access_token: LOGINS.oauthAccess, token_type: 'bearer' });
  put('.aws/sso/cache/x.registration.json', { client_id: 'c', client_secret: LOGINS.oauthRegistration });
  put('.kiro/secrets.json', { docs: LOGINS.wholeFile });
  put('.aws/amazonq/mcp.json', {
    mcpServers: {
      tickets: {
        command: 'npx',
        args: ['-y', 'tickets-mcp', '--password', s.mcpArgument],
        env: { TICKETS_TOKEN: s.mcpEnvironment, REGION: 'harbour-north' },
      },
      wiki: {
        type: 'http',
        url: `https://wiki.acme.dev/mcp?api_key=${s.mcpQuery}`,
        headers: { Authorization: `Bearer ${s.mcpHeader}`, 'X-Team': 'night-crew' },
        oauth: { clientSecret: s.mcpOauth },
      },
    },
  });
  put('.aws/amazonq/cli-agents/dev.json', {
    name: 'dev',
    prompt: `the database is postgres://app:${s.agentUrl}7@db.internal/app`,
    hooks: { agentSpawn: [{ command: `curl -u ci:${s.hook} https://ci.acme.dev` }] },
  });
  put('.aws/amazonq/profiles/work/context.json', {
    paths: [],
    hooks: { h: { trigger: 'per_prompt', type: 'inline', command: `sshpass -p ${s.legacyHook} ssh host` } },
  });
  put('work/shop/.amazonq/.subagents/dev.json', {
    agent: 'dev',
    task: `deploy to the cloud with ${s.delegateTask}`,
    status: 'completed',
    launched_at: 1762935384,
    completed_at: 1762935400,
    pid: 1,
    exit_code: 0,
    output: `STDOUT:\n-----BEGIN ${LABEL}\n${BODY}\n-----END ${LABEL}\n\nSTDERR:\n`,
  });
  put('work/shop/.amazonq/cli-todo-lists/1762934000250.json', {
    tasks: [{ task_description: `export DD_API_KEY=${s.todo}`, completed: false }],
    description: 'Release',
    context: [`vault login ${s.todoContext}`],
    modified_files: [],
    id: '1762934000250',
  });
  put(
    'tmp/qlog/qchat.log',
    `2025-11-12T08:12:01.102334Z  INFO chat_cli::cli::chat: 402: GET /x Authorization: Bearer ${s.log}\n` +
      `2025-11-12T08:12:02.102334Z  INFO chat_cli::cli::chat: 402: seen ${Buffer.from(s.prompt).toString('base64')}\n`,
  );
  const at = { timestamp: 1786440600 };
  put(
    `.kiro/sessions/cli/${SESSION}.jsonl`,
    lines(
      {
        version: 'v1',
        kind: 'Prompt',
        data: { message_id: 'p-1', content: [{ kind: 'text', data: `run it on ${s.v2Prompt} now` }], meta: at },
      },
      {
        version: 'v1',
        kind: 'AssistantMessage',
        data: {
          message_id: 'p-2',
          content: [
            { kind: 'text', data: 'Calling.' },
            { kind: 'toolUse', data: { toolUseId: 'tooluse_k', name: 'shell', input: { command: `kiro login ${s.v2Tool}` } } },
          ],
        },
      },
      {
        version: 'v1',
        kind: 'ToolResults',
        data: {
          message_id: 'p-3',
          content: [
            {
              kind: 'toolResult',
              data: {
                toolUseId: 'tooluse_k',
                content: [{ kind: 'json', data: { exit_status: 'exit status: 0', stdout: `hello ${s.v2Tool}\n`, stderr: '' } }],
                status: 'success',
              },
            },
          ],
        },
      },
    ),
  );
  put(`.kiro/sessions/cli/${SESSION}.history`, `run it\nset API_TOKEN=${s.v2History}\n`);
  put(`.kiro/sessions/cli/${SESSION}.json`, {
    session_id: SESSION,
    cwd: '/home/mira/work/shop',
    created_at: '2026-08-11T09:29:58Z',
    updated_at: '2026-08-11T09:35:12Z',
    title: `use ${s.v2Title}...`,
    parent_session_id: null,
    session_state: {
      version: 'v1',
      conversation_metadata: { user_turn_metadatas: [], user_turn_start_request: null, last_request: null },
      permissions: {
        filesystem: { allowed_read_paths: [], allowed_write_paths: [], denied_read_paths: [], denied_write_paths: [] },
        trusted_tools: [],
        denied_tools: [],
        allowed_commands: [`PGPASSWORD=${s.v2Grant} psql`],
      },
    },
  });
  const bucket = `.kiro/sessions/5d3ecfbcf35f9605/${SESS}`;
  const event = (id: string, i: number, payload: object) => ({ id, timestamp: `2026-09-14T05:47:0${i}.000Z`, payload });
  put(
    `${bucket}/messages.jsonl`,
    lines(
      event('u-1', 0, { type: 'user', content: `ask ${s.v3Prompt} about it`, source: 'chat' }),
      event('h-1', 1, {
        type: 'ContextualHookInvoked',
        hookId: 'lint.json#hook-0',
        operationId: 'op-1',
        name: 'lint',
        hookActionType: 'runCommand',
        status: 'completed',
        command: 'npm run lint',
        output: `DEPLOY_SECRET=${s.v3Hook}`,
        exitCode: 0,
        executionId: 'e-1',
      }),
      event('c-1', 2, {
        type: 'tool_call',
        toolCallId: 'run_1',
        toolName: 'execute_bash',
        args: { command: `docker login -u mira -p ${s.v3Command} reg.acme.dev` },
        status: 'completed',
        executionId: 'e-1',
        kind: 'execute',
      }),
      event('c-2', 3, { type: 'tool_result', toolCallId: 'run_1', content: `it said ${s.awsKeyId}`, success: true, executionId: 'e-1' }),
    ),
  );
  put(`${bucket}/tool-outputs/run-0badcafe.txt`, `logged in with ${s.v3Output}\n`);
  put(`${bucket}/session.json`, {
    schemaVersion: '1.0.0',
    dataModelVersion: 1,
    id: SESS,
    title: `Publish with ${s.v3Title}`,
    agentMode: 'vibe',
    workspacePaths: ['/home/mira/work/shop'],
    createdAt: '2026-09-14T05:47:00.000Z',
    lastModifiedAt: '2026-09-14T06:48:43.000Z',
    status: 'idle',
  });
  put('.kiro/settings/mcp.json', { mcpServers: { docs: { command: 'docs', env: { DOCS_API_KEY: s.kiroEnvironment } } } });
  put('.kiro/hooks/lint.json', {
    version: 'v1',
    hooks: [{ name: 'lint', trigger: 'Stop', action: { type: 'command', command: `export SIGNING_KEY=${s.kiroHook}` } }],
  });
  put(
    'work/shop/.kiro/hook-captures/events.jsonl',
    lines({
      ts: '2026-07-02T07:14:05Z',
      payload: {
        hook_event_name: 'userPromptSubmit',
        session_id: SESSION,
        cwd: '/home/mira/work/shop',
        prompt: `API_SECRET=${s.hookPayload}`,
      },
    }),
  );
  put('exports/chat.json', {
    conversation_id: 'saved',
    next_message: null,
    history: [entry({ user: `my password: "${s.savedChat}!"`, assistant: say('x-1', 'noted') }, 9)],
    valid_history_range: [0, 1],
    transcript: [],
    tools: {},
    context_manager: null,
    context_message_length: 0,
    latest_summary: null,
    model_info: null,
  });
  // names that are in the manifest only
  put(`.local/share/amazon-q/${s.unreadName}.bin`, 'x');
  symlinkSync(`/srv/${s.linkTarget}`, join(home, '.kiro/agents-link'));
  return home;
}
