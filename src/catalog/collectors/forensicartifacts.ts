import { stringify } from 'yaml';
import type { Store } from '../schema.js';
import { type CollectedPlace, placesOn, SYSTEMS, type System } from './places.js';
import { markOf, nameOf, WHOLE } from './texts.js';

const NAMES: Readonly<Record<System, string>> = { linux: 'Linux', darwin: 'Darwin', windows: 'Windows' };

/** Definitions of ForensicArtifacts: one for each store, and a group of all. */
export function forensicArtifacts(stores: readonly Store[]): string {
  const places = SYSTEMS.flatMap((system) => placesOn(stores, system));
  const defined = stores.filter((store) => places.some((place) => place.store === store));
  const group = {
    name: 'KirotrailAll',
    doc: WHOLE,
    sources: [{ type: 'ARTIFACT_GROUP', attributes: { names: defined.map((store) => `Kirotrail${nameOf(store)}`) } }],
    supported_os: Object.values(NAMES),
  };
  const single = defined.map((store) => {
    const own = SYSTEMS.map((system) => places.filter((place) => place.store === store && place.system === system));
    return {
      name: `Kirotrail${nameOf(store)}`,
      doc: `${store.title}. ${markOf(store)}\n\n${store.doc.trim()}\n`,
      sources: own.flatMap((list) => sourceOf(list)),
      supported_os: own.flatMap(([first]) => (first === undefined ? [] : [NAMES[first.system]])),
    };
  });
  return `# Made by kirotrail catalog --format forensicartifacts.\n${[group, ...single].map((definition) => `---\n${stringify(definition, { lineWidth: 0 })}`).join('')}`;
}

function sourceOf(places: readonly CollectedPlace[]): object[] {
  const [first] = places;
  if (first === undefined) return [];
  const separator = first.system === 'windows' ? '\\' : '/';
  const paths = places.map(({ home, path }) => (home ? `%%users.homedir%%/${path}` : `/${path}`).replaceAll('/', separator));
  return [
    {
      type: 'FILE',
      attributes: { paths, ...(separator === '/' ? {} : { separator }) },
      supported_os: [NAMES[first.system]],
    },
  ];
}
