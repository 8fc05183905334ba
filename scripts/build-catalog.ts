/** Writes the catalog as one JSON file beside the built program, so that no run has to parse YAML. */
import { writeFileSync } from 'node:fs';
import { catalogFolder, readDocuments } from '../src/catalog/documents.js';

writeFileSync(new URL('../dist/catalog.json', import.meta.url), JSON.stringify(Object.fromEntries(readDocuments(catalogFolder()))));
