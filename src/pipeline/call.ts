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
  const { output, manifest } = options;
  if (manifest === '' || manifest === STDOUT) throw new UsageError('--manifest needs a file name');
  const targets = [output, manifest ?? STDOUT].filter((path) => path !== STDOUT);
  const files = targets.map((target) => resolve(realFolder(dirname(resolve(target))), basename(target)));
  if (files.length === 2 && files[0] === files[1]) throw new UsageError(`output and manifest are the same file: ${output}`);
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

export function openManifest(options: RunOptions, output: { discard(): void }): Output | undefined {
  const path = options.manifest ?? (options.output === STDOUT ? undefined : `${options.output}.manifest.json`);
  if (path === undefined) return undefined;
  try {
    return fileOutput(path, options.force);
  } catch (error) {
    output.discard();
    throw error;
  }
}
