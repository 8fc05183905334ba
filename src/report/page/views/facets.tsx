/** Facets with live counts: each counts as if nothing were chosen in it, and is exact. */
import { useState } from 'preact/hooks';
import type { Facet } from '../data/facets.js';
import type { Result } from '../data/filter.js';
import type { Place } from '../data/place.js';
import { narrow } from '../list/row-list.js';
import type { Loaded } from '../model/state.js';
import { useModel, useSelected } from '../model/use.js';
import { count, utc } from '../text/numbers.js';
import { oneLine } from '../text/pieces.js';
import { originalOf, type Raw } from '../text/raw.js';

const FIRST = 9;
const MORE = 50;

/** Choices with one value put in or taken out. */
export function withChoice(chosen: Place['chosen'], key: string, value: Raw, on: boolean): Place['chosen'] {
  const others = (chosen.get(key) ?? []).filter((one) => one !== value);
  const values = on ? [...others, value] : others;
  const next = new Map(chosen);
  if (values.length > 0) next.set(key, values);
  else next.delete(key);
  return next;
}

export function Facets({ loaded, result }: { readonly loaded: Loaded; readonly result: Result }) {
  const [open, setOpen] = useState(!narrow());
  return (
    <details class="facets" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary id="facets">Filters</summary>
      <TimeFields />
      {loaded.facets.map((facet) => (
        <FacetList key={facet.key} facet={facet} counts={result.counts.get(facet.key)} />
      ))}
    </details>
  );
}

function FacetList({ facet, counts }: { readonly facet: Facet; readonly counts: Uint32Array | undefined }) {
  const model = useModel();
  const chosen = useSelected(({ place }) => place.chosen);
  const [most, setMost] = useState(FIRST);
  const picked = chosen.get(facet.key) ?? [];
  const countOf = (place: number) => counts?.[place] ?? 0;
  const places = facet.values
    .map((_, place) => place)
    // "none" stands last; a value that matches nothing is kept only while it is chosen or there is room.
    .sort((a, b) => (a === 0 ? 1 : b === 0 ? -1 : countOf(b) - countOf(a) || a - b));
  const used = places.filter((place, rank) => {
    const value = facet.values[place];
    return (value !== undefined && picked.includes(value)) || rank < most || (place === 0 && countOf(0) > 0);
  });
  const hidden = places.length - used.length;
  const nothing = countOf(0) === 0 && !picked.some((value) => originalOf(value) === '');
  return (
    <fieldset>
      <legend>{facet.label}</legend>
      {used.map((place) => {
        const value = facet.values[place];
        if (value === undefined || (place === 0 && nothing)) return null;
        const n = countOf(place);
        return (
          <label key={place} class={n === 0 ? 'zero' : undefined}>
            <input
              type="checkbox"
              checked={picked.includes(value)}
              onChange={(event) => model.adjust({ chosen: withChoice(chosen, facet.key, value, event.currentTarget.checked) })}
            />
            <bdi class={place === 0 ? 'none' : undefined}>{place === 0 ? 'none' : oneLine(value, 80)}</bdi>
            <span class="n">{count(n)}</span>
          </label>
        );
      })}
      {hidden > 0 && (
        <button type="button" class="plain" onClick={() => setMost(most + MORE)}>
          {count(hidden)} more
        </button>
      )}
    </fieldset>
  );
}

/** The span of the brush, for the keyboard: an ISO time, read as UTC. */
function TimeFields() {
  const model = useModel();
  const from = useSelected(({ place }) => place.from);
  const to = useSelected(({ place }) => place.to);
  const field = (name: 'from' | 'to', label: string, value: number | null) => (
    <label class="time-field">
      <span>{label}</span>
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        placeholder="2025-03-06 06:49"
        value={value === null ? '' : utc(value).slice(0, 19)}
        onChange={(event) => {
          const time = timeOf(event.currentTarget.value);
          if (time === undefined) {
            event.currentTarget.setCustomValidity('a time such as 2025-03-06 06:49');
            event.currentTarget.reportValidity();
          } else {
            event.currentTarget.setCustomValidity('');
            model.adjust({ [name]: time });
          }
        }}
      />
    </label>
  );
  return (
    <fieldset>
      <legend>Time (UTC)</legend>
      {field('from', 'from', from)}
      {field('to', 'until', to)}
    </fieldset>
  );
}

/** undefined: not a time; null: no limit. */
export function timeOf(text: string): number | null | undefined {
  const typed = text.trim();
  if (typed === '') return null;
  if (!/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)?Z?$/.test(typed)) return undefined;
  const iso = typed.replace(' ', 'T').replace(/Z$/, '');
  const time = Date.parse(iso.length === 10 ? `${iso}T00:00Z` : `${iso}Z`);
  return Number.isNaN(time) ? undefined : time;
}
