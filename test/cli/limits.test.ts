import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { copyHome, testFolder } from '../support/cli.js';
import { runScript } from '../support/program.js';

const folder = testFolder();
const home = join(folder, 'evidence');

beforeAll(() => {
  copyHome(home);
  // Copies of everything: most rows have a primary in another part of the work.
  cpSync(join(home, '.local'), join(home, 'backup/.local'), { recursive: true, preserveTimestamps: true });
});

/** What is written, all files of it, and what the manifest notes of the order. */
const written = (limits: string, workers: number, more: string) =>
  runScript(`
    const { readFileSync } = await import('node:fs');
    const { run } = await from('pipeline/run.js');
    const { createHash } = await import('node:crypto');
    const { manifest } = await run({
      paths: [${JSON.stringify(home)}], output: ${JSON.stringify(join(folder, 'out.jsonl'))}, format: 'jsonl', force: true, host: '', user: '',
      filter: { keepUndated: false, rowTypes: [], sessions: [], projects: [] }, keepDuplicates: true, csv: { raw: false, bom: false },
      recover: true, secrets: { policy: 'redact', least: 'medium' }, allFiles: false, argv: [],
      workers: ${workers}, limits: ${limits}, ...${more},
    });
    give(manifest.outputs.map(({ path, order }) => [createHash('sha256').update(readFileSync(path)).digest('hex'), order ?? null]));
  `);

describe.each(['{}', '{ keepDuplicates: false }', "{ split: 'agent' }"])('the timeline with %s', (more) => {
  it('is the same however little is worked on at a time, by any number of threads', () => {
    const whole = written('undefined', 0, more);
    expect(written('{ rowsAtOnce: 1 }', 0, more)).toEqual(whole);
    expect(written('{ rowsAtOnce: 7 }', 1, more)).toEqual(whole);
    expect(written('{ rowsAtOnce: 100 }', 2, more)).toEqual(whole);
    expect(written('{ rowsAtOnce: 1 }', 4, more)).toEqual(whole);
  });
});
