import { readFileSync } from 'node:fs';
import { z } from 'zod';

const PackageSchema = z.looseObject({ version: z.string() });

/** Version of the package, from its `package.json` (beside `src` and `dist`). */
export const VERSION = PackageSchema.parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))).version;
