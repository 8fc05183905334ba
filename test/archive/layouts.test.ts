import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { has, sh, tar, zip } from '../support/archives.js';
import { filesIn, kirotrail, saveExport, sha256, testFolder } from '../support/cli.js';
import { timelineOf } from '../support/timeline.js';

const folder = testFolder();
const HISTORY = '.aws/amazonq/.cli_bash_history';

/** Rows of an archive as `user | file | text`. */
async function rowsOf(name: string, bytes: Buffer): Promise<string[]> {
  writeFileSync(join(folder, name), bytes);
  const { rows } = await timelineOf(join(folder, name));
  return rows.map(({ user, source_file, text }) => `${user} | ${source_file} | ${text}`);
}

describe('layouts of collectors', () => {
  it.each([
    ['a home', HISTORY, '', HISTORY],
    ['homes of Linux', `home/ann/${HISTORY}`, 'ann', `home/ann/${HISTORY}`],
    ['a disk of Windows, as KAPE keeps it', `C/Users/Ann Lee/${HISTORY}`, 'Ann Lee', `C/Users/Ann Lee/${HISTORY}`],
    ['with its drive letter', `C:/Users/ann/${HISTORY}`, 'ann', `C/Users/ann/${HISTORY}`],
    ['with backslashes', `C:\\Users\\ann\\${HISTORY.replaceAll('/', '\\')}`, 'ann', `C/Users/ann/${HISTORY}`],
    ['Velociraptor', `uploads/auto/C%3A/Users/Ann%20Lee/${HISTORY}`, 'Ann Lee', `uploads/auto/C%3A/Users/Ann%20Lee/${HISTORY}`],
    [
      'Velociraptor, raw access',
      `uploads/ntfs/%5C%5C.%5CC%3A/Users/ann/${HISTORY}`,
      'ann',
      `uploads/ntfs/%5C%5C.%5CC%3A/Users/ann/${HISTORY}`,
    ],
    ['absolute names', `/home/ann/${HISTORY}`, 'ann', `home/ann/${HISTORY}`],
    ['in another case', 'C/USERS/ANN/.AWS/AMAZONQ/.CLI_BASH_HISTORY', 'ANN', 'C/USERS/ANN/.AWS/AMAZONQ/.CLI_BASH_HISTORY'],
  ])('%s', async (_what, name, user, shown) => {
    expect(await rowsOf('c.zip', zip([{ name, data: 'hi\n' }]))).toEqual([`${user} | c.zip!/${shown} | hi`]);
  });

  it('an unpacked Velociraptor collection is understood the same', async () => {
    const root = join(folder, 'velociraptor');
    sh(`mkdir -p '${root}/uploads/auto/C%3A/Users/Ann%20Lee/.aws/amazonq'`, folder);
    writeFileSync(join(root, 'uploads/auto/C%3A/Users/Ann%20Lee', HISTORY), 'hi\n');
    const { rows } = await timelineOf(root);
    expect(rows.map(({ user }) => user)).toEqual(['Ann Lee']);
  });

  it('percent signs elsewhere are what they are', async () => {
    expect(await rowsOf('c.zip', zip([{ name: `home/a%20b/${HISTORY}`, data: 'hi\n' }]))).toEqual([
      `a%20b | c.zip!/home/a%20b/${HISTORY} | hi`,
    ]);
  });

  it('the packed folder may itself lie inside a place', async () => {
    expect(await rowsOf('.aws.zip', zip([{ name: 'amazonq/.cli_bash_history', data: 'hi\n' }]))).toEqual([
      ' | .aws.zip!/amazonq/.cli_bash_history | hi',
    ]);
  });

  it('several archives and folders are told apart', async () => {
    const paths = ['a', 'b'].map((name) => {
      sh(`mkdir -p ${name}`, folder);
      writeFileSync(join(folder, name, 'case.zip'), zip([{ name: `home/ann/${HISTORY}`, data: `${name}\n` }]));
      return join(folder, name, 'case.zip');
    });
    const { rows, manifest } = await timelineOf(paths[0] ?? '', join(folder, 'both.jsonl'), { paths });
    expect(rows.map(({ source_file }) => source_file)).toEqual([`case.zip!/home/ann/${HISTORY}`, `case.zip#2!/home/ann/${HISTORY}`]);
    expect(manifest.archives.map(({ path }) => path)).toEqual(['case.zip', 'case.zip#2']);
  });
});

describe('archives in archives', () => {
  const inner = (text: string) => zip([{ name: `C/Users/ann/${HISTORY}`, data: `${text}\n` }]);

  it('the collection in a delivery is opened, one in somebody’s home is not', async () => {
    const outer = zip([
      { name: 'host1.zip', data: inner('one') },
      { name: 'more/host2.tar.gz', data: gzipSync(tar([{ name: `home/bob/${HISTORY}`, data: 'two\n' }])) },
      { name: 'home/eve/Downloads/old.zip', data: inner('not mine') },
    ]);
    expect(await rowsOf('delivery.zip', outer)).toEqual([
      `ann | delivery.zip!/host1.zip!/C/Users/ann/${HISTORY} | one`,
      `bob | delivery.zip!/more/host2.tar.gz!/home/bob/${HISTORY} | two`,
    ]);
    const { manifest } = await timelineOf(join(folder, 'delivery.zip'));
    expect(manifest.not_read.archives).toEqual(['delivery.zip!/home/eve/Downloads/old.zip']);
    writeFileSync(join(folder, 'delivery.manifest.json'), JSON.stringify(manifest));
    expect(kirotrail(['verify', join(folder, 'delivery.manifest.json')])).toMatchObject({ code: 0 });
    expect(manifest.archives.map(({ path, sha256: hash }) => [path, hash])).toEqual([
      ['delivery.zip', sha256(outer)],
      ['delivery.zip!/host1.zip', sha256(inner('one'))],
      ['delivery.zip!/more/host2.tar.gz', expect.any(String)],
    ]);
  });

  it('a third one is said and left', async () => {
    const rows = await rowsOf('three.zip', zip([{ name: 'a.zip', data: zip([{ name: 'b.zip', data: inner('deep') }]) }]));
    expect(rows).toEqual([
      ' | three.zip!/a.zip!/b.zip | parser: three.zip!/a.zip!/b.zip: could not be read: an archive in 2 others, one inside the other: it was not opened',
    ]);
  });

  it('archives among the files of a folder are named, and opened when they are named in the call', async () => {
    const root = join(folder, 'plain');
    sh(`mkdir -p '${root}/x'`, folder);
    writeFileSync(join(root, 'x/host.zip'), inner('one'));
    const { manifest, rows } = await timelineOf(root);
    expect([manifest.not_read.archives, rows]).toEqual([['x/host.zip'], []]);
  });
});

describe('what belongs together', () => {
  let made = 0;
  /** A database with rows that only its log holds. */
  function withLog(): { main: Buffer; log: Buffer } {
    made += 1;
    const path = join(folder, `live-${made}`);
    const live = new Database(path);
    live.exec('CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT)');
    live.pragma('journal_mode = WAL');
    live.pragma('wal_autocheckpoint = 0');
    live.prepare('INSERT INTO conversations VALUES (?, ?)').run('/home/ann/log', saveExport('c1', [['only in the log', 'yes']]));
    for (const part of ['', '-wal']) copyFileSync(path + part, `${path}.copy${part}`);
    live.close();
    return { main: readFileSync(`${path}.copy`), log: readFileSync(`${path}.copy-wal`) };
  }
  const prompts = (rows: string[]) => rows.filter((row) => row.endsWith('| only in the log'));

  // A log may stand ahead of its database or behind it, and its database may be known by its content alone.
  it.each([
    ['.local/share/amazon-q/data.sqlite3', ['-wal', '']],
    ['.local/share/amazon-q/data.sqlite3', ['', '-wal']],
    ['backup/old.db', ['-wal', '']],
    ['backup/old.db', ['', '-wal']],
  ])('%s, members %j', async (name, parts) => {
    const { main, log } = withLog();
    const members = parts.map((part) => ({ name: name + part, data: part === '' ? main : log }));
    for (const [archive, bytes] of [
      ['db.zip', zip(members)],
      ['db.tar', tar(members)],
    ] as const) {
      expect(prompts(await rowsOf(archive, bytes))).toEqual([` | ${archive}!/${name} | only in the log`]);
      const { manifest } = await timelineOf(join(folder, archive));
      const [input] = manifest.inputs;
      expect(input?.sidecars).toEqual([{ name: `${name.split('/').at(-1)}-wal`, size: log.length, sha256: sha256(log) }]);
      expect(input?.sha256).toBe(sha256(main));
    }
  });

  it('a moved KIRO_HOME shows only when all of it has been listed', async () => {
    const agent = JSON.stringify({ name: 'dev', tools: ['*'], allowedTools: ['fs_read'] });
    const members = [
      { name: 'home/ann/elsewhere/agents/dev.json', data: agent },
      { name: 'home/ann/elsewhere/settings/cli.json', data: '{"chat.defaultAgent":"dev"}' },
    ];
    for (const [name, bytes] of [
      ['k.zip', zip(members)],
      ['k.tar', tar(members)],
    ] as const) {
      writeFileSync(join(folder, name), bytes);
      const { manifest } = await timelineOf(join(folder, name));
      expect(manifest.inputs.map(({ path, user, status }) => `${path} ${user} ${status}`)).toEqual([
        `${name}!/home/ann/elsewhere/agents/dev.json ann parsed`,
        `${name}!/home/ann/elsewhere/settings/cli.json ann parsed`,
      ]);
    }
  });

  it.skipIf(!has('tar'))('second names of a file (hard links) are read under each name, as in a folder', async () => {
    const root = join(folder, 'linked');
    sh(
      `mkdir -p '${root}/home/ann/.aws/amazonq' '${root}/home/bob/.aws/amazonq' && printf 'hi\\n' > '${root}/home/ann/${HISTORY}'`,
      folder,
    );
    sh(`ln 'home/ann/${HISTORY}' 'home/bob/${HISTORY}' && tar -cf ../linked.tar home`, root);
    const [fromFolder, fromTar] = await Promise.all([timelineOf(root), timelineOf(join(folder, 'linked.tar'))]);
    const plain = (rows: typeof fromTar.rows) => rows.map((row) => ({ ...row, source_file: row.source_file.replace('linked.tar!/', '') }));
    expect(plain(fromTar.rows)).toEqual(fromFolder.rows);
    expect(fromTar.manifest.hard_links).toEqual([[`linked.tar!/home/ann/${HISTORY}`, `linked.tar!/home/bob/${HISTORY}`]]);
  });
});

describe('modification times', () => {
  const at = async (extra: { time?: number; extra?: Buffer }) => {
    const name = '.aws/amazonq/cli-agents/dev.json';
    writeFileSync(join(folder, 't.zip'), zip([{ name, data: '{"name":"dev","allowedTools":["fs_read"]}', ...extra }]));
    const { rows, manifest } = await timelineOf(join(folder, 't.zip'));
    const row = rows.find(({ decision }) => decision === 'granted');
    return [row?.timestamp_utc, row?.timestamp_original, manifest.inputs[0]?.mtime_utc];
  };

  it('with a zone are taken', async () => {
    expect(await at({ time: 1_763_632_800 })).toEqual(['2025-11-20T10:00:00.000Z', '1763632800.000000000', '2025-11-20T10:00:00.000Z']);
    const ntfs = Buffer.alloc(36);
    ntfs.writeUInt16LE(0x000a, 0);
    ntfs.writeUInt16LE(32, 2);
    ntfs.writeUInt16LE(1, 8);
    ntfs.writeUInt16LE(24, 10);
    ntfs.writeBigUInt64LE(116_444_736_000_000_000n + 17_636_328_001_234_567n, 12);
    expect(await at({ extra: ntfs })).toEqual(['2025-11-20T10:00:00.123Z', '1763632800.123456700', '2025-11-20T10:00:00.123Z']);
  });

  it('without a zone are those of no one knows which clock, and left out', async () => {
    expect(await at({})).toEqual(['', '', '']);
  });
});

it('unpacking ends when it is aborted, and leaves nothing behind', async () => {
  writeFileSync(join(folder, 'many.zip'), zip(Array.from({ length: 50 }, (_, i) => ({ name: `home/u${i}/${HISTORY}`, data: 'hi\n' }))));
  sh('mkdir -p aborted', folder);
  const stop = new AbortController();
  const more = { signal: stop.signal, scratch: join(folder, 'aborted'), progress: () => stop.abort(new Error('enough')) };
  await expect(timelineOf(join(folder, 'many.zip'), join(folder, 'many.jsonl'), more)).rejects.toThrow('enough');
  expect(filesIn(join(folder, 'aborted'))).toEqual([]);
});
