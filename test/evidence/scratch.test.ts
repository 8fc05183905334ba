import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { createScratch } from '../../src/evidence/scratch.js';
import { testFolder } from '../support/cli.js';

/** A folder for scratch, and in it one that a process with that number and start would have left behind. */
function left(pid: number, start: string): { dir: string; path: string } {
  const dir = mkdtempSync(join(testFolder(), 'scratch-'));
  const own = createScratch(mkdtempSync(join(tmpdir(), 'kirotrail-cli-')));
  const machine = basename(own.path).split('-')[3];
  own.remove();
  const path = join(dir, `kirotrail-${pid}-${start}-${machine}-abc123`);
  mkdirSync(path);
  writeFileSync(join(path, 'copy'), 'of evidence');
  return { dir, path };
}

/** The number of a process that has ended. */
const gone = () => spawnSync('true').pid;

it('of a process that is gone is removed at the next start', () => {
  const { dir, path } = left(gone(), '1');
  const scratch = createScratch(dir);
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(dir)).toEqual([basename(scratch.path)]);
  scratch.remove();
});

it('of a process whose number is in use again, too', () => {
  if (!existsSync('/proc/self/stat')) return console.log('skipped: this system does not tell when a process began');
  const { dir, path } = left(process.pid, '1');
  createScratch(dir).remove();
  expect(existsSync(path)).toBe(false);
});

it('of a process that runs stays', () => {
  const dir = mkdtempSync(join(testFolder(), 'scratch-'));
  const first = createScratch(dir);
  const second = createScratch(dir);
  expect(readdirSync(dir).sort()).toEqual([basename(first.path), basename(second.path)].sort());
  for (const scratch of [first, second]) scratch.remove();
  expect(readdirSync(dir)).toEqual([]);
});

it('of another machine, a link, a file, and whatever only looks alike stay', () => {
  const { dir, path } = left(gone(), '1');
  const name = basename(path);
  const elsewhere = join(testFolder(), 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'kept'), '');
  symlinkSync(elsewhere, join(dir, name.replace('abc123', 'linked')));
  writeFileSync(join(dir, name.replace('abc123', 'a0file')), '');
  const others = [name.replace(/-[0-9a-f]{8}-abc123$/, '-00000000-abc123'), 'kirotrail-abc123', `${name}.old`, `x${name}`];
  for (const other of others) mkdirSync(join(dir, other));
  createScratch(dir).remove();
  const names = readdirSync(dir);
  expect(names).toEqual(expect.arrayContaining(others));
  expect(names).toHaveLength(others.length + 2);
  expect(readdirSync(elsewhere)).toEqual(['kept']);
});
