import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The files of the catalog as parsed YAML, by path within it, in order. */
export type Documents = ReadonlyMap<string, unknown>;

// The build turns the catalog into one JSON file beside the program: parsing the YAML takes longer than a small run.
const COMPILED = fileURLToPath(new URL('../catalog.json', import.meta.url));

/** The catalog that belongs to the program: as the build left it, or from the `catalog` folder of a checkout. */
export function catalogDocuments(): Documents {
  if (!existsSync(COMPILED)) return readDocuments(catalogFolder());
  const documents: Record<string, unknown> = JSON.parse(readFileSync(COMPILED, 'utf8'));
  return new Map(Object.entries(documents));
}

/** The `catalog` folder beside `src` or `dist`. */
export function catalogFolder(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    const folder = join(at, 'catalog');
    if (existsSync(folder) && readdirSync(folder).some(isEntry)) return folder;
    if (at === dirname(at)) throw new Error('catalog: the folder with the store descriptions is missing');
  }
}

/** All YAML files of a folder and of the folders in it, by path. One that is not YAML is a fault of the program: the error names it. */
export function readDocuments(folder: string): Documents {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return new Map(
    names
      .filter(isEntry)
      .sort()
      .map((name) => [name, readYaml(join(folder, name), name)]),
  );
}

const isEntry = (name: string) => name.endsWith('.yaml');

function readYaml(path: string, name: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`catalog/${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
