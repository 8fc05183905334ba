import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultText } from '../../src/evidence/fault.js';
import { memoryFileSource, openBeside, openFileSource } from '../../src/evidence/file-source.js';
import { splitLines } from '../../src/evidence/lines.js';
import { TooLargeError } from '../../src/evidence/source.js';
import { artifactOf, fingerprint, tempFolder } from './helpers.js';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function fault(use: () => unknown): string {
  try {
    use();
    return '';
  } catch (error) {
    return faultText(error);
  }
}

describe('openFileSource', () => {
  test.each([
    ['as a whole', undefined],
    ['through a window', 10],
  ])('reads and hashes %s', (_, limit) => {
    const folder = tempFolder();
    const path = join(folder, 'f');
    const bytes = Buffer.alloc(9 << 20, `${'abcdefg'.repeat(300)}\nde\n`);
    writeFileSync(path, bytes);
    const before = fingerprint(folder);
    const source = openFileSource(path, artifactOf('f'), limit === undefined ? {} : { wholeLimit: limit });
    expect([source.size, source.sha256]).toEqual([bytes.length, sha256(bytes)]);
    expect(source.read(5, 4)).toEqual(bytes.subarray(5, 9));
    expect(source.read(4 << 20, 5 << 20).equals(bytes.subarray(4 << 20))).toBe(true);
    expect(source.read(3, 3)).toEqual(bytes.subarray(3, 6));
    expect(source.read(bytes.length - 2, 10)).toEqual(bytes.subarray(-2));
    expect(source.read(bytes.length + 5, 10)).toHaveLength(0);
    const lines = [...source.lines()];
    expect(lines.length).toBe(bytes.toString().split('\n').length - (bytes.at(-1) === 10 ? 1 : 0));
    expect(lines.every((line) => line.bytes.equals(bytes.subarray(line.offset, line.offset + line.bytes.length)))).toBe(true);
    if (limit === undefined) expect(source.bytes().equals(bytes)).toBe(true);
    else expect(() => source.bytes()).toThrow(TooLargeError);
    expect(source.problems()).toEqual([]);
    source.close();
    expect(fingerprint(folder)).toEqual(before);
  });

  test('reads a file beside another only when asked, and does not hash it', () => {
    const path = join(tempFolder(), 'f');
    writeFileSync(path, 'one\ntwo');
    const source = openBeside(path, artifactOf('f'));
    expect([source.size, source.sha256, source.problems()]).toEqual([7, '', []]);
    expect([source.bytes().toString(), source.read(4, 3).toString(), [...source.lines()].length]).toEqual(['one\ntwo', 'two', 2]);
    source.close();
    expect(fault(() => openBeside(join(tempFolder(), 'none'), artifactOf('f')))).toMatch(/ENOENT/);
  });

  test('says when the file changed meanwhile', () => {
    const path = join(tempFolder(), 'f');
    writeFileSync(path, 'one\n');
    const source = openFileSource(path, artifactOf('f'));
    appendFileSync(path, 'two\n');
    expect(source.bytes().toString()).toBe('one\n');
    expect(source.problems()).toEqual(['changed while being read']);
    source.close();
    const other = openFileSource(path, artifactOf('f'));
    utimesSync(path, 1, 1);
    expect(other.problems()).toEqual(['changed while being read']);
    other.close();
  });

  test('refuses what is not a regular file, and never waits for it', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'target'), 'x');
    symlinkSync('target', join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    mkdirSync(join(folder, 'sub'));
    const open = (name: string) => () => openFileSource(join(folder, name), artifactOf(name));
    expect(fault(open('link'))).toBe('symbolic link, not followed (ELOOP)');
    expect(fault(open('fifo'))).toBe('not a regular file');
    expect(fault(open('sub'))).toBe('not a regular file');
    expect(fault(open('absent'))).toBe('no such file or folder (ENOENT)');
  });

  test.skipIf(process.getuid?.() === 0)('says that permission is missing (skipped for root, whom no mode stops)', () => {
    const path = join(tempFolder(), 'f');
    writeFileSync(path, 'x');
    chmodSync(path, 0);
    expect(fault(() => openFileSource(path, artifactOf('f')))).toBe('permission denied (EACCES)');
  });

  test('opens a name that is not UTF-8', () => {
    const path = Buffer.concat([Buffer.from(`${tempFolder()}/`), Buffer.from([0xff, 0x0a, 0x1b])]);
    writeFileSync(path, 'x');
    const source = openFileSource(path, artifactOf('f'));
    expect(source.bytes().toString()).toBe('x');
    source.close();
  });
});

describe('lines', () => {
  test('add up to the file', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(10, 13, 65, 0xff), { maxLength: 50 }), (list) => {
        const bytes = Buffer.from(list);
        const lines = [...memoryFileSource(bytes, artifactOf('f')).lines()];
        expect(Buffer.concat(lines.flatMap((line) => (line.ended ? [line.bytes, Buffer.from('\n')] : [line.bytes])))).toEqual(bytes);
        expect(lines.map((line) => line.number)).toEqual(lines.map((_, i) => i + 1));
        for (const line of lines) expect(bytes.subarray(line.offset, line.offset + line.bytes.length)).toEqual(line.bytes);
      }),
    );
  });

  test('longer than a block are whole, and beyond the limit only begun', () => {
    const mib = 1 << 20;
    const bytes = Buffer.concat([
      Buffer.from('first\n'),
      Buffer.alloc(3 * mib, 'a'),
      Buffer.from('\nmiddle\n'),
      Buffer.alloc(5 * mib, 'b'),
      Buffer.from('\nlast'),
    ]);
    const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
    const seen = [...splitLines(read, bytes.length, 4 * mib)];
    expect(seen.map((l) => [l.number, l.bytes.length, l.ended, l.tooLong])).toEqual([
      [1, 5, true, undefined],
      [2, 3 * mib, true, undefined],
      [3, 6, true, undefined],
      [4, 64 << 10, true, 5 * mib],
      [5, 4, false, undefined],
    ]);
    expect(bytes.subarray(seen[4]?.offset).toString()).toBe('last');
  });
});

describe('createScratch', () => {
  const run = (body: string) =>
    spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', `import { createScratch } from './src/evidence/scratch.ts';\n${body}`],
      { encoding: 'utf8' },
    );

  test('is private, and gone at the end of the process', () => {
    const folder = tempFolder();
    const { stdout } = run(`
      const fs = await import('node:fs');
      const s = createScratch(${JSON.stringify(folder)});
      fs.writeFileSync(s.path + '/x', 'x');
      console.log(s.path.split('/').at(-1).startsWith('kirotrail-'), (fs.statSync(s.path).mode & 0o777).toString(8));`);
    expect(stdout).toBe('true 700\n');
    expect(fingerprint(folder)).toEqual([]);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('is gone after %s, which still ends the process', (signal) => {
    const folder = tempFolder();
    const { signal: died } = run(`createScratch(${JSON.stringify(folder)}); createScratch(${JSON.stringify(folder)});
      process.kill(process.pid, '${signal}'); setTimeout(() => {}, 10_000);`);
    expect(died).toBe(signal);
    expect(fingerprint(folder)).toEqual([]);
  });
});
