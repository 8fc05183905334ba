import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { replace, type Store } from '../../bench/recover-store.js';
import { type Bytes, bytesOf, compare, cutOut, hash, recovered, storeOf } from './support.js';

const PAGE = 4096;

/** A store with replaced conversations; the folder goes after the first test, the bytes stay. */
function prepared(): { store: Store; main: Buffer } {
  const store = storeOf();
  for (const directory of store.directories) replace(store, directory);
  return { store, main: bytesOf(store).main ?? Buffer.alloc(0) };
}

function sound(bytes: Bytes): void {
  const { entries, summary } = recovered(bytes);
  for (const entry of entries) {
    if (hash(cutOut(bytes, entry)) !== entry.sha256) throw new Error('slices do not give the bytes that were hashed');
    if (entry.kind === 'entry' && entry.raw === undefined) throw new Error('entry without content');
  }
  if (!Number.isFinite(summary.bytesScanned)) throw new Error('no summary');
}

describe('damaged files', () => {
  let store: Store;
  let main: Buffer;
  beforeAll(() => {
    ({ store, main } = prepared());
  });

  it('a zeroed header costs nothing: page size and freelist are found from the pages', () => {
    const whole = compare(store, recovered({ main }).entries);
    const cut = Buffer.from(main);
    cut.fill(0, 0, 100);
    const { entries, summary } = recovered({ main: cut });
    expect(compare(store, entries)).toEqual(whole);
    expect(summary.problems.join()).toContain('header is damaged');
    expect(summary.freePages).toBe(recovered({ main }).summary.freePages);
  });

  it('without page 1 entries are found still, and it is said that live rows are among them', () => {
    const lost = Buffer.from(main);
    lost.fill(0, 0, PAGE);
    const { entries, summary } = recovered({ main: lost });
    expect(compare(store, entries).wrong).toBe(0);
    expect(compare(store, entries).found).toBeGreaterThan(compare(store, recovered({ main }).entries).found);
    expect(summary.problems.join()).toContain('which pages are live is unknown');
  });

  it.each([0.2, 0.5, 0.6, 0.93])('a file cut at %f of its length gives what is left of it', (share) => {
    const cut = main.subarray(0, Math.floor(main.length * share));
    const { entries, summary } = recovered({ main: cut });
    expect(compare(store, entries).wrong).toBe(0);
    expect(summary.problems.join()).toMatch(/it was cut|freelist|free pages has|claimed twice/);
  });

  it('pointers in a circle, to themselves and beyond the end come to an end', () => {
    const hostile = Buffer.from(main);
    const pages = hostile.length / PAGE;
    for (let page = 2; page <= pages; page++) {
      const at = (page - 1) * PAGE;
      if (hostile.readUInt32BE(at) < pages && hostile[at] === 0)
        hostile.writeUInt32BE(page % 3 === 0 ? page : page % 3 === 1 ? 9 : 0x7fffffff, at);
    }
    sound({ main: hostile });
    expect(compare(store, recovered({ main: hostile }).entries).wrong).toBe(0);
  });

  it('a freelist that names itself, live pages and the same page twice is followed as far as it is sound', () => {
    const hostile = Buffer.from(main);
    const trunk = hostile.readUInt32BE(32);
    const at = (trunk - 1) * PAGE;
    hostile.writeUInt32BE(trunk, at);
    hostile.writeUInt32BE(1, at + 8);
    hostile.writeUInt32BE(hostile.readUInt32BE(at + 16), at + 12);
    const { summary } = recovered({ main: hostile });
    expect(summary.freelistErrors).toBeGreaterThan(1);
    expect(summary.problems.join()).toContain('the list of free pages has');
    hostile.writeUInt32BE(0xffffffff, at + 4);
    sound({ main: hostile });
  });

  it('empty files and missing ones give a sentence, not an exception', () => {
    expect(recovered({}).entries).toEqual([]);
    const { entries, summary } = recovered({ main: Buffer.alloc(0), wal: Buffer.alloc(0), journal: Buffer.alloc(0) });
    expect(entries).toEqual([]);
    expect(summary.statements).toContain('nothing there to recover');
    expect(summary.problems.join()).toContain('the file is empty (0 bytes)');
  });

  it('flipped bytes never throw, and never make a wrong complete entry out of two', () => {
    const flips = fc.array(fc.tuple(fc.nat(main.length - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(flips, (list) => {
        const flipped = Buffer.from(main);
        for (const [at, mask] of list) flipped[at] = (flipped[at] ?? 0) ^ mask;
        sound({ main: flipped });
      }),
      { numRuns: 25 },
    );
  });

  it('a file cut anywhere never throws', () => {
    fc.assert(
      fc.property(fc.nat(main.length), (length) => sound({ main: main.subarray(0, length) })),
      { numRuns: 25 },
    );
  });
});

describe('hostile bytes', () => {
  const words = fc.constantFrom(
    '{"user":{"additional_context":',
    '[{"additional_context":',
    '{"conversation_id":"',
    '"> ',
    '\\"',
    '"}',
    'kirocli:',
  );
  const pages = fc.oneof(
    fc.uint8Array({ minLength: 0, maxLength: 6000 }),
    fc.array(words, { maxLength: 400 }).map((list) => Buffer.from(list.join(''))),
  );

  it.each(['main', 'wal', 'journal'] as const)('as %s never throw', (role) => {
    fc.assert(
      fc.property(pages, (bytes) => sound({ [role]: Buffer.from(bytes) })),
      { numRuns: 150 },
    );
  });

  it('behind true headers never throw', () => {
    const header = Buffer.alloc(100);
    header.write('SQLite format 3\u0000', 'latin1');
    header.writeUInt16BE(512, 16);
    header.writeUInt32BE(2, 32);
    const wal = Buffer.alloc(32);
    wal.writeUInt32BE(0x377f0682, 0);
    wal.writeUInt32BE(512, 8);
    const journal = Buffer.alloc(512);
    Buffer.from('d9d505f920a163d7ffffffff0000000000000005000002000000020000', 'hex').copy(journal);
    fc.assert(
      fc.property(pages, pages, pages, (a, b, c) =>
        sound({ main: Buffer.concat([header, a]), wal: Buffer.concat([wal, b]), journal: Buffer.concat([journal, c]) }),
      ),
      { numRuns: 100 },
    );
  });

  it('that ask for quadratic work do not get it', () => {
    // Every free page points to one long chain, and every page is full of openings that nothing closes.
    const count = 4000;
    const main = Buffer.alloc(PAGE * count, '{"user":{"additional_context":"');
    for (let page = 0; page < count; page++) main.writeUInt32BE(page % 2 === 0 ? 3 : Math.min(page + 3, count), page * PAGE);
    const started = performance.now();
    sound({ main });
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe('logs', () => {
  it('with flipped bytes or cut anywhere never throw and give no entry that was not written', () => {
    const store = storeOf(['journal_mode = WAL', 'wal_autocheckpoint = 60'], 3, 3);
    for (const directory of store.directories) replace(store, directory);
    const { main, wal } = bytesOf(store, 'wal');
    if (main === undefined || wal === undefined) throw new Error('no log');
    fc.assert(
      fc.property(fc.nat(wal.length), fc.nat(wal.length - 1), fc.boolean(), (length, at, alone) => {
        const damaged = Buffer.from(wal.subarray(0, length));
        if (at < length) damaged[at] = (damaged[at] ?? 0) ^ 0x55;
        const bytes: Bytes = alone ? { wal: damaged } : { main, wal: damaged };
        sound(bytes);
        expect(compare(store, recovered(bytes).entries).wrong).toBeLessThan(2);
      }),
      { numRuns: 12 },
    );
  });
});
