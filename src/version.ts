import { readFileSync } from 'node:fs';

/** Version of the package, from its `package.json` (beside `src` and `dist`). No schema library here: the help must answer at once. */
export const VERSION: string = versionOf(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));

function versionOf(description: unknown): string {
  if (typeof description === 'object' && description !== null && 'version' in description) return String(description.version);
  throw new Error('package.json without version');
}
