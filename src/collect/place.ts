import picomatch from 'picomatch';
import type { Store } from '../catalog/schema.js';
import { inFolder } from './listing.js';

type Anchor = Store['places'][number]['anchor'];

/** A store that claims a file, and where in the path its place begins. */
export interface Claim {
  readonly store: Store;
  readonly agent: string;
  readonly anchor: Anchor;
  /** Number of path components ahead of the place. */
  readonly ahead: number;
}

interface Place extends Omit<Claim, 'ahead'> {
  readonly parts: readonly string[];
  /** False for a place that takes any number of folders (`**`). */
  readonly fixed: boolean;
  /** First component, unless it is a pattern. */
  readonly first: string | undefined;
  /** Fewest components of a path that matches. */
  readonly least: number;
  readonly matches: (path: string) => boolean;
}

export interface PlaceIndex {
  /** Quick test by name alone: most files end here. `name` is in lower case. */
  mayClaim(name: string): boolean;
  /** `path` holds the components of the file's path, in lower case. */
  claim(path: readonly string[]): Claim | undefined;
  /** True when a place leads through this folder, so that it must be entered whatever its name. */
  leadsThrough(path: readonly string[]): boolean;
  /** True when a store asks for the names in this folder. */
  isListed(path: readonly string[]): boolean;
}

const isGlob = (part: string) => /[*?[\]{}()!+@]/.test(part);

export function indexPlaces(stores: readonly Store[]): PlaceIndex {
  const places = stores.flatMap((store) => store.places.map((place) => compile(store, place)));
  const listed = stores.flatMap((store) => store.places.flatMap((place) => store.listing.map((folder) => asked(store, place, folder))));
  // The longer place says more; ids settle the rest, so that the order of the catalog does not matter.
  places.sort((a, b) => b.parts.length - a.parts.length || (a.store.id < b.store.id ? -1 : 1));
  const literal = new Map<string, Place[]>();
  const byPattern: { readonly name: (name: string) => boolean; readonly place: Place }[] = [];
  for (const place of places) {
    const name = place.parts.at(-1) ?? '';
    if (isGlob(name)) byPattern.push({ name: matcher(name), place });
    else literal.set(name, [...(literal.get(name) ?? []), place]);
  }
  // `*.json` and the like are most of the patterns; their endings are compared before any pattern runs.
  const endings = new Set(byPattern.map(({ place }) => /^\*(\.\w+)$/.exec(place.parts.at(-1) ?? '')?.[1] ?? ''));
  const mayEnd = (name: string) => endings.has('') || endings.has(name.slice(Math.max(0, name.lastIndexOf('.'))));

  return {
    mayClaim: (name) => literal.has(name) || mayEnd(name),
    claim(path) {
      const name = path.at(-1) ?? '';
      const candidates = literal.get(name) ?? [];
      const others = mayEnd(name) ? byPattern.filter((p) => mayStart(p.place, path) && p.name(name)).map((p) => p.place) : [];
      let best: Claim | undefined;
      for (const place of [...candidates, ...others]) {
        const ahead = startOf(place, path);
        // The outermost store owns what lies in it: a file copied into a snapshot is a snapshot, whatever it was before.
        if (ahead === undefined || (best !== undefined && ahead >= best.ahead)) continue;
        best = { store: place.store, agent: place.agent, anchor: place.anchor, ahead };
      }
      return best;
    },
    leadsThrough: (path) => places.some((place) => isOnTheWay(place.parts, path)),
    isListed: (path) => listed.some((place) => startOf(place, path) !== undefined),
  };
}

const matcher = (pattern: string) => picomatch(pattern, { dot: true, windows: false });

function compile(store: Store, place: Store['places'][number]): Place {
  const path = place.path.toLowerCase();
  const parts = path.split('/');
  const fixed = !parts.includes('**');
  const matches = isGlob(path) ? matcher(path) : (candidate: string) => candidate === path;
  const [head = ''] = parts;
  const first = isGlob(head) ? undefined : head;
  const least = fixed ? parts.length : parts.filter((part) => part !== '**').length;
  return { store, agent: place.agent ?? store.agent, anchor: place.anchor, parts, fixed, first, least, matches };
}

/** The place of a folder that is named relative to the folder of a store's file. */
function asked(store: Store, place: Store['places'][number], folder: string): Place {
  return compile(store, { ...place, path: inFolder(place.path.split('/').slice(0, -1), folder).join('/') });
}

/** Most paths have no folder of the name that a place begins with: a comparison spares the patterns. */
function mayStart({ fixed, first, least }: Place, path: readonly string[]): boolean {
  return first === undefined || (fixed ? path[path.length - least] === first : path.includes(first));
}

/** Where the place begins in the path; of several beginnings the outermost. */
function startOf(place: Place, path: readonly string[]): number | undefined {
  const { fixed, first, least } = place;
  const last = path.length - least;
  for (let ahead = fixed ? last : 0; ahead >= 0 && ahead <= last; ahead++) {
    // Most paths have no folder of that name: a comparison spares joining and matching.
    if ((first === undefined || path[ahead] === first) && place.matches(path.slice(ahead).join('/'))) return ahead;
  }
  return undefined;
}

function isOnTheWay(parts: readonly string[], path: readonly string[]): boolean {
  const name = path.at(-1);
  return parts.some(
    (part, i) =>
      i < parts.length - 1 && part === name && parts.slice(0, i).every((p, k) => isGlob(p) || p === path[path.length - 1 - i + k]),
  );
}
