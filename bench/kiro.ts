/** Invented `.kiro/sessions` trees: sessions of the v2 and v3 engines of Kiro CLI in the shapes the parsers meet, with some very long lines. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cutFrom, makePools, POOL, type Pools } from './pools.js';
import { createRandom, type Random } from './random.js';

export interface KiroOptions {
  seed: number;
  bytes: number;
  sessions: number;
}

export interface KiroContents {
  bytes: number;
  files: number;
  conversations: number;
  entries: number;
}

const V2_SHARE = 0.4;
const FIRST_MS = Date.UTC(2026, 5, 1);
const SMALLEST = 4_000;
/** One session in a hundred holds an image of this size, one in two hundred a result of this size. */
const IMAGE_EVERY = 100;
const IMAGE_BYTES = 5_000_000;
const RESULT_EVERY = 200;
const RESULT_BYTES = 1_900_000;

interface Session {
  readonly random: Random;
  readonly pools: Pools;
  readonly id: string;
  readonly cwd: string;
  readonly target: number;
  readonly startMs: number;
  readonly image: boolean;
  readonly longResult: boolean;
}

export function writeKiro(home: string, { seed, bytes, sessions }: KiroOptions): KiroContents {
  const random = createRandom(seed, 0x4150);
  const pools = makePools(random);
  const sizes = sessionSizes(random, bytes, sessions);
  const root = join(home, '.kiro/sessions');
  const total = { bytes: 0, files: 0, conversations: sessions, entries: 0 };
  sizes.forEach((target, index) => {
    const session: Session = {
      random: createRandom(seed, index + 1),
      pools,
      id: random.uuid(),
      cwd: `/home/mira/code/project-${index % 40}`,
      target,
      startMs: FIRST_MS + random.int(0, 100 * 86_400_000),
      image: index % IMAGE_EVERY === 7,
      longResult: index % RESULT_EVERY === 11,
    };
    const files = (index * 0.618) % 1 < V2_SHARE ? v2Files(session) : v3Files(session);
    for (const [name, lines] of files) {
      const path = join(root, name);
      mkdirSync(dirname(path), { recursive: true });
      const content = lines.join('\n') + (name.endsWith('l') || name.endsWith('y') ? '\n' : '');
      writeFileSync(path, content);
      total.bytes += Buffer.byteLength(content);
      total.files += 1;
      if (name.endsWith('.jsonl')) total.entries += lines.length;
    }
  });
  return total;
}

/** Half a turn more than wanted, and the session file: what a session comes to beyond its journal of the wanted size. */
const OVERHEAD = 14_000;

/** Uniform on a logarithmic scale, from small to as large as the total allows, beside what the long lines take. */
function sessionSizes(random: Random, bytes: number, sessions: number): number[] {
  const long = Math.ceil(sessions / IMAGE_EVERY) * IMAGE_BYTES + Math.ceil(sessions / RESULT_EVERY) * RESULT_BYTES;
  const shares = Array.from({ length: sessions }, (_, i) => 400 ** ((i + random.float()) / sessions));
  const unit = Math.max(sessions * SMALLEST, bytes - long - sessions * OVERHEAD) / shares.reduce((sum, share) => sum + share, 0);
  for (let i = shares.length - 1; i > 0; i -= 1) {
    const other = random.int(0, i);
    [shares[i], shares[other]] = [shares[other] ?? 1, shares[i] ?? 1];
  }
  return shares.map((share) => Math.round(share * unit));
}

function cut(session: Session, pool: keyof Pools, most: number): string {
  return cutFrom(session.random, session.pools[pool], most);
}

/** Bytes of an image, as long as wanted. */
const imageOf = ({ pools }: Session) => pools.base64.repeat(Math.ceil(IMAGE_BYTES / pools.base64.length)).slice(0, IMAGE_BYTES - 2000);
const resultOf = (session: Session, first: boolean) =>
  first && session.longResult
    ? session.pools.log.repeat(Math.ceil(RESULT_BYTES / POOL)).slice(0, RESULT_BYTES)
    : // A file of some 200 lines, the output of a command; now and then a large file.
      cut(session, session.random.chance(0.5) ? 'log' : 'code', session.random.chance(0.05) ? 45_000 : 12_000);

type Files = (readonly [name: string, lines: string[]])[];

function v2Files(session: Session): Files {
  const { random, id, cwd, target, startMs } = session;
  const lines: string[] = [];
  const history: string[] = [];
  const turns: unknown[] = [];
  let size = 0;
  let seconds = Math.floor(startMs / 1000);
  const add = (kind: string, data: unknown) => {
    const line = JSON.stringify({ version: 'v1', kind, data });
    lines.push(line);
    size += line.length;
  };
  for (let turn = 0; turn === 0 || size < target; turn += 1) {
    const ids = [random.uuid()];
    const words = cut(session, 'prose', 600);
    history.push(words);
    const attached =
      turn === 0 && session.image ? [{ kind: 'image', data: { format: 'png', source: { type: 'base64', data: imageOf(session) } } }] : [];
    add('Prompt', { message_id: ids[0], content: [{ kind: 'text', data: words }, ...attached], meta: { timestamp: seconds } });
    for (let calls = random.int(0, 4); calls > 0; calls -= 1) {
      const toolUseId = `tooluse_${random.hex(22)}`;
      const command = `grep -rn "${random.hex(4)}" src`;
      const data = { text: cut(session, 'prose', 900), signature: random.hex(600), redactedContent: [], modelId: 'claude-opus-5' };
      const input = { command, __tool_use_purpose: 'look for it' };
      ids.push(random.uuid(), random.uuid());
      const thinking = random.chance(0.4) ? [{ kind: 'thinking', data }] : [];
      add('AssistantMessage', {
        message_id: ids.at(-2),
        content: [
          ...thinking,
          { kind: 'text', data: cut(session, 'prose', 300) },
          { kind: 'toolUse', data: { toolUseId, name: 'shell', input } },
        ],
      });
      const output = { exit_status: 'exit status: 0', stdout: resultOf(session, lines.length < 4), stderr: '' };
      add('ToolResults', {
        message_id: ids.at(-1),
        content: [{ kind: 'toolResult', data: { toolUseId, content: [{ kind: 'json', data: output }], status: 'success' } }],
        results: {
          [toolUseId]: {
            tool: { tool_use_purpose: 'look for it', kind: { BuiltIn: { ExecuteCmd: { command, working_dir: null } } } },
            result: { Success: { items: [{ Json: output }] } },
          },
        },
      });
    }
    ids.push(random.uuid());
    const answer = [{ kind: 'text', data: cut(session, 'markdown', 5_000) }];
    add('AssistantMessage', { message_id: ids.at(-1), content: answer });
    seconds += random.int(5, 900);
    const ok = { id: ids.at(-1), role: 'assistant', content: answer, meta: { timestamp: seconds - 3 } };
    turns.push(v2Turn(ids, ok, seconds - 2, random.float()));
  }
  const name = `cli/${id}`;
  return [
    [`${name}.jsonl`, lines],
    [`${name}.json`, [JSON.stringify(sidecar(id, cwd, history[0] ?? '', startMs, seconds, turns))]],
    [`${name}.history`, history.slice(-100).map((line) => line.replaceAll('\\', '\\\\').replaceAll('\n', '\\n'))],
  ];
}

const isoSeconds = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}.266988400Z`;

const v2Turn = (message_ids: string[], Ok: unknown, seconds: number, value: number) => ({
  loop_id: { agent_id: { name: 'kiro_default', parent_id: null, rand: null }, rand: 1467849346 },
  result: { Ok },
  message_ids,
  total_request_count: message_ids.length,
  turn_duration: { secs: 9, nanos: 490633908 },
  end_reason: 'UserTurnEnd',
  end_timestamp: isoSeconds(seconds),
  input_token_count: 0,
  model: 'claude-opus-5',
  context_usage_percentage: 7.5,
  metering_usage: [{ value, unit: 'credit', unitPlural: 'credits' }],
});

const sidecar = (id: string, cwd: string, title: string, startMs: number, seconds: number, turns: unknown[]) => ({
  session_id: id,
  cwd,
  created_at: new Date(startMs).toISOString(),
  updated_at: isoSeconds(seconds),
  title: title.slice(0, 50),
  parent_session_id: null,
  session_created_reason: 'subagent',
  session_state: {
    version: 'v1',
    conversation_metadata: { user_turn_metadatas: turns, user_turn_start_request: null, last_request: null },
    permissions: { filesystem: { allowed_read_paths: [cwd] }, trusted_tools: ['read'], allowed_commands: [] },
    agent_name: 'kiro_default',
  },
});

function v3Files(session: Session): Files {
  const { random, cwd, target, startMs } = session;
  const lines: string[] = [];
  let size = 0;
  let ms = startMs;
  const add = (id: string, payload: unknown) => {
    ms += random.int(1, 4000);
    const line = JSON.stringify({ id, timestamp: new Date(ms).toISOString(), payload });
    lines.push(line);
    size += line.length;
  };
  for (let turn = 0; turn === 0 || size < target; turn += 1) {
    const [prompt, executionId] = [random.uuid(), random.uuid()];
    const images = turn === 0 && session.image ? { images: [{ data: imageOf(session), mimeType: 'image/png' }] } : {};
    add(prompt, { type: 'user', content: cut(session, 'prose', 600), source: 'chat', ...images });
    add(`${executionId}-turn-start`, { type: 'turn_start', executionId });
    for (let calls = random.int(0, 5); calls > 0; calls -= 1) {
      const toolCallId = `run_command_tooluse_${random.hex(22)}`;
      const signed = { reasoningSignature: random.hex(800), reasoningModelId: 'qdev::auto' };
      if (random.chance(0.6))
        add(`${random.uuid()}-say`, { type: 'assistant', content: '...', operationType: 'Reasoning', ...signed, executionId });
      if (random.chance(0.4)) {
        const options = [{ optionId: 'accept', name: 'Allow', kind: 'allow_once' }];
        add(`${toolCallId}-pending`, {
          type: 'pending_interaction',
          interactionType: 'tool_approval',
          toolCallId,
          question: 'Run it?',
          options,
        });
        add(`${toolCallId}-resolved`, { type: 'interaction_resolved', toolCallId, outcome: 'selected', selectedOption: 'accept' });
      }
      const args = { path: `src/${random.hex(6)}.ts`, text: cut(session, 'code', 3_000) };
      const _meta = { kiro: { userMessageId: prompt, toolOrigin: 'default' } };
      add(`${toolCallId}-call`, {
        type: 'tool_call',
        toolCallId,
        toolName: 'fs_write',
        args,
        status: 'completed',
        kind: 'edit',
        executionId,
        _meta,
      });
      add(`${toolCallId}-result`, {
        type: 'tool_result',
        toolCallId,
        content: resultOf(session, lines.length < 4),
        success: true,
        durationMs: 120,
        executionId,
      });
      add(`${toolCallId}-usage`, { type: 'session_metadata', key: 'contextUsage', value: { usagePercentage: 7.5 }, executionId });
    }
    add(`${random.uuid()}-say`, { type: 'assistant', content: cut(session, 'markdown', 5_000), operationType: 'Say', executionId });
    const usage = [{ unit: 'credit', unitPlural: 'credits', usage: random.float() }];
    add(`${executionId}-usage`, { type: 'usage_summary', promptTurnSummaries: usage, elapsedTime: 9000, status: 'success', executionId });
    add(`${executionId}-turn-end`, { type: 'turn_end', stopReason: 'end_turn', executionId });
  }
  const id = `sess_${session.id}`;
  const name = `${createHash('sha256').update(cwd).digest('hex').slice(0, 16)}/${id}`;
  const [createdAt, lastModifiedAt] = [startMs, ms].map((time) => new Date(time).toISOString());
  const facts = { schemaVersion: '1.0.0', id, title: 'New Session', agentMode: 'vibe', workspacePaths: [cwd], createdAt, lastModifiedAt };
  return [
    [`${name}/session.json`, [JSON.stringify({ ...facts, modelId: 'auto', status: 'idle' })]],
    [`${name}/messages.jsonl`, lines],
  ];
}
