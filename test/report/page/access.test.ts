import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import { beforeAll, expect, it } from 'vitest';
import { buildFixtures } from '../../../scripts/build-fixtures.js';
import { reportFolder } from '../write/support.js';
import { browserPages, inBrowser, makeReport } from './browser.js';

const folder = reportFolder();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SESSION = '#session=3c8e0a25-74b9-4d16-8f28-6e3a9c5b7d42';
/** The last opens the help as well. */
const VIEWS = [
  '#overview',
  '#findings',
  '#sessions',
  '#timeline',
  '#timeline&kind=tool_use',
  '#timeline&q=nothing+has+this',
  '#evidence',
  SESSION,
  '#evidence&help',
];

inBrowser('accessibility', () => {
  const { open } = browserPages();
  const path = join(folder, 'home.html');
  beforeAll(async () => {
    buildFixtures();
    await makeReport(fileURLToPath(new URL('../../../fixtures/home', import.meta.url)), path);
  });

  for (const scheme of ['light', 'dark'] as const) {
    it(`no view breaks a rule of axe, ${scheme}`, async () => {
      const page = await open(path, { scheme, noPolicy: true });
      await page.evaluate(AXE);
      for (const fragment of VIEWS) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, fragment);
        await page.waitForTimeout(400);
        if (fragment.includes('kind')) await page.locator('.spacer .row').first().click();
        if (fragment === SESSION) await page.locator('.row-id').first().click();
        if (fragment === '#evidence&help') await page.keyboard.press('?');
        await page.waitForTimeout(200);
        const broken = await page.evaluate(async () => {
          const run: { run(): Promise<AxeResults> } = Reflect.get(window, 'axe');
          const { violations } = await run.run();
          return violations.map(
            ({ id, nodes }) =>
              `${id}: ${nodes
                .slice(0, 3)
                .map(({ html }) => html.slice(0, 160))
                .join(' | ')}`,
          );
        });
        expect(broken, fragment).toEqual([]);
      }
    });
  }
});
