import { describe, expect, it } from 'vitest';
import type { Store } from '../../bench/recover-store.js';
import { recoveredRows } from '../../src/parsers/q-recovered.js';
import { liveIndexOf, recover } from '../../src/recover/index.js';
import { bytesOf, compare, inputOf, moveToV2, recovered, storeOf } from './support.js';

const PAGE = 4096;

/** Overwrites the beginning of a conversation, which bears its id, wherever it stands. */
function wipeHeads(main: Buffer, id: string): Buffer {
  const wiped = Buffer.from(main);
  const head = Buffer.from(`{"conversation_id":"${id}"`);
  for (let at = wiped.indexOf(head); at >= 0; at = wiped.indexOf(head, at + 1)) wiped.fill(0, at, at + head.length);
  return wiped;
}

/** Overwrites the text of all free pages as well, so that nothing but the index names it. */
function wipeValues(main: Buffer, id: string): Buffer {
  const wiped = wipeHeads(main, id);
  const free = new Set(
    recovered({ main })
      .entries.filter(({ source }) => source === 'freelist')
      .flatMap(({ pages }) => pages),
  );
  for (const page of free) wiped.fill(0, (page - 1) * PAGE + 4, page * PAGE);
  return wiped;
}

const size = (store: Store, directory: string): number => store.open.get(directory)?.entries.length ?? 0;
const rowsOf = (main: Buffer) => {
  const input = inputOf({ main });
  return [...recoveredRows(recover(input, liveIndexOf(input)), 'kiro-cli')];
};

describe('a conversation that is named and whose value is gone', () => {
  it('is told by the deleted entry of its index, with id and directory', () => {
    const store = storeOf();
    const [key = ''] = moveToV2(store, '');
    const id = String(store.database.prepare('SELECT conversation_id FROM conversations_v2 WHERE key = ?').pluck().get(key));
    store.database.prepare('DELETE FROM conversations_v2 WHERE key = ?').run(key);
    store.open.delete(key);
    const main = wipeValues(bytesOf(store).main ?? Buffer.alloc(0), id);
    const rows = rowsOf(main);
    const session = rows.find(({ row_type, session_id }) => row_type === 'session' && session_id === id);
    expect(session).toMatchObject({ project_path: key, text: 'session: conversation that no row holds any more' });
    const notice = rows.find(({ row_type }) => row_type === 'recovered');
    expect(notice?.text).toContain('conversations are known by id that no row gives any more');
    expect(notice?.details?.lostSessions).toContainEqual(expect.objectContaining({ session_id: id, project_path: key }));
    // Rows that are there are named by the same index, and are not lost.
    expect(rows.filter(({ row_type }) => row_type === 'session')).toHaveLength(1);
  });

  it('gives what bears only the directory no id, and names the conversations it may belong to', () => {
    const store = storeOf([], 2);
    const [key = ''] = moveToV2(store, '');
    const id = String(store.database.prepare('SELECT conversation_id FROM conversations_v2 WHERE key = ?').pluck().get(key));
    store.database.prepare('DELETE FROM conversations_v2 WHERE key = ?').run(key);
    store.open.delete(key);
    const main = wipeHeads(bytesOf(store).main ?? Buffer.alloc(0), id);
    const { entries } = recovered({ main });
    const loose = entries.filter(({ kind, projectPath }) => kind === 'entry' && projectPath === key);
    expect(loose.length).toBeGreaterThan(2);
    for (const { conversationId, possibleIds } of loose) expect([conversationId, possibleIds]).toEqual([undefined, [id]]);
    expect(rowsOf(main).some(({ details }) => JSON.stringify(details?.possible_sessions) === JSON.stringify([id]))).toBe(true);
  });

  it('is read as far as it goes where the row is there and its pages are not', () => {
    const store = storeOf();
    const [directory = ''] = store.directories.toSorted((a, b) => size(store, b) - size(store, a));
    const id = store.open.get(directory)?.id;
    const main = Buffer.from(bytesOf(store).main ?? Buffer.alloc(0));
    const value = Buffer.from(`{"conversation_id":"${id}"`);
    const entry = Buffer.from(store.open.get(directory)?.entries.at(-1) ?? '').subarray(0, 200);
    expect(main.indexOf(value)).toBeGreaterThan(0);
    const page = Math.floor(main.indexOf(entry) / PAGE);
    main.fill(0, page * PAGE, (page + 1) * PAGE);
    expect(() => store.database.pragma('integrity_check')).not.toThrow();
    const { entries, summary } = recovered({ main });
    store.open.delete(directory);
    const { wrong, alive } = compare(store, entries);
    expect({ wrong, alive }).toEqual({ wrong: 0, alive: 0 });
    const own = entries.filter(({ conversationId }) => conversationId === id);
    expect(own.filter(({ kind }) => kind === 'entry').length).toBeGreaterThan(2);
    expect(own.every(({ projectPath }) => projectPath === directory)).toBe(true);
    expect(own.some(({ kind, region }) => kind === 'head' && region === 'damaged-row')).toBe(true);
    expect(summary.lostSessions.map(({ session_id }) => session_id)).toContain(id);
    expect(rowsOf(main).some(({ text }) => text === 'session: conversation whose row is damaged')).toBe(true);
  });
});
