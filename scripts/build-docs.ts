/** Writes the generated pages of `docs` from the row schema, the catalog and the queries. A test fails when they are stale. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalogFolder, readDocuments } from '../src/catalog/documents.js';
import { loadCatalog } from '../src/catalog/load.js';
import { EVIDENCE_LEVELS, type Store } from '../src/catalog/schema.js';
import { ManifestSchema } from '../src/pipeline/manifest.js';
import { COLUMNS, RowSchema, SCHEMA } from '../src/rows/row.js';
import { ROW_TYPE_MEANING, ROW_TYPES, type RowType } from '../src/rows/row-types.js';
import { VERSION } from '../src/version.js';
import { analysisText } from './analysis-page.js';
import { manPage } from './man-page.js';
import { queriesText } from './queries-page.js';
import { rulesPage as rulesText } from './rules-page.js';

const GENERATED = '<!-- Made by `npm run docs`; do not edit. -->';

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Type of a column as it stands in JSONL. */
function typeOf(column: (typeof COLUMNS)[number]): string {
  const schema = RowSchema.shape[column].toJSONSchema();
  if (schema.enum !== undefined) return schema.enum.map((value) => (value === '' ? '`""`' : `\`${String(value)}\``)).join(' ');
  if (schema.anyOf !== undefined) return 'integer or null';
  if (schema.type === 'array')
    return schema.items !== undefined && 'type' in Object(schema.items) && Object(schema.items).type === 'string'
      ? 'list of strings'
      : 'list of objects';
  return String(schema.type ?? 'object');
}

export function columnsPage(): string {
  const columns = COLUMNS.map(
    (column, i) => `| ${i + 1} | \`${column}\` | ${cell(typeOf(column))} | ${cell(RowSchema.shape[column].description ?? '')} |`,
  );
  const isType = (name: string): name is RowType => name in ROW_TYPES;
  const types = Object.keys(ROW_TYPES)
    .filter(isType)
    .map((type) => `| \`${type}\` | ${ROW_TYPES[type]} | ${cell(ROW_TYPE_MEANING[type])} |`);
  const manifest = Object.entries(ManifestSchema.shape).map(([key, schema]) => `| \`${key}\` | ${cell(schema.description ?? '')} |`);
  return `${GENERATED}

# Columns

Schema \`${SCHEMA}\`. Every row has all columns, in this order, in JSONL and in CSV; columns are only ever added at the end. Empty is \`""\`
for strings, \`[]\`, \`{}\` or \`null\` as typed. In CSV lists and objects are JSON text, \`secret_rules\` is joined by \`;\`, null is empty, and a last
column \`csv_notes\` names each cell that was changed for safety: \`guarded:<column>\` (an apostrophe in front, so that no spreadsheet takes it
for a formula), \`escaped:<column>\` (control, bidi and lone surrogate characters written as \`\\u{..}\`), \`cut:<column>\` (above 32,000 characters).
The guard is for a file read with the comma it is written with. A program told to part cells at \`;\` or tabs begins new cells within texts, which may
hold \`;=\`: import with the comma, or use \`--csv-preset excel\`, which guards within texts too (\`guarded-within:<column>\`: an apostrophe after each semicolon, tab or
line break that a formula follows). Elements of \`secret_rules\` are ids, which begin with a letter or digit.

| # | Column | JSONL type or values | Meaning |
|---|---|---|---|
${columns.join('\n')}

## Row types

| \`row_type\` | \`turn_type\` | One row per |
|---|---|---|
${types.join('\n')}

## Time and order

\`timestamp_utc\` is a time the store records for this very row, in UTC, cut to milliseconds; \`timestamp_original\` is what was stored. A row
without a time of its own has none; where it can be bounded, \`details.window\` says after and before what it happened. The timeline is ordered by
time at full precision. Rows of one session keep their order in the store: an undated row stands directly behind the one before it, and rows
ahead of the first dated one stand directly before it. Rows of sources without any time come last, by path. A notice (\`recovered\`) stands ahead
of what it announces.

## Manifest

Beside every output lies \`<output>.manifest.json\`.

| Key | Meaning |
|---|---|
${manifest.join('\n')}
`;
}

function storeSection(store: Store): string {
  const places = store.places.map(({ anchor, path, agent }) => `- ${anchor}: \`${path}\`${agent === undefined ? '' : ` (${agent})`}`);
  if (store.by_content) places.push('- anywhere, recognised by content');
  const left = store.not_carried.map(({ field, reason }) => `- ${field}: ${reason}`);
  return [
    `## ${store.title}`,
    '',
    `\`${store.id}\`, ${store.agent}, ${store.role}${store.read ? '' : ', found and listed in the manifest, not read into rows'}. Understood at ${store.evidence}.${store.versions === '' ? '' : ` Versions: ${store.versions}.`} Credentials: ${store.secret}.`,
    '',
    store.doc.trim(),
    '',
    ...places,
    ...(left.length > 0 ? ['', 'Not carried into rows:', '', ...left] : []),
    ...(store.references.length > 0 ? ['', `Sources: ${store.references.join('; ')}.`] : []),
    '',
  ].join('\n');
}

export function storesPage(): string {
  const stores = loadCatalog();
  const levels = Object.entries(EVIDENCE_LEVELS).map(([level, meaning]) => `- ${level}: ${meaning}`);
  return (
    `${GENERATED}

# Stores

What kirotrail looks for, what each store proves, and how well it is understood. Places are matched at any depth and without regard to case,
so that a home copy, a mounted disk with many homes, a Windows profile or a single folder can be examined on any system. The same list:
\`kirotrail catalog\`.

${levels.join('\n')}

${stores.map(storeSection).join('\n')}`.trimEnd() + '\n'
  );
}

export const analysisPage = (): string => analysisText(GENERATED);

export const rulesPage = (): string => rulesText(readDocuments(catalogFolder()), GENERATED);

export const manualPage = (): string => manPage(VERSION);

export const queriesPage = (): string => queriesText(GENERATED);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../docs/columns.md', import.meta.url), columnsPage());
  writeFileSync(new URL('../docs/stores.md', import.meta.url), storesPage());
  writeFileSync(new URL('../docs/rules.md', import.meta.url), rulesPage());
  writeFileSync(new URL('../man/kirotrail.1', import.meta.url), manualPage());
  writeFileSync(new URL('../docs/queries.md', import.meta.url), queriesPage());
  writeFileSync(new URL('../docs/analysis.md', import.meta.url), analysisPage());
}
