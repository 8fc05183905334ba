import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Row, RowSchema } from '../../src/rows/row.js';
import { type CliResult, kirotrail, manifestOf, rowsOf, testFolder } from '../support/cli.js';
import { LOGINS, plantHome, SECRETS } from '../support/planted-home.js';
import { sarifFaults } from '../support/sarif.js';

const folder = testFolder();
let home: string;

interface Written {
  readonly call: CliResult;
  readonly output: string;
  readonly manifest: string;
  readonly sarif: string;
  readonly path: string;
}

const runs = new Map<string, Written>();

/** One run, made once; its manifest has no clock in it. */
type Format = 'csv' | 'jsonl' | 'timesketch' | 'ecs';

function written(format: Format, ...more: readonly string[]): Written {
  const name = [format, ...more].join(' ');
  const known = runs.get(name);
  if (known) return known;
  const path = join(folder, `${runs.size}.${format === 'csv' ? 'csv' : 'jsonl'}`);
  const sarif = `${path}.sarif`;
  const extra = more.includes('off') ? [] : ['--secrets-sarif', sarif];
  const call = kirotrail([home, '-o', path, '-f', format, ...extra, ...more], { env: { SOURCE_DATE_EPOCH: '0' } });
  const made = {
    call,
    path,
    output: readFileSync(path, 'utf8'),
    manifest: readFileSync(`${path}.manifest.json`, 'utf8'),
    sarif: extra.length > 0 ? readFileSync(sarif, 'utf8') : '',
  };
  runs.set(name, made);
  return made;
}

beforeAll(() => {
  home = plantHome(join(folder, 'home'));
});

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** How a value may be written; base64 at each of the three places a byte may have in its group. */
function formsOf(value: string): string[] {
  const once = inJson(value);
  const texts = [value, once, inJson(once)].flatMap((text) => [text, text.replaceAll('"', '""')]);
  const percent = encodeURIComponent(value);
  const codes = ['', 'a', 'ab'].flatMap((before) => {
    const bytes = Buffer.from(before + value);
    const whole = bytes.subarray(before === '' ? 0 : 3, bytes.length - (bytes.length % 3));
    return [whole.toString('base64'), whole.toString('base64url')];
  });
  return [...new Set([...texts, percent, percent.replace(/%../g, (code) => code.toLowerCase()), ...codes])];
}

/** Which planted values are somewhere in a text, in any form. */
const namesIn = (text: string, planted: Readonly<Record<string, string>>) =>
  Object.entries(planted).flatMap(([name, value]) => (formsOf(value).some((form) => text.includes(form)) ? [name] : []));

const everything = ({ call, output, manifest, sarif }: Written) =>
  [output, manifest, sarif, call.stderr, call.stdout.toString()].join('\n');

describe('planted secrets', () => {
  it('are fifty and more, each of which the output shows when it is asked to', () => {
    expect(Object.keys(SECRETS).length).toBeGreaterThanOrEqual(50);
    const all = written('jsonl', '--secrets', 'show');
    expect(namesIn(everything(all), SECRETS)).toEqual(Object.keys(SECRETS));
  });

  it.each([
    ['csv', '0'],
    ['csv', '2'],
    ['jsonl', '0'],
    ['jsonl', '2'],
    ['timesketch', '0'],
    ['ecs', '0'],
  ] as const)('none is left in any form, as %s with %s workers', (format, workers) => {
    const made = written(format, '--workers', workers);
    expect(made.call.code).toBe(0);
    expect(namesIn(everything(made), { ...SECRETS, ...LOGINS })).toEqual([]);
  });

  it.each(['csv', 'jsonl'] as const)('%s is the same for any number of workers, with manifest and SARIF', (format) => {
    const [alone, two] = [written(format, '--workers', '0'), written(format, '--workers', '2')];
    const told = ({ manifest, path }: Written) => manifest.replaceAll(path, 'out').replace(/"--workers",\s+"\d"/, '');
    expect(two.output).toBe(alone.output);
    expect(two.sarif).toBe(alone.sarif);
    expect(told(two)).toBe(told(alone));
  });

  it('leave rows that are valid, with times and ids untouched', () => {
    const rows = rowsOf(Buffer.from(written('jsonl', '--workers', '0').output));
    const shown = rowsOf(Buffer.from(written('jsonl', '--secrets', 'show').output));
    expect(rows.map((row) => [row.row_id, row.timestamp_utc, row.row_type, row.source_line, row.secret_count])).toEqual(
      shown.map((row) => [row.row_id, row.timestamp_utc, row.row_type, row.source_line, row.secret_count]),
    );
    const masks = rows.flatMap((row) => JSON.stringify(row).match(/\[REDACTED:[a-z0-9.-]+:[0-9a-f]{8}\]/g) ?? []);
    expect(masks.length).toBeGreaterThan(100);
  });

  it('the SARIF of every run is valid', () => {
    for (const format of ['csv', 'jsonl'] as const) expect(sarifFaults(JSON.parse(written(format, '--workers', '0').sarif))).toEqual([]);
  });

  it('CSV cells hold what the JSONL holds', () => {
    const records = parse(written('csv', '--workers', '0').output, { columns: true }) as Record<string, string>[];
    const rows = rowsOf(Buffer.from(written('jsonl', '--workers', '0').output));
    expect(records.map((record) => record['row_id'])).toEqual(rows.map((row) => row.row_id));
    rows.forEach((row, i) => {
      const record = records[i] ?? {};
      for (const column of ['details', 'secrets', 'file_paths'] as const)
        expect(JSON.parse(record[column] === '' || record[column] === undefined ? 'null' : record[column])).toEqual(row[column]);
      if (!/guarded|escaped|cut/.test(record['csv_notes'] ?? '')) expect(record['text']).toBe(row.text);
    });
  });

  it('JSON in a text stays JSON', () => {
    const [masked, shown] = [written('jsonl', '--workers', '0'), written('jsonl', '--secrets', 'show')].map(({ output }) =>
      rowsOf(Buffer.from(output)),
    );
    const isJson = (text: string) => {
      try {
        return typeof JSON.parse(text) === 'object';
      } catch {
        return false;
      }
    };
    const places = (rows: readonly Row[] | undefined) => (rows ?? []).filter(({ text }) => isJson(text)).map(({ row_id }) => row_id);
    expect(places(shown).length).toBeGreaterThan(2);
    expect(places(masked)).toEqual(places(shown));
  });
});

describe('policies', () => {
  it.each(['csv', 'jsonl'] as const)('show: stored logins are hidden all the same, also where they were typed (%s)', (format) => {
    const made = written(format, '--secrets', 'show');
    expect(namesIn(everything(made), LOGINS)).toEqual([]);
    expect(made.call.stderr).toContain('warning: the output holds secrets as stored (--secrets show)');
    expect(manifestOf(`${made.path}.manifest.json`).secrets).toMatchObject({ policy: 'show', shown: true });
  });

  it('redact-all: hides identifiers and every value of environments and headers', () => {
    const made = written('jsonl', '--secrets', 'redact-all');
    expect(namesIn(everything(made), { ...SECRETS, ...LOGINS })).toEqual([]);
    const mixed = { level: 'trace-all', region: 'harbour-north', team: 'night-crew' };
    expect(namesIn(made.output, mixed)).toEqual([]);
    expect(namesIn(written('jsonl', '--workers', '0').output, mixed)).toEqual(Object.keys(mixed));
  });

  it('off: nothing is scanned, counts are null and not 0', () => {
    const made = written('jsonl', '--secrets', 'off');
    const rows = rowsOf(Buffer.from(made.output));
    expect(rows.every((row) => row.secret_count === null && row.secrets.length === 0 && row.secret_rules.length === 0)).toBe(true);
    expect(made.call.stderr).toContain('secrets   not scanned');
    expect(manifestOf(`${made.path}.manifest.json`).secrets).toMatchObject({ policy: 'off', scanned: false, found: {} });
    // what a store of logins holds is not read out without a scan either
    const stored = rows.filter((row) => row.text.startsWith('credential stored'));
    expect(stored.length).toBeGreaterThan(8);
    expect(namesIn(JSON.stringify(stored), LOGINS)).toEqual([]);
  });
});

describe('findings', () => {
  it('give the range in the text as stored', () => {
    const rows = rowsOf(Buffer.from(written('jsonl', '--secrets', 'show').output));
    const planted = Object.values(SECRETS);
    const seen = new Set<string>();
    for (const row of rows) {
      for (const { column, start, end, decoded, source } of row.secrets) {
        if (column !== 'text' || end === 0) continue;
        const range = row.text.slice(start, end);
        const exact = planted.find((value) => range === value || range === inJson(value) || range === inJson(inJson(value)));
        if (exact !== undefined) seen.add(exact);
        else if (decoded === null && source === 'format') expect(range.length).toBeGreaterThan(8);
      }
    }
    // all that stand in a text of their own: not those of names and paths, of logins, and with something typed behind
    expect(planted.filter((value) => seen.has(value)).length).toBeGreaterThan(35);
  });

  it('are one for a value: its fingerprint is the same in every store', () => {
    const rows = rowsOf(Buffer.from(written('jsonl', '--secrets', 'show').output));
    const marks = new Map<string, Set<string>>();
    for (const row of rows)
      for (const { column, start, end, fingerprint } of row.secrets) {
        const range = column === 'text' || column === 'command' ? row[column].slice(start, end) : '';
        if (range !== '') marks.set(range, (marks.get(range) ?? new Set()).add(fingerprint));
      }
    expect([...marks].filter(([, found]) => found.size > 1)).toEqual([]);
    expect(marks.size).toBeGreaterThan(35);
  });

  it('are written without the value, by a schema', () => {
    const rows = rowsOf(Buffer.from(written('jsonl', '--workers', '0').output));
    const findings = rows.flatMap((row) => row.secrets);
    expect(findings.length).toBeGreaterThan(80);
    expect(namesIn(JSON.stringify(findings), { ...SECRETS, ...LOGINS })).toEqual([]);
    for (const row of rows) expect(RowSchema.safeParse(row).success).toBe(true);
  });
});
