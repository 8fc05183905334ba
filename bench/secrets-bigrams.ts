/**
 * Makes the table of letter pairs in catalog/secrets-bigrams.yaml from the names in the documentation and type declarations of
 * the installed dependencies: `tsx bench/secrets-bigrams.ts > catalog/secrets-bigrams.yaml`.
 * Each name counts once. A level is 63 for a certain successor and 0 at a likelihood of 2^-12 and less.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const CLASSES = 37;
const FIRST_MARK = 48;
const BITS = 12;
const FILE_MOST = 400_000;

const classOf = (unit: number) => {
  if (unit >= 97 && unit <= 122) return unit - 97;
  return unit >= 48 && unit <= 57 ? unit - 22 : CLASSES - 1;
};

function* files(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.(?:md|d\.ts)$/.test(entry.name) && statSync(path).size < FILE_MOST) yield path;
  }
}

const names = new Set<string>();
for (const path of files('node_modules'))
  for (const [name] of readFileSync(path, 'utf8').matchAll(/[A-Za-z][A-Za-z0-9_.-]{3,40}/g)) {
    const digits = name.replace(/[^0-9]/g, '').length;
    if (digits <= 2) names.add(name.toLowerCase());
  }

const counts = new Float64Array(CLASSES * CLASSES).fill(0.5);
for (const name of names)
  for (let i = 1; i < name.length; i += 1) {
    const at = classOf(name.charCodeAt(i - 1)) * CLASSES + classOf(name.charCodeAt(i));
    counts[at] = (counts[at] ?? 0) + 1;
  }

console.log('# How well the second of two characters follows the first in names and words; made by bench/secrets-bigrams.ts.');
console.log('# Rows and columns: a to z, 0 to 9, all else. A level from 0 (never) to o (always).');
console.log('bigrams:');
for (let row = 0; row < CLASSES; row += 1) {
  const own = counts.slice(row * CLASSES, (row + 1) * CLASSES);
  const total = own.reduce((sum, count) => sum + count, 0);
  const marks = [...own].map((count) => {
    const level = Math.round(63 * (1 - Math.min(BITS, -Math.log2(count / total)) / BITS));
    return String.fromCharCode(FIRST_MARK + level);
  });
  console.log(`  - '${marks.join('').replaceAll("'", "''")}'`);
}
