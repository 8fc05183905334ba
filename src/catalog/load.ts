import { catalogDocuments, type Documents } from './documents.js';
import { type Store, StoreSchema } from './schema.js';

// The rules for secrets and for findings lie beside the stores and have schemas of their own.
const isStore = (name: string) => !name.startsWith('secret') && !name.includes('/');

/** All stores of the catalog, by id. An entry that does not hold to the schema is a fault of the program: it names file and path. */
export function loadCatalog(documents: Documents = catalogDocuments()): Store[] {
  const stores = [...documents].filter(([name]) => isStore(name)).map(([name, document]) => store(name, document));
  stores.sort((a, b) => (a.id < b.id ? -1 : 1));
  stores.forEach((store, i) => {
    if (store.id === stores[i - 1]?.id) throw new Error(`catalog: two entries have the id ${store.id}`);
  });
  return stores;
}

function store(name: string, document: unknown): Store {
  const result = StoreSchema.safeParse(document);
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => `${issue.path.map(String).join('.') || 'entry'}: ${issue.message}`);
  throw new Error(`catalog/${name}: ${issues.join('; ')}`);
}
