/** Checks of a call before any evidence is read, and the outputs it needs. */
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { createScratch, type Scratch } from '../evidence/scratch.js';
import { TooLargeError } from '../evidence/source.js';
import { readStdin } from '../evidence/stdin.js';
import { fileOutput, type Output } from '../write/output.js';
import { UsageError } from '../write/usage-error.js';
import type { RunOptions } from './options.js';

/** In place of a file name: standard output. */
export const STDOUT = '-';

export function stdinAlone(paths: readonly string[]): Buffer {
  try {
    return readStdin(paths);
  } catch (error) {
    throw error instanceof TooLargeError ? new UsageError(error.message) : error;
  }
}

export function openScratch(folder: string | undefined): Scratch {
  try {
    return createScratch(folder);
  } catch (error) {
    throw new UsageError(`cannot use the scratch folder${folder === undefined ? '' : ` ${folder}`} (${codeOf(error)})`);
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'error');

export function rootOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new UsageError(`cannot open ${path} (${codeOf(error)})`);
  }
}

/** The evidence stays untouched: nothing may be written into it, also not through a link. */
export function refuseOutputInEvidence(options: RunOptions, roots: readonly string[]): void {
  const { output, manifest, secrets } = options;
  if (manifest === '' || manifest === STDOUT) throw new UsageError('--manifest needs a file name');
  if (secrets.sarif === '' || secrets.sarif === STDOUT) throw new UsageError('--secrets-sarif needs a file name');
  const targets = [output, manifestOf(options) ?? STDOUT, secrets.sarif ?? STDOUT].filter((path) => path !== STDOUT);
  const files = targets.map((target) => resolve(realFolder(dirname(resolve(target))), basename(target)));
  const twice = files.findIndex((file, i) => files.indexOf(file) < i);
  if (twice > 0) throw new UsageError(`two outputs are the same file: ${targets[twice]}`);
  refuseInEvidence(files, roots);
  const scratch = realFolder(options.scratch ?? tmpdir());
  if (roots.some((root) => liesIn(root, scratch))) {
    throw new UsageError(`the scratch folder lies inside the evidence: ${scratch} (name another with --scratch)`);
  }
}

/** Refuses real paths that lie in a root of the evidence. */
export function refuseInEvidence(files: readonly string[], roots: readonly string[]): void {
  for (const file of files) if (roots.some((root) => liesIn(root, file))) throw new UsageError(`output lies inside the evidence: ${file}`);
}

function liesIn(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`) && resolve(root, inside) === path);
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new UsageError(`no such folder: ${path}`);
  }
}

/** What is written beside the rows; opened before the work, so that what is in the way is said before it. */
export interface BesideRows {
  readonly manifest: Output | undefined;
  readonly sarif: Output | undefined;
  discard(): void;
}

export function openBesideRows(options: RunOptions, rows: { discard(): void }): BesideRows {
  const opened: Output[] = [];
  const discard = () => {
    for (const output of opened) output.discard();
  };
  const open = (path: string | undefined) => {
    if (path === undefined) return undefined;
    const output = fileOutput(path, options.force);
    opened.push(output);
    return output;
  };
  try {
    return { manifest: open(manifestOf(options)), sarif: open(options.secrets.sarif), discard };
  } catch (error) {
    discard();
    rows.discard();
    throw error;
  }
}

function manifestOf({ manifest, output }: RunOptions): string | undefined {
  return manifest ?? (output === STDOUT ? undefined : `${output}.manifest.json`);
}
