/** What matches the filters of a place: computed once for each change of them, whoever asks. */
import { type Filters, filterRows, type Result } from '../data/filter.js';
import type { Place } from '../data/place.js';
import type { Finding } from '../data/tables.js';
import { originalOf, placeIn } from '../text/raw.js';
import type { Loaded, Search, State } from './state.js';

interface Asked {
  readonly loaded: Loaded;
  readonly chosen: Place['chosen'];
  readonly from: number | null;
  readonly to: number | null;
  readonly finding: Finding | undefined;
  readonly hits: Search['hits'];
}

let asked: Asked | undefined;
let known: Result | undefined;

export function matching(state: State): Result | null {
  const { loaded, place, search } = state;
  if (loaded === null) return null;
  const now: Asked = {
    loaded,
    chosen: place.chosen,
    from: place.from,
    to: place.to,
    finding: findingOf(state),
    hits: place.query === '' ? null : (search?.hits ?? null),
  };
  if (known === undefined || asked === undefined || !same(now, asked)) {
    known = filterRows(loaded.timeline.time, loaded.facets, filtersOf(now));
    asked = now;
  }
  return known;
}

function findingOf({ tables, place }: State): Finding | undefined {
  if (place.finding === '') return undefined;
  return tables?.findings.find(({ finding_id }) => originalOf(finding_id) === place.finding);
}

export const isFiltered = (place: Place): boolean =>
  place.query !== '' || place.finding !== '' || place.from !== null || place.to !== null || place.chosen.size > 0;

export const UNFILTERED: Partial<Place> = { query: '', finding: '', from: null, to: null, chosen: new Map() };

function same(a: Asked, b: Asked): boolean {
  return (
    a.loaded === b.loaded && a.chosen === b.chosen && a.from === b.from && a.to === b.to && a.finding === b.finding && a.hits === b.hits
  );
}

function filtersOf({ loaded, chosen, from, to, finding, hits }: Asked): Filters {
  const lists: ArrayLike<number>[] = [];
  if (hits !== null) lists.push(hits.rows);
  if (finding !== undefined) lists.push([...finding.rows, ...finding.also]);
  const places = loaded.facets.flatMap(({ key, values }): [string, Set<number>][] => {
    const wanted = chosen
      .get(key)
      ?.map((value) => placeIn(values, value))
      .filter((place) => place >= 0);
    return wanted === undefined || wanted.length === 0 ? [] : [[key, new Set(wanted)]];
  });
  return { chosen: new Map(places), lists, from, to };
}
