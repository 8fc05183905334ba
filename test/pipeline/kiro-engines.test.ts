import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../src/rows/row.js';
import { copyHome, testFolder } from '../support/cli.js';
import { timelineOf } from '../support/timeline.js';

const folder = testFolder();
const home = join(folder, 'home/mira');

/** The conversation that lies in all three engines, and where. */
const ORDERS = '7d0e1c52-3b1f-4a60-9c55-0b6f0e3a9d11';
const DATABASE = '.local/share/kiro-cli/data.sqlite3';
const CLI = '.kiro/sessions/cli';
const BUCKET = '.kiro/sessions/5d3ecfbcf35f9605';
const CONVERTED = `${BUCKET}/cli_${ORDERS}_ab12cd34`;
const SESSION = 'sess_1c9b4f0e-3d2a-4b5c-8e7f-60718293a4b5';
const FORK = 'sess_4e3d2c1b-0a9f-4e8d-b7c6-5a4938271605';
const EVENTS = [
  'prompt count the orders',
  'assistant I will count the lines.',
  'tool_use {"command":"wc -l orders.csv"}',
  'tool_result 42 orders.csv\n',
  'assistant There are 42 orders.',
  'prompt and the refunds?',
  'assistant No refunds are on file yet.',
];

beforeAll(() => {
  copyHome(home);
});

const timeline = async (root: string): Promise<Row[]> => (await timelineOf(root, join(folder, 'out.jsonl'))).rows;

/** A home with these files and folders of the fixture home only. */
function homeWith(name: string, places: readonly string[]): string {
  const root = join(folder, name, 'home/mira');
  for (const place of places) {
    mkdirSync(dirname(join(root, place)), { recursive: true });
    cpSync(join(home, place), join(root, place), { recursive: true, preserveTimestamps: true });
  }
  return root;
}

const primaries = (rows: readonly Row[]) => rows.filter((row) => row.duplicate_of === '');
const TALK = new Set(['prompt', 'assistant', 'tool_use', 'tool_result']);
const talk = (rows: readonly Row[], session: string) =>
  rows.filter((row) => TALK.has(row.row_type) && row.session_id.includes(session) && !row.source_file.endsWith('.history'));
const said = (rows: readonly Row[]) => rows.map((row) => `${row.row_type} ${row.text}`);

const ENGINES = {
  v1: [DATABASE],
  v2: [`${CLI}/${ORDERS}.jsonl`, `${CLI}/${ORDERS}.json`, `${CLI}/${ORDERS}.history`],
  v3: [CONVERTED],
};
type Engine = keyof typeof ENGINES;

describe('one conversation in several engines', () => {
  const sets: readonly (readonly Engine[])[] = [['v1'], ['v2'], ['v3'], ['v1', 'v2'], ['v1', 'v3'], ['v2', 'v3'], ['v1', 'v2', 'v3']];

  it.each(sets.map((set) => [set.join(' and '), set] as const))('in %s: each event is primary once', async (name, set) => {
    const rows = talk(
      await timeline(
        homeWith(
          name,
          set.flatMap((engine) => ENGINES[engine]),
        ),
      ),
      ORDERS,
    );
    expect(said(primaries(rows)).sort()).toEqual(EVENTS.toSorted());
    expect(rows).toHaveLength(EVENTS.length * set.length);
    const byId = new Map(rows.map((row) => [row.row_id, row]));
    for (const row of rows.filter((one) => one.duplicate_of !== '')) {
      const primary = byId.get(row.duplicate_of);
      expect([primary?.row_type, primary?.text]).toEqual([row.row_type, row.text]);
    }
  });

  it('the copy with a time of its own is primary, in the order of the conversation', async () => {
    const found = primaries(talk(await timeline(home), ORDERS));
    expect(said(found)).toEqual(EVENTS);
    expect(found.every((row) => row.timestamp_utc !== '' && row.source_file !== `${CONVERTED}/messages.jsonl`)).toBe(true);
  });

  it('lines of the prompt history are copies of the prompts', async () => {
    const rows = await timeline(homeWith('history', [...ENGINES.v1, ...ENGINES.v2]));
    const typed = rows.filter((row) => row.source_file.endsWith('.history'));
    expect(typed.map((row) => [row.text, row.duplicate_of !== ''])).toEqual([
      ['count the orders', true],
      ['and the refunds?', true],
      ['/quit', false],
    ]);
  });
});

describe('one id under two directories', () => {
  it('is told once where it was changed last, and marked elsewhere', async () => {
    const rows = talk(await timeline(homeWith('two-keys', ENGINES.v1)), '5f0c7d1e');
    expect(rows.map((row) => [row.text, row.project_path, row.duplicate_of !== ''])).toEqual(
      expect.arrayContaining([
        ['draft the release notes', '/home/mira/work/api', true],
        ['draft the release notes', '/home/mira/work/shop', false],
        ['version 2.4, for the shop', '/home/mira/work/shop', false],
      ]),
    );
    expect(primaries(rows)).toHaveLength(4);
  });
});

describe('conversion', () => {
  it('gives no event the time of the conversion', async () => {
    const rows = await timeline(homeWith('converted', ENGINES.v3));
    expect(rows.filter((row) => row.timestamp_utc.startsWith('2026-09-16'))).toEqual([]);
    const answers = talk(rows, ORDERS).filter((row) => row.row_type !== 'prompt');
    expect(answers.map((row) => row.timestamp_utc)).toEqual(answers.map(() => ''));
    expect(answers.every((row) => String(row.details.conversion_time).startsWith('2026-09-16'))).toBe(true);
    // Undated rows stand behind the prompt they answer.
    expect(said(talk(rows, ORDERS))).toEqual(EVENTS);
  });
});

describe('copies of a session of the v3 engine', () => {
  it('under another folder by hand: everything is marked, and the row of the session says why', async () => {
    const root = homeWith('hand-copy', [`${BUCKET}/${SESSION}`]);
    const alone = await timeline(root);
    const other = join(root, '.kiro/sessions/ffffffffffffffff', SESSION);
    cpSync(join(root, BUCKET, SESSION), other, { recursive: true, preserveTimestamps: true });
    const rows = await timeline(root);
    expect(rows).toHaveLength(alone.length * 2);
    expect(said(primaries(rows))).toEqual(said(alone));
    expect(primaries(rows).every((row) => row.source_file.startsWith(BUCKET))).toBe(true);
    const copy = rows.find((row) => row.source_file.startsWith('.kiro/sessions/ffff') && row.text.startsWith('session: created'));
    expect(copy?.problem).toContain('bucket does not match the recorded path');
  });

  it('that goes on: what is new in it is primary', async () => {
    const root = homeWith('goes-on', [`${BUCKET}/${SESSION}`]);
    const alone = talk(await timeline(root), SESSION);
    const other = join(root, '.kiro/sessions/ffffffffffffffff', SESSION);
    cpSync(join(root, BUCKET, SESSION), other, { recursive: true, preserveTimestamps: true });
    const more = {
      id: 'later',
      timestamp: '2026-09-14T09:00:00.000Z',
      payload: { type: 'user', content: 'one more thing', source: 'chat' },
    };
    appendFileSync(join(other, 'messages.jsonl'), `${JSON.stringify(more)}\n`);
    const found = primaries(talk(await timeline(root), SESSION));
    expect(said(found).sort()).toEqual([...said(alone), 'prompt one more thing'].sort());
  });

  it('made by a fork: the rows it begins with are copies, its own are not', async () => {
    const rows = await timeline(homeWith('fork', [`${BUCKET}/${SESSION}`, `${BUCKET}/${FORK}`]));
    const fork = rows.filter((row) => row.source_file === `${BUCKET}/${FORK}/messages.jsonl`);
    expect(said(primaries(fork))).toEqual(['prompt try it with streams', 'assistant Streams it is.']);
    expect(fork.length).toBeGreaterThan(20);
    expect(fork.every((row) => row.session_id === FORK && row.parent_session_id === SESSION)).toBe(true);
    const byId = new Map(rows.map((row) => [row.row_id, row]));
    for (const row of fork.filter((one) => one.duplicate_of !== ''))
      expect(byId.get(row.duplicate_of)?.source_file).toBe(`${BUCKET}/${SESSION}/messages.jsonl`);
  });

  it('made by a fork whose parent is gone: its rows stand for themselves', async () => {
    const rows = await timeline(homeWith('orphan', [`${BUCKET}/${FORK}`]));
    expect(primaries(rows)).toHaveLength(rows.length);
  });
});

describe('sub-agents', () => {
  it('v3: the approval in the log of the parent has the id of the call in that of the child', async () => {
    const rows = await timeline(homeWith('sub-v3', [`${BUCKET}/${SESSION}`]));
    const call = rows.find((row) => row.row_type === 'tool_use' && row.source_file.includes('/sub-executions/'));
    const decisions = rows.filter((row) => row.row_type === 'permission' && row.tool_use_id === call?.tool_use_id);
    expect(call).toMatchObject({ tool_name: 'execute_bash', command: 'git diff', session_id: SESSION });
    expect(decisions.map((row) => [row.decision, row.session_id, row.source_file.includes('/sub-executions/')])).toEqual([
      ['requested', SESSION, false],
      ['approved', SESSION, false],
    ]);
    expect(call?.details.sub_session_id).toBe('6a5b4c3d-2e1f-4a0b-9c8d-7e6f50412233');
    // Asked for in the parent: nothing may say that it ran without a question.
    expect(call?.details).not.toHaveProperty('approval');
  });

  it('v2: rows of the child name the parent', async () => {
    const rows = talk(await timeline(homeWith('sub-v2', [CLI])), '9e21d7b4');
    expect(rows).toHaveLength(4);
    expect(rows.every((row) => row.parent_session_id.startsWith('2b9f6c10'))).toBe(true);
  });
});

describe('a session whose files are not complete', () => {
  it('keeps its rows where the session file is gone, and the last answers where the journal is', async () => {
    const root = homeWith('no-file', ENGINES.v2);
    rmSync(join(root, `${CLI}/${ORDERS}.json`));
    expect(said(talk(await timeline(root), ORDERS))).toEqual(EVENTS);
    const other = homeWith('no-journal', ENGINES.v2);
    rmSync(join(other, `${CLI}/${ORDERS}.jsonl`));
    expect(readdirSync(join(other, CLI))).toHaveLength(2);
    const rows = await timeline(other);
    expect(said(talk(rows, ORDERS))).toEqual(['assistant There are 42 orders.', 'assistant No refunds are on file yet.']);
    expect(rows.some((row) => row.row_type === 'gap' && row.text.includes('journal of the session is missing'))).toBe(true);
  });
});
