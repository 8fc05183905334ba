import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Artifact } from '../../src/evidence/source.js';

export function artifactOf(file: string): Artifact {
  return {
    store: 'test',
    file,
    agent: 'amazon-q-cli',
    user: '',
    root: '',
    home: undefined,
    base: '',
    inProject: false,
    size: 0,
    mtime: undefined,
  };
}

const made: string[] = [];

/** A folder that is removed after the test. */
export function tempFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kt-test-'));
  made.push(path);
  return path;
}

afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** Name, size, modification time and hash of everything below a folder. */
export function fingerprint(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path, { bigint: true });
      const hash = stat.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
      return `${name} ${stat.size} ${stat.mtimeNs} ${stat.mode} ${hash}`;
    });
}
