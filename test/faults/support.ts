import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, saveExport } from '../support/cli.js';

/** Whether a line of `sh` works on this machine, as this user. */
const works = (line: string) => spawnSync('/bin/sh', ['-c', line], { stdio: 'ignore' }).status === 0;

const NOBODY = 'setpriv --reuid=65534 --regid=65534 --clear-groups';

/** What this machine allows. Tests that need more are skipped, and their names say what is missing. */
export const CAN = {
  mount: works('unshare -m sh -c "mount -t tmpfs -o size=1m tmpfs /mnt"'),
  trace: works('strace -f -qq -o /dev/null true'),
  beNobody: works(`${NOBODY} ${process.execPath} ${CLI} --version`),
  limitMemory: works(
    'test -w /sys/fs/cgroup/memory/memory.limit_in_bytes || { mkdir /sys/fs/cgroup/memory/kirotrail-probe && rmdir /sys/fs/cgroup/memory/kirotrail-probe; }',
  ),
  leaveNetwork: works('unshare -n true'),
};

export const AS_NOBODY = NOBODY;

/** A home whose timeline has some megabytes: 40 exports of 100 turns. */
export function wideHome(folder: string): string {
  const home = join(folder, 'wide');
  mkdirSync(join(home, 'exports'), { recursive: true });
  for (let i = 0; i < 40; i++) {
    const turns = Array.from({ length: 100 }, (_, turn) => [`${i} ${turn} ${'p'.repeat(300)}`, 'a'.repeat(500)] as const);
    writeFileSync(join(home, 'exports', `${i}.json`), saveExport(`wide-${i}`, turns));
  }
  appendFileSync(join(home, 'notes.txt'), 'nothing of ours\n');
  return home;
}
