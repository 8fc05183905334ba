import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Files } from './recover-score.js';

/** Dumps by the `.recover` command of a `sqlite3` shell; undefined where there is none, or where it cannot do that. */
export function recoverDump(files: Files): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'kirotrail-baseline-'));
  try {
    const path = join(folder, 'copy.sqlite3');
    writeFileSync(path, files.main);
    if (files.wal !== undefined) writeFileSync(`${path}-wal`, files.wal);
    if (files.journal !== undefined) writeFileSync(`${path}-journal`, files.journal);
    const { status, stdout, stderr } = spawnSync(process.env.SQLITE3 ?? 'sqlite3', [path, '.recover'], {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    });
    return status === 0 && !stderr.includes('error') ? stdout.replaceAll("''", "'") : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
