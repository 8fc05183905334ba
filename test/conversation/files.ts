import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** Content of a file below `fixtures`. */
export const fixture = (path: string): Buffer => readFileSync(join(FIXTURES, path));

const below = (folder: string, wanted: (name: string) => boolean) =>
  readdirSync(join(FIXTURES, folder))
    .filter(wanted)
    .map((name) => `${folder}/${name}`);

/** Exports that real programs wrote. */
export const REAL_EXPORTS = below('real-shaped/amazon-q', (name) => name.startsWith('save-'));

/** Every file of the fixtures that is one conversation value. */
export const CONVERSATIONS = [
  ...['sources/amazon-q', 'sources/codewhisperer'].flatMap((folder) =>
    below(folder, (name) => name.endsWith('.json') && name !== 'build.json'),
  ),
  ...below('home/exports', () => true),
  ...REAL_EXPORTS,
];
