import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { newTalk, replace, turn } from '../../bench/recover-store.js';
import { liveIndexOf, recover } from '../../src/recover/index.js';
import { aliveIn, bytesOf, compare, cutOut, hash, inputOf, moveToV2, recovered, storeOf } from './support.js';

describe('replaced conversations', () => {
  it.each([512, 1024, 4096, 16384, 65536])('come back from free pages of %i bytes, each byte for byte', (pageSize) => {
    const store = storeOf([`page_size = ${pageSize}`]);
    for (const directory of store.directories) replace(store, directory);
    const bytes = bytesOf(store);
    const { entries, summary } = recovered(bytes);
    const { found, dead, wrong, alive } = compare(store, entries);
    expect({ wrong, alive, pageSize: summary.pageSize }).toEqual({ wrong: 0, alive: 0, pageSize });
    expect(found).toBeGreaterThan(dead * (pageSize === 65536 ? 0.3 : 0.5));
    for (const entry of entries) {
      const cut = cutOut(bytes, entry);
      expect(hash(cut)).toBe(entry.sha256);
      if (entry.kind === 'entry') expect(JSON.parse(cut.toString('utf8'))).toEqual(entry.raw);
      expect(entry.joins.every(({ at }) => at > 0 && at < cut.length)).toBe(true);
    }
  });

  it('are rebuilt by dd from the slices of an entry', () => {
    const store = storeOf();
    for (const directory of store.directories) replace(store, directory);
    const { entries } = recovered(bytesOf(store));
    const entry = entries.find(({ kind, slices, confidence }) => kind === 'entry' && confidence === 'complete' && slices.length > 1);
    const pieces = (entry?.slices ?? []).map(({ offset, length }) =>
      execFileSync('dd', [`if=${store.path}`, 'bs=1', `skip=${offset}`, `count=${length}`, 'status=none']),
    );
    expect(pieces.length).toBeGreaterThan(1);
    expect(hash(Buffer.concat(pieces))).toBe(entry?.sha256);
    expect(store.truth.entries.has(entry?.sha256 ?? '')).toBe(true);
  });

  it('carry id and directory where their head is left, and the directory of their messages else', () => {
    const store = storeOf();
    for (const directory of store.directories) replace(store, directory);
    const { entries } = recovered(bytesOf(store));
    const whole = entries.filter(({ kind }) => kind === 'entry');
    expect(whole.every(({ projectPath }) => store.directories.includes(projectPath ?? ''))).toBe(true);
    expect(entries.some(({ kind, conversationId }) => kind === 'head' && conversationId !== undefined)).toBe(true);
  });

  it('are gone with secure_delete, and that is said', () => {
    const store = storeOf(['secure_delete = ON']);
    for (const directory of store.directories) replace(store, directory);
    const { entries, summary } = recovered(bytesOf(store));
    expect(entries.filter(({ kind }) => kind === 'entry')).toEqual([]);
    expect(summary.statements.join()).toContain('free space is zeroed');
  });

  it('are gone after VACUUM, and that is said', () => {
    const store = storeOf();
    for (const directory of store.directories) replace(store, directory);
    store.database.exec('VACUUM');
    const { entries, summary } = recovered(bytesOf(store));
    expect(entries.filter(({ kind }) => kind === 'entry')).toEqual([]);
    expect(summary.statements.join()).toContain('no free pages');
  });

  it.each(['FULL', 'INCREMENTAL'])('give nothing wrong under auto_vacuum = %s', (mode) => {
    const store = storeOf([`auto_vacuum = ${mode}`]);
    for (const directory of store.directories) replace(store, directory);
    const { entries } = recovered(bytesOf(store));
    const { wrong, alive, found } = compare(store, entries);
    expect({ wrong, alive }).toEqual({ wrong: 0, alive: 0 });
    if (mode === 'INCREMENTAL') expect(found).toBeGreaterThan(10);
  });
});

describe('deleted rows', () => {
  it('come back whole, with a proof for every join', () => {
    const store = storeOf();
    for (const directory of store.directories.slice(0, 3)) {
      store.database.prepare('DELETE FROM conversations WHERE key = ?').run(directory);
      store.open.delete(directory);
    }
    const { entries } = recovered(bytesOf(store));
    const { wrong, alive, missing, dead } = compare(store, entries);
    expect({ wrong, alive }).toEqual({ wrong: 0, alive: 0 });
    // A page that became a trunk, and joins that only a head vouches for, cost some.
    expect(missing).toBeLessThan(dead * 0.3);
    const proofs = entries.filter(({ confidence }) => confidence === 'complete').flatMap(({ joins }) => joins.map(({ proof }) => proof));
    expect(proofs.filter((proof) => !['whole', 'freelist-order', 'repeats', 'copy'].includes(proof))).toEqual([]);
  });

  it.each([0, 7, 31])('of conversations_v2 come back with the directory of their key (%i characters longer)', (longer) => {
    const sum = { missing: 0, dead: 0 };
    for (let seed = 1; seed <= 4; seed++) {
      const store = storeOf([], seed);
      const keys = moveToV2(store, 'x'.repeat(longer));
      store.database.exec('DELETE FROM conversations_v2');
      store.open.clear();
      const { entries } = recovered(bytesOf(store));
      const { wrong, missing, dead } = compare(store, entries);
      expect(wrong).toBe(0);
      expect(missing).toBeLessThan(dead * 0.2);
      sum.missing += missing;
      sum.dead += dead;
      const heads = entries.filter(({ kind }) => kind === 'head');
      expect(heads.length).toBeGreaterThan(3);
      expect(heads.every(({ projectPath }) => keys.includes(projectPath ?? ''))).toBe(true);
    }
    // What a page loses when it becomes the trunk of the list cannot come back: 3.1 % over 60 stores.
    expect(sum.missing).toBeLessThan(sum.dead * 0.08);
  });

  it('of the shell history come back with their columns', () => {
    const store = storeOf();
    const put = store.database.prepare(
      'INSERT INTO history (command, shell, pid, session_id, cwd, start_time, hostname, exit_code) VALUES (?,?,?,?,?,?,?,?)',
    );
    for (let i = 0; i < 30; i++)
      put.run(`psql --table customers_${i}`, 'zsh', 4000 + i, `sess-${i}`, '/srv/shop', 1_755_000_000 + i, 'box', i % 2);
    store.database.exec("DELETE FROM history WHERE command LIKE 'psql%' AND id % 3 = 0");
    const { entries } = recovered(bytesOf(store));
    const shell = entries.filter(({ kind }) => kind === 'shell');
    expect(shell.length).toBeGreaterThan(7);
    for (const { raw, source } of shell) {
      expect(raw).toMatchObject({ shell: 'zsh', cwd: '/srv/shop', hostname: 'box' });
      expect(source).toBe('unallocated');
    }
  });

  it('of stored logins are told by place, never by value', () => {
    const store = storeOf();
    const put = store.database.prepare('INSERT OR REPLACE INTO auth_kv VALUES (?, ?)');
    put.run('kirocli:odic:token', JSON.stringify({ access_token: 'old-token-not-real', region: 'x' }));
    put.run('kirocli:odic:token', JSON.stringify({ access_token: `new-token-not-real${'-'.repeat(200)}`, region: 'x' }));
    store.database.exec("DELETE FROM auth_kv WHERE key = 'kirocli:odic:token'");
    const { entries, summary } = recovered(bytesOf(store));
    const logins = entries.filter(({ around }) => around.key === 'kirocli:odic:token');
    expect(logins.length).toBeGreaterThan(0);
    expect(summary.credentials).toBeGreaterThan(0);
    expect(JSON.stringify(entries)).not.toContain('token-not-real');
  });
});

describe('logs and journals', () => {
  it('a log gives every state of every conversation, with and without its database', () => {
    const store = storeOf(['journal_mode = WAL', 'wal_autocheckpoint = 0']);
    for (const directory of store.directories) replace(store, directory);
    const bytes = bytesOf(store, 'wal');
    const { entries } = recovered(bytes);
    expect(compare(store, entries)).toMatchObject({ missing: 0, wrong: 0, alive: 0 });
    expect(entries.some(({ source }) => source === 'wal')).toBe(true);
    for (const entry of entries) expect(hash(cutOut(bytes, entry))).toBe(entry.sha256);
    const { wal } = bytes;
    const bare = recovered(wal === undefined ? {} : { wal });
    expect(compare(store, bare.entries)).toMatchObject({ missing: 0, wrong: 0 });
  });

  it('a log over a checkpointed database gives nothing wrong and nothing live', () => {
    const store = storeOf(['journal_mode = WAL', 'wal_autocheckpoint = 40']);
    for (const directory of store.directories) replace(store, directory);
    const { entries, summary } = recovered(bytesOf(store, 'wal'));
    const { wrong, alive, found } = compare(store, entries);
    expect({ wrong, alive }).toEqual({ wrong: 0, alive: 0 });
    expect(found).toBeGreaterThan(5);
    expect(summary.walGenerations).toBeGreaterThan(0);
  });

  it('a hot journal gives back what is being overwritten, and the file what was not yet committed', () => {
    const store = storeOf(['synchronous = FULL']);
    const before = aliveIn(store);
    store.database.pragma('cache_size = 5');
    store.database.exec('BEGIN IMMEDIATE');
    for (const directory of store.directories.slice(0, 2)) replace(store, directory);
    const bytes = bytesOf(store, 'journal');
    store.database.exec('ROLLBACK');
    const file = recovered(bytes, 'file');
    const whole = new Set(file.entries.filter(({ confidence }) => confidence === 'complete').map(({ sha256 }) => sha256));
    const after = aliveIn(store);
    const replaced = [...before].filter((key) => !after.has(key));
    expect(replaced.length).toBeGreaterThan(5);
    expect(replaced.filter((key) => !whole.has(key))).toEqual([]);
    expect(file.entries.some(({ source }) => source === 'journal')).toBe(true);
    // Seen as SQLite would, after the rollback, the old state is live and is not given as recovered.
    const rolledBack = recovered(bytes);
    expect(rolledBack.entries.filter(({ sha256 }) => before.has(sha256))).toEqual([]);
    const { journal } = bytes;
    const bare = recovered(journal === undefined ? {} : { journal });
    expect(bare.entries.filter(({ kind }) => kind === 'entry').length).toBeGreaterThan(3);
  });

  it('a journal with a cleared header still gives the images of the last transaction', () => {
    const store = storeOf(['journal_mode = PERSIST']);
    const before = aliveIn(store);
    store.database.exec('BEGIN');
    for (const directory of store.directories) replace(store, directory);
    store.database.exec('COMMIT');
    const bytes = bytesOf(store, 'journal');
    const { entries, summary } = recovered(bytes);
    expect(compare(store, entries)).toMatchObject({ wrong: 0, alive: 0 });
    expect(summary.problems.join()).toContain('the header of the journal is cleared');
    const held = entries.filter(({ source }) => source === 'journal');
    expect(held.length).toBeGreaterThan(0);
    expect(held.every(({ kind, sha256 }) => kind !== 'entry' || before.has(sha256))).toBe(true);
  });

  it('a log of another database is told, and read by itself', () => {
    const store = storeOf(['journal_mode = WAL', 'wal_autocheckpoint = 0']);
    replace(store, store.directories[0] ?? '');
    const other = storeOf(['page_size = 8192'], 5);
    const { wal } = bytesOf(store, 'wal');
    const { main } = bytesOf(other);
    if (wal === undefined || main === undefined) throw new Error('no files');
    const { summary, entries } = recovered({ main, wal });
    expect(summary.problems.join()).toContain('belongs to another database');
    expect(entries.some(({ source }) => source === 'wal')).toBe(true);
    expect(recovered({ main, wal: Buffer.alloc(0), journal: Buffer.alloc(0) }).summary.problems.join()).toContain('0 bytes');
  });
});

describe('copies', () => {
  it('of live entries are counted, not repeated', () => {
    const store = storeOf();
    const talk = newTalk(store, store.directories[0] ?? '');
    for (let i = 0; i < 30; i++) turn(store, talk);
    const { entries, summary } = recovered(bytesOf(store));
    expect(compare(store, entries)).toMatchObject({ alive: 0, wrong: 0 });
    expect(summary.supersededCopies).toBeGreaterThan(0);
  });

  it('of one entry with different bytes are both kept and name each other', () => {
    const store = storeOf();
    const directory = store.directories[0] ?? '';
    const old = store.open.get(directory);
    const value = String(store.database.prepare('SELECT value FROM conversations WHERE key = ?').pluck().get(directory));
    const changed = value.replaceAll('"operating_system":"linux"', '"operating_system":"macos"');
    const put = store.database.prepare('INSERT INTO conversations (key, value) VALUES (?, ?)');
    put.run('/elsewhere', changed);
    store.database.exec(`DELETE FROM conversations WHERE key IN ('/elsewhere', '${directory}')`);
    store.open.delete(directory);
    const { entries, summary } = recovered(bytesOf(store));
    const variants = entries.filter(({ kind, variants: others }) => kind === 'entry' && others.length > 0);
    expect(old?.entries.length).toBeGreaterThan(2);
    expect(variants.length).toBeGreaterThan(2);
    expect(summary.variants).toBeGreaterThan(2);
  });
});

it('an entry limit bounds what is kept, and says so', () => {
  const store = storeOf();
  for (const directory of store.directories) replace(store, directory);
  const input = inputOf(bytesOf(store));
  const result = recover(input, liveIndexOf(input), { entryLimit: 5 });
  expect([...result.entries()].length).toBeLessThanOrEqual(5);
  expect(result.summary.problems.join()).toContain('the limit of one file was reached');
});

it('leaves its input as it was', () => {
  const store = storeOf();
  for (const directory of store.directories) replace(store, directory);
  const bytes = bytesOf(store);
  const before = hash(bytes.main ?? '');
  recovered(bytes);
  expect(hash(bytes.main ?? '')).toBe(before);
});
