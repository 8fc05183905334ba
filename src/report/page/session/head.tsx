/** What session this is: title, who, where, when, how much. */
import type { Loaded } from '../model/state.js';
import { useSelected } from '../model/use.js';
import { plural, utcMinutes } from '../text/numbers.js';
import { oneLine } from '../text/pieces.js';
import { originalOf } from '../text/raw.js';
import { Shown } from '../text/shown.js';

export function SessionHead({ loaded: { timeline }, rows }: { readonly loaded: Loaded; readonly rows: Uint32Array }) {
  const place = useSelected((state) => state.place.session);
  const entry = useSelected(({ tables }) =>
    tables?.sessions.find(({ session_id, user, host }) => session_id === place.id && user === place.user && host === place.host),
  );
  const title = entry !== undefined && originalOf(entry.title) !== '' ? entry.title : place.id;
  const times = [...rows].map((row) => timeline.time[row] ?? Number.NaN).filter((time) => !Number.isNaN(time));
  const first = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const last = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const span =
    times.length === 0
      ? 'no time recorded'
      : `${utcMinutes(first)} – ${utcMinutes(last).slice(utcMinutes(first).slice(0, 10) === utcMinutes(last).slice(0, 10) ? 11 : 0)} UTC`;
  const who = [place.host, place.user, ...(entry?.agents ?? [])].map((name) => oneLine(name, 60)).filter(Boolean);
  return (
    <header class="session-head">
      <h1>
        <Shown of={title} most={200} />
      </h1>
      <p>
        <bdi>{who.join(' · ')}</bdi>
        {entry?.project_paths.map((path) => (
          <span key={originalOf(path)} class="mono">
            {' · '}
            <Shown of={path} code most={200} />
          </span>
        ))}
        {` · ${span} · ${plural(rows.length, 'row')}`}
      </p>
      <p class="mono">
        <Shown of={place.id} code />
      </p>
    </header>
  );
}
