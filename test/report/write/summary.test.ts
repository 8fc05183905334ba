import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BIN_GROUPS, type ReportSummary } from '../../../src/report/format.js';
import { decodePage } from './decode.js';
import { ASSETS, type Changes, reportFolder, reportOf, rowsWith, timelineIn } from './support.js';

const folder = reportFolder();
let n = 0;

async function pageOver(values: Parameters<typeof rowsWith>[0], changes?: Changes) {
  n += 1;
  const output = join(folder, `page-${n}.html`);
  const result = await reportOf(timelineIn(folder, rowsWith(values), `timeline-${n}.jsonl`), output, changes);
  return { ...decodePage(output), result };
}

const call = (id: string) => ({ row_type: 'tool_use', tool_use_id: id, tool_name: 'execute_bash' }) as const;

describe('figures', () => {
  it('are those that a reader counts by hand; copies are not counted', async () => {
    const { summary } = await pageOver([
      { origin: 'typed', agent: 'b', user: 'mira', host: 'h' },
      { origin: 'typed', duplicate_of: '0000000000000001', agent: 'a' },
      { origin: 'injected', recovered: 'freelist', timestamp_utc: '' },
      { origin: 'agent', session_id: 't', secret_count: 2 },
      call('1'),
      call('2'),
      call('3'),
      { row_type: 'permission', tool_use_id: '1', decision: 'approved' },
      { row_type: 'permission', tool_use_id: '2', decision: 'denied' },
      { row_type: 'permission', tool_use_id: '9', decision: 'cancelled' },
      { row_type: 'permission', decision: 'granted', session_id: '' },
      { row_type: 'tool_result', tool_use_id: '3' },
      { row_type: 'gap', timestamp_utc: '' },
      { row_type: 'error', session_id: '' },
      { row_type: 'config', session_id: '', timestamp_utc: '2030-01-01T00:00:00.000Z', timestamp_source: 'file_mtime' },
    ]);
    expect(summary.figures).toEqual({
      sessions: 3,
      prompts_typed: 1,
      prompts_injected: 1,
      tool_calls: 3,
      approved: 1,
      denied_or_cancelled: 2,
      not_recorded: 1,
      recovered: 1,
      gaps: 1,
      errors: 1,
      secrets: 2,
    });
    expect(summary).toMatchObject({ rows: 15, undated: 2, hosts: ['h'], users: ['mira'], agents: ['a', 'b', 'kiro-cli'] });
    // The time of a file is no recorded time.
    expect([summary.first_utc, summary.last_utc]).toEqual(['2025-01-01T00:00:00.000Z', '2025-01-01T00:00:13.000Z']);
  });

  it('of the fixture with findings', async () => {
    const output = join(folder, 'findings.html');
    await reportOf('fixtures/findings', output);
    const { summary, rows, tables } = decodePage(output);
    expect(summary.figures).toMatchObject({
      sessions: 1,
      prompts_typed: 3,
      tool_calls: 8,
      approved: 7,
      denied_or_cancelled: 1,
      not_recorded: 0,
    });
    expect([summary.rows, rows.length, summary.findings_total, tables.findings.length]).toEqual([44, 44, 9, 9]);
    for (const finding of tables.findings) {
      expect(finding.rows.map((row) => rows[row]?.row_id)).toEqual(finding.row_ids);
      expect(finding.parts).toEqual([]);
    }
    expect(summary.findings.map(({ rule, level }) => [level, rule])).toEqual(tables.findings.map(({ rule, level }) => [level, rule]));
    expect(summary.not_read).toBe(tables.not_read.length);
    expect([summary.files, tables.inputs.length, summary.secrets_policy]).toEqual([2, 2, 'masked']);
  });
});

describe('activity', () => {
  const sums = ({ activity }: ReportSummary) =>
    BIN_GROUPS.map((_, group) => (activity?.bins ?? []).reduce((sum, bin) => sum + (bin[group] ?? 0), 0));

  it('counts every row with a time once, by group, between the first and the last', async () => {
    const { summary } = await pageOver([
      {},
      { row_type: 'assistant' },
      { row_type: 'thinking' },
      call('1'),
      { row_type: 'tool_result' },
      { row_type: 'permission', decision: 'approved' },
      { row_type: 'log', timestamp_utc: '' },
      { row_type: 'model', timestamp_utc: '2025-01-02T00:00:00.000Z' },
    ]);
    expect(summary.activity).toMatchObject({ from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 0, 2) });
    expect(summary.activity?.bins.length).toBe(200);
    expect(sums(summary)).toEqual([1, 2, 2, 1, 1]);
    expect(summary.activity?.bins[0]).toEqual([1, 2, 2, 1, 0]);
    expect(summary.activity?.bins[199]).toEqual([0, 0, 0, 0, 1]);
  });

  it('of one moment is one bar; of no time at all there is none', async () => {
    const at = { timestamp_utc: '2025-01-01T00:00:00.000Z' };
    expect((await pageOver([at, at])).summary.activity?.bins).toEqual([[2, 0, 0, 0, 0]]);
    expect((await pageOver([{ timestamp_utc: '' }])).summary.activity).toBeNull();
  });
});

describe('sessions', () => {
  it('have their title, their first row and all their rows, copies too; one id in two homes is two sessions', async () => {
    const { tables } = await pageOver([
      { session_id: '__proto__' },
      { session_id: '__proto__', row_type: 'session', details: { title: 'New session' } },
      { session_id: '__proto__', row_type: 'session', details: { title: 'Fix the </title> export' } },
      { session_id: '__proto__', duplicate_of: '0000000000000001' },
      { session_id: '__proto__', user: 'bob', row_type: 'session', text: 'session: start agent=dev: Look at x: y' },
      { session_id: 'constructor', row_type: 'session', agent: 'ai-dlc', details: { title: 'Session Started' } },
    ]);
    const shown = tables.sessions.map(({ session_id, user, title, first_row, row_count, rows, part }) => [
      session_id,
      user,
      title,
      first_row,
      row_count,
      rows,
      part,
    ]);
    expect(shown.sort()).toEqual([
      ['__proto__', '', 'Fix the </title> export', 0, 4, 3, 0],
      ['__proto__', 'bob', 'Look at x: y', 4, 1, 1, 0],
      ['constructor', '', '', 5, 1, 1, 0],
    ]);
  });
});

describe('a filter', () => {
  const values = [
    { session_id: 'a', ...call('1'), command: 'rm -rf ~/' },
    { session_id: 'b' },
    { session_id: 'b', timestamp_utc: '' },
    { session_id: '', row_type: 'error' },
    { session_id: 'b', timestamp_utc: '2026-01-01T00:00:00.000Z' },
  ] as const;
  const filter = { since: undefined, until: undefined, keepUndated: false, rowTypes: [], sessions: [], projects: [] };

  it('stands in the page with its counts; rows of what could not be read stay; findings are of all rows', async () => {
    const { summary, rows, tables, result } = await pageOver(values, { run: { filter: { ...filter, sessions: ['b'] } } });
    expect(rows.map(({ session_id }) => session_id)).toEqual(['b', 'b', '', 'b']);
    expect(summary.scope).toBe('Rows of session b only: 4 of 5; left out: session 1. Rows of evidence that could not be read always stay.');
    expect(result.analysis.findings.some(({ rule }) => rule === 'dest.wipe-root-or-home')).toBe(true);
    expect([tables.findings, summary.findings]).toEqual([[], []]);
    expect(summary.remarks).toEqual(
      expect.arrayContaining([
        'Sessions and findings were made from all rows of the timeline, also those that are not here.',
        'Findings without a row in this page, not listed here: 1.',
      ]),
    );
    expect(tables.sessions.map(({ session_id }) => session_id)).toEqual(['b']);
  });

  it('by time says how many undated rows it leaves out', async () => {
    const { summary, rows } = await pageOver(values, { run: { filter: { ...filter, since: '2025-06-01T00:00:00.000Z' } } });
    expect(rows.length).toBe(2);
    expect(summary.scope).toBe(
      'Rows from 2025-06-01T00:00:00.000Z on only: 2 of 5; left out: since 2, undated 1. Rows of evidence that could not be read always stay.',
    );
  });

  it('that leaves nothing leaves no page', async () => {
    const path = timelineIn(folder, rowsWith([{}]), 'nothing.jsonl');
    const { written, total } = await reportOf(path, join(folder, 'nothing.html'), { run: { filter: { ...filter, sessions: ['x'] } } });
    expect([written, total]).toEqual([undefined, 1]);
    expect(() => readFileSync(join(folder, 'nothing.html'))).toThrow('ENOENT');
  });
});

describe('without texts', () => {
  it('the page says so, holds no text, and still tells the lengths', async () => {
    const { summary, html, textBytes } = await pageOver([{ text: 'secret words', command: 'ls' }], { texts: false, assets: ASSETS });
    expect([summary.texts, summary.blocks.map(({ kind }) => kind), textBytes]).toEqual([false, ['tables', 'hot'], [12]]);
    expect(summary.remarks.some((remark) => remark.startsWith('Made without texts (--no-text)'))).toBe(true);
    expect(html).not.toContain('secret words');
  });
});

describe('the summary', () => {
  it('stays small whatever a value is', async () => {
    const long = 'x'.repeat(3_000_000);
    const { summary } = await pageOver([{ session_id: long, user: long, ...call('1'), command: 'rm -rf ~/' }]);
    expect(JSON.stringify(summary).length).toBeLessThan(50_000);
    expect(summary.users[0]).toMatch(/^x{2000} \.\.\. \(3000000 characters\)$/);
  });
});
