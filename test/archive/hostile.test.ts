import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { RunOptions } from '../../src/pipeline/options.js';
import { has, sh, tar, type ZipMember, type ZipOptions, zip } from '../support/archives.js';
import { filesIn, kirotrail, saveExport, testFolder } from '../support/cli.js';
import { timelineOf } from '../support/timeline.js';

const folder = testFolder();
const HISTORY = '.aws/amazonq/.cli_bash_history';
const of = (user: string) => `home/${user}/${HISTORY}`;

async function read(name: string, bytes: Buffer, more: Partial<RunOptions> = {}) {
  writeFileSync(join(folder, name), bytes);
  const { rows, manifest } = await timelineOf(join(folder, name), undefined, more);
  const error = rows.filter((row) => row.row_type === 'error').map((row) => row.text.replaceAll(`${name}!/`, '').replace('parser: ', ''));
  const prompts = rows.filter((row) => row.row_type === 'prompt').map((row) => `${row.user} ${row.text}`);
  return { rows, manifest, error, prompts };
}
const zipped = (members: readonly ZipMember[], options?: ZipOptions) => read('x.zip', zip(members, options));
/** Lines that do not compress away. */
const text = (lines: number) =>
  Array.from({ length: lines }, (_, i) => `${createHash('sha512').update(`${i}`).digest('base64').repeat(9)}\n`).join('');
const good: ZipMember = { name: of('zoe'), data: 'hi\n' };

describe('names', () => {
  it.each([
    ['../../home/ann/', 'leads out of the archive'],
    ['a/../../home/ann/', 'leads out of the archive'],
    ['..\\..\\home\\ann\\', 'leads out of the archive'],
    ['/home/ann/', 'absolute'],
    ['C:/Users/ann/', 'drive letter'],
    ['C:\\Users\\ann\\', 'drive letter'],
  ])('%s: read under a harmless one, and named', async (start, why) => {
    const { prompts, manifest, error } = await zipped([{ name: start + HISTORY, data: 'hey\n' }, good]);
    expect(prompts).toEqual(['ann hey', 'zoe hi']);
    expect(manifest.archives[0]?.renamed).toMatchObject([{ stored: start + HISTORY, why }]);
    expect(manifest.inputs.map(({ path }) => path).join()).not.toContain('..');
    expect(error).toHaveLength(why.startsWith('leads') ? 1 : 0);
    expect(filesIn(folder).filter((file) => file.endsWith('.cli_bash_history'))).toEqual([]);
  });

  it('a zero byte, control characters, no name at all', async () => {
    const { error, manifest } = await zipped([
      { name: `home/a\0b/${HISTORY}`, data: 'x\n' },
      { name: `home/e\u001b]0;t\u0007/${HISTORY}`, data: 'y\n' },
      { name: '//', data: 'z' },
      { name: '..', data: 'z' },
    ]);
    expect(error).toEqual([
      '(no name): stored as .. (leads out of the archive); taken under this name',
      `home/a\\u{0}b/${HISTORY}: stored as home/a\\u{0}b/${HISTORY} (zero byte); taken under this name`,
    ]);
    expect(manifest.inputs.map(({ path }) => path)).toEqual([
      `x.zip!/home/a\\u{0}b/${HISTORY}`,
      `x.zip!/home/e\\u{1b}]0;t\\u{7}/${HISTORY}`,
    ]);
  });

  it('bytes of other character sets', async () => {
    const { manifest } = await zipped([
      { name: Buffer.concat([Buffer.from('home/J\x94rg/', 'latin1'), Buffer.from(HISTORY)]), data: 'x\n', flags: 0 },
      { name: `home/Jürg/${HISTORY}`, data: 'x\n', flags: 0 },
      { name: Buffer.concat([Buffer.from('home/\xff/', 'latin1'), Buffer.from(HISTORY)]), data: 'x\n' },
    ]);
    expect(manifest.inputs.map(({ user }) => user).sort()).toEqual(['Jörg', 'Jürg', '\\xff']);
  });

  it('folders one in the other without end', async () => {
    const { error } = await zipped([{ name: `${'a/'.repeat(5000)}x`, data: 'x' }, good]);
    expect(error).toEqual(['a/a/x: could not be read: it lies in 5000 folders, one inside the other']);
  });
});

describe('two members of one name', () => {
  it('are both read, with a number', async () => {
    const { rows, error } = await zipped([
      { name: of('ann'), data: 'one\n' },
      { name: of('ann'), data: 'two\n' },
      { name: of('ann'), data: 'three\n' },
    ]);
    expect(rows.filter((row) => row.row_type === 'prompt').map((row) => `${row.source_file} ${row.user} ${row.text}`)).toEqual([
      `x.zip!/${of('ann')} ann one`,
      `x.zip!/${of('ann')}#2 ann two`,
      `x.zip!/${of('ann')}#3 ann three`,
    ]);
    expect(error).toEqual([
      `${of('ann')}#2: member number 2 of this name; each was taken`,
      `${of('ann')}#3: member number 3 of this name; each was taken`,
    ]);
  });

  it('in a tar that was added to', async () => {
    const { prompts } = await read(
      'x.tar',
      tar([
        { name: of('ann'), data: 'one\n' },
        { name: of('ann'), data: 'two\n' },
      ]),
    );
    expect(prompts).toEqual(['ann one', 'ann two']);
  });

  it('a file and a folder of one name do not meet', async () => {
    const { prompts } = await zipped([{ name: 'home', data: 'a file' }, good]);
    expect(prompts).toEqual(['zoe hi']);
  });
});

describe('members that cannot be read as they are', () => {
  it.each<[string, Partial<ZipMember>, string]>([
    ['encrypted', { flags: 0x801 }, 'could not be read: encrypted'],
    ['deflate64', { method: 9 }, 'could not be read: compression method 9 (deflate64) is not read'],
    ['an unknown method', { method: 77 }, 'could not be read: compression method 77 is not read'],
    ['no deflate at all', { packed: Buffer.alloc(9, 0xff) }, 'could not be read: cannot be inflated any further'],
  ])('%s', async (_what, how, expected) => {
    const { error, prompts, manifest } = await zipped([{ name: of('ann'), data: 'x\n', ...how }, good]);
    expect(prompts).toEqual(['zoe hi']);
    expect(error).toHaveLength(1);
    expect(error[0]).toContain(`${of('ann')}: ${expected}`);
    expect(manifest.inputs.map(({ status }) => status)).toEqual(['unread', 'parsed']);
  });

  it('are not asked for where nobody would look', async () => {
    const { error, manifest } = await zipped([{ name: 'home/ann/photo.png', data: 'x', flags: 0x801 }, good]);
    expect(error).toEqual([]);
    expect(manifest.archives[0]?.left_out).toEqual({ encrypted: 1 });
  });

  it.each<[string, Partial<ZipMember>, string]>([
    ['another checksum', { crc: 1 }, 'its checksum (CRC-32) is not the one in the archive'],
    ['another size', { size: 10 }, 'it has 4 bytes, the archive says 10'],
    ['another name in its own header', { localName: 'home/bob/x' }, 'its own header calls it home/bob/x'],
  ])('%s: read, and each row says it', async (_what, how, expected) => {
    const { rows, error, manifest } = await zipped([{ name: of('ann'), data: 'hey\n', ...how }]);
    expect(rows.filter((row) => row.row_type === 'prompt').map((row) => [row.text, row.problem.includes(expected)])).toEqual([
      ['hey', true],
    ]);
    expect(error[0]).toContain(expected);
    expect(manifest.inputs[0]?.status).toBe('partly_read');
  });

  it('links, FIFOs and devices are recorded, none is followed', async () => {
    const { manifest, prompts } = await zipped([
      { name: of('ann'), data: '/etc/passwd', mode: 0o120777, method: 0 },
      { ...good, mode: 0o100644 },
    ]);
    expect(prompts).toEqual(['zoe hi']);
    expect(manifest.not_read.links).toEqual([{ path: `x.zip!/${of('ann')}`, target: '/etc/passwd' }]);
    const special = await read(
      'x.tar',
      tar([
        { name: of('a'), type: '2', target: '../../etc/passwd' },
        { name: of('b'), type: '1', target: '/etc/passwd' },
        { name: of('c'), type: '6' },
        { name: of('d'), type: '3' },
        { name: of('zoe'), data: 'hi\n' },
      ]),
    );
    expect(special.prompts).toEqual(['zoe hi']);
    expect(special.manifest.not_read.links).toEqual([{ path: `x.tar!/${of('a')}`, target: '../../etc/passwd' }]);
    expect(special.manifest.not_read.special_files.map(({ kind }) => kind)).toEqual(['fifo', 'device']);
    expect(special.error).toEqual([
      `${of('b')}: could not be read: a hard link to /etc/passwd, which is no file ahead of it in the archive: not followed`,
    ]);
  });
});

describe('bombs', () => {
  const zeros = Buffer.alloc(3_000_000);
  const archiveLimits = { ratioFrom: 1_000_000 };

  it('a member out of proportion', async () => {
    // Large enough not to be inflated in one step.
    const big = Buffer.alloc(9_000_000);
    const { error, prompts } = await read('x.zip', zip([{ name: of('ann'), data: big }, good]), { archiveLimits });
    expect(prompts).toEqual(['zoe hi']);
    expect(error).toHaveLength(1);
    expect(error[0]).toMatch(/ann.*over 200 times as much: unpack it with another tool first$/);
  });

  it('a compressed tar out of proportion: what stands ahead of it is read', async () => {
    const bytes = gzipSync(
      tar([
        { name: of('zoe'), data: 'hi\n' },
        { name: 'zeros', data: Buffer.alloc(9_000_000) },
      ]),
    );
    const { error, prompts } = await read('x.tar.gz', bytes, { archiveLimits });
    expect(prompts).toEqual(['zoe hi']);
    expect(error.join()).toMatch(/x\.tar\.gz: could not be read in full: .*over 200 times as much/);
  });

  it('a size that is not the real one', async () => {
    const lying = { name: of('ann'), data: zeros, size: 10 };
    const { error } = await read('x.zip', zip([lying, good]), { archiveLimits: { member: 1_000_000 } });
    expect(error).toEqual([`${of('ann')}: could not be read: it has more than the 1000000 bytes that are unpacked of one member`]);
  });

  it('members that lie over each other', async () => {
    const kernel: ZipMember = { name: of('a'), data: text(1000), method: 0 };
    const over = Array.from({ length: 9 }, (_, i) => ({
      ...kernel,
      name: of(`b${i}`),
      packed: Buffer.alloc(0),
      compressed: 793_000,
      offset: 0,
    }));
    const { error, prompts } = await zipped([kernel, ...over]);
    expect(prompts.length).toBe(2000);
    expect(error.filter((what) => what.endsWith('members share their bytes, far more than the archive has: not read'))).toHaveLength(8);
  });

  it('all members together', async () => {
    const members = Array.from({ length: 5 }, (_, i) => ({ name: of(`u${i}`), data: zeros, method: 0 }));
    const { error } = await read('x.zip', zip(members), { archiveLimits: { total: 10_000_000 } });
    expect(error).toHaveLength(2);
    expect(error[0]).toContain('more than 10000000 bytes in all are not unpacked');
  });

  it('too many members', async () => {
    const members = Array.from({ length: 30 }, (_, i) => ({ name: of(`u${i + 10}`), data: 'x\n' }));
    const { error, prompts } = await read('x.zip', zip(members), { archiveLimits: { members: 20 } });
    expect(prompts).toHaveLength(20);
    expect(error).toEqual(['x.zip: could not be read in full: more than 20 members: the rest was not listed']);
  });
});

describe('cut and damaged', () => {
  const three = [
    { name: of('a'), data: 'one\n' },
    { name: of('b'), data: `${'two '.repeat(500)}\n` },
    { name: of('c'), data: 'three\n' },
  ];
  const users = (prompts: readonly string[]) => prompts.map((prompt) => prompt.slice(0, 1)).join('');

  it('a ZIP without its list of members', async () => {
    const { prompts, error, rows } = await zipped(three, { end: false });
    expect(users(prompts)).toBe('abc');
    expect(error.at(-1)).toMatch(
      /^x\.zip: the list of members .* could not be read to its end: there is none; members were also looked for by their own headers$/,
    );
    expect(rows.find((row) => row.user === 'a')?.problem).toBe('not listed by the archive, found by its own header');
  });

  it('a ZIP without its list, sizes behind the contents', async () => {
    const { prompts } = await zipped(
      three.map((member) => ({ ...member, descriptor: true })),
      { end: false },
    );
    expect(users(prompts)).toBe('abc');
  });

  it('a large archive has another end record, also behind junk', async () => {
    const { prompts, error } = await zipped(three, { wide: true, before: Buffer.from('junk') });
    expect(users(prompts)).toBe('abc');
    expect(error).toEqual(['x.zip: 4 bytes stand ahead of the archive']);
  });

  it('a list that hides members', async () => {
    const { prompts, error } = await zipped(three, { count: 1 });
    expect(users(prompts)).toBe('abc');
    expect(error.join()).toContain('its 1 entries');
  });

  it('bytes ahead of the archive and behind it', async () => {
    const { prompts, error } = await zipped(three, { before: Buffer.from('MZ junk'), after: Buffer.alloc(70_000, 'x') });
    expect(users(prompts)).toBe('abc');
    expect(error).toEqual(['x.zip: 7 bytes stand ahead of the archive', 'x.zip: 70000 bytes stand behind the archive']);
  });

  it.each(['x.zip', 'x.tar', 'x.tar.gz'])('%s cut anywhere gives what stands ahead of the cut, and says so', async (name) => {
    const big = [...three, { name: of('d'), data: text(60) }];
    const whole = name === 'x.zip' ? zip(big) : name === 'x.tar' ? tar(big) : gzipSync(tar(big));
    const full = (await read(name, whole)).prompts.length;
    expect(full).toBe(63);
    for (let cut = 700; cut < whole.length - 1200; cut += Math.ceil(whole.length / 12)) {
      const { prompts, error, manifest } = await read(name, whole.subarray(0, cut));
      expect(prompts.length).toBeLessThan(full);
      expect(error.length).toBeGreaterThan(0);
      expect(manifest.archives).toHaveLength(1);
    }
    const late = await read(name, whole.subarray(0, whole.length - (name === 'x.tar' ? 3000 : 400)));
    expect(late.prompts.length).toBeGreaterThan(name === 'x.tar.gz' ? 2 : 50);
  });

  it('damage in a compressed member: the lines ahead of it are read', async () => {
    const data = text(6000);
    const packed = deflateRawSync(data);
    // A block of a kind that does not exist; the decoder may lose its way before it meets one.
    packed.fill(0xff, packed.length - 100_000, packed.length - 50_000);
    const bytes = zip([{ name: of('ann'), data, packed }]);
    const { prompts, error } = await read('x.zip', bytes);
    expect(prompts.length).toBeGreaterThan(4000);
    expect(error.join()).toMatch(/not whole, its first|checksum/);
  }, 60_000);

  it('a sound beginning and then no tar', async () => {
    const { prompts, error } = await read(
      'x.tar',
      Buffer.concat([tar([{ name: of('ann'), data: 'hey\n' }], { end: false }), Buffer.alloc(2048, 'x')]),
    );
    expect(prompts).toEqual(['ann hey']);
    expect(error.join()).toContain('x.tar: could not be read in full');
  });

  it('any bytes in place of others: no crash, and every row holds to its form', async () => {
    const whole = {
      'f.zip': zip([...three, { name: 'e.json', data: saveExport('c', [['p', 'a']]) }]),
      'f.tar': tar(three),
      'f.tar.gz': gzipSync(tar(three)),
    };
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (const [name, bytes] of Object.entries(whole))
      for (let i = 0; i < 25; i++) {
        const broken = Buffer.from(bytes);
        for (let n = 0; n <= random(6); n++) broken[random(broken.length)] = random(256);
        const { rows } = await read(name, random(3) === 0 ? broken.subarray(0, random(broken.length)) : broken);
        expect(rows.every((row) => row.row_type === 'error' || row.source_file.startsWith(`${name}!/`) || row.source_file === name)).toBe(
          true,
        );
      }
  }, 60_000);
});

describe('what is not an archive we read', () => {
  it.each([
    ['x.7z', Buffer.from('377abcaf271c0004', 'hex'), '7z is not read: unpack it first'],
    ['x.rar', Buffer.from('526172211a0700cf', 'hex'), 'RAR is not read: unpack it first'],
    ['x.gz', gzipSync('{"a":1}'), 'compressed with gzip, and no tar inside that could be read: decompress it first'],
  ])('%s says what to do', async (name, bytes, what) => {
    const { error, manifest } = await read(name, bytes);
    expect(error).toEqual([`${name}: could not be read: ${what}`]);
    expect(manifest.not_read.errors).toEqual([{ path: name, problem: what }]);
    expect(kirotrail([join(folder, name), '-q']).code).toBe(1);
  });

  it.each([3, 600, 300_000])('a folder of a tar that says it has %i bytes of content', async (size) => {
    const { prompts, error } = await read(
      'folder.tar',
      tar([good, { name: of('ann'), data: 'x'.repeat(size), type: '5' }, { name: of('joe'), data: 'yo\n' }]),
    );
    expect(prompts).toEqual(['zoe hi']);
    expect(error).toHaveLength(1);
  });

  it('a folder of a tar that has a size and no content', async () => {
    const bytes = tar([good, { name: 'home/x/', data: '', type: '5', size: 4096 }, { name: of('joe'), data: 'yo\n' }]);
    const { prompts, error } = await read('folder.tar', bytes);
    expect([prompts, error]).toEqual([['joe yo', 'zoe hi'], []]);
  });

  it.skipIf(!has('zstd'))('a changed byte in zstd is seen, wherever it is', async () => {
    const content = createHash('sha512').update('x').digest('hex');
    writeFileSync(
      join(folder, 'z.tar'),
      tar([
        { name: of('ann'), data: `${content}\n` },
        { name: 'noise', data: gzipSync(text(60)) },
      ]),
    );
    sh('zstd -q -f z.tar -o z.tar.zst', folder);
    const whole = readFileSync(join(folder, 'z.tar.zst'));
    expect((await read('z.tar.zst', whole)).error).toEqual([]);
    const seen = new Set<string>();
    for (let at = 20; at < whole.length; at += Math.floor(whole.length / 12)) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 4;
      const { error } = await read('changed.tar.zst', bytes);
      expect(error, `byte ${at}`).not.toEqual([]);
      for (const what of error) seen.add(what);
    }
    expect([...seen].join('\n')).toContain('a checksum of zstd is not that of the bytes: something in it was changed or damaged');
  });

  it.skipIf(!has('zstd'))('a zstd window that would have to be held in memory is refused with advice', async () => {
    writeFileSync(
      join(folder, 'w.tar'),
      tar([
        { name: of('ann'), data: 'hey\n' },
        { name: 'big', data: Buffer.alloc(150 << 20) },
      ]),
    );
    sh('zstd -q -f --long=27 w.tar -o w.tar.zst', folder);
    const { error } = await read('w.tar.zst', readFileSync(join(folder, 'w.tar.zst')));
    if ('createZstdDecompress' in (await import('node:zlib'))) return;
    expect(error).toEqual([expect.stringMatching(/window of 134217728 bytes .*: decompress it with zstd first$/)]);
  });
});
