/** Where the reader is. All of it is in the fragment, so that a place can be pasted into a report; nothing is stored. */

import { plain } from '../text/pieces.js';
import { EMPTY, originalOf, type Raw, rawOf } from '../text/raw.js';
import { FACET_KEYS } from './facets.js';

export const VIEWS = ['overview', 'findings', 'sessions', 'timeline', 'evidence', 'session'] as const;
export type View = (typeof VIEWS)[number];

export const MODES = ['all', 'answers', 'actions'] as const;
export type Mode = (typeof MODES)[number];

export interface Place {
  readonly view: View;
  /** The session that is read. */
  readonly session: { readonly id: Raw; readonly user: Raw; readonly host: Raw };
  readonly mode: Mode;
  readonly copies: boolean;
  /** Row id of the chosen row, or ''. */
  readonly row: string;
  readonly query: string;
  readonly expression: boolean;
  readonly from: number | null;
  readonly to: number | null;
  /** Only rows of this finding. */
  readonly finding: string;
  /** By facet key: chosen values. */
  readonly chosen: ReadonlyMap<string, readonly Raw[]>;
}

export const START: Place = {
  view: 'overview',
  session: { id: EMPTY, user: EMPTY, host: EMPTY },
  mode: 'all',
  copies: false,
  row: '',
  query: '',
  expression: false,
  from: null,
  to: null,
  finding: '',
  chosen: new Map(),
};

const hexId = (text: string | null): string => (text !== null && /^[0-9a-f]{16}$/.test(text) ? text : '');

function timeOf(text: string | null): number | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

export function placeOf(hash: string): Place {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const view = VIEWS.find((name) => words.has(name)) ?? 'overview';
  const query = words.get('q') ?? '';
  const text = (name: string) => rawOf(words.get(name) ?? '');
  return {
    view,
    session: { id: text('session'), user: text('user-of'), host: text('host-of') },
    mode: MODES.find((mode) => mode === words.get('mode')) ?? 'all',
    copies: words.has('with-copies'),
    row: hexId(words.get('row')),
    // What could not be shown as it is does not get into the search field.
    query: plain(rawOf(query), 1000) === query ? query : '',
    expression: words.has('expression'),
    from: timeOf(words.get('from')),
    to: timeOf(words.get('to')),
    finding: hexId(words.get('finding')),
    chosen: new Map(FACET_KEYS.filter((key) => words.has(key)).map((key) => [key, words.getAll(key).map(rawOf)])),
  };
}

export function fragmentOf(place: Place): string {
  const words = new URLSearchParams();
  words.set(place.view, place.view === 'session' ? originalOf(place.session.id) : '');
  const add = (name: string, value: string) => value !== '' && words.append(name, value);
  if (place.view === 'session') {
    add('user-of', originalOf(place.session.user));
    add('host-of', originalOf(place.session.host));
    if (place.mode !== 'all') add('mode', place.mode);
    if (place.copies) add('with-copies', '1');
  }
  if (place.view === 'timeline') {
    add('q', place.query);
    if (place.expression && place.query !== '') add('expression', '1');
    if (place.from !== null) add('from', new Date(place.from).toISOString());
    if (place.to !== null) add('to', new Date(place.to).toISOString());
    add('finding', place.finding);
    for (const [key, values] of place.chosen) for (const value of values) words.append(key, originalOf(value));
  }
  add('row', place.row);
  // `#timeline` rather than `#timeline=`.
  return `#${words.toString().replace(/^([a-z]+)=(?=&|$)/, '$1')}`;
}

export const linkTo = (place: Partial<Place> & { readonly view: View }): string => fragmentOf({ ...START, ...place });
