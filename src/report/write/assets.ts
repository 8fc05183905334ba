import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ReportShell } from '../format.js';

/** The built viewer: one script, one style, and their hashes as the policy of the page names them. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
  readonly hashes: ReportShell;
}

const ShellSchema = z.object({ script: z.string(), style: z.string() });

/** The viewer as the build left it: beside this module, or beside the files of the built program; in `dist` for a checkout that runs from source. */
export function loadAssets(): PageAssets {
  const folders = ['../', '../report/', '../../../dist/report/'].map((path) => new URL(path, import.meta.url));
  const folder = folders.find((one) => existsSync(fileURLToPath(new URL('page.js', one))));
  if (folder === undefined) throw new Error('the viewer of the report is missing: build the program first');
  const read = (name: string) => readFileSync(fileURLToPath(new URL(name, folder)), 'utf8');
  const assets = { script: read('page.js'), style: read('page.css'), hashes: ShellSchema.parse(JSON.parse(read('shell.json'))) };
  for (const kind of ['script', 'style'] as const) {
    if (hashOf(assets[kind]) !== assets.hashes[kind]) throw new Error(`the viewer of the report is damaged: ${kind}`);
  }
  return assets;
}

/** Hash of a script or style as a content security policy names it. */
export function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
