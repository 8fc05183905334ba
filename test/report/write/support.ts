import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type ReportOptions, type ReportResult, report } from '../../../src/pipeline/report.js';
import type { PageAssets } from '../../../src/report/write/assets.js';
import { type Row, SCHEMA } from '../../../src/rows/row.js';
import { ROW_TYPES } from '../../../src/rows/row-types.js';
import { makeRow } from '../../support/cli.js';

const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const [script, style] = ['"use strict";', 'body { margin: 0 }'];

/** A viewer that does nothing: these tests are of what the writer puts beside it. */
export const ASSETS: PageAssets = { script, style, hashes: { script: hash(script), style: hash(style) } };

export function reportFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kirotrail-report-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Rows with ids by their place, of one session, a second apart. */
export function rowsWith(values: readonly Partial<Row>[]): Row[] {
  return values.map((one, i) =>
    makeRow({
      timestamp_utc: new Date(Date.UTC(2025, 0, 1, 0, 0, i)).toISOString(),
      timestamp_source: 'message',
      agent: 'kiro-cli',
      session_id: 's',
      source_file: 'a.jsonl',
      row_id: (i + 1).toString(16).padStart(16, '0'),
      schema: SCHEMA,
      turn_type: ROW_TYPES[one.row_type ?? 'prompt'],
      ...one,
    }),
  );
}

export function timelineIn(folder: string, rows: readonly Row[], name = 'timeline.jsonl'): string {
  const path = join(folder, name);
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return path;
}

export type Changes = Partial<Omit<ReportOptions, 'run'>> & { readonly run?: Partial<ReportOptions['run']> };

/** Makes a report as the command would, with the viewer above. */
export function reportOf(path: string, output: string, { run, ...changes }: Changes = {}): Promise<ReportResult> {
  return report({
    run: {
      paths: [path],
      output,
      format: 'jsonl',
      force: false,
      host: '',
      user: '',
      filter: { since: undefined, until: undefined, keepUndated: false, rowTypes: [], sessions: [], projects: [] },
      keepDuplicates: true,
      csv: { raw: false, bom: false },
      recover: true,
      secrets: { policy: 'redact', least: 'medium' },
      allFiles: false,
      workers: 0,
      argv: [],
      ...run,
    },
    title: 'kirotrail report',
    single: false,
    texts: true,
    maxBytes: undefined,
    level: 'low',
    rulesFiles: [],
    suppressFile: undefined,
    assets: ASSETS,
    ...changes,
  });
}
