import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { COLUMNS } from '../../../src/rows/row.js';
import { reportFolder, rowsWith, timelineIn } from '../write/support.js';
import { browserPages, inBrowser, makeReport, ready } from './browser.js';

const folder = reportFolder();

const CORPUS = [
  '<script>window.pwned = 1</script>',
  '</script><img src=x onerror="window.pwned = 1"><iframe src="https://evil.invalid/"></iframe>',
  '<!--<script>',
  '--></textarea></title></style><base href="//evil.invalid/">',
  '<meta http-equiv=refresh content="0;url=https://evil.invalid">',
  'javascript:window.pwned=1',
  'data:text/html,<script>window.pwned=1</script>',
  '![x](https://evil.invalid/beacon.png) [x](javascript:alert(1))',
  '{{constructor.constructor("window.pwned = 1")()}}',
  '"\' onmouseover=window.pwned=1 x="',
  '__proto__',
  'constructor',
  'a\u202egnp.exe \u2066isolated\u2069',
  'tags\u{e0041}\u{e0042}\u{e007f}',
  'zero\u200bwidth\ufeff\u00ad\u2060',
  '\u001b[31mred\u001b[0m \u001b]8;;https://evil.invalid\u0007link\u001b]8;;\u0007 \u001b[2J\u009b1m',
  'nul\u0000 bell\u0007 cr\r lf\n after',
  'lone \ud800 surrogate',
  '&lt;b&gt; &amp;',
  'e\u0301'.repeat(2) + 'x' + '\u0301'.repeat(1000),
  '\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd',
  `long ${'A'.repeat(5_000_000)} end`,
  'line\n'.repeat(100_000),
];
const FREE = COLUMNS.filter(
  (name) =>
    !/^(?:timestamp_utc|row_id|row_type|turn_type|schema|source_line|exit_code|duration_ms|source_offset|secret_count|secret_rules|secrets|file_paths|details)$/.test(
      name,
    ),
);
const SHORT = 400;

const rows = rowsWith(
  CORPUS.map((text, i) => {
    const short = text.slice(0, SHORT);
    return {
      ...Object.fromEntries(FREE.map((name) => [name, short])),
      text,
      session_id: `session ${short}`,
      row_type: (['prompt', 'tool_use', 'session', 'permission', 'assistant', 'tool_result', 'gap'] as const)[i % 7] ?? 'prompt',
      command: `rm -rf ~/ # ${short}`,
      file_paths: [short],
      details: { title: short, [short]: short },
      duplicate_of: '',
      recovered: '' as const,
    };
  }),
);

/** What may not reach the eyes or the ears of a reader, nor the elements of the page. */
async function faultsIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;
    const raw = unseen.exec(document.body.innerText);
    if (raw !== null)
      faults.push(
        `in the text: ${raw[0].codePointAt(0)?.toString(16)} at ${document.body.innerText.slice(Math.max(0, raw.index - 30), raw.index + 5)}`,
      );
    if (Reflect.has(window, 'pwned')) faults.push('evidence ran');
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        if (unseen.test(value)) faults.push(`in ${element.tagName} ${name}`);
        if (name.startsWith('on')) faults.push(`${element.tagName} has ${name}`);
      }
    }
    for (const element of document.querySelectorAll('img, iframe, object, embed, link, base, form[action], video, audio'))
      faults.push(element.outerHTML);
    for (const link of document.querySelectorAll('a'))
      if (!link.getAttribute('href')?.startsWith('#')) faults.push(`a link out: ${link.outerHTML}`);
    const scripts = [...document.scripts].filter((script) => script.type === '');
    if (scripts.length !== 1) faults.push(`${scripts.length} scripts`);
    return faults;
  });
}

inBrowser('hostile evidence', () => {
  const { open } = browserPages();
  // Not a name that a system refuses, and still markup.
  const path = join(folder, "r<img src=x onerror=alert(1)>&amp;'\u202e#?.html".replace(/[#?]/g, ''));
  const TITLE = 'case <b>7</b> \u202egnp.exe';
  beforeAll(async () => {
    await makeReport(timelineIn(folder, rows), path, { title: TITLE });
  });

  it('is inert and visible in every view', async () => {
    const page = await open(path);
    const title = await page.title();
    for (const view of ['overview', 'findings', 'sessions', 'timeline', 'evidence']) {
      await page.evaluate((name) => {
        location.hash = name;
      }, view);
      await page.waitForTimeout(300);
      expect(await faultsIn(page), view).toEqual([]);
    }
    expect(await page.title()).toBe(title);
    expect(await page.locator('.head .name .box').innerText()).toBe('RLO');
  });

  it('is inert and visible in the detail of every row', async () => {
    const page = await open(path, { fragment: '#timeline' });
    await page.locator('.list').focus();
    for (const [i, row] of rows.entries()) {
      await page.keyboard.press('ArrowDown');
      await page.locator('.detail .id', { hasText: row.row_id }).waitFor();
      await page.locator('.detail .boxed').waitFor();
      expect(await faultsIn(page), CORPUS[i]?.slice(0, 60) ?? '').toEqual([]);
    }
    // The last is cut, and says so; the whole is there for who asks.
    expect(await page.locator('.detail .cut').innerText()).toContain('8,000 of 500,000 characters shown');
  });

  it('is inert and visible in the conversation of every session', async () => {
    const page = await open(path, { fragment: '#sessions' });
    expect(await page.locator('.session-table tbody tr').count()).toBe(rows.length);
    for (let i = 0; i < rows.length; i++) {
      await page.locator('.session-table tbody a').nth(i).click();
      await page.locator('.block .evidence, .block .call-body').first().waitFor();
      expect(await faultsIn(page), String(i)).toEqual([]);
      await page.goBack();
    }
  });

  it('spells out what does not show', async () => {
    const boxes = new Map([
      [12, ['RLO', 'LRI', 'PDI']],
      [13, ['tags: AB<U+E007F>']],
      [14, ['ZWSP', 'BOM', 'SHY', 'WJ']],
      [15, ['ESC[31m', 'ESC[0m', 'ESC]8;;https://evil.invalid<BEL>', 'ESC]8;;<BEL>', 'ESC[2J', 'CSI1m']],
      [16, ['NUL', 'BEL', 'CR']],
    ]);
    for (const [i, labels] of boxes) {
      const page = await open(path, { fragment: `#timeline&row=${rows[i]?.row_id}` });
      await page.locator('.detail .boxed').waitFor();
      expect(await page.locator('.detail .boxed .box').allInnerTexts()).toEqual(labels);
    }
  });

  it('does not come in through the address', async () => {
    for (const fragment of [
      '#session=%3Cimg%20src=x%20onerror=alert(1)%3E&row=../../etc',
      '#timeline&q=%E2%80%AEabc&kind=__proto__&kind=%3Cb%3E&from=x&finding=constructor',
      '#timeline&q=%3Cscript%3E&expression=1&from=2025-01-01T00:00:00Z',
      '#__proto__=1&constructor',
      '#findings&finding=0123456789abcdef',
    ]) {
      const page = await open(path, { fragment });
      await page.waitForTimeout(300);
      expect(await faultsIn(page), fragment).toEqual([]);
    }
  });

  it('an expression that never ends is ended, and the page goes on', async () => {
    const slow = join(folder, 'slow.html');
    await makeReport(timelineIn(folder, rowsWith([{ text: `${'a'.repeat(60_000)}!` }, { text: 'b' }]), 'slow.jsonl'), slow);
    const page = await open(slow, { fragment: '#timeline' });
    await page.fill('#search', '(a+)+$');
    await page.locator('.expression').click();
    await page.locator('.above .notice', { hasText: 'ended' }).waitFor();
    await page.locator('.expression').click();
    await page.fill('#search', 'b');
    await page.locator('.search-state', { hasText: '1 rows' }).waitFor();
  });

  it('copies as it is stored when the reader asks for the original', async () => {
    const page = await open(path, { fragment: `#timeline&row=${rows[12]?.row_id}` });
    await page.getByRole('button', { name: 'Copy text (original)' }).click();
    await page.locator('.said', { hasText: 'Text copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(CORPUS[12]);
  });
});

inBrowser('the policy of the page', () => {
  const { open, troubles } = browserPages();
  const path = join(folder, 'policy.html');
  let html = '';
  beforeAll(async () => {
    await makeReport(timelineIn(folder, rowsWith([{ text: 'one' }, { text: 'two' }]), 'two.jsonl'), path);
    html = readFileSync(path, 'utf8');
  });

  it('refuses markup from text, code from text, foreign workers, images, styles and every request', async () => {
    const page = await open(path);
    const results = await page.evaluate(async () => {
      const tried = async (act: () => unknown) => {
        try {
          await act();
          return 'went through';
        } catch (error) {
          return error instanceof Error ? error.name : 'refused';
        }
      };
      const div = document.createElement('div');
      const factory: unknown = Reflect.get(window, 'trustedTypes');
      return {
        innerHTML: await tried(() => {
          div.innerHTML = '<b>x</b>';
        }),
        insertAdjacentHTML: await tried(() => div.insertAdjacentHTML('beforeend', '<b>x</b>')),
        // Later, so that it is the page that asks and not the driver, to whom all is allowed.
        evaluate: await new Promise<string>((resolve) => setTimeout(() => void tried(() => new Function('return 1')()).then(resolve))),
        worker: await tried(() => new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])))),
        policy: await tried(() => Reflect.get(Object(factory), 'createPolicy').call(factory, 'kirotrail', {})),
        request: await tried(() => fetch(location.href)),
      };
    });
    expect(results).toEqual({
      innerHTML: 'TypeError',
      insertAdjacentHTML: 'TypeError',
      evaluate: 'EvalError',
      worker: 'TypeError',
      policy: 'TypeError',
      request: 'TypeError',
    });
    // Each refusal is told on the console; nothing else is.
    expect(
      troubles
        .splice(0)
        .filter((trouble) => !/Content Security Policy|TrustedHTML|TrustedScript|trusted|Fetch API cannot load|violates/i.test(trouble)),
    ).toEqual([]);
  });

  it('does not run a script of which one byte was changed, and still shows the statement', async () => {
    const changed = join(folder, 'changed.html');
    const at = html.lastIndexOf('(()=>{');
    writeFileSync(changed, `${html.slice(0, at)};${html.slice(at + 0)}`);
    const page = await open(changed, { early: true });
    await page.waitForTimeout(300);
    expect(await page.locator('.frame').count()).toBe(0);
    expect(await page.locator('.shell').innerText()).toContain('2 rows');
    expect(troubles.splice(0).join(' ')).toContain('Content Security Policy');
  });

  it('without JavaScript the statement stands and says where the rows are', async () => {
    const page = await open(path, { noScript: true });
    expect(await page.locator('.shell').innerText()).toContain('The rows themselves need JavaScript');
  });

  it('a file cut in the middle of a block, or with a changed block, says what is missing and shows the rest', async () => {
    const many = join(folder, 'many.html');
    const long = Array.from({ length: 40 }, (_, i) => ({ text: `row ${i} ${'abcdefghij'.repeat(6000)}` }));
    await makeReport(timelineIn(folder, rowsWith(long), 'many.jsonl'), many);
    const whole = readFileSync(many, 'utf8');
    const texts = [...whole.matchAll(/data-kind="text"[^>]*>/g)].map(({ index, 0: tag }) => index + tag.length);
    expect(texts.length).toBeGreaterThan(3);
    const cut = join(folder, 'cut.html');
    writeFileSync(cut, whole.slice(0, (texts[2] ?? 0) + 20));
    const page = await open(cut, { fragment: '#timeline' });
    expect(await page.locator('.trouble').innerText()).toMatch(/This file is damaged.*rows \d+-\d+ have no text here/s);
    expect(await page.locator('.chips strong').innerText()).toBe('40');
    await page.fill('#search', 'ROW 0 abc');
    await page.locator('.chips strong', { hasText: /^1$/ }).waitFor();
    const edited = join(folder, 'edited.html');
    const place = (texts[1] ?? 0) + 30;
    writeFileSync(edited, `${whole.slice(0, place)}${whole[place] === 'A' ? 'B' : 'A'}${whole.slice(place + 1)}`);
    const other = await open(edited, { fragment: '#timeline' });
    expect(await other.locator('.trouble').innerText()).toMatch(/Block \d+ of \d+ cannot be read/);
    await ready(other);
  });
});
