/**
 * Builds the viewer of the report page: one classic script, one style, and their hashes as a content security policy names them.
 * The worker is built first and becomes a text inside the script. Notices of the libraries stand at the head of the script.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import type { ReportShell } from '../src/report/format.js';
import { noticesOf } from './notices.js';

const PAGE = fileURLToPath(new URL('../src/report/page', import.meta.url));
const OUT = new URL('../dist/report/', import.meta.url);

const COMMON: BuildOptions = {
  bundle: true,
  write: false,
  minify: true,
  charset: 'ascii',
  legalComments: 'none',
  format: 'iife',
  target: ['chrome123', 'firefox120', 'safari17.5'],
  tsconfig: `${PAGE}/tsconfig.json`,
  outdir: '/',
  metafile: true,
};

interface Built {
  readonly text: string;
  /** Files that went in, relative to the working directory. */
  readonly inputs: readonly string[];
}

async function built(entry: string, define: Readonly<Record<string, string>> = {}): Promise<Built> {
  const result = await build({ ...COMMON, entryPoints: [`${PAGE}/${entry}`], define });
  return { text: result.outputFiles?.[0]?.text ?? '', inputs: Object.keys(result.metafile?.inputs ?? {}) };
}

/** Nothing in a script or style may end its own element. The build is ASCII, so the words stand only in strings. */
const inert = (text: string): string => text.replace(/<\/(?=script|style)/gi, '<\\/').replaceAll('<!--', '<\\!--');

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

const worker = await built('worker/worker.ts');
const main = await built('main.tsx', { WORKER_SOURCE: JSON.stringify(worker.text) });
const notices = `/*! This script contains:\n\n${noticesOf(main.inputs).replaceAll('*/', '* /')}\n*/\n`;
const script = inert(`${notices}${main.text}`);
const style = inert((await built('styles/page.css')).text);
const hashes: ReportShell = { script: hashOf(script), style: hashOf(style) };

mkdirSync(OUT, { recursive: true });
writeFileSync(new URL('page.js', OUT), script);
writeFileSync(new URL('page.css', OUT), style);
writeFileSync(new URL('shell.json', OUT), `${JSON.stringify(hashes, null, 2)}\n`);
