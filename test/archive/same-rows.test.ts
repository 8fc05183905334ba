import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { has, sh, tar, zip } from '../support/archives.js';
import { copyHome, filesIn, kirotrail, manifestOf, sha256, stateOf, testFolder } from '../support/cli.js';

const folder = testFolder();
const home = join(folder, 'home');
const TIME = Date.UTC(2025, 10, 20, 10) / 1000;

interface Timeline {
  readonly code: number | null;
  readonly lines: readonly string[];
}

/** The timeline with the archive's name taken out of it: `source_file`, and texts that name the file. */
function timeline(name: string, ...more: string[]): Timeline {
  const { code, stdout } = kirotrail([join(folder, name), '-q', '-f', 'jsonl', ...more]);
  return { code, lines: stdout.toString('utf8').replaceAll(`${name}!/`, '').split('\n') };
}

/** The first line that differs says enough. */
function expectSame(found: Timeline): void {
  const first = expected.lines.findIndex((line, i) => line !== found.lines[i]);
  expect(found.lines[first]).toBe(expected.lines[first]);
  expect([found.code, found.lines.length]).toEqual([expected.code, expected.lines.length]);
}

const made: Readonly<Record<string, (name: string) => void>> = {
  'node.zip': (name) => writeFileSync(join(folder, name), zip(members())),
  'node.tar': (name) => writeFileSync(join(folder, name), tar(members())),
  'node.tar.gz': (name) => writeFileSync(join(folder, name), gzipSync(tar(members()))),
  // The names say nothing: content decides.
  collection: (name) => writeFileSync(join(folder, name), zip(members())),
  'collection.bin': (name) => writeFileSync(join(folder, name), gzipSync(tar(members()))),
};
const members = () => filesIn(home).map((name) => ({ name, data: readFileSync(join(home, name)), time: TIME }));

const programs: readonly (readonly [program: string, name: string, line: string])[] = [
  ['zip', 'real.zip', 'zip -qry ../real.zip .'],
  ['zip', 'stored.zip', 'zip -qry0 ../stored.zip .'],
  ['tar', 'real.tar', 'tar -cf ../real.tar .'],
  ['tar', 'pax.tar', 'tar --format=pax -cf ../pax.tar .'],
  ['tar', 'real.tgz', 'tar -czf ../real.tgz .'],
  ['zstd', 'real.tar.zst', 'tar -c . | zstd -q -o ../real.tar.zst'],
  [
    'zstd',
    'frames.tar.zst',
    'tar -cf ../f.tar . && split -b 100001 ../f.tar ../f. && (for f in ../f.a*; do zstd -qc $f; zstd -qc </dev/null; done) > ../frames.tar.zst',
  ],
  [
    'zstd',
    'unchecked.tar.zst',
    'tar -cf ../u.tar . && split -b 300000 ../u.tar ../u. && (for f in ../u.a*; do zstd -qc --no-check $f; done) > ../unchecked.tar.zst',
  ],
];

let expected: Timeline = { code: 0, lines: [] };

beforeAll(() => {
  copyHome(home);
  expected = timeline('home');
  expect(expected.lines.length).toBeGreaterThan(1000);
});

describe('the same rows as from the folder', () => {
  it.each(Object.keys(made))('%s, made here', (name) => {
    made[name]?.(name);
    expectSame(timeline(name));
  });

  for (const [program, name, line] of programs)
    it.skipIf(!has(program))(`${name}, made by ${program}${has(program) ? '' : ' (not installed: skipped)'}`, () => {
      sh(line, home);
      expectSame(timeline(name));
    });

  it.each(['0', '1', '2'])('with %s workers', (workers) => {
    made['node.tar.gz']?.('workers.tar.gz');
    expectSame(timeline('workers.tar.gz', '--workers', workers));
  });
});

it('leaves the archive as it is, names it with its hash, and leaves nothing behind', () => {
  const evidence = join(folder, 'evidence');
  const scratch = join(folder, 'scratch');
  sh(`mkdir '${evidence}' '${scratch}'`, folder);
  writeFileSync(join(evidence, 'case.zip'), zip(members()));
  const before = stateOf(evidence);
  const out = join(folder, 'case.jsonl');
  expect(kirotrail([join(evidence, 'case.zip'), '-q', '-o', out, '--scratch', scratch]).code).toBe(expected.code);
  expect(stateOf(evidence)).toEqual(before);
  expect(filesIn(scratch)).toEqual([]);
  const manifest = manifestOf(`${out}.manifest.json`);
  const bytes = readFileSync(join(evidence, 'case.zip'));
  expect(manifest.archives).toMatchObject([
    { path: 'case.zip', format: 'zip', size: bytes.length, sha256: sha256(bytes), members: filesIn(home).length },
  ]);
  expect(manifest.inputs.every(({ path }) => path.startsWith('case.zip!/'))).toBe(true);
  expect(kirotrail(['verify', `${out}.manifest.json`]).code).toBe(0);
});

it('is analyzed like a folder', () => {
  const [fromFolder, fromArchive] = ['home', 'node.zip'].map((name) => kirotrail(['analyze', join(folder, name)]).stdout.toString());
  expect(fromArchive?.replaceAll('node.zip!/', '')).toBe(fromFolder);
});
