import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Manifest } from '../../src/pipeline/manifest.js';
import type { RunOptions } from '../../src/pipeline/options.js';
import { run } from '../../src/pipeline/run.js';
import { type Row, RowSchema } from '../../src/rows/row.js';

/** Writes files below a folder: texts as they are, everything else as JSON. */
export function writeFiles(root: string, files: Readonly<Record<string, unknown>>): string {
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return root;
}

/** All rows of a run over some evidence, written beside it or where it is asked for, with no scan for secrets. */
export async function timelineOf(
  path: string,
  output = `${path}.jsonl`,
  more: Partial<RunOptions> = {},
): Promise<{ manifest: Manifest; rows: Row[] }> {
  const { manifest } = await run({
    paths: [path],
    output,
    format: 'jsonl',
    force: true,
    host: '',
    user: '',
    filter: { keepUndated: false, rowTypes: [], sessions: [], projects: [] },
    keepDuplicates: true,
    csv: { raw: false, bom: false },
    allFiles: false,
    recover: true,
    secrets: { policy: 'off', least: 'medium' },
    argv: [],
    ...more,
  });
  const rows = readFileSync(output, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => RowSchema.parse(JSON.parse(line)));
  return { manifest, rows };
}

/** Records as lines. */
export const jsonl = (...records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
