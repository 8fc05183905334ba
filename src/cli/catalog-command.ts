import type { CommandModule, Options } from 'yargs';
import type { Store } from '../catalog/schema.js';

const WIDTH = 100;
const FORMATS = ['text', 'json', 'velociraptor', 'kape', 'forensicartifacts'] as const;
type CatalogFormat = (typeof FORMATS)[number];

export const catalogOptions = {
  format: { choices: FORMATS, nargs: 1, default: 'text' as const, describe: 'text, JSON, or what a collecting engine takes' },
} satisfies Record<string, Options>;

/** What the program knows to find, what each store proves, and how well it is understood. */
export const catalogCommand: CommandModule<object, { format: CatalogFormat }> = {
  command: 'catalog',
  describe: 'the stores it knows, what each proves, and how well it is understood',
  builder: (yargs) =>
    yargs.options(catalogOptions).example('$0 catalog --format velociraptor > Kirotrail.yaml', 'an artifact for Velociraptor').strict(),
  async handler({ format }) {
    // Loaded only now: the help answers without the schema library.
    const [{ loadCatalog }, { EVIDENCE_LEVELS }] = await Promise.all([import('../catalog/load.js'), import('../catalog/schema.js')]);
    const stores = loadCatalog();
    const collect = await collectorOf(format);
    if (collect !== undefined) process.stdout.write(collect(stores));
    else
      process.stdout.write(
        format === 'json'
          ? `${JSON.stringify(stores, null, 2)}\n`
          : `${stores.map(describeStore).join('\n')}\n${levels(EVIDENCE_LEVELS)}\n`,
      );
  },
};

/** What writes the catalog for an engine that collects. */
async function collectorOf(format: CatalogFormat): Promise<((stores: readonly Store[]) => string) | undefined> {
  if (format === 'velociraptor') return (await import('../catalog/collectors/velociraptor.js')).velociraptor;
  if (format === 'kape') return (await import('../catalog/collectors/kape.js')).kape;
  if (format === 'forensicartifacts') return (await import('../catalog/collectors/forensicartifacts.js')).forensicArtifacts;
  return undefined;
}

function describeStore(store: Store): string {
  const places = store.places.map(({ anchor, path }) => `    ${anchor}: ${path}`);
  if (store.by_content) places.push('    anywhere, recognised by content');
  const secret = store.secret === 'none' ? '' : store.secret === 'fields' ? ', holds credentials' : ', is a credential';
  return [
    `${store.id}: ${store.title}`,
    `    ${store.agent}, ${store.role}, understood ${store.evidence}${store.read ? '' : ', listed only'}${secret}${store.versions === '' ? '' : `; ${store.versions}`}`,
    ...places,
    ...wrap(store.doc.trim(), WIDTH - 4).map((line) => `    ${line}`),
    '',
  ].join('\n');
}

function levels(meanings: Readonly<Record<string, string>>): string {
  return Object.entries(meanings)
    .map(([level, meaning]) => `${level}: ${meaning}`)
    .join('; ');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}
