import { existsSync, readFileSync } from 'node:fs';

/** `package.json` lies beside `src` and `dist`; the files of the built program lie one folder deeper than this module. */
const PLACES = ['../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url));

/** Version of the package, from its `package.json`. No schema library here: the help must answer at once. */
export const VERSION: string = versionOf(JSON.parse(readFileSync(PLACES.find((place) => existsSync(place)) ?? '', 'utf8')));

function versionOf(description: unknown): string {
  if (typeof description === 'object' && description !== null && 'version' in description) return String(description.version);
  throw new Error('package.json without version');
}
