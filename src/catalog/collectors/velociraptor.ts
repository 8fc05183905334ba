import { stringify } from 'yaml';
import type { Store } from '../schema.js';
import { placesOn, SYSTEMS, type System } from './places.js';
import { WHOLE } from './texts.js';

const HOMES: Readonly<Record<System, readonly string[]>> = {
  linux: ['/home/*', '/root'],
  darwin: ['/Users/*', '/private/var/root'],
  windows: ['C:/Users/*'],
};

const QUERY = `
LET system <= SELECT OS FROM info()

LET wanted = SELECT Store, Evidence, Glob
  FROM Places
  WHERE System = system[0].OS

SELECT *
FROM foreach(
  row=wanted,
  query={
    SELECT
      Store, Evidence, OSPath, Size, Mtime, Btime,
      upload(file=OSPath, mtime=Mtime) AS Upload
    FROM glob(globs=Glob)
    WHERE NOT IsDir
  })
`.trimStart();

/** An artifact for Velociraptor: what lies where is a table that can be changed at collection. */
export function velociraptor(stores: readonly Store[]): string {
  const table = SYSTEMS.flatMap((system) =>
    placesOn(stores, system).flatMap(({ store, home, path }) => {
      const globs = home ? HOMES[system].map((folder) => `${folder}/${path}`) : [`/${path}`];
      return globs.map((glob) => [system, store.id, store.evidence, glob].map(cell).join(','));
    }),
  );
  const artifact = {
    name: 'Custom.Kirotrail.Collect',
    description: `${WHOLE}\n\nEvidence says how well each store is understood; kirotrail catalog tells what the levels mean.\n`,
    type: 'CLIENT',
    parameters: [
      {
        name: 'Places',
        description: 'One line for each pattern: system, store of the catalog, evidence level, glob.',
        type: 'csv',
        default: `System,Store,Evidence,Glob\n${table.join('\n')}\n`,
      },
    ],
    sources: [{ precondition: "SELECT OS FROM info() WHERE OS = 'linux' OR OS = 'darwin' OR OS = 'windows'", query: QUERY }],
  };
  return `# Made by kirotrail catalog --format velociraptor.\n${stringify(artifact, { lineWidth: 0 })}`;
}

const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
