import type { Random } from './random.js';
import { anyText, code, jsonDocument, log, markdown, prose, words } from './text.js';

const DENIED = 'I deny this tool request. Ask a follow up question clarifying the expected action';
const INTERRUPTED_USER = 'The user interrupted the tool execution.';
const INTERRUPTED_ASSISTANT = 'Tool uses were interrupted, waiting for the next user prompt';
const CANCELLED = 'Tool use was cancelled by the user';
const TOOL_ERROR = 'An error occurred processing the tool: \n';

const UTC_OFFSET_HOURS = 9;
const MODELS = ['claude-sonnet-4.5', 'claude-sonnet-4.5', 'claude-sonnet-4', 'claude-haiku-4.5'] as const;
const ASKS_FIRST = new Set(['execute_bash', 'fs_write', 'use_aws', 'lookup_ticket']);
const NATIVE_TOOLS = [
  'execute_bash',
  'fs_read',
  'fs_write',
  'use_aws',
  'gh_issue',
  'introspect',
  'knowledge',
  'thinking',
  'todo_list',
  'delegate',
];
const COMMANDS = [
  'npm test',
  'npm run build',
  'git status --short',
  'git log --oneline -20',
  'ls -la src',
  'cat build.log',
  'make check',
] as const;

type ToolResult = { tool_use_id: string; content: ({ Json: unknown } | { Text: string })[]; status: 'Success' | 'Error' };
type ToolUse = { id: string; name: string; orig_name: string; args: Record<string, unknown>; orig_args: Record<string, unknown> };
type Content =
  | { Prompt: { prompt: string } }
  | { ToolUseResults: { tool_use_results: ToolResult[] } }
  | { CancelledToolUses: { prompt: string | null; tool_use_results: ToolResult[] } };
type Assistant =
  | { Response: { message_id: string | null; content: string } }
  | { ToolUse: { message_id: string | null; content: string; tool_uses: ToolUse[] } };

interface HistoryEntry {
  user: { additional_context: string; env_context: unknown; content: Content; timestamp: string | null; images: null };
  assistant: Assistant;
  request_metadata: Record<string, unknown> | null;
}

/** One history entry and the transcript elements that were added with it. */
interface Exchange {
  entry: HistoryEntry;
  said: string[];
}

interface FileLines {
  prev_fswrite_lines: number;
  before_fswrite_lines: number;
  after_fswrite_lines: number;
  lines_added_by_agent: number;
  lines_removed_by_agent: number;
  is_first_write: boolean;
}

interface Session {
  random: Random;
  cwd: string;
  model: string;
  clock: number;
  /** Bytes still wanted; a turn comes to its end when there are none. */
  left: number;
  trusted: Set<string>;
  files: Map<string, FileLines>;
}

export interface ConversationOptions {
  random: Random;
  /** Size of the whole JSON text; the last entries may pass it by a few kilobytes. */
  targetBytes: number;
  cwd: string;
  startMs: number;
  /** Size of the tool schemas, compact. */
  toolsBytes: number;
  /** True for the two-space form of `/save`, false for the compact form of the database. */
  pretty: boolean;
}

export interface ConversationSummary {
  id: string;
  entries: number;
}

const localTime = (session: Session): string => {
  const local = new Date(session.clock + UTC_OFFSET_HOURS * 3_600_000).toISOString().slice(0, -1);
  return `${local}${String(session.random.int(0, 999)).padStart(3, '0')}+0${UTC_OFFSET_HOURS}:00`;
};

const environment = (session: Session): unknown => ({
  env_state: { operating_system: 'linux', current_working_directory: session.cwd, environment_variables: [] },
});

const typed = (text: string): string => `> ${text.replaceAll('\n', '> \n')}`;

const spoken = (assistant: Assistant): string => {
  if ('Response' in assistant) return `${assistant.Response.content}\n[Tool uses: none]`;
  return `${assistant.ToolUse.content}\n[Tool uses: ${assistant.ToolUse.tool_uses.map((use) => use.name).join(',')}]`;
};

function somePath(session: Session): string {
  const { random } = session;
  const known = [...session.files.keys()];
  if (known.length > 0 && random.chance(0.6)) return random.pick(known);
  return `${session.cwd}/src/${words(random, 1)}/${words(random, 1)}-${random.int(1, 40)}.${random.pick(['ts', 'ts', 'py', 'json', 'md'])}`;
}

function trackWrite(session: Session, path: string, added: number, removed: number): void {
  const before = session.files.get(path)?.after_fswrite_lines ?? 0;
  session.files.set(path, {
    prev_fswrite_lines: before,
    before_fswrite_lines: before,
    after_fswrite_lines: Math.max(0, before + added - removed),
    lines_added_by_agent: added,
    lines_removed_by_agent: removed,
    is_first_write: false,
  });
}

function toolArguments(session: Session, tool: string): Record<string, unknown> {
  const { random } = session;
  switch (tool) {
    case 'execute_bash':
      return { command: random.chance(0.7) ? random.pick(COMMANDS) : `grep -rn "${words(random, 2)}" src`, summary: words(random, 5) };
    case 'fs_read': {
      const path = somePath(session);
      const line = random.int(1, 200);
      return { operations: [{ mode: 'Line', path, start_line: line, end_line: line + random.int(20, 200) }] };
    }
    case 'fs_write': {
      const path = somePath(session);
      const text = code(random, random.logInt(100, 4000));
      const lines = text.split('\n').length;
      if (random.chance(0.4)) {
        trackWrite(session, path, lines, 0);
        return { command: 'create', path, file_text: text, summary: words(random, 6) };
      }
      trackWrite(session, path, lines, Math.ceil(lines / 2));
      return { command: 'str_replace', path, old_str: text.slice(0, text.length >> 1), new_str: text, summary: words(random, 6) };
    }
    case 'use_aws':
      return { service_name: 's3api', operation_name: 'list-objects-v2', parameters: { bucket: words(random, 1) }, region: 'eu-west-1' };
    default:
      return { id: `SHOP-${random.int(1, 999)}` };
  }
}

function toolUse(session: Session): ToolUse {
  const { random } = session;
  const kind = random.float();
  const name = kind < 0.35 ? 'execute_bash' : kind < 0.7 ? 'fs_read' : kind < 0.88 ? 'fs_write' : kind < 0.92 ? 'use_aws' : 'lookup_ticket';
  const args = toolArguments(session, name);
  return { id: `tooluse_${random.hex(22)}`, name, orig_name: name, args, orig_args: args };
}

function toolResult(session: Session, use: ToolUse): ToolResult {
  const { random } = session;
  if (random.chance(0.03)) return { tool_use_id: use.id, content: [{ Text: `${TOOL_ERROR}${words(random, 8)}` }], status: 'Error' };
  const length = random.logInt(100, 14_000);
  const content = (): { Json: unknown } | { Text: string } => {
    switch (use.name) {
      case 'execute_bash': {
        const failed = random.chance(0.15);
        const stdout = random.chance(0.5) ? log(random, length) : anyText(random, length);
        return { Json: { exit_status: failed ? '1' : '0', stdout, stderr: failed ? log(random, random.logInt(60, 1500)) : '' } };
      }
      case 'use_aws':
        return { Json: { exit_status: '0', stdout: jsonDocument(random, length), stderr: '' } };
      case 'fs_read':
        return { Text: anyText(random, length) };
      case 'fs_write':
        return { Text: '' };
      default:
        return { Json: { content: [{ type: 'text', text: prose(random, length >> 2) }], isError: random.chance(0.05) } };
    }
  };
  return { tool_use_id: use.id, content: [content()], status: 'Success' };
}

function assistantWithMetadata(
  session: Session,
  uses: ToolUse[],
  promptLength: number,
): Pick<HistoryEntry, 'assistant' | 'request_metadata'> {
  const { random } = session;
  const id = random.uuid();
  const content =
    uses.length === 0 ? markdown(random, random.logInt(150, 3500)) : random.chance(0.15) ? '' : prose(random, random.int(30, 300));
  session.clock += random.int(80, 900);
  const start = session.clock;
  const chunks = Array.from({ length: random.logInt(2, 90) }, () => ({ secs: 0, nanos: random.int(100_000, 90_000_000) }));
  const spent = chunks.reduce((sum, chunk) => sum + chunk.nanos, 0);
  session.clock += 700 + Math.ceil(spent / 1_000_000);
  return {
    assistant: uses.length === 0 ? { Response: { message_id: id, content } } : { ToolUse: { message_id: id, content, tool_uses: uses } },
    request_metadata: {
      request_id: random.uuid(),
      message_id: id,
      request_start_timestamp_ms: start,
      stream_end_timestamp_ms: session.clock,
      time_to_first_chunk: { secs: 0, nanos: random.int(200_000_000, 690_000_000) },
      time_between_chunks: chunks,
      user_prompt_length: promptLength,
      response_size: content.length,
      chat_conversation_type: uses.length === 0 ? 'NotToolUse' : 'ToolUse',
      tool_use_ids_and_names: uses.map((use) => [use.id, use.name]),
      model_id: session.model,
      message_meta_tags: [],
    },
  };
}

type Decision = { kind: 'run' } | { kind: 'interrupted' } | { kind: 'cancelled'; prompt: string };

/** What the user answers to the calls of one message, and the transcript lines of it. */
function decide(session: Session, uses: ToolUse[], said: string[]): Decision {
  const { random } = session;
  for (const use of uses) {
    if (!ASKS_FIRST.has(use.name) || session.trusted.has(use.name)) continue;
    session.clock += random.logInt(800, 60_000);
    const answer = random.float();
    if (answer < 0.03) {
      said.push(typed('n'));
      return { kind: 'cancelled', prompt: DENIED };
    }
    if (answer < 0.06) {
      const prompt = prose(random, 60);
      said.push(typed(prompt));
      return { kind: 'cancelled', prompt };
    }
    if (answer < 0.07) {
      session.trusted.add(use.name);
      said.push(typed('t'));
    } else {
      said.push(typed(random.chance(0.02) ? 'Y' : 'y'));
    }
  }
  return random.chance(0.01) ? { kind: 'interrupted' } : { kind: 'run' };
}

function cancelledEntry(session: Session, uses: ToolUse[], decision: Exclude<Decision, { kind: 'run' }>): HistoryEntry {
  const interrupted = decision.kind === 'interrupted';
  const prompt = interrupted ? INTERRUPTED_USER : decision.prompt;
  const results = uses.map((use): ToolResult => ({ tool_use_id: use.id, content: [{ Text: CANCELLED }], status: 'Error' }));
  const user = {
    additional_context: '',
    env_context: environment(session),
    content: { CancelledToolUses: { prompt, tool_use_results: results } },
    timestamp: localTime(session),
    images: null,
  };
  return interrupted
    ? { user, assistant: { Response: { message_id: null, content: INTERRUPTED_ASSISTANT } }, request_metadata: null }
    : { user, ...assistantWithMetadata(session, [], prompt.length) };
}

/** From a prompt to the answer without calls that ends it. */
function* turn(session: Session): Generator<Exchange> {
  const { random } = session;
  session.clock += random.logInt(5_000, 1_200_000);
  const said: string[] = [];
  if (random.chance(0.03)) said.push(typed(random.pick(['/usage', '/tools', '! ls', '/context show'])));
  const prompt = random.chance(0.1)
    ? `${prose(random, 80)}\n\n${anyText(random, random.logInt(200, 5000))}`
    : prose(random, random.int(20, 300));
  said.push(typed(prompt));
  const timestamp = localTime(session);
  let rounds = random.logInt(1, 16) - 1;
  const calls = (): ToolUse[] => {
    if (rounds <= 0 || session.left <= 0) return [];
    rounds -= 1;
    return Array.from({ length: random.chance(0.85) ? 1 : random.int(2, 3) }, () => toolUse(session));
  };

  let uses = calls();
  const first = {
    user: {
      additional_context: random.chance(0.2) ? `--- CONTEXT ENTRY BEGIN ---\nbranch: main\n\n--- CONTEXT ENTRY END ---\n\n` : '',
      env_context: environment(session),
      content: { Prompt: { prompt } },
      timestamp,
      images: null,
    },
    ...assistantWithMetadata(session, uses, prompt.length),
  };
  yield { entry: first, said: [...said, spoken(first.assistant)] };

  while (uses.length > 0) {
    const lines: string[] = [];
    const decision = decide(session, uses, lines);
    if (decision.kind !== 'run') {
      const entry = cancelledEntry(session, uses, decision);
      yield { entry, said: [...lines, spoken(entry.assistant)] };
      return;
    }
    const results = uses.map((use) => toolResult(session, use));
    session.clock += random.logInt(20, 20_000);
    uses = calls();
    const entry = {
      user: {
        additional_context: '',
        env_context: environment(session),
        content: { ToolUseResults: { tool_use_results: results } },
        timestamp: null,
        images: null,
      },
      ...assistantWithMetadata(session, uses, 0),
    };
    yield { entry, said: [...lines, spoken(entry.assistant)] };
  }
}

const toolSpecification = (random: Random, name: string, length: number): unknown => {
  const properties: Record<string, unknown> = {};
  for (let i = random.int(3, 8); i > 0; i -= 1) {
    properties[`${words(random, 1)}_${i}`] = {
      type: random.pick(['string', 'integer', 'boolean']),
      description: prose(random, length / 16),
    };
  }
  return {
    ToolSpecification: {
      name,
      description: prose(random, length / 2),
      input_schema: { json: { type: 'object', properties, required: Object.keys(properties).slice(0, 1) } },
    },
  };
};

/** The `tools` member: native tools first, then those of MCP servers, until about `bytes` are there. */
function toolCatalogue(random: Random, bytes: number): Record<string, unknown[]> {
  const native = NATIVE_TOOLS.map((name) => toolSpecification(random, name, Math.min(3000, bytes / 20)));
  const tools: Record<string, unknown[]> = { native___: native };
  let size = Buffer.byteLength(JSON.stringify(native));
  const servers = ['tickets', 'browser', 'metrics'];
  for (let i = 0; size < bytes; i += 1) {
    const server = random.pick(servers);
    const tool = toolSpecification(random, i === 0 ? 'lookup_ticket' : `${server}_${i}`, Math.min(3000, bytes - size));
    tools[server] = [...(tools[server] ?? []), tool];
    size += Buffer.byteLength(JSON.stringify(tool));
  }
  return tools;
}

/** The JSON text of one ConversationState in pieces, members in the vendor's order. */
export function* conversationText(options: ConversationOptions): Generator<string, ConversationSummary> {
  const { random, pretty } = options;
  const session: Session = {
    random,
    cwd: options.cwd,
    model: random.pick(MODELS),
    clock: options.startMs,
    left: options.targetBytes,
    trusted: new Set(),
    files: new Map(),
  };
  const line = (depth: number): string => (pretty ? `\n${'  '.repeat(depth)}` : '');
  const text = (value: unknown, depth: number): string =>
    pretty ? JSON.stringify(value, null, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`) : JSON.stringify(value);
  const member = (name: string): string => `${line(1)}"${name}":${pretty ? ' ' : ''}`;

  const id = random.uuid();
  const toolsText = text(toolCatalogue(random, options.toolsBytes), 1);
  // Transcript elements are kept in their JSON form: they are written after the whole history.
  const transcript: string[] = [];
  const say = (said: string[]): number => {
    let size = 0;
    for (const element of said) {
      const json = JSON.stringify(element);
      transcript.push(json);
      size += Buffer.byteLength(json) + 1 + (pretty ? 5 : 0);
    }
    return size;
  };
  session.left -= Buffer.byteLength(toolsText) + 1500;

  // One conversation in ten was compacted: its first turns live on in the transcript only.
  let summary: unknown = null;
  if (random.chance(0.1)) {
    for (const lost of turn(session)) {
      session.left -= say(lost.said);
      summary = [`## CONVERSATION SUMMARY\n${markdown(random, 800)}`, { ...lost.entry.request_metadata, message_meta_tags: ['Compact'] }];
    }
    session.left -= say([typed('/compact')]);
  }

  yield `{${member('conversation_id')}"${id}",${member('next_message')}null,${member('history')}[`;
  let entries = 0;
  do {
    for (const { entry, said } of turn(session)) {
      const json = text(entry, 2);
      session.left -= Buffer.byteLength(json) + 6 + say(said);
      yield `${entries === 0 ? '' : ','}${line(2)}${json}`;
      entries += 1;
    }
  } while (session.left > 0);
  yield `${line(1)}],${member('valid_history_range')}${text([0, entries], 1)},${member('transcript')}[`;
  for (let i = 0; i < transcript.length; i += 500) {
    yield `${i === 0 ? '' : ','}${transcript
      .slice(i, i + 500)
      .map((json) => `${line(2)}${json}`)
      .join(',')}`;
  }
  yield `${line(1)}],${member('tools')}${toolsText},`;
  const rest: [string, unknown][] = [
    [
      'context_manager',
      {
        max_context_files_size: 150_000,
        current_profile: 'q_cli_default',
        paths: ['AmazonQ.md', 'README.md', '.amazonq/rules/**/*.md'],
        hooks: {},
      },
    ],
    ['context_message_length', random.int(500, 9000)],
    ['latest_summary', summary],
    ['model_info', { model_name: session.model, description: 'Example model', model_id: session.model, context_window_tokens: 200_000 }],
    ['file_line_tracker', Object.fromEntries(session.files)],
    ['checkpoint_manager', null],
    ['mcp_enabled', true],
  ];
  yield `${rest.map(([name, value]) => `${member(name)}${text(value, 1)}`).join(',')}${line(0)}}`;
  return { id, entries };
}
