import { describe, expect, it } from 'vitest';
import type { FileParser } from '../../src/parsers/parser.js';
import { qAgentConfig } from '../../src/parsers/q-agent-config.js';
import { qDelegate } from '../../src/parsers/q-delegate.js';
import { qLegacyContext } from '../../src/parsers/q-legacy-context.js';
import { qSave } from '../../src/parsers/q-save.js';
import { qTodo } from '../../src/parsers/q-todo.js';
import type { Row } from '../../src/rows/row.js';
import { CONVERSATIONS, fixture, REAL_EXPORTS } from '../conversation/files.js';
import { rowsOf } from '../conversation/support.js';
import { draftsOf } from '../support/memory-source.js';

const REAL = 'real-shaped/amazon-q';
const FIXED_REFUSALS = [
  /^[nN]$/,
  /^I deny this tool request\. Ask a follow up question clarifying the expected action$/,
  /^Tool use with .+ was rejected because the arguments supplied were forbidden$/,
  /^The user interrupted the tool execution\.$/,
];

interface Result {
  tool_use_id: string;
}
interface Message {
  content: {
    Prompt?: { prompt: string };
    ToolUseResults?: { tool_use_results: Result[] };
    CancelledToolUses?: { prompt: string | null; tool_use_results: Result[] };
  };
  timestamp?: string | null;
}
interface Said {
  message_id: string | null;
  content: string;
  tool_uses?: { orig_name: string; name: string }[];
}
type Stored = { user: Message; assistant: Record<string, Said>; request_metadata?: object | null } | [Message, Record<string, Said>];
interface Value {
  history: Stored[];
  transcript: string[];
  checkpoint_manager?: { checkpoints: { history_snapshot: Stored[] }[] } | null;
  tangent_state?: { main_history: Stored[]; main_transcript: string[] };
  latest_summary?: unknown;
}

const userOf = (entry: Stored): Message => (Array.isArray(entry) ? entry[0] : entry.user);
const saidBy = (entry: Stored): Said => Object.values(Array.isArray(entry) ? entry[1] : entry.assistant)[0] as Said;
const textOf = ({ content }: Message): string | undefined => content.Prompt?.prompt ?? content.CancelledToolUses?.prompt ?? undefined;
const resultsOf = ({ content }: Message): Result[] => (content.ToolUseResults ?? content.CancelledToolUses)?.tool_use_results ?? [];
const usesOf = (said: Said) => said.tool_uses ?? [];

const read = (path: string): { value: Value; rows: Row[] } => {
  const bytes = fixture(path);
  return { value: JSON.parse(bytes.toString('utf8')), rows: rowsOf(draftsOf(qSave, bytes)) };
};

/** Output of a tool that the program turned into a prompt (message without time among dated ones, with no call before it). */
function isToolOutput(value: Value, index: number): boolean {
  const entry = value.history[index] as Stored;
  const before = value.history[index - 1];
  const dated = value.history.some((other) => userOf(other).timestamp);
  const automatic = ['In a few words, summarize our conversation so far.'].includes(textOf(userOf(entry)) ?? '');
  if (!dated || automatic || userOf(entry).timestamp || userOf(entry).content.Prompt === undefined) return false;
  if (!saidBy(entry).message_id) return false;
  return before === undefined || usesOf(saidBy(before)).length === 0;
}

describe('files that real programs wrote', () => {
  const others: [string, FileParser, string][] = [
    ['cli-agents-default.json', qAgentConfig, 'config'],
    ['global_context.json', qLegacyContext, 'config'],
    ['subagent-q_cli_default.json', qDelegate, 'delegate'],
    ['todo-1761871929560.json', qTodo, 'session'],
  ];

  it.each(others)('%s is read without an error', (name, parser, type) => {
    const rows = rowsOf(draftsOf(parser, fixture(`${REAL}/${name}`)));
    expect(rows.filter((row) => row.row_type === 'error')).toEqual([]);
    expect(rows.some((row) => row.row_type === type)).toBe(true);
  });

  it.each(REAL_EXPORTS)('%s is recognised by its content and read without an error', (path) => {
    expect(qSave.detect?.(fixture(path).subarray(0, 65_536))).toBe(true);
    expect(read(path).rows.filter((row) => row.row_type === 'error')).toEqual([]);
  });
});

describe.each(CONVERSATIONS)('%s', (path) => {
  const { value, rows } = read(path);

  it('gives as many live rows as the value holds messages, calls and results', () => {
    const counts = { prompt: 0, assistant: 0, tool_use: 0, tool_result: 0 };
    for (const [i, entry] of value.history.entries()) {
      const { content } = userOf(entry);
      const refusal = content.CancelledToolUses?.prompt;
      if (isToolOutput(value, i)) counts.tool_result += 1;
      else if (content.Prompt !== undefined) counts.prompt += 1;
      if (refusal != null && !FIXED_REFUSALS.some((pattern) => pattern.test(refusal))) counts.prompt += 1;
      counts.tool_result += resultsOf(userOf(entry)).length;
      counts.tool_use += usesOf(saidBy(entry)).length;
      if (saidBy(entry).content !== '') counts.assistant += 1;
    }
    const live = (type: string) =>
      rows.filter((row) => row.row_type === type && row.recovered === '' && (row.text !== '' || type !== 'assistant'));
    const found = Object.fromEntries(Object.keys(counts).map((type) => [type, live(type).length]));
    expect(found).toEqual(counts);
  });

  it('matches each transcript element with the history, or makes a row of it', () => {
    const matched = matchedElements(value);
    const copied = new Set(copiesOf(value).flatMap((list) => list.entries.map(elementOf)));
    const own = new Set(rows.map((row) => row.source_pointer));
    const wrong = value.transcript.flatMap((element, i) => {
      // What a snapshot or the tangent copy holds comes out there.
      if (!matched.has(i) && (copied.has(element) || copiedPrompts(value).has(element))) return [];
      return matched.has(i) === own.has(`/transcript/${i}`) ? [`${i}: ${element}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('carries every text and number', () => {
    expect(missing(value, rows)).toEqual([]);
  });
});

const elementOf = (entry: Stored): string => {
  const said = saidBy(entry);
  return `${said.content}\n[Tool uses: ${
    usesOf(said)
      .map((use) => use.orig_name)
      .join(',') || 'none'
  }]`;
};
const typedLine = (text: string) => `> ${text.replaceAll('\n', '> \n')}`;

function copiesOf({ checkpoint_manager, tangent_state }: Value): { pointer: string; entries: Stored[] }[] {
  const tangent = tangent_state === undefined ? [] : [{ pointer: '/tangent_state/main_history', entries: tangent_state.main_history }];
  const checkpoints = (checkpoint_manager?.checkpoints ?? []).map(({ history_snapshot }, i) => ({
    pointer: `/checkpoint_manager/checkpoints/${i}/history_snapshot`,
    entries: history_snapshot,
  }));
  return [...tangent, ...checkpoints];
}

function copiedPrompts(value: Value): Set<string> {
  return new Set(copiesOf(value).flatMap((list) => list.entries.map((entry) => typedLine(textOf(userOf(entry)) ?? ''))));
}

/** Places of the transcript that history says too: the longest common run of answers, and the typed line of each prompt. */
function matchedElements({ history, transcript }: Value): Set<number> {
  const wanted = history.map(elementOf);
  const length = wanted.map(() => new Array<number>(transcript.length + 1).fill(0));
  const at = (i: number, j: number) => length[i]?.[j] ?? 0;
  const same = (i: number, j: number) => wanted[i] === transcript[j];
  // length[i][j]: most answers of history 0..i that stand in transcript 0..j-1, in order.
  for (let i = 0; i < wanted.length; i++) {
    for (let j = 0; j < transcript.length; j++) {
      (length[i] as number[])[j + 1] = Math.max(at(i - 1, j + 1), at(i, j), same(i, j) ? at(i - 1, j) + 1 : 0);
    }
  }
  const places: number[] = [];
  for (let i = wanted.length - 1, j = transcript.length - 1; i >= 0 && j >= 0; ) {
    if (same(i, j) && at(i, j + 1) === at(i - 1, j) + 1) {
      places[i] = j;
      i -= 1;
      j -= 1;
    } else if (at(i, j + 1) === at(i, j)) j -= 1;
    else i -= 1;
  }
  const matched = new Set(places.filter((place) => place !== undefined));
  let from = 0;
  for (const [i, entry] of history.entries()) {
    const to = places[i];
    if (to === undefined) continue;
    const text = textOf(userOf(entry));
    const denied = userOf(entry).content.CancelledToolUses !== undefined && /^(I deny this tool request\.|[nN]$)/.test(text ?? '');
    for (let j = to - 1; j >= from && text !== undefined; j--) {
      const line = transcript[j] ?? '';
      if (!line.startsWith('> ') || matched.has(j)) continue;
      const visible = line.replace(/[\u{200b}-\u{200f}\u{2060}\u{feff}\u{e0000}-\u{e007f}]/gu, '');
      if (visible !== typedLine(text) && !(denied && /^> [nN]$/.test(line))) continue;
      matched.add(j);
      break;
    }
    from = to + 1;
  }
  return matched;
}

/** Every text and number of some rows, also those inside a text that is JSON. */
class Held {
  private readonly values = new Set<string>();
  private readonly texts: string[] = [];

  constructor(rows: readonly Row[]) {
    for (const row of rows) {
      this.add(row);
      this.texts.push(row.text);
      for (const text of [row.text, row.timestamp_original]) {
        if (!/^[[{]/.test(text)) continue;
        try {
          this.add(JSON.parse(text));
        } catch {
          // A text that only looks like JSON.
        }
      }
    }
  }

  // As text, so that a number in a column and the same number in a stored text are one.
  private add(value: unknown): void {
    for (const leaf of leavesOf(value, '')) this.values.add(String(leaf.value));
  }

  has(value: string | number): boolean {
    if (this.values.has(String(value))) return true;
    return typeof value === 'string' && this.texts.some((text) => text.includes(value));
  }
}

interface Leaf {
  readonly pointer: string;
  readonly value: string | number;
}

function leavesOf(value: unknown, pointer: string): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ pointer, value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => leavesOf(child, `${pointer}/${key}`));
}

/** Listed in the catalog as not carried. */
const NOT_CARRIED = [/\/time_between_chunks\//, /\/images\/\d+\/source\/Bytes\//, /^\/tools\/.*\/(description|input_schema)(\/|$)/];
// Said once where it changes, not again with each message.
const TOLD_ON_CHANGE = /\/(additional_context|env_context\/.*)$/;
const STATUS = /\/tool_use_results\/\d+\/status$/;
const STATUS_OF: Readonly<Record<string, readonly string[]>> = {
  Success: ['completed', 'failed'],
  Error: ['failed', 'canceled', 'blocked'],
};

function missing(value: Value, rows: readonly Row[]): string[] {
  const { history, transcript, checkpoint_manager, tangent_state, ...members } = value;
  const all = new Held(rows);
  const lost = (leaves: readonly Leaf[], held: Held, results: readonly Row[]) =>
    leaves
      .filter(({ pointer, value: leaf }) => {
        if (leaf === '' || NOT_CARRIED.some((pattern) => pattern.test(pointer))) return false;
        if (STATUS.test(pointer)) return !results.some(({ status }) => STATUS_OF[String(leaf)]?.includes(status));
        return !(TOLD_ON_CHANGE.test(pointer) ? all : held).has(leaf);
      })
      .map(({ pointer, value: leaf }) => `${pointer}: ${leaf}`);
  const ofEntry = (entry: Stored, pointer: string) => {
    const own = rows.filter((row) => row.source_pointer.startsWith(`${pointer}/`));
    return lost(
      leavesOf(entry, pointer),
      new Held(own),
      own.filter((row) => row.row_type === 'tool_result'),
    );
  };
  const { checkpoints = [], ...manager } = checkpoint_manager ?? {};
  const { main_history: _, main_transcript = [], ...tangent } = tangent_state ?? { main_history: [], main_transcript: [] };
  const around = [
    ...leavesOf(members, ''),
    ...leavesOf(manager, '/checkpoint_manager'),
    ...checkpoints.flatMap(({ history_snapshot: _entries, ...meta }, i) => leavesOf(meta, `/checkpoint_manager/checkpoints/${i}`)),
    ...leavesOf(tangent, '/tangent_state'),
  ];
  // An entry of a copy is given once, where nothing before it holds it.
  const known = new Set(history.map((entry) => saidBy(entry).message_id));
  const copied = copiesOf(value).flatMap(({ pointer, entries }) =>
    entries.flatMap((entry, i) => {
      const id = saidBy(entry).message_id;
      if (known.has(id)) return [];
      known.add(id);
      return ofEntry(entry, `${pointer}/${i}`);
    }),
  );
  const pointers = new Set(rows.map((row) => row.source_pointer));
  const lines = main_transcript.filter(
    (element, i) => !transcript.includes(element) && !pointers.has(`/tangent_state/main_transcript/${i}`),
  );
  return [...history.flatMap((entry, i) => ofEntry(entry, `/history/${i}`)), ...copied, ...lines, ...lost(around, all, [])];
}
