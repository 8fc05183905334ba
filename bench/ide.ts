/**
 * An invented store of the Kiro IDE before 1.0, as it grows in months of use: workspaces with sessions whose answers are left to
 * the execution logs, and logs that each repeat the conversation before them, so that most bytes are repetitions.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KiroContents } from './kiro.js';
import { cutFrom, makePools, type Pools } from './pools.js';
import { createRandom, type Random } from './random.js';

export interface IdeOptions {
  seed: number;
  bytes: number;
  workspaces: number;
}

const AGENT = '.config/Kiro/User/globalStorage/kiro.kiroagent';
const FIRST_MS = Date.UTC(2026, 0, 5);
/** One session in forty has an image of this size in its first prompt. */
const IMAGE_EVERY = 40;
const IMAGE_BYTES = 3_000_000;
const EARLIER_MOST = 24;

const hash32 = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
const SAVES = hash32('KIRO::EXECUTION::SAVES');
const CATALOGUE = hash32('KIRO::EXECUTION::METADATA');

interface Place {
  readonly random: Random;
  readonly pools: Pools;
  readonly cwd: string;
  readonly put: (path: string, value: unknown) => number;
}

export function writeIde(home: string, { seed, bytes, workspaces }: IdeOptions): KiroContents {
  const pools = makePools(createRandom(seed, 0x1de));
  const total = { bytes: 0, files: 0, conversations: 0, entries: 0 };
  const put = (path: string, value: unknown) => {
    const at = join(home, AGENT, path);
    mkdirSync(dirname(at), { recursive: true });
    const text = JSON.stringify(value);
    writeFileSync(at, text);
    const size = Buffer.byteLength(text);
    total.bytes += size;
    total.files += 1;
    return size;
  };
  for (let i = 0; i < workspaces; i += 1) {
    const place = { random: createRandom(seed, i + 1), pools, cwd: `/home/mira/code/project-${i}`, put };
    const made = writeWorkspace(place, (bytes - total.bytes) / (workspaces - i));
    total.conversations += made.sessions;
    total.entries += made.entries;
  }
  return total;
}

/** Sessions until the wanted size is reached; the list of executions and the index at the end. */
function writeWorkspace(place: Place, target: number): { sessions: number; entries: number } {
  const { cwd, put } = place;
  const encoded = Buffer.from(cwd).toString('base64').replaceAll('=', '_');
  const index: unknown[] = [];
  const executions: unknown[] = [];
  let entries = 0;
  let size = 0;
  let ms = FIRST_MS;
  while (size < target) {
    const session = writeSession(place, ms, target - size, index.length % IMAGE_EVERY === 7);
    ms = session.endMs + 3_600_000;
    size += session.size + put(`workspace-sessions/${encoded}/${session.id}.json`, session.stored);
    index.push({ sessionId: session.id, title: 'Work', dateCreated: String(session.startMs), workspaceDirectory: cwd });
    executions.push(...session.executions);
    entries += session.executions.length;
  }
  put(`workspace-sessions/${encoded}/sessions.json`, index);
  put(`${hash32(cwd)}/${CATALOGUE}`, { version: '2.0.0', executions });
  return { sessions: index.length, entries };
}

interface Told {
  readonly role: string;
  readonly entries: unknown[];
}

function writeSession({ random, pools, cwd, put }: Place, startMs: number, room: number, image: boolean) {
  const id = random.uuid();
  const history: unknown[] = [];
  const executions: unknown[] = [];
  const window: unknown[] = [];
  const earlier: Told[] = [];
  let size = 0;
  let ms = startMs;
  for (let left = random.int(2, 18); left > 0 && size < room; left -= 1) {
    const executionId = random.uuid();
    const prompt = cutFrom(random, pools.prose, 700);
    const url = `data:image/png;base64,${pools.base64.repeat(Math.ceil(IMAGE_BYTES / pools.base64.length)).slice(0, IMAGE_BYTES)}`;
    const pictures = image && history.length === 0 ? [{ type: 'imageUrl', imageUrl: { url } }] : [];
    window.push({ role: 'user', content: [{ type: 'text', text: prompt }] });
    const begun = ms;
    const { actions, told, endMs } = actionsOf({ random, pools, cwd }, executionId, id, ms);
    ms = endMs + random.int(5_000, 600_000);
    const stored = {
      executionId,
      workflowType: 'chat-agent',
      status: 'succeed',
      startTime: begun,
      endTime: endMs,
      chatSessionId: id,
      autonomyMode: 'Autopilot',
      workspaceContext: { cwd },
      input: { data: { messages: [...window], messagesFromExecutionId: [] } },
      context: { messages: [...earlier.slice(-EARLIER_MOST), { role: 'human', entries: [{ type: 'text', text: prompt }] }, ...told] },
      actions,
      usageSummary: [{ usage: random.float(), unit: 'credit', unitPlural: 'credits', usedTools: ['read_file', 'execute_bash'] }],
    };
    size += put(`${hash32(cwd)}/${SAVES}/${hash32(executionId)}`, stored);
    earlier.push({ role: 'human', entries: [{ type: 'text', text: prompt }] }, ...told);
    window.push({ role: 'assistant', content: [{ type: 'executionLog', text: executionId }] });
    const context = random.chance(0.3) ? [{ name: `src/${random.hex(6)}.ts`, content: cutFrom(random, pools.code, 8_000) }] : [];
    history.push(
      { message: { role: 'user', id: random.uuid(), content: [{ type: 'text', text: prompt }, ...pictures] }, contextItems: context },
      { message: { role: 'assistant', id: random.uuid(), content: 'On it.' }, executionId },
    );
    executions.push({ executionId, type: 'chat-agent', status: 'succeed', startTime: begun, endTime: endMs, chatSessionId: id });
  }
  const stored = { sessionId: id, title: 'Work', workspaceDirectory: cwd, selectedModel: 'auto', autonomyMode: 'Autopilot', history };
  return { id, startMs, endMs: ms, size, stored, executions };
}

/** What one request led to: files read and changed, commands, and an answer; as actions, and as the model was told of them. */
function actionsOf({ random, pools, cwd }: Omit<Place, 'put'>, executionId: string, chatSessionId: string, startMs: number) {
  const actions: unknown[] = [];
  const told: Told[] = [];
  let ms = startMs;
  const add = (actionId: string, actionType: string, more: object) => {
    ms += random.int(200, 9_000);
    const shared = {
      type: 'AgentExecutionAction',
      executionId,
      actionId,
      actionType,
      actionState: 'Success',
      chatSessionId,
      emittedAt: ms,
    };
    actions.push({ ...shared, ...more });
  };
  const call = (name: string, type: string, input: object, message: string, output: unknown) => {
    const id = `tooluse_${random.hex(22)}`;
    add(id, type, { input, output, endTime: ms + 100 });
    told.push({ role: 'bot', entries: [{ type: 'toolUse', id, name, args: input }] });
    told.push({ role: 'tool', entries: [{ type: 'toolUseResponse', id, name, success: true, message }] });
  };
  add(random.uuid(), 'intentClassification', { intentResult: { classification: 'do' } });
  for (let left = random.int(1, 7); left > 0; left -= 1) {
    if (random.chance(0.5)) add(random.uuid(), 'reasoning', { output: { message: cutFrom(random, pools.prose, 900) } });
    const path = `src/${random.hex(6)}.ts`;
    const text = cutFrom(random, pools.code, 14_000);
    const kind = random.float();
    if (kind < 0.45) call('read_file', 'readFile', { path }, text, text);
    else if (kind < 0.75) {
      const input = { file: path, originalContent: text, modifiedContent: `${text}// changed\n` };
      call('str_replace', 'replace', input, `Replaced text in ${path}`, undefined);
    } else {
      const output = cutFrom(random, pools.log, 9_000);
      call('execute_bash', 'runCommand', { command: `npm test -- ${random.hex(4)}`, cwd }, output, { output, exitCode: 0 });
    }
  }
  const answer = cutFrom(random, pools.markdown, 4_000);
  add(random.uuid(), 'say', { output: { message: answer } });
  told.push({ role: 'bot', entries: [{ type: 'text', text: answer }] });
  return { actions, told, endMs: ms + 500 };
}
