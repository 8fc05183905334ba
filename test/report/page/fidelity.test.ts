import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { buildFixtures } from '../../../scripts/build-fixtures.js';
import { REPORT_LIMITS } from '../../../src/report/write/limits.js';
import type { Row } from '../../../src/rows/row.js';
import { timelineOf } from '../../support/timeline.js';
import { reportFolder, rowsWith, timelineIn } from '../write/support.js';
import { browserPages, inBrowser, makeReport } from './browser.js';

const folder = reportFolder();

inBrowser('the page and its timeline', () => {
  const { open } = browserPages();
  const path = join(folder, 'home.html');
  let rows: readonly Row[] = [];
  beforeAll(async () => {
    buildFixtures();
    const timeline = join(folder, 'home.jsonl');
    ({ rows } = await timelineOf(fileURLToPath(new URL('../../../fixtures/home', import.meta.url)), timeline));
    await makeReport(timeline, path);
  });

  it('every text that the reader copies is that of the timeline to the character', async () => {
    const page = await open(path, { fragment: '#timeline' });
    const step = Math.ceil(rows.length / 25);
    for (let i = 3; i < rows.length; i += step) {
      const row = rows[i];
      if (row === undefined || row.text === '') continue;
      await page.evaluate((id) => {
        location.hash = `#timeline&row=${id}`;
      }, row.row_id);
      await page.locator('.detail .id', { hasText: row.row_id }).waitFor();
      await page.getByRole('button', { name: 'Copy text (original)' }).click();
      await page.waitForFunction(async (wanted) => (await navigator.clipboard.readText()) === wanted, row.text);
    }
  });

  it('the counts of every facet are those of the timeline, and the plot and the undated rows are all rows', async () => {
    const page = await open(path, { fragment: '#timeline' });
    await page.locator('.facets fieldset .plain').evaluateAll((all) => all.forEach((more) => more instanceof HTMLElement && more.click()));
    await page.waitForTimeout(200);
    const shown = await page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll('.facets fieldset')].map((set) => [
          set.querySelector('legend')?.textContent ?? '',
          Object.fromEntries(
            [...set.querySelectorAll('label:not(.time-field)')].map((label) => [
              label.querySelector('bdi')?.textContent ?? '',
              label.querySelector('.n')?.textContent?.replaceAll(',', ''),
            ]),
          ),
        ]),
      ),
    );
    const counted = (value: (row: Row) => string) => {
      const counts = new Map<string, number>();
      for (const row of rows) counts.set(value(row) || 'none', (counts.get(value(row) || 'none') ?? 0) + 1);
      return Object.fromEntries([...counts].map(([name, n]) => [name, String(n)]));
    };
    expect(shown.Kind).toEqual(counted((row) => row.row_type));
    expect(shown.Agent).toEqual(counted((row) => row.agent));
    expect(shown.Origin).toEqual(counted((row) => row.origin));
    expect(shown.Decision).toEqual(counted((row) => row.decision));
    expect(shown.Status).toEqual(counted((row) => row.status));
    expect(shown['Recovered from']).toEqual(counted((row) => row.recovered));
    expect(shown.Copies).toEqual(counted((row) => (row.duplicate_of === '' ? 'first' : 'copy of another row')));
    const undated = rows.filter(({ timestamp_utc }) => timestamp_utc === '').length;
    const sentence = (await page.locator('svg.bars').getAttribute('aria-label')) ?? '';
    expect(sentence).toContain(`${rows.length - undated} matching rows`);
    expect(sentence).toContain(`${undated} without a time`);
  });

  it('a report of several pages: the index names them by plain relative links, and a session opens in its page', async () => {
    const output = join(folder, 'split.html');
    const many = rowsWith(Array.from({ length: 60 }, (_, i) => ({ session_id: `session-${Math.floor(i / 10)}`, text: `row ${i}` })));
    await makeReport(timelineIn(folder, many, 'split.jsonl'), output, { limits: { ...REPORT_LIMITS, page: { rows: 25, textBytes: 1e6 } } });
    const page = await open(output);
    const links = await page.locator('main a', { hasText: /^Part/ }).evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual(['./split-parts/part-001.html', './split-parts/part-002.html', './split-parts/part-003.html']);
    await page.goto(`file://${output}#sessions`);
    await page.locator('.session-table tbody a').last().waitFor();
    const href = await page.locator('.session-table tbody a').last().getAttribute('href');
    expect(href).toBe('./split-parts/part-003.html#session=session-5');
    const part = await open(join(folder, 'split-parts/part-003.html'), { fragment: '#session=session-5' });
    expect(await part.locator('.block').count()).toBe(10);
    expect(await part.locator('.statement').innerText()).toContain('Part 3 of 3');
  });
});
