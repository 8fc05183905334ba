import { stringify } from 'yaml';
import type { Store } from '../schema.js';
import { placesOn } from './places.js';
import { markOf, WHOLE } from './texts.js';

/** Folders below a home in which a project is looked for: KAPE knows no pattern for any number of folders. */
const PROJECT_DEPTH = 4;

interface Target {
  readonly folder: string;
  readonly mask: string;
  readonly recursive: boolean;
}

/** A target of KAPE. It is for Windows alone. */
export function kape(stores: readonly Store[]): string {
  const targets: object[] = [];
  const seen = new Set<string>();
  for (const { store, path } of placesOn(stores, 'windows')) {
    for (const { folder, mask, recursive } of targetsOf(path)) {
      const key = `${folder} ${mask} ${recursive}`;
      if (seen.has(key)) continue;
      seen.add(key);
      targets.push({
        Name: `${store.title} (${store.id})`,
        Category: 'AIAgents',
        Path: `C:\\Users\\%user%\\${folder}`,
        FileMask: mask,
        Recursive: recursive,
        Comment: markOf(store),
      });
    }
  }
  const document = {
    Description: `${WHOLE} Projects are looked for up to ${PROJECT_DEPTH} folders below a home.`,
    Author: 'kirotrail catalog --format kape',
    Version: 1,
    Id: '6b0f7c1e-52d3-4f0a-9d3e-8a4b1c7e2f60',
    RecreateDirectories: true,
    Targets: targets,
  };
  return stringify(document, { lineWidth: 0 });
}

/** A pattern as folder and mask. What lies below any number of folders becomes a recursive target from there. */
function targetsOf(path: string): Target[] {
  if (path.startsWith('**/')) {
    const inner = path.slice('**/'.length);
    return Array.from({ length: PROJECT_DEPTH + 1 }, (_, depth) => targetsOf('*/'.repeat(depth) + inner)).flat();
  }
  const parts = path.split('/');
  const any = parts.indexOf('**');
  const mask = parts.at(-1) ?? '*';
  const folders = parts.slice(0, any < 0 ? -1 : any);
  return [{ folder: folders.map((name) => `${name}\\`).join(''), mask: mask === '**' ? '*' : mask, recursive: any >= 0 }];
}
