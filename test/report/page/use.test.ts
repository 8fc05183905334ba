import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { buildFixtures } from '../../../scripts/build-fixtures.js';
import { decodePage } from '../write/decode.js';
import { reportFolder } from '../write/support.js';
import { browserPages, inBrowser, makeReport, ready, texts } from './browser.js';

const folder = reportFolder();
const FIXTURES = fileURLToPath(new URL('../../../fixtures', import.meta.url));

inBrowser('the page over the fixture home', () => {
  const { open } = browserPages();
  const path = join(folder, 'home.html');
  let rows: readonly Record<string, unknown>[] = [];
  beforeAll(async () => {
    buildFixtures();
    await makeReport(join(FIXTURES, 'home'), path, { title: 'home copy' });
    rows = decodePage(path).rows;
  });
  const kind = (name: string) => rows.filter(({ row_type }) => row_type === name).length;
  const facet = (page: Page, label: string, value: string) =>
    page.locator('fieldset', { hasText: label }).locator('label', { has: page.getByText(value, { exact: true }) });
  const matching = async (page: Page) => Number((await page.locator('.chips strong').innerText()).replaceAll(',', ''));
  const selectedId = async (page: Page) => page.locator('.detail .id').innerText();

  it('shows statement, figures and findings first', async () => {
    const page = await open(path);
    expect(await page.title()).toBe('home copy');
    expect((await texts(page, '.statement')).join(' ')).toMatch(/117 files.*secrets masked.*timeline sha256 [0-9a-f]{12}….*kirotrail/s);
    expect((await texts(page, '.figures')).join(' ')).toContain('1,099');
    expect(await page.locator('.attention tbody tr').count()).toBe(10);
    expect(await page.locator('svg.bars[role=img]').getAttribute('aria-label')).toContain('without a time are not drawn');
  });

  it('filters by facets whose counts are those of the rows', async () => {
    const page = await open(path, { fragment: '#timeline' });
    expect(await matching(page)).toBe(rows.length);
    await facet(page, 'Kind', 'tool_use').locator('input').check();
    expect(await matching(page)).toBe(kind('tool_use'));
    // Its own facet counts on, the others count what is left.
    expect(await facet(page, 'Kind', 'prompt').locator('.n').innerText()).toBe(String(kind('prompt')));
    const bash = rows.filter(({ row_type, tool_name }) => row_type === 'tool_use' && tool_name === 'execute_bash').length;
    expect(await facet(page, 'Tool', 'execute_bash').locator('.n').innerText()).toBe(String(bash));
    expect(page.url()).toContain('#timeline&kind=tool_use');
    await page.getByRole('button', { name: 'Kind: tool_use' }).click();
    expect(await matching(page)).toBe(rows.length);
  });

  it('searches all texts in any case, and by a regular expression', async () => {
    const page = await open(path);
    await page.keyboard.press('/');
    await page.keyboard.type('DOCKER port');
    const wanted = rows.filter(({ text }) => String(text).toLowerCase().includes('docker port')).length;
    expect(wanted).toBeGreaterThan(0);
    await page.locator('.search-state', { hasText: 'ms' }).waitFor();
    expect(await matching(page)).toBe(wanted);
    await page.fill('#search', '^docker\\s+\\w+');
    await page.locator('.expression').click();
    await page.locator('.search-state', { hasText: 'ms' }).waitFor();
    expect(await matching(page)).toBe(rows.filter(({ text }) => /^docker\s+\w+/iu.test(String(text))).length);
    await page.fill('#search', '(');
    await page.locator('.above .notice').waitFor();
    await page.fill('#search', 'no such words anywhere');
    await page.getByText('No row matches.').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    expect(await matching(page)).toBe(rows.length);
  });

  it('narrows to the span that is drawn on the plot, and to one that is typed', async () => {
    const page = await open(path, { fragment: '#timeline' });
    const box = await page.locator('.brush').boundingBox();
    if (box === null) throw new Error('no plot');
    await page.mouse.move(box.x + box.width * 0.3, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 20, { steps: 4 });
    await page.mouse.up();
    const words = new URLSearchParams(new URL(page.url()).hash.slice(1));
    const [from, to] = [words.get('from') ?? '', words.get('to') ?? ''];
    const inside = rows.filter(({ timestamp_utc: time }) => String(time) >= from && String(time) < to && time !== '').length;
    expect(inside).toBeGreaterThan(0);
    expect(await matching(page)).toBe(inside);
    await page.getByLabel('from', { exact: true }).fill('2025-09-22');
    await page.getByLabel('until', { exact: true }).fill('2025-09-23');
    await page.keyboard.press('Enter');
    expect(await matching(page)).toBe(rows.filter(({ timestamp_utc: time }) => String(time).startsWith('2025-09-22')).length);
  });

  it('leads from a finding to its rows, and from a row into its session', async () => {
    const page = await open(path, { fragment: '#findings' });
    const finding = page.locator('.finding', { hasText: 'All tools were trusted' }).first();
    const n = Number.parseInt(await finding.getByRole('button').innerText(), 10);
    await finding.getByRole('button').click();
    expect(await matching(page)).toBe(n);
    await page.goto(`file://${path}#timeline&kind=tool_use`);
    await ready(page);
    await page.locator('.list').focus();
    await page.keyboard.press('ArrowDown');
    const id = await selectedId(page);
    await page.keyboard.press('Enter');
    await page.locator('.block.selected').waitFor();
    expect(await texts(page, '.block.selected .row-id')).toContain(id);
    expect(await page.locator('.outline li').count()).toBeGreaterThan(0);
  });

  it('shows a call with its decision and result as one block, and three modes', async () => {
    const page = await open(path, { fragment: '#session=3c8e0a25-74b9-4d16-8f28-6e3a9c5b7d42' });
    const call = page.locator('.block.call', { hasText: 'docker port api' }).first();
    await call.locator('.result').waitFor();
    expect(await call.innerText()).toMatch(
      /execute_bash.*approved by=y.*\$ docker port api.*cancelled Tool use was cancelled by the user/s,
    );
    await page.getByRole('button', { name: 'Prompts and answers' }).click();
    expect(await page.locator('.block.call').count()).toBe(0);
    expect(await page.locator('.block.answer').count()).toBeGreaterThan(0);
    await page.keyboard.press('Shift+J');
    expect(await page.locator('.outline [aria-current]').count()).toBe(1);
  });

  it('walks the whole list by keyboard and copies a citation', async () => {
    const page = await open(path, { fragment: '#timeline' });
    await page.locator('.list').focus();
    for (let i = 0; i < 31; i++) await page.keyboard.press('ArrowDown');
    expect(await page.locator('.list').getAttribute('aria-activedescendant')).toBe('row-30');
    expect(await selectedId(page)).toBe(rows[30]?.row_id);
    await page.keyboard.press('End');
    expect(await selectedId(page)).toBe(rows.at(-1)?.row_id);
    expect(await page.locator('.list').getAttribute('aria-rowcount')).toBe(String(rows.length + 1));
    expect(await page.locator('[aria-selected=true]').getAttribute('aria-rowindex')).toBe(String(rows.length + 1));
    await page.keyboard.press('Home');
    await page.keyboard.press('j');
    expect(await selectedId(page)).toBe(rows[1]?.row_id);
    await page.keyboard.press('c');
    await page.locator('.said', { hasText: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const row = rows[1] ?? {};
    expect(copied).toBe(
      `${row.row_id} (${row.source_file}, table ${row.source_table} row ${row.source_line}, SHA-256 ${row.source_sha256})`,
    );
    await page.keyboard.press('Escape');
    expect(await page.locator('.detail').count()).toBe(0);
  });

  it('has a key for every view, and leaves them all when single keys are off', async () => {
    const page = await open(path);
    for (const [key, view] of [
      ['2', 'Findings'],
      ['3', 'Sessions'],
      ['4', 'Timeline'],
      ['5', 'Evidence'],
      ['1', 'Overview'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await page.locator('nav [aria-current]').innerText()).toContain(view);
    }
    await page.keyboard.press('f');
    await page.waitForFunction(() => document.activeElement?.id === 'facets');
    await page.keyboard.press('t');
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(20, 23, 27)');
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Single keys off' }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.keyboard.press('2');
    expect(await page.locator('nav [aria-current]').innerText()).toContain('Timeline');
    await page.keyboard.press('Control+5');
    expect(await page.locator('nav [aria-current]').innerText()).toContain('Timeline');
  });

  it('fits a narrow window without scrolling sideways', async () => {
    for (const fragment of [
      '#overview',
      '#findings',
      '#sessions',
      '#timeline',
      '#evidence',
      '#session=3c8e0a25-74b9-4d16-8f28-6e3a9c5b7d42',
    ]) {
      const page = await open(path, { fragment, width: 400, height: 860, scheme: 'dark' });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), fragment).toBe(400);
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(20, 23, 27)');
      await page.close();
    }
  });

  it('prints what is open: a session with its row ids, the first rows of the list', async () => {
    const page = await open(path, { fragment: '#timeline&kind=gap' });
    await page.waitForTimeout(900);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    const printed = await page.locator('.printed').innerText();
    for (const { row_id } of rows.filter(({ row_type }) => row_type === 'gap')) expect(printed).toContain(String(row_id));
    expect(printed).toContain(`All ${kind('gap')} matching rows.`);
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    const session = await open(path, { fragment: '#session=3c8e0a25-74b9-4d16-8f28-6e3a9c5b7d42' });
    await session.locator('.result').first().waitFor();
    const pages = (await session.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    // All of the session goes to paper, not what one screen holds.
    expect(pages).toBeGreaterThan(2);
    expect(await session.evaluate(() => matchMedia('print').matches)).toBe(false);
  });
});
