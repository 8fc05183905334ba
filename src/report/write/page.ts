import { VERSION } from '../../version.js';
import type { Output } from '../../write/output.js';
import { type ReportSummary, ROOT_ID, SUMMARY_ID } from '../format.js';
import type { PageAssets } from './assets.js';
import { html, inertJson } from './escape.js';
import type { PageRows } from './page-rows.js';
import { shellOf } from './shell.js';

/** Puts a page together, block by block: neither its data nor its text is ever in memory as a whole. Returns the bytes written. */
export function writePage(output: Output, summary: ReportSummary, rows: PageRows, assets: PageAssets): number {
  let size = 0;
  const write = (bytes: Buffer) => {
    output.write(bytes);
    size += bytes.length;
  };
  write(Buffer.from(opening(summary, assets)));
  for (const [index, block] of rows.blocks.entries()) {
    const { kind, first, rows: count, bytes, crc } = block;
    const places = `data-index="${index}" data-first="${first}" data-rows="${count}" data-bytes="${bytes}" data-crc="${crc}"`;
    write(Buffer.from(`<script type="text/plain" data-kind="${kind}" ${places}>`));
    write(Buffer.from(rows.read(block).toString('base64'), 'latin1'));
    write(Buffer.from('</script>\n'));
  }
  write(Buffer.from('</body>\n</html>\n'));
  return size;
}

/** Everything ahead of the blocks. The policy comes first: nothing before it could run. */
function opening(summary: ReportSummary, { script, style, hashes }: PageAssets): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    `<meta http-equiv="Content-Security-Policy" content="${policyOf(hashes)}">`,
    '<meta charset="utf-8">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<meta name="generator" content="kirotrail ${html(VERSION)}">`,
    `<title>${html(summary.title)}</title>`,
    `<style>${inert(style, /<\/style/i)}</style>`,
    '</head>',
    '<body>',
    `<div id="${ROOT_ID}">`,
    shellOf(summary),
    '</div>',
    `<script type="application/json" id="${SUMMARY_ID}">${inertJson(summary)}</script>`,
    `<script>${inert(script, /<\/script|<!--/i)}</script>`,
    '',
  ].join('\n');
}

/** Nothing is loaded, nothing is sent, one script and one style run, no text becomes markup. */
function policyOf({ script, style }: PageAssets['hashes']): string {
  return [
    "default-src 'none'",
    `script-src '${script}'`,
    `style-src '${style}'`,
    'worker-src blob:',
    "img-src 'none'",
    "connect-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types kirotrail',
  ].join('; ');
}

function inert(built: string, ending: RegExp): string {
  if (ending.test(built)) throw new Error('the viewer of the report holds the end of its own element');
  return built;
}
