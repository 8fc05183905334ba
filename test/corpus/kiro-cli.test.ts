import { describe, expect, it } from 'vitest';
import { kiroV2Session } from '../../src/parsers/kiro-v2/session.js';
import { kiroV3Messages } from '../../src/parsers/kiro-v3/messages.js';
import { kiroV3Session } from '../../src/parsers/kiro-v3/session.js';
import { qSave } from '../../src/parsers/q-save.js';
import type { Draft } from '../../src/rows/draft.js';
import { fixture } from '../conversation/files.js';
import { draftsOf } from '../support/memory-source.js';

// Counts and leaves are taken from the files themselves, without any reader of the program.

const REAL = 'real-shaped/kiro-cli';
const VALUE = fixture(`${REAL}/v1-observer/conversations_v2-value.json`);
const FLAT = fixture(`${REAL}/v1-observer/flat-with-metadata.json`);
const LOG = fixture(`${REAL}/v3-rimz-2.12.1/messages.jsonl`);
const METADATA = fixture(`${REAL}/v3-rimz-2.12.1/session.json`);

interface Leaf {
  readonly pointer: string;
  readonly value: string | number;
}

function leavesOf(value: unknown, pointer = ''): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ pointer, value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => leavesOf(child, `${pointer}/${key}`));
}

/** Leaves that no row holds in a text, a column, the details or the stored form of its time. */
function lost(value: unknown, drafts: readonly Draft[], exceptions: readonly RegExp[]): string[] {
  const texts = drafts.map((draft) => `${draft.text}\n${draft.time?.original ?? ''}`);
  // Arguments of a call are a text that is JSON.
  const inner = texts.flatMap((text) => (text.startsWith('{') ? leavesOf(parsed(text.split('\n')[0] ?? '')) : []));
  const held = new Set([...leavesOf(drafts), ...inner].map((leaf) => String(leaf.value)));
  return leavesOf(value)
    .filter(({ pointer, value: leaf }) => leaf !== '' && !exceptions.some((pattern) => pattern.test(pointer)) && !held.has(String(leaf)))
    .filter(({ value: leaf }) => !texts.some((text) => text.includes(String(leaf))))
    .map(({ pointer, value: leaf }) => `${pointer}: ${leaf}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const counts = (drafts: readonly Draft[]) => {
  const found: Record<string, number> = {};
  for (const { row_type } of drafts) found[row_type] = (found[row_type] ?? 0) + 1;
  return found;
};

const read = {
  v1: draftsOf(qSave, VALUE, { agent: 'kiro-cli' }),
  v2: draftsOf(kiroV2Session, FLAT, { file: 'home/alice/.kiro/sessions/cli/477e2a66-5b02-4ea7-a739-5f894780c95c.json' }),
  v3: draftsOf(
    kiroV3Messages,
    LOG,
    { file: 'sessions/b/sess_e9f99bc0-0326-4244-a3a7-e61c7376a2e3/messages.jsonl' },
    { 'session.json': METADATA },
  ),
  metadata: draftsOf(
    kiroV3Session,
    METADATA,
    { file: 'sessions/b/sess_e9f99bc0-0326-4244-a3a7-e61c7376a2e3/session.json' },
    { 'messages.jsonl': LOG },
  ),
};

describe('files that Kiro CLI wrote', () => {
  it.each(Object.entries(read))('%s: is read without an error', (_, drafts) => {
    expect(drafts.length).toBeGreaterThan(0);
    expect(drafts.filter((draft) => draft.row_type === 'error')).toEqual([]);
  });

  it('are recognised by their content', () => {
    expect(qSave.detect?.(VALUE)).toBe(true);
    expect(kiroV2Session.detect?.(FLAT)).toBe(true);
    expect(kiroV3Messages.detect?.(LOG)).toBe(true);
    expect(kiroV3Messages.detect?.(VALUE)).toBe(false);
  });
});

describe('a value of conversations_v2', () => {
  type Entry = { user: { content: Record<string, unknown> }; assistant: Record<string, { content: string; tool_uses?: unknown[] }> };
  const value: { history: Entry[] } = JSON.parse(VALUE.toString());
  const text = VALUE.toString();
  const times = (pattern: RegExp) => [...text.matchAll(pattern)].length;

  it('gives a row for each prompt, answer, call and result', () => {
    const found = counts(read.v1.filter((draft) => !draft.recovered));
    expect(found).toMatchObject({
      prompt: times(/"Prompt": \{/g),
      tool_use: times(/"orig_name": /g),
      tool_result: times(/"tool_use_id": /g),
      assistant: value.history.filter(({ assistant }) => Object.values(assistant).some(({ content }) => content !== '')).length,
    });
  });

  it('carries every text and number', () => {
    // `Success` is the status column; per-chunk timings and tool schemas are listed in the catalog.
    expect(lost(value, read.v1, [/\/status$/, /\/time_between_chunks\//, /^\/tools\//])).toEqual([]);
  });
});

describe('a session file of the v2 engine', () => {
  const value = JSON.parse(FLAT.toString());
  const turns: unknown[] = value.session_state.conversation_metadata.user_turn_metadatas;

  it('gives a usage row per turn, its start and its grants', () => {
    expect(counts(read.v2)).toEqual({
      session: 1,
      model: 1,
      usage: turns.length,
      permission: value.session_state.permissions.filesystem.allowed_read_paths.length,
      // The file was found without its journal.
      gap: 1,
    });
  });

  it('carries every text and number', () => {
    // The duration is carried in milliseconds.
    expect(lost(value, read.v2, [/\/turn_duration\//])).toEqual([]);
    expect(read.v2.find((draft) => draft.row_type === 'usage')?.duration_ms).toBe(2823);
  });
});

describe('a session of the v3 engine', () => {
  const records: { id: string; payload: { type: string; operationType?: string } }[] = LOG.toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

  it('gives a row per record', () => {
    expect(read.v3).toHaveLength(records.length);
    expect(read.v3.map((draft) => [draft.message_id, draft.details?.type])).toEqual(records.map(({ id, payload }) => [id, payload.type]));
    expect(counts(read.v3)).toMatchObject({ prompt: records.filter(({ payload }) => payload.type === 'user').length });
  });

  it('carries every text and number, ids and times included', () => {
    expect(lost(records, read.v3, [])).toEqual([]);
    expect(lost(JSON.parse(METADATA.toString()), read.metadata, [])).toEqual([]);
  });
});
