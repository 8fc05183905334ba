import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogFolder, readDocuments } from '../../src/catalog/documents.js';
import { loadCatalog } from '../../src/catalog/load.js';

test('every shipped entry holds to the schema, and its file is named after it', () => {
  const stores = loadCatalog();
  const files = readdirSync(catalogFolder()).filter((name) => name.endsWith('.yaml') && !name.startsWith('secret'));
  expect(stores.map((store) => `${store.id}.yaml`).sort()).toEqual(files.sort());
});

test('a store can be found: by place, by content, or both', () => {
  for (const store of loadCatalog()) expect(store.by_content || store.places.length > 0, store.id).toBe(true);
});

test('a faulty entry is refused by file and path, and so is a second one of the same id', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kt-test-'));
  const entry = 'id: a\ntitle: T\nagent: kiro-cli\ndoc: D\nread: true\nrole: primary\nevidence: L1\nsecret: none\n';
  writeFileSync(join(folder, 'a.yaml'), entry);
  writeFileSync(join(folder, 'secrets.yaml'), 'not: a store');
  expect(loadCatalog(readDocuments(folder)).map((store) => store.id)).toEqual(['a']);
  writeFileSync(join(folder, 'b.yaml'), entry);
  expect(() => loadCatalog(readDocuments(folder))).toThrow('two entries have the id a');
  writeFileSync(join(folder, 'b.yaml'), `${entry}places: [{ anchor: moon, path: x }]`);
  expect(() => loadCatalog(readDocuments(folder))).toThrow(/^catalog\/b\.yaml: places\.0\.anchor: /);
  rmSync(folder, { recursive: true });
});
