import type { CommandModule } from 'yargs';
import type { Store } from '../catalog/schema.js';

const WIDTH = 100;

/** What the program knows to find, what each store proves, and how well it is understood. */
export const catalogCommand: CommandModule<object, { format: 'text' | 'json' }> = {
  command: 'catalog',
  describe: 'the stores it knows, what each proves, and how well it is understood',
  builder: (yargs) => yargs.option('format', { choices: ['text', 'json'] as const, default: 'text' as const }).strict(),
  async handler({ format }) {
    // Loaded only now: the help answers without the schema library.
    const [{ loadCatalog }, { EVIDENCE_LEVELS }] = await Promise.all([import('../catalog/load.js'), import('../catalog/schema.js')]);
    const stores = loadCatalog();
    process.stdout.write(
      format === 'json' ? `${JSON.stringify(stores, null, 2)}\n` : `${stores.map(describeStore).join('\n')}\n${levels(EVIDENCE_LEVELS)}\n`,
    );
  },
};

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
