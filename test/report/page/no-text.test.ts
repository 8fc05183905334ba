import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reportFolder, rowsWith, timelineIn } from '../write/support.js';
import { browserPages, inBrowser, makeReport } from './browser.js';

const folder = reportFolder();

inBrowser('a page made without texts', () => {
  const { open } = browserPages();

  it('says so wherever a text would stand', async () => {
    const path = join(folder, 'bare.html');
    await makeReport(timelineIn(folder, rowsWith([{ text: 'one' }, { text: 'two' }])), path, { texts: false });
    const page = await open(path, { fragment: '#timeline&row=0000000000000001' });
    expect(await page.locator('.search-state').innerText()).toBe('this page holds no texts');
    await page.locator('.detail .notice', { hasText: 'made without texts' }).waitFor();
    const session = await open(path, { fragment: '#session=s' });
    await session.locator('.block', { hasText: 'made without texts' }).first().waitFor();
  });
});
