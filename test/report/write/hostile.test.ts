import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COLUMNS, type Row } from '../../../src/rows/row.js';
import { decodePage } from './decode.js';
import { ASSETS, reportFolder, reportOf, rowsWith, timelineIn } from './support.js';

const folder = reportFolder();

const CORPUS = [
  '<script>alert(1)</script>',
  '</script><img src=x onerror=alert(1)>',
  '<!--<script>',
  '--></textarea></title></style><base href=//evil.invalid>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  'javascript:alert(1)',
  '![x](https://evil.invalid/beacon.png)',
  '{{constructor.constructor("alert(1)")()}}',
  '"\' onmouseover=alert(1) x="',
  '__proto__',
  'a\u202egnp.exe',
  '\u{e0041}\u{e0042}',
  'zero\u200bwidth\ufeff',
  '\u001b]8;;https://evil.invalid\u0007link\u001b]8;;\u0007',
  'nul\u0000 cr\r lf\n',
  '&lt;b&gt; &amp;',
  '</SCRIPT >',
  'e\u0301'.repeat(1000),
];
const TEXTS = COLUMNS.filter(
  (name) =>
    !/^(?:timestamp_utc|row_id|row_type|turn_type|schema|source_line|exit_code|duration_ms|source_offset|secret_count|secret_rules|secrets|file_paths|details)$/.test(
      name,
    ),
);

/** A row for each hostile text, which stands in every column that takes one. */
const rows: Row[] = rowsWith(
  CORPUS.map((text, i) => ({
    ...Object.fromEntries(TEXTS.map((name) => [name, text])),
    row_type: (['prompt', 'tool_use', 'session', 'permission'] as const)[i % 4] ?? 'prompt',
    // A command that makes a finding, so that the text stands in its statement too.
    command: `rm -rf ~/ # ${text}`,
    file_paths: [text],
    details: { title: text, [text]: text },
  })),
);

/** The page without what is data: blocks are base64, the summary is checked apart. */
const markupOf = (html: string) =>
  html
    .replace(/(<script type="text\/plain"[^>]*>)[A-Za-z0-9+/=]*/g, '$1')
    .replace(/(<script type="application\/json" id="summary">)[^<]*/, '$1');

describe('hostile values', () => {
  it('are inert in the static part of the page, and make no element of their own', async () => {
    const output = join(folder, 'hostile.html');
    await reportOf(timelineIn(folder, rows), output, { title: '</title><script>alert("title")</script>\u202e' });
    const page = decodePage(output);
    expect(page.summary.findings.length).toBeGreaterThan(5);
    const markup = markupOf(page.html);
    const elements = [...markup.matchAll(/<\/?([a-zA-Z!][a-zA-Z0-9-]*)/g)].map(([, name]) => name);
    expect([...new Set(elements)].sort()).toEqual(
      [
        '!doctype',
        'body',
        'dd',
        'div',
        'dl',
        'dt',
        'h1',
        'h2',
        'head',
        'html',
        'li',
        'main',
        'meta',
        'noscript',
        'ol',
        'p',
        'script',
        'strong',
        'style',
        'title',
        'ul',
      ].sort(),
    );
    expect(markup.match(/<script>/g)?.length).toBe(1);
    expect(markup.match(/<meta /g)?.length).toBe(6);
    expect(markup).toContain('<title>&lt;/title&gt;&lt;script&gt;alert(&quot;title&quot;)&lt;/script&gt;\\u{202e}</title>');
    expect(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u.test(markup),
    ).toBe(false);
    expect(markup).not.toMatch(/<[^>]* on\w+=/);
    expect(page.rows.map(({ tool_name }) => tool_name)).toEqual(CORPUS);
  });

  it('stand in no title that the reader did not give', async () => {
    const output = join(folder, 'plain.html');
    await reportOf(timelineIn(folder, rows), output);
    expect(readFileSync(output, 'utf8')).toContain('<title>kirotrail report</title>');
  });
});

describe('the policy', () => {
  it('comes first, names the one script and the one style by their bytes, and lets nothing else run or load', async () => {
    const output = join(folder, 'policy.html');
    await reportOf(timelineIn(folder, rows), output);
    const html = readFileSync(output, 'utf8');
    const [, policy = ''] =
      /^<!doctype html>\n<html lang="en">\n<head>\n<meta http-equiv="Content-Security-Policy" content="([^"]*)">\n<meta charset="utf-8">/.exec(
        html,
      ) ?? [];
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const [, script = ''] = /<script>([^]*?)<\/script>/.exec(html) ?? [];
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(html) ?? [];
    expect([script, style]).toEqual([ASSETS.script, ASSETS.style]);
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(style)}`,
      'worker-src blob:',
      "img-src 'none'",
      "connect-src 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types kirotrail',
    ]);
    expect(html.indexOf('<meta charset')).toBeLessThan(1000);
  });

  it('a viewer that would end its own element is no viewer', async () => {
    const assets = { ...ASSETS, script: 'x = "</script>"' };
    await expect(reportOf(timelineIn(folder, rows), join(folder, 'no.html'), { assets })).rejects.toThrow('end of its own element');
  });
});
