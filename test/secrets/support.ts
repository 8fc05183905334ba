import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { catalogFolder } from '../../src/catalog/load.js';
import { createScanner, parseRules, type RuleSet, type Scanner } from '../../src/secrets/index.js';

export function secretDocuments(): unknown[] {
  const folder = catalogFolder();
  return readdirSync(folder)
    .filter((name) => name.startsWith('secret'))
    .sort()
    .map((name): unknown => parse(readFileSync(join(folder, name), 'utf8')));
}

export const rules: RuleSet = parseRules(secretDocuments());
export const scanner: Scanner = createScanner(rules);
