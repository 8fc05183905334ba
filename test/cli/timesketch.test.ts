import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { COLUMNS, type Row } from '../../src/rows/row.js';
import { copyHome, kirotrail, manifestOf, rowsOf, saveExport, testFolder, writeFileDeep } from '../support/cli.js';
import { have } from '../support/peers.js';

const IMPORTER = fileURLToPath(new URL('../support/timesketch_import.py', import.meta.url));
const folder = testFolder();
const at = (name: string) => join(folder, name);
let rows: Row[];
let events: Record<string, unknown>[];

/** A conversation of times that no importer holds, and of texts that break a line. */
function strange(): string {
  const saved = JSON.parse(
    saveExport('far', [
      ['past', 'a'],
      ['future', 'b'],
      ['line\u2028 two\n\u0000 \u001b[2J', 'c'],
    ]),
  );
  saved.history[0].user.timestamp = '0612-03-01T00:00:00Z';
  saved.history[1].user.timestamp = '9998-03-01T00:00:00Z';
  return JSON.stringify(saved);
}

beforeAll(() => {
  const home = copyHome(at('evidence'));
  writeFileDeep(join(home, 'exports/strange.json'), strange());
  for (const args of [
    ['-o', at('t.jsonl'), '-f', 'timesketch'],
    ['-o', at('two.jsonl'), '-f', 'timesketch', '--workers', '2'],
    ['-o', at('x.jsonl')],
  ])
    expect(kirotrail([home, '-q', ...args]).code).toBe(1);
  rows = rowsOf(readFileSync(at('x.jsonl')));
  events = readFileSync(at('t.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line): Record<string, unknown> => JSON.parse(line));
});

describe('-f timesketch', () => {
  it('gives every row of the JSONL, with every value, in the same order', () => {
    const back = events.map((event) =>
      Object.fromEntries(
        COLUMNS.map((column) => [column, ['details', 'secrets'].includes(column) ? JSON.parse(String(event[column])) : event[column]]),
      ),
    );
    expect(back).toEqual(rows);
  });

  it('dates every row: with its own time, or with a stand-in that says it is none', () => {
    for (const [i, { timestamp_utc }] of rows.entries()) {
      const { datetime, timestamp_desc, timestamp } = events[i] ?? {};
      expect(timestamp).toBe(Date.parse(String(datetime)) * 1000);
      if (timestamp_desc === 'Not a time (file mtime shown)') expect(timestamp_utc === '' || /^0612|^9998/.test(timestamp_utc)).toBe(true);
      else expect(datetime).toBe(timestamp_utc);
    }
  });

  it('counts stand-ins in the manifest, with any number of threads', () => {
    const { timesketch, csv, counts } = manifestOf(at('t.jsonl.manifest.json'));
    expect(csv).toBeNull();
    expect(timesketch?.times_out_of_range).toBe(rows.filter((row) => /^0612|^9998/.test(row.timestamp_utc)).length);
    expect(timesketch?.stand_in_times).toBe(counts.undated + (timesketch?.times_out_of_range ?? 0));
    expect(manifestOf(at('two.jsonl.manifest.json')).timesketch).toEqual(timesketch);
    expect(readFileSync(at('two.jsonl')).equals(readFileSync(at('t.jsonl')))).toBe(true);
    expect(manifestOf(at('x.jsonl.manifest.json')).timesketch).toBeNull();
  });

  it.runIf(have('pandas'))('loses no row in the importer', () => {
    const run = spawnSync('/usr/bin/python3', [IMPORTER, at('t.jsonl')], { encoding: 'utf8', maxBuffer: 1 << 26 });
    expect(run.stderr).toBe('');
    expect(JSON.parse(run.stdout)).toEqual({ rows: rows.length, missing: 0, empty: 0, untagged: 0, dropped: 0, dropped_csv: 0, wrong: 0 });
  });

  it('refuses a file name that the importer would take for something else', () => {
    const { code, stderr } = kirotrail([at('evidence'), '-f', 'timesketch', '-o', at('t.csv')]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('named *.jsonl')]);
  });
});
