/**
 * What a browser makes of a report page: a new Chromium for each round, the page from disk. Times count from the start of navigation.
 * The page is driven from outside; the one script put in only notes long tasks and frames.
 */
import { readFileSync } from 'node:fs';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';

const ARGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
const WAIT = { timeout: 180_000 };

export type BrowserFigures = Readonly<Record<FigureName, number>>;

export const FIGURES = {
  paint: 'first paint',
  overview: 'overview complete',
  filters: 'filters usable',
  texts: 'all text searchable',
  loadingTask: 'longest task while loading',
  scrollTask: 'longest task while scrolling',
  jump: 'text in place after a jump',
  search: 'search, key to painted list',
  filter: 'filter change',
  session: 'open the largest session',
  memory: 'tab memory after loading',
  elements: 'elements, timeline open',
} as const;
export type FigureName = keyof typeof FIGURES;

/** Runs in the page before anything of it; as a text, since the page's types are not those of this program. */
const NOTES = `
  window.longTasks = [];
  new PerformanceObserver((list) => { for (const task of list.getEntries()) longTasks.push([task.startTime, task.duration]); })
    .observe({ type: 'longtask', buffered: true });
  window.marks = {};
  const mark = (name, seen) => { if (marks[name] === undefined && seen) marks[name] = performance.now(); };
  const look = () => {
    mark('overview', document.querySelector('.attention'));
    mark('filters', document.querySelector('.thirds'));
    mark('texts', document.querySelector('.loading.done'));
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

export async function measurePage(path: string, executablePath: string): Promise<BrowserFigures> {
  const browser = await chromium.launch({ executablePath, args: ARGS.split(' ') });
  try {
    return await measure(browser, path);
  } finally {
    await browser.close();
  }
}

async function measure(browser: Browser, path: string): Promise<BrowserFigures> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(NOTES);
  await page.goto(`file://${encodeURI(path)}`, { ...WAIT, waitUntil: 'commit' });
  await page.waitForSelector('.loading.done', { ...WAIT, state: 'attached' });
  await page.waitForTimeout(500);
  const loading = await numbersOf(
    page,
    `({ ...marks, paint: performance.getEntriesByName('first-contentful-paint')[0].startTime, loadingTask: Math.max(0, ...longTasks.map(([, length]) => length)) })`,
  );
  const memory = await tabMemory(await browser.newBrowserCDPSession());
  await page.keyboard.press('4');
  await page.waitForSelector('.spacer .row');
  await page.waitForTimeout(500);
  const elements = await numberOf(page, 'document.querySelectorAll("*").length');
  const { scrollTask, jump } = await scrolling(page);
  const filter = await filtering(page);
  const search = await searching(page);
  const session = await opening(page);
  const of = (name: string) => loading[name] ?? Number.NaN;
  return {
    paint: of('paint'),
    overview: Math.max(of('paint'), of('overview')),
    filters: of('filters'),
    texts: of('texts'),
    loadingTask: of('loadingTask'),
    scrollTask,
    jump,
    search,
    filter,
    session,
    memory,
    elements,
  };
}

async function numbersOf(page: Page, expression: string): Promise<Record<string, number>> {
  const value: unknown = await page.evaluate(expression);
  return Object.fromEntries(Object.entries(Object(value)).map(([name, one]) => [name, Number(one)]));
}

const numberOf = async (page: Page, expression: string): Promise<number> => Number(await page.evaluate(expression));

/** A hundred steps of the wheel and twenty long jumps. */
async function scrolling(page: Page): Promise<{ scrollTask: number; jump: number }> {
  await page.evaluate('longTasks.length = 0');
  await page.mouse.move(700, 600);
  for (let step = 0; step < 100; step++) await page.mouse.wheel(0, 240);
  const jump = await numberOf(
    page,
    `(async () => {
      const list = document.querySelector('.list');
      let worst = 0;
      for (let i = 1; i <= 20; i++) {
        list.scrollTop = list.scrollHeight * ((i * 7919) % 97) / 97;
        const start = performance.now();
        await new Promise((done) => {
          const look = () => {
            const texts = [...list.querySelectorAll('.spacer .row:not([hidden]) .text')];
            if (performance.now() - start > 8 && texts.every((text) => text.textContent !== '…')) done();
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        });
        worst = Math.max(worst, performance.now() - start);
      }
      return worst;
    })()`,
  );
  return { scrollTask: await numberOf(page, 'Math.max(0, ...longTasks.map(([, length]) => length))'), jump };
}

/** From the click to the second frame after the count has changed. */
const untilPainted = (act: string, seen: string): string => `(async () => {
  const before = ${seen};
  const start = performance.now();
  ${act};
  while (${seen} === before) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() - start;
})()`;

const COUNT = `document.querySelector('.chips strong').textContent`;

async function filtering(page: Page): Promise<number> {
  const times: number[] = [];
  for (let place = 0; place < 4; place++) {
    times.push(await numberOf(page, untilPainted(`document.querySelectorAll('.facets input[type=checkbox]')[${place}].click()`, COUNT)));
    await page.waitForTimeout(300);
  }
  await page.evaluate(`[...document.querySelectorAll('.chips .plain')].forEach((button) => button.click())`);
  await page.waitForTimeout(300);
  return Math.max(...times);
}

const DEBOUNCE_MS = 120;

async function searching(page: Page): Promise<number> {
  const times: number[] = [];
  for (const word of ['error', 'function', 'zzqx']) {
    const type = `const field = document.getElementById('search'); field.value = '${word}'; field.dispatchEvent(new Event('input', { bubbles: true }))`;
    times.push((await numberOf(page, untilPainted(type, COUNT))) - DEBOUNCE_MS);
    await page.waitForTimeout(300);
  }
  return Math.max(...times);
}

/** The largest session, from the list of sessions. */
async function opening(page: Page): Promise<number> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('3');
  await page.waitForSelector('.session-table');
  await page.locator('.sort', { hasText: 'Rows' }).click();
  await page.waitForTimeout(300);
  return numberOf(
    page,
    `(async () => {
      const start = performance.now();
      document.querySelector('.session-table tbody a').click();
      while (document.querySelector('.block .evidence') === null) await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      return performance.now() - start;
    })()`,
  );
}

/** Private memory of the process of the page, its worker included. */
async function tabMemory(session: CDPSession): Promise<number> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  return Math.max(...sizes);
}
