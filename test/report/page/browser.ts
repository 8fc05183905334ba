/** The report page in a real Chromium: every console message, page error or request that a page of ours never makes fails the test. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { loadAssets } from '../../../src/report/write/assets.js';
import { type Changes, reportOf } from '../write/support.js';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));
const ARGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** A block of tests in the browser; skipped, and said so, only where no Chromium is installed. */
export function inBrowser(name: string, tests: () => void): void {
  if (CHROMIUM === undefined) describe.skip(`${name} (skipped: no Chromium; on Debian: apt-get install chromium)`, tests);
  else describe(name, tests);
}

export interface Opening {
  readonly fragment?: string;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** The policy switched off, for tools that bring scripts of their own. */
  readonly noPolicy?: boolean;
  readonly noScript?: boolean;
  /** Do not wait until everything is read. */
  readonly early?: boolean;
}

export interface Pages {
  open(path: string, opening?: Opening): Promise<Page>;
  /** What went wrong in the pages of this test; taken out by who expects it. */
  readonly troubles: string[];
}

export function browserPages(): Pages {
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  const troubles: string[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ARGS.split(' ') });
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    const found = troubles.splice(0);
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(found).toEqual([]);
  });
  return {
    troubles,
    open: async (path, opening = {}) => {
      const context = await browser?.newContext({
        viewport: { width: opening.width ?? 1440, height: opening.height ?? 900 },
        colorScheme: opening.scheme ?? 'light',
        bypassCSP: opening.noPolicy === true,
        javaScriptEnabled: opening.noScript !== true,
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      if (context === undefined) throw new Error('no browser');
      contexts.push(context);
      const page = await context.newPage();
      watch(page, path, troubles);
      await page.goto(`file://${encodeURI(path)}${opening.fragment ?? ''}`);
      if (opening.early !== true && opening.noScript !== true) await ready(page);
      return page;
    },
  };
}

function watch(page: Page, path: string, troubles: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`page error: ${error.message}`));
  page.on('dialog', (dialog) => troubles.push(`dialog: ${dialog.message()}`));
  page.on('popup', () => troubles.push('popup'));
  page.on('request', (request) => {
    const [address] = request.url().split('#');
    if (address !== `file://${encodeURI(path)}` && !address?.startsWith('blob:')) troubles.push(`request: ${request.url()}`);
  });
}

/** All blocks are dealt with. */
export async function ready(page: Page): Promise<void> {
  await page.waitForSelector('.loading.done', { state: 'attached' });
}

/** Makes a report with the viewer as built. */
export async function makeReport(path: string, output: string, changes: Changes = {}): Promise<string> {
  await reportOf(path, output, { assets: loadAssets(), ...changes });
  return output;
}

export const texts = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allInnerTexts();
