import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

const PackageSchema = z.looseObject({ name: z.string(), version: z.string(), license: z.string() });
const LICENCE = /^licen[cs]e(?:-mit)?(?:\.(?:md|txt))?$/i;

/** Name, version and licence of every package of which something is in a bundle, by the files that went in. */
export function noticesOf(inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  return [...folders].sort().map(noticeOf).join('\n\n');
}

/** A package without its licence must not be handed on: the build ends. */
function noticeOf(folder: string): string {
  const { name, version, license } = PackageSchema.parse(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')));
  const file = readdirSync(folder).find((entry) => LICENCE.test(entry));
  if (file === undefined) throw new Error(`${folder}: no licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}`;
}
