import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { rootNames } from '../collect/folder.js';
import { hashFile } from '../evidence/hash-file.js';
import { messageOf } from '../rows/problem.js';
import { UsageError } from '../write/usage-error.js';
import { STDOUT } from './call.js';

export interface VerifyOptions {
  readonly manifest: string;
  /** Where the evidence lies now, in the order of the call that wrote the manifest; empty: where it lay then. */
  readonly roots: readonly string[];
}

export type Verdict = 'same' | 'changed' | 'missing' | 'not hashed';

export interface Checked {
  readonly kind: 'input' | 'output';
  /** As the manifest names it. */
  readonly path: string;
  readonly verdict: Verdict;
  /** What is different, or why it could not be looked at. */
  readonly why: string;
}

const Hashed = z.looseObject({ path: z.string(), sha256: z.string(), size: z.number().optional() });

/** Of a manifest of any command: what was read and what was written. */
const ManifestHead = z.looseObject({
  schema: z.string().startsWith('kirotrail-'),
  source_roots: z.array(z.string()).optional(),
  inputs: z.array(Hashed.extend({ sidecars: z.array(z.looseObject({ name: z.string(), sha256: z.string() })).optional() })),
  archives: z.array(Hashed).default([]),
  outputs: z.array(Hashed),
});

/** Members of an archive are as they were if the archive is. */
const MEMBER = '!/';

/** Hashes again what a manifest names, as far as it is still there. Throws `UsageError` for a manifest that cannot be read. */
export function* verify(options: VerifyOptions): Generator<Checked> {
  const manifest = readManifest(options.manifest);
  for (const output of manifest.outputs) yield checked('output', output, outputPath(output.path, options.manifest));
  const place = inputPlace(manifest.source_roots, options.roots);
  // What an archive holds is as it was if the archive is.
  for (const archive of manifest.archives) if (!archive.path.includes(MEMBER)) yield checked('input', archive, place(archive.path));
  for (const input of manifest.inputs) {
    if (input.path.includes(MEMBER)) continue;
    const path = place(input.path);
    yield checked('input', input, path);
    for (const { name, sha256 } of input.sidecars ?? []) {
      const beside = path === undefined ? undefined : join(dirname(path), name);
      yield checked('input', { path: join(dirname(input.path), name), sha256 }, beside);
    }
  }
}

function readManifest(path: string): z.infer<typeof ManifestHead> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof SyntaxError ? 'not JSON' : messageOf(error)}`);
  }
  const parsed = ManifestHead.safeParse(value);
  if (!parsed.success) throw new UsageError(`${path} is no manifest of kirotrail`);
  return parsed.data;
}

/** Beside the manifest, where both were moved together, or where it was written. */
function outputPath(path: string, manifest: string): string | undefined {
  if (path === STDOUT) return undefined;
  const beside = join(dirname(resolve(manifest)), basename(path));
  return existsSync(beside) ? beside : resolve(path);
}

/** Finds the file of a `source_file`. A merge names its inputs by absolute paths and has no roots. */
function inputPlace(stored: readonly string[] | undefined, given: readonly string[]): (path: string) => string | undefined {
  const roots = given.length > 0 ? given.map((root) => resolve(root)) : (stored ?? []);
  if (stored !== undefined && given.length > 0 && given.length !== stored.length)
    throw new UsageError(`the manifest names ${stored.length} roots, ${given.length} are given with --root`);
  const names = stored === undefined || stored.length < 2 ? [''] : rootNames(stored);
  return (path) => {
    if (stored === undefined) return resolve(path);
    const i = names.findIndex((name) => name === '' || path === name || path.startsWith(`${name}/`));
    const root = roots[i];
    if (root === undefined) return undefined;
    if (statSync(root, { throwIfNoEntry: false })?.isFile() === true) return root;
    const name = names[i] ?? '';
    return join(root, name === '' ? path : path.slice(name.length + 1));
  };
}

function checked(kind: Checked['kind'], { path, sha256 }: z.infer<typeof Hashed>, place: string | undefined): Checked {
  const said = (verdict: Verdict, why: string): Checked => ({ kind, path, verdict, why });
  if (place === undefined) return said('not hashed', 'it was no file');
  if (sha256 === '') return said('not hashed', 'it could not be read then');
  try {
    const now = hashFile(place);
    return now.sha256 === sha256 ? said('same', '') : said('changed', `was ${sha256}, is ${now.sha256}`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : messageOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? said('missing', '') : said('missing', code);
  }
}
