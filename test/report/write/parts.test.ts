import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPORT_LIMITS, type ReportLimits } from '../../../src/report/write/limits.js';
import { filesIn } from '../../support/cli.js';
import { decodePage } from './decode.js';
import { reportFolder, reportOf, rowsWith, timelineIn } from './support.js';

const folder = reportFolder();
const small = (rows: number, textBytes = 1_000_000): ReportLimits => ({ ...REPORT_LIMITS, page: { rows, textBytes } });

/** Sessions a to f lie into each other; between them rows of no session, each with an id of its own in its text. */
const rows = rowsWith(
  Array.from({ length: 240 }, (_, i) => ({
    session_id: ['a', 'b', '', 'c', 'd', '', 'e', 'f'][Math.floor(i / 40) + (i % 3)] ?? '',
    text: `text of row ${i}`,
    ...(i % 40 === 7 ? { row_type: 'config' as const } : {}),
    ...(i === 9 ? { duplicate_of: '0000000000000001' } : {}),
    ...(i === 200 ? { duplicate_of: '0000000000000002', timestamp_utc: '' } : {}),
    ...(i % 60 === 30 ? { row_type: 'tool_use' as const, tool_use_id: `t${i}`, command: 'rm -rf ~/' } : {}),
  })),
);
const timeline = timelineIn(folder, rows);

function pagesOf(name: string) {
  const index = decodePage(join(folder, `${name}.html`));
  const parts = index.summary.parts.map(({ href }) => decodePage(join(folder, decodeURIComponent(href))));
  return { index, parts };
}

describe('a report beyond the limits of a page', () => {
  it('is an index and parts: every row in exactly one, no session in two', async () => {
    const { written } = await reportOf(timeline, join(folder, 'case.html'), { limits: small(90) });
    const { index, parts } = pagesOf('case');
    expect([written?.parts.length, written?.folder]).toEqual([parts.length, 'case-parts']);
    expect(parts.length).toBeGreaterThan(2);
    expect(filesIn(join(folder, 'case-parts'))).toEqual(parts.map((_, i) => `part-00${i + 1}.html`));
    const ids = parts.flatMap((part) => part.rows.map(({ row_id }) => String(row_id)));
    expect(ids.toSorted()).toEqual(rows.map(({ row_id }) => row_id).toSorted());
    const owner = new Map<unknown, number>();
    for (const [i, part] of parts.entries()) {
      expect(part.rows.length).toBeLessThanOrEqual(90);
      // Within a part the order of the timeline stays.
      const places = part.rows.map(({ row_id }) => Number.parseInt(String(row_id), 16));
      expect(places).toEqual(places.toSorted((x, y) => x - y));
      for (const { session_id } of part.rows) {
        if (session_id === '') continue;
        expect(owner.get(session_id) ?? i).toBe(i);
        owner.set(session_id, i);
      }
    }
    expect([...owner.keys()].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(index.rows).toEqual([]);
  });

  it('counts over all rows in the index, and the parts add up to it', () => {
    const { index, parts } = pagesOf('case');
    expect(index.summary.rows).toBe(240);
    expect(parts.reduce((sum, { summary }) => sum + summary.rows, 0)).toBe(240);
    for (const name of Object.keys(index.summary.figures)) {
      const figure = name as keyof typeof index.summary.figures;
      expect(
        parts.reduce((sum, { summary }) => sum + summary.figures[figure], 0),
        name,
      ).toBe(index.summary.figures[figure]);
    }
    const bars = ({ activity }: typeof index.summary) => (activity?.bins ?? []).flat().reduce((sum, n) => sum + n, 0);
    expect([bars(index.summary), index.summary.undated]).toEqual([239, 1]);
    expect(parts.reduce((sum, { summary }) => sum + bars(summary), 0)).toBe(239);
    const before = parts.map(({ summary }) => summary.part?.first_row);
    expect(before).toEqual(parts.map((_, i) => parts.slice(0, i).reduce((sum, { summary }) => sum + summary.rows, 0)));
    expect(parts[1]?.summary.scope).toMatch(/^Part 2 of \d: rows \d+-\d+ of 240 by session, 2025-01-01 to 2025-01-01\.$/);
  });

  it('says in the index which part holds a session and the rows of a finding', () => {
    const { index, parts } = pagesOf('case');
    for (const { session_id, part, row_count } of index.tables.sessions)
      expect(parts[part - 1]?.rows.filter((row) => row.session_id === session_id).length).toBe(row_count);
    expect(index.tables.sessions.length).toBe(6);
    const wipes = index.tables.findings.filter(({ rule }) => rule === 'dest.wipe-root-or-home');
    expect(wipes.length).toBeGreaterThan(1);
    for (const finding of wipes) {
      const held = parts.flatMap(({ rows: shown }, i) =>
        shown.some(({ row_id }) => finding.row_ids.includes(String(row_id))) ? [i + 1] : [],
      );
      expect(finding.parts).toEqual(held);
      const inPart = parts[held[0] ?? 0 - 1]?.tables.findings ?? [];
      for (const { rows: at, row_ids } of inPart) expect(at.length).toBeLessThanOrEqual(row_ids.length);
    }
  });

  it('names a copy whose primary row is in another part as such', () => {
    const { parts } = pagesOf('case');
    const of = (id: string) => {
      const part = parts.find(({ rows: shown }) => shown.some(({ row_id }) => row_id === id));
      const at = part?.rows.findIndex(({ row_id }) => row_id === id) ?? -1;
      return part?.primaries[at];
    };
    expect(of('00000000000000c9')).toBe(-1);
    expect(of('000000000000000a')).toBe(0);
  });

  it('is one file with --single, which says what it is', async () => {
    const { written } = await reportOf(timeline, join(folder, 'single.html'), { limits: small(90), single: true });
    const page = decodePage(join(folder, 'single.html'));
    expect([page.rows.length, written?.oversized, existsSync(join(folder, 'single-parts'))]).toEqual([240, 1, false]);
    expect(page.summary.remarks.some((remark) => remark.startsWith('This page is larger than pages are meant to be'))).toBe(true);
  });

  it('never cuts a session: one beyond the limits has a part of its own', async () => {
    const { written } = await reportOf(timeline, join(folder, 'whole.html'), { limits: small(10) });
    const { parts } = pagesOf('whole');
    const large = parts.filter(({ rows: shown }) => shown.length > 10);
    expect(written?.oversized).toBe(large.length);
    for (const { rows: shown } of large) expect(new Set(shown.map(({ session_id }) => session_id)).size).toBe(1);
    expect(parts.reduce((sum, { rows: shown }) => sum + shown.length, 0)).toBe(240);
  });

  it('is cut by the size of the file, also where texts do not deflate', async () => {
    const noise = rowsWith(
      Array.from({ length: 60 }, (_, i) => ({
        session_id: `s${i % 30}`,
        text: Array.from({ length: 2000 }, (_, k) => ((i * 7919 + k) ** 3 % 94906267).toString(36)).join(''),
      })),
    );
    const path = timelineIn(folder, noise, 'noise.jsonl');
    const limits = { ...REPORT_LIMITS, fileBytes: 1_600_000 };
    await reportOf(path, join(folder, 'noise.html'), { limits });
    const { parts } = pagesOf('noise');
    expect(parts.length).toBeGreaterThan(1);
    for (const name of filesIn(join(folder, 'noise-parts')))
      expect(readFileSync(join(folder, 'noise-parts', name)).length).toBeLessThan(1_600_000);
    expect(parts.flatMap(({ rows: shown }) => shown).length).toBe(60);
  });
});

describe('a report beyond all limits', () => {
  const total = (of: Partial<ReportLimits['total']>): ReportLimits => ({ ...small(90), total: { ...REPORT_LIMITS.total, ...of } });

  it.each([
    [{ rows: 239 }, /240 rows .* at most 239 rows .*--since, --until, --session or --project$/],
    [{ textBytes: 100 }, /, or leave the texts out with --no-text$/],
  ])('is refused before anything is written: %o', async (of, message) => {
    const name = `refused-${Object.keys(of)[0]}`;
    await expect(reportOf(timeline, join(folder, `${name}.html`), { limits: total(of), single: true })).rejects.toThrow(message);
    expect(readdirSync(folder).filter((file) => file.includes(name))).toEqual([]);
  });

  it('is refused where it would have too many parts', async () => {
    await expect(reportOf(timeline, join(folder, 'many.html'), { limits: { ...small(10), parts: 3 } })).rejects.toThrow(
      /would have \d+ parts, at most 3/,
    );
    expect(readdirSync(folder).filter((file) => file.includes('many'))).toEqual([]);
  });
});

describe('files of an earlier report', () => {
  it('are refused without --force, and replaced whole with it: no part of it stays', async () => {
    const output = join(folder, 'again.html');
    await reportOf(timeline, output, { limits: small(50) });
    const before = filesIn(join(folder, 'again-parts'));
    await expect(reportOf(timeline, output, { limits: small(90) })).rejects.toThrow('output exists');
    expect(filesIn(join(folder, 'again-parts'))).toEqual(before);
    await reportOf(timeline, output, { limits: small(90), run: { force: true } });
    expect(filesIn(join(folder, 'again-parts')).length).toBeLessThan(before.length);
    expect(pagesOf('again').parts.flatMap(({ rows: shown }) => shown).length).toBe(240);
    await reportOf(timeline, output, { run: { force: true } });
    expect(existsSync(join(folder, 'again-parts'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('a folder that holds anything else is left alone', async () => {
    const parts = join(folder, 'other-parts');
    mkdirSync(parts);
    writeFileSync(join(parts, 'notes.txt'), 'mine');
    await expect(reportOf(timeline, join(folder, 'other.html'), { run: { force: true } })).rejects.toThrow(
      'holds more than parts of a report: notes.txt',
    );
    expect([readFileSync(join(parts, 'notes.txt'), 'utf8'), existsSync(join(folder, 'other.html'))]).toEqual(['mine', false]);
  });

  it('have addresses that hold whatever the file is called', async () => {
    await reportOf(timeline, join(folder, 'a #1 100% "x".html'), { limits: small(90) });
    const { index, parts } = pagesOf('a #1 100% "x"');
    expect(parts.length).toBe(index.summary.parts.length);
    expect(index.html).toContain('<a href="a%20%231%20100%25%20%22x%22-parts/part-001.html">Part 1</a>');
    expect(parts[0]?.summary.part?.index).toBe('../a%20%231%20100%25%20%22x%22.html');
  });
});
