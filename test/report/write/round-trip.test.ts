import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextColumn } from '../../../src/report/write/columns.js';
import { COLUMNS, type Row } from '../../../src/rows/row.js';
import { copyHome, rowsOf } from '../../support/cli.js';
import { timelineOf } from '../../support/timeline.js';
import { type DecodedPage, decodePage } from './decode.js';
import { reportFolder, reportOf, rowsWith, timelineIn } from './support.js';

const folder = reportFolder();
let n = 0;

/** A page over these rows, read back. */
async function pageOver(rows: readonly Row[]): Promise<DecodedPage> {
  n += 1;
  const output = join(folder, `page-${n}.html`);
  await reportOf(timelineIn(folder, rows, `timeline-${n}.jsonl`), output);
  return decodePage(output);
}

/** Columns that a page does not hold, since they follow from another or are one for all. */
const FOLLOWS = new Set(['turn_type', 'schema']);

function expectSame(page: DecodedPage, rows: readonly Row[]): void {
  expect(page.rows.length).toBe(rows.length);
  for (const [i, row] of rows.entries()) {
    const shown = page.rows[i] ?? {};
    for (const column of COLUMNS) if (!FOLLOWS.has(column)) expect(shown[column], `row ${i}, ${column}`).toEqual(row[column]);
  }
}

describe('a page holds every column of every row', () => {
  it('of the fixture home, damaged files and all', async () => {
    const home = copyHome(join(folder, 'home'));
    await timelineOf(home);
    const rows = rowsOf(readFileSync(`${home}.jsonl`));
    const output = join(folder, 'home.html');
    await reportOf(`${home}.jsonl`, output);
    const page = decodePage(output);
    expect(rows.length).toBeGreaterThan(1000);
    expectSame(page, rows);
    const places = new Map(rows.map((row, i) => [row.row_id, i]));
    expect(page.primaries).toEqual(rows.map((row) => (row.duplicate_of === '' ? undefined : places.get(row.duplicate_of))));
    expect(rows.some((row) => row.duplicate_of !== '')).toBe(true);
  });

  it('of rows with any text in any column', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '__proto__', 'constructor', '</script>', '<!--<script>', '\u0000', '\r\n', 'a\u2028b'),
    );
    const columns = COLUMNS.filter(
      (column) => !/^(?:timestamp_utc|row_id|row_type|turn_type|schema|secrets|secret_rules|file_paths|details)$/.test(column),
    );
    const row = fc.record(
      Object.fromEntries(
        columns.map((column) => [
          column,
          /^(?:source_line|exit_code|duration_ms|source_offset|secret_count)$/.test(column) ? fc.nat() : text,
        ]),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (values) => {
        const rows = rowsWith(values.map((one) => ({ ...one, secret_count: 3 })));
        expectSame(await pageOver(rows), rows);
      }),
      { numRuns: 40 },
    );
  });

  it('of numbers at their ends', async () => {
    const rows = rowsWith([
      { exit_code: null, duration_ms: null, source_offset: null, secret_count: null, source_line: 0 },
      { exit_code: 0, duration_ms: 0, source_offset: 0, secret_count: 0 },
      { exit_code: 0xc000013a, source_line: Number.MAX_SAFE_INTEGER, source_offset: Number.MAX_SAFE_INTEGER, secret_count: 65_534 },
      { exit_code: -1, timestamp_utc: '0001-01-01T00:00:00.000Z' },
      { exit_code: 1, timestamp_utc: '9999-12-31T23:59:59.999Z' },
      { exit_code: 2, timestamp_utc: '' },
    ]);
    expectSame(await pageOver(rows), rows);
  });

  it('of more values than one byte, or two, can tell apart', async () => {
    const rows = rowsWith(Array.from({ length: 300 }, (_, i) => ({ tool_name: `t${i}`, model: 'm' })));
    expectSame(await pageOver(rows), rows);
    const column = new TextColumn();
    for (let i = 0; i < 66_000; i++) column.add(`value ${i}`);
    expect([0, 254, 255, 256, 65_534, 65_535, 65_999].map((row) => column.at(row))).toEqual(
      [0, 254, 255, 256, 65_534, 65_535, 65_999].map((row) => `value ${row}`),
    );
    expect([column.codes.kind, column.codes.bytes().length]).toEqual(['u32', 66_000 * 4]);
  });
});

describe('texts', () => {
  it('of five megabytes have a block of their own, and those around them stay in order', async () => {
    const long = 'x\u{1f600}'.repeat(1_000_000);
    const rows = rowsWith([{ text: 'before' }, { text: long }, { text: '' }, { text: 'after' }, { text: 'y'.repeat(300_000) }]);
    const page = await pageOver(rows);
    expect(page.rows.map(({ text }) => text)).toEqual(rows.map(({ text }) => text));
    const blocks = page.summary.blocks.filter(({ kind }) => kind === 'text').map(({ first, rows: count }) => [first, count]);
    expect(blocks).toEqual([
      [0, 1],
      [1, 1],
      [2, 2],
      [4, 1],
    ]);
  });

  it('with half a character are marked, and only those', async () => {
    const rows = rowsWith([{ text: 'a\ud800b' }, { text: '\u{1f600}' }, { text: 'a\udc00' }]);
    const page = await pageOver(rows);
    expect(page.inexact).toEqual([true, false, true]);
    expect(page.rows.map(({ text }) => text)).toEqual(['a\ufffdb', '\u{1f600}', 'a\ufffd']);
    expect(
      page.summary.remarks.some((remark) => remark.startsWith('Texts with half a character, which a page cannot hold exactly: 2')),
    ).toBe(true);
    // In every other column they are kept.
    const named = await pageOver(rowsWith([{ session_id: 'a\ud800', tool_name: '\udfff', details: { k: '\ud800' } }]));
    expect(named.rows[0]).toMatchObject({ session_id: 'a\ud800', tool_name: '\udfff', details: { k: '\ud800' } });
  });
});

describe('rows of one call', () => {
  it('share a number within one session of one home', async () => {
    const rows = rowsWith([
      { row_type: 'tool_use', tool_use_id: '1' },
      { row_type: 'prompt' },
      { row_type: 'tool_use', tool_use_id: '1', session_id: 'other' },
      { row_type: 'permission', tool_use_id: '1' },
      { row_type: 'tool_result', tool_use_id: '1', user: 'bob' },
      { row_type: 'tool_result', tool_use_id: '1' },
    ]);
    expect((await pageOver(rows)).calls).toEqual([1, 0, 2, 1, 3, 1]);
  });

  it('show what a call without a command names: a path, else a telling argument', async () => {
    const call = { row_type: 'tool_use' } as const;
    const rows = rowsWith([
      { ...call, file_paths: ['src/a.ts', 'b'], text: '{"query":"q"}' },
      { ...call, text: '{"limit":3,"query":"who \\u202e calls"}' },
      { ...call, command: 'ls', file_paths: ['c'] },
      { ...call, text: '{"query":' },
      { ...call, text: '{"__proto__":{"path":"x"},"path":7}' },
      { ...call, file_paths: [`${'p'.repeat(199)}\u{1f600}`] },
      { row_type: 'prompt', text: '{"query":"q"}', file_paths: ['d'] },
    ]);
    expect((await pageOver(rows)).previews).toEqual(['src/a.ts', 'who \u202e calls', '', '', '', 'p'.repeat(199), '']);
  });
});

describe('copies', () => {
  it('name the row number of the primary row, before or behind them, or say that it is elsewhere', async () => {
    const rows = rowsWith([
      { duplicate_of: '0000000000000003' },
      { duplicate_of: 'ffffffffffffffff' },
      {},
      { duplicate_of: '0000000000000003' },
      { duplicate_of: 'no id at all' },
    ]);
    expect((await pageOver(rows)).primaries).toEqual([2, -1, undefined, 2, -1]);
  });
});

describe('a page', () => {
  it('is the same from the evidence as from its timeline', async () => {
    const source = fileURLToPath(new URL('../../../fixtures/findings', import.meta.url));
    const [one, two] = [join(folder, 'one.html'), join(folder, 'two.html')];
    await reportOf(source, one);
    const { run } = await import('../../../src/pipeline/run.js');
    const output = join(folder, 'findings.jsonl');
    await run({
      paths: [source],
      output,
      format: 'jsonl',
      force: false,
      host: '',
      user: '',
      filter: { keepUndated: false, rowTypes: [], sessions: [], projects: [] },
      keepDuplicates: true,
      csv: { raw: false, bom: false },
      secrets: { policy: 'redact', least: 'medium' },
      allFiles: false,
      argv: [],
    });
    await reportOf(output, two);
    expect(readFileSync(two)).toEqual(readFileSync(one));
    copyFileSync(output, join(folder, 'alone.jsonl'));
    const three = join(folder, 'three.html');
    await reportOf(join(folder, 'alone.jsonl'), three);
    const alone = decodePage(three);
    expect(alone.rows).toEqual(decodePage(one).rows);
    expect([alone.summary.not_read, alone.summary.secrets_policy, alone.tables.inputs]).toEqual([null, 'unknown', []]);
    expect(alone.summary.remarks[0]).toMatch(/^No manifest that belongs to this timeline/);
  });
});
