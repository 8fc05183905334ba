import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type Store, StoreSchema } from './schema.js';

const isEntry = (name: string) => name.endsWith('.yaml');
// The secret rules lie beside the stores and have a schema of their own.
const isStore = (name: string) => isEntry(name) && !name.startsWith('secret');

/** All stores of the catalog, by id. An entry that does not hold to the schema is a fault of the program: it names file and path. */
export function loadCatalog(folder: string = catalogFolder()): Store[] {
  const stores = readdirSync(folder)
    .filter(isStore)
    .map((name) => loadStore(folder, name));
  stores.sort((a, b) => (a.id < b.id ? -1 : 1));
  stores.forEach((store, i) => {
    if (store.id === stores[i - 1]?.id) throw new Error(`catalog: two entries have the id ${store.id}`);
  });
  return stores;
}

/** The `catalog` folder beside `src` or `dist`, in a checkout as in an installed package. */
export function catalogFolder(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    const folder = join(at, 'catalog');
    if (existsSync(folder) && readdirSync(folder).some(isEntry)) return folder;
    if (at === dirname(at)) throw new Error('catalog: the folder with the store descriptions is missing');
  }
}

function loadStore(folder: string, name: string): Store {
  const result = StoreSchema.safeParse(readYaml(join(folder, name), name));
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => `${issue.path.map(String).join('.') || 'entry'}: ${issue.message}`);
  throw new Error(`catalog/${name}: ${issues.join('; ')}`);
}

function readYaml(path: string, name: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`catalog/${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
