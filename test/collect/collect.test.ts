import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Store, StoreSchema } from '../../src/catalog/schema.js';
import { stdinArtifact } from '../../src/collect/artifact.js';
import { collect } from '../../src/collect/collect.js';
import type { CollectOptions } from '../../src/collect/collection.js';
import { openFileSource } from '../../src/evidence/file-source.js';
import { fingerprint, tempFolder } from '../evidence/helpers.js';

function store(id: string, anchor: string, paths: string[], more: object = {}): Store {
  const places = paths.map((path) => ({ anchor, path }));
  return StoreSchema.parse({
    id,
    title: id,
    agent: 'amazon-q-cli',
    doc: 'd',
    read: true,
    role: 'primary',
    evidence: 'L1',
    secret: 'none',
    places,
    ...more,
  });
}

const stores = [
  store('agents', 'home', ['.aws/amazonq/cli-agents/*.json']),
  store('checkpoints', 'home', ['.aws/amazonq/cli-checkouts/*/HEAD']),
  store('database', 'data', ['amazon-q/data.sqlite3']),
  store('delegate', 'project', ['.amazonq/.subagents/*.json']),
  store('export', 'project', [], { by_content: true }),
  store('knowledge', 'home', ['.aws/amazonq/knowledge_bases/*/contexts.json']),
  store('log', 'temp', ['qlog/qchat.log']),
  store('prompts', 'home', ['.aws/amazonq/.cli_bash_history']),
  store('rules', 'project', ['.amazonq/rules/**/*.md', 'AmazonQ.md']),
  store('tokens', 'home', ['.aws/sso/cache/*.json']),
];
const detectors = [{ store: 'export', detect: (head: Buffer) => head.includes('"conversation_id"') }];

let root = '';
beforeEach(() => {
  root = tempFolder();
});

function put(path: string, content = 'x'): string {
  const at = join(root, path);
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, content);
  return at;
}

const run = (options: CollectOptions = {}, paths = [root]) => collect(paths, stores, { detectors, ...options });
const briefly = (options?: CollectOptions, paths?: string[]) =>
  run(options, paths).artifacts.map(({ artifact: a }) => [a.store, a.file, a.base, a.user].join(' | '));
const EXPORT = '{"conversation_id":"x","history":[]}';

describe('places', () => {
  test('are found at any depth and in any case, with the home they belong to', () => {
    put('home/ann/.aws/amazonq/.cli_bash_history');
    put('evidence/C/Users/BOB2/.AWS/AmazonQ/.CLI_BASH_HISTORY');
    put('evidence/C/Users/bob/AppData/Local/amazon-q/data.sqlite3');
    put('Users/eve/Library/Application Support/amazon-q/data.sqlite3');
    put('root/.local/share/amazon-q/data.sqlite3');
    put('.local/share/amazon-q/data.sqlite3');
    put('odd/amazon-q/data.sqlite3');
    put('home/ann/work/p [1]/.amazonq/.subagents/x.json');
    put('home/ann/work/.amazonq/rules/a/b/c.md');
    put('tmp/qlog/qchat.log');
    expect(briefly()).toEqual([
      'database | .local/share/amazon-q/data.sqlite3 |  | ',
      'database | Users/eve/Library/Application Support/amazon-q/data.sqlite3 | Users/eve | eve',
      'prompts | evidence/C/Users/BOB2/.AWS/AmazonQ/.CLI_BASH_HISTORY | evidence/C/Users/BOB2 | BOB2',
      'database | evidence/C/Users/bob/AppData/Local/amazon-q/data.sqlite3 | evidence/C/Users/bob | bob',
      'prompts | home/ann/.aws/amazonq/.cli_bash_history | home/ann | ann',
      'rules | home/ann/work/.amazonq/rules/a/b/c.md | home/ann/work | ann',
      'delegate | home/ann/work/p [1]/.amazonq/.subagents/x.json | home/ann/work/p [1] | ann',
      'database | odd/amazon-q/data.sqlite3 | odd | ',
      'database | root/.local/share/amazon-q/data.sqlite3 | root | root',
      'log | tmp/qlog/qchat.log | tmp | ',
    ]);
  });

  test.each([
    ['.aws', 'prompts | amazonq/.cli_bash_history |  | '],
    ['.aws/amazonq', 'prompts | .cli_bash_history |  | '],
    ['.aws/amazonq/.cli_bash_history', 'prompts | .cli_bash_history |  | '],
    ['.local/share/amazon-q', 'database | data.sqlite3 |  | '],
    ['.local/share/amazon-q/data.sqlite3', 'database | data.sqlite3 |  | '],
  ])('a root may end inside of one: %s', (path, expected) => {
    put('.aws/amazonq/.cli_bash_history');
    put('.local/share/amazon-q/data.sqlite3');
    expect(briefly({}, [join(root, path)])).toEqual([expected]);
  });

  test('belong to the outermost store: what a store copied is not read as what it was before', () => {
    put('.kiro/snapshots/aa/.amazonq/.subagents/dev.json', '{}');
    put('.kiro/snapshots/aa/.kiro/snapshots/bb/AmazonQ.md');
    put('.amazonq/.subagents/dev.json', '{}');
    const copies = [...stores, store('snapshots', 'home', ['.kiro/snapshots/*/**'])];
    expect(collect([root], copies, { detectors }).artifacts.map(({ artifact: a }) => `${a.store} ${a.file}`)).toEqual([
      'delegate .amazonq/.subagents/dev.json',
      'snapshots .kiro/snapshots/aa/.amazonq/.subagents/dev.json',
      'snapshots .kiro/snapshots/aa/.kiro/snapshots/bb/AmazonQ.md',
    ]);
  });

  test('several roots are told apart by name', () => {
    put('a/home/.aws/amazonq/.cli_bash_history');
    put('b/home/.aws/amazonq/.cli_bash_history');
    const one = put('c/home', EXPORT);
    expect(briefly({}, [join(root, 'a/home'), join(root, 'b/home/'), one, join(root, 'none')])).toEqual([
      'prompts | home#2/.aws/amazonq/.cli_bash_history |  | ',
      'export | home#3 |  | ',
      'prompts | home/.aws/amazonq/.cli_bash_history |  | ',
    ]);
    expect(run({}, [root, join(root, 'none')]).errors).toEqual([{ file: 'none', what: 'no such file or folder (ENOENT)' }]);
  });

  test('a file carries its time, sidecars and other names', () => {
    const path = put('.local/share/amazon-q/data.sqlite3');
    put('.local/share/amazon-q/DATA.sqlite3-WAL');
    put('.local/share/amazon-q/data.sqlite3-shm');
    put('other/amazon-q/data.sqlite3-journal');
    put('other/firefox.sqlite-wal');
    mkdirSync(join(root, 'copy/amazon-q'), { recursive: true });
    linkSync(path, join(root, 'copy/amazon-q/data.sqlite3'));
    utimesSync(path, 1_772_438_400, 1_772_438_400.25);
    const found = run();
    expect(found.artifacts[0]?.artifact.mtime).toEqual({
      ms: 1_772_438_400_250,
      ns: 0,
      source: 'file_mtime',
      original: '1772438400.250000000',
    });
    expect(found.artifacts[0]?.sidecars.map((s) => s.suffix)).toEqual(['-wal', '-shm']);
    expect(found.orphans.map((s) => s.file)).toEqual(['other/amazon-q/data.sqlite3-journal']);
    expect(found.hardLinks).toEqual([['.local/share/amazon-q/data.sqlite3', 'copy/amazon-q/data.sqlite3']]);
    expect(run({}, [path]).artifacts[0]?.sidecars.map((s) => s.file)).toEqual(['DATA.sqlite3-WAL', 'data.sqlite3-shm']);
  });
});

describe('content', () => {
  test('decides where no place does', () => {
    put('home/ann/notes/chat', EXPORT);
    put('home/ann/notes/chat.md', `\ufeff\n  ${EXPORT}`);
    put('home/ann/notes/list', `[${EXPORT}]`);
    put('home/ann/notes/chat.png', EXPORT);
    put('home/ann/p/dist/chat.json', EXPORT);
    put('home/ann/p/dist/.amazonq/.subagents/x.json', EXPORT);
    put('home/ann/.aws/amazonq/knowledge_bases/k/ctx/data.json', EXPORT);
    expect(briefly()).toEqual([
      'export | home/ann/notes/chat | home/ann/notes | ann',
      'export | home/ann/notes/chat.md | home/ann/notes | ann',
      'delegate | home/ann/p/dist/.amazonq/.subagents/x.json | home/ann/p/dist | ann',
    ]);
  });

  test('of a file that was named is always looked at', () => {
    const strange = put('dist/strange.png', EXPORT);
    const nothing = put('nothing.json', '[1]');
    expect(briefly({}, [strange])).toEqual(['export | strange.png |  | ']);
    expect(run({}, [nothing]).unrecognised).toEqual(['nothing.json']);
  });

  test('of standard input has no place and no time', () => {
    const [first] = stores;
    expect(first && stdinArtifact(first, 7)).toMatchObject({ file: '(stdin)', size: 7, mtime: undefined });
  });
});

describe('what is not read is told', () => {
  test('folders that are passed over, unless a place leads through them', () => {
    put('node_modules/x/.amazonq/.subagents/x.json');
    put('.AWS/SSO/Cache/t.json');
    put('browser/Cache/f.json', EXPORT);
    put('proc/1/.amazonq/.subagents/x.json');
    put('sub/proc/.amazonq/.subagents/x.json');
    put('.aws/amazonq/cli-checkouts/id/HEAD');
    put('.aws/amazonq/cli-checkouts/id/config');
    put('.aws/amazonq/cli-checkouts/id/objects/aa/bb');
    put('.aws/amazonq/knowledge_bases/k/contexts.json');
    put('.aws/amazonq/knowledge_bases/k/ctx/data.json');
    put('.aws/amazonq/strange.bin');
    put('.local/share/amazon-q/settings.json');
    const found = run();
    expect(found.artifacts.map((a) => a.artifact.file)).toEqual([
      '.AWS/SSO/Cache/t.json',
      '.aws/amazonq/cli-checkouts/id/HEAD',
      '.aws/amazonq/knowledge_bases/k/contexts.json',
      'sub/proc/.amazonq/.subagents/x.json',
    ]);
    expect(found.excluded).toEqual([
      '.aws/amazonq/cli-checkouts/id/objects',
      '.aws/amazonq/knowledge_bases/k/ctx',
      'browser/Cache',
      'node_modules',
      'proc',
    ]);
    expect(found.unclaimed).toEqual([
      '.aws/amazonq/cli-checkouts/id/config',
      '.aws/amazonq/strange.bin',
      '.local/share/amazon-q/settings.json',
    ]);
    const all = run({ allFiles: true });
    expect(all.excluded).toEqual([]);
    expect(all.artifacts.length).toBe(7);
  });

  test('links and special files, none of them followed', () => {
    put('p/.amazonq/.subagents/x.json');
    symlinkSync('..', join(root, 'p/.amazonq/up'));
    symlinkSync('/nonexistent/\u001b[31m', join(root, 'p/.aws'));
    symlinkSync('x.json', join(root, 'p/.amazonq/.subagents/y.json'));
    execFileSync('mkfifo', [join(root, 'p/.amazonq/.subagents/z.json')]);
    const before = fingerprint(root);
    const found = run();
    expect(found.artifacts.map((a) => a.artifact.file)).toEqual(['p/.amazonq/.subagents/x.json']);
    expect(found.links).toEqual([
      { file: 'p/.amazonq/.subagents/y.json', target: 'x.json' },
      { file: 'p/.amazonq/up', target: '..' },
      { file: 'p/.aws', target: '/nonexistent/\\u{1b}[31m' },
    ]);
    expect(found.special).toEqual([{ file: 'p/.amazonq/.subagents/z.json', kind: 'fifo' }]);
    expect(found.walked).toEqual({ files: 1, folders: 4 });
    expect(fingerprint(root)).toEqual(before);
    symlinkSync(join(root, 'p'), join(root, 'q'));
    expect(briefly({}, [join(root, 'q')])).toEqual(['delegate | .amazonq/.subagents/x.json |  | ']);
  });

  test.skipIf(process.getuid?.() === 0)('a folder that cannot be read (skipped for root, whom no mode stops)', () => {
    put('shut/x');
    put('.amazonq/.subagents/x.json');
    chmodSync(join(root, 'shut'), 0);
    expect(run().errors).toEqual([{ file: 'shut', what: 'permission denied (EACCES)' }]);
    expect(briefly()).toHaveLength(1);
    chmodSync(join(root, 'shut'), 0o700);
  });
});

describe('names', () => {
  test('of any bytes are opened as they are and shown safely', () => {
    const raw = Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xff])]);
    mkdirSync(Buffer.concat([raw, Buffer.from('/.amazonq/.subagents')]), { recursive: true });
    writeFileSync(Buffer.concat([raw, Buffer.from('/.amazonq/.subagents/a\n\u001b[2J.json')]), 'one');
    put('p/.amazonq/.subagents/[x] (copy) *.json', 'two');
    put('p/.amazonq/.subagents/\u202Efdp.json', 'three');
    const { artifacts } = run();
    expect(artifacts.map((a) => a.artifact.file)).toEqual([
      'bad\\xff/.amazonq/.subagents/a\\u{a}\\u{1b}[2J.json',
      'p/.amazonq/.subagents/[x] (copy) *.json',
      'p/.amazonq/.subagents/\\u{202e}fdp.json',
    ]);
    const contents = artifacts.map(({ path, artifact }) => {
      const source = openFileSource(path, artifact);
      source.close();
      return source.bytes().toString();
    });
    expect(contents).toEqual(['one', 'two', 'three']);
  });

  test('deep nesting is walked without recursion', () => {
    let path = '';
    for (let i = 0; i < 900; i++) path += 'd/';
    put(`${path}.amazonq/.subagents/x.json`);
    expect(briefly()).toHaveLength(1);
  });
});
