/** Sessions over time: one lane for each user and agent, one bar for each session. */
import { START } from '../data/place.js';
import type { SessionEntry } from '../data/tables.js';
import { useModel, useSelected } from '../model/use.js';
import { plural } from '../text/numbers.js';
import { oneLine } from '../text/pieces.js';
import { originalOf } from '../text/raw.js';

const WIDTH = 1000;
const HEIGHT = 24;
const MOST = 40;

interface Bar {
  readonly session: SessionEntry;
  readonly x: number;
  readonly width: number;
}

interface Lane {
  readonly label: string;
  readonly bars: Bar[];
}

export function Lanes() {
  const sessions = useSelected(({ tables }) => tables?.sessions);
  const activity = useSelected(({ summary }) => summary.activity);
  if (activity === null) return null;
  if (sessions === undefined)
    return (
      <section class="lanes">
        <h2>Sessions</h2>
        <p class="muted">reading…</p>
      </section>
    );
  const lanes = lanesOf(sessions, activity.from, activity.to);
  const dated = lanes.reduce((sum, { bars }) => sum + bars.length, 0);
  return (
    <section class="lanes">
      <h2>
        Sessions{' '}
        <small>
          one bar per session; a red tick marks a high finding; purple holds recovered rows
          {dated < sessions.length && `; ${plural(sessions.length - dated, 'session')} without a time not drawn`}
        </small>
      </h2>
      {lanes.slice(0, MOST).map((lane) => (
        <LaneRow key={lane.label} lane={lane} />
      ))}
      {lanes.length > MOST && <p class="muted">and {plural(lanes.length - MOST, 'lane')} more; the list of sessions has them all</p>}
    </section>
  );
}

function lanesOf(sessions: readonly SessionEntry[], from: number, to: number): Lane[] {
  const scale = (time: number) => (WIDTH * (time - from)) / Math.max(1, to - from);
  const lanes = new Map<string, Lane>();
  for (const session of sessions) {
    const start = Date.parse(originalOf(session.first_utc));
    const end = Date.parse(originalOf(session.last_utc));
    if (Number.isNaN(start) || Number.isNaN(end)) continue;
    const label = [session.host, session.user, ...session.agents]
      .map((name) => oneLine(name, 40))
      .filter(Boolean)
      .join(' · ');
    const lane = lanes.get(label) ?? { label, bars: [] };
    const x = scale(start);
    lane.bars.push({ session, x, width: Math.max(2, scale(end) - x) });
    lanes.set(label, lane);
  }
  return [...lanes.values()].sort((a, b) => (a.label < b.label ? -1 : 1));
}

function LaneRow({ lane: { label, bars } }: { readonly lane: Lane }) {
  const model = useModel();
  const recovered = bars.filter(({ session }) => session.recovered > 0);
  const high = bars.filter(({ session }) => (session.findings.high ?? 0) + (session.findings.critical ?? 0) > 0);
  const sentence = `${label}: ${plural(bars.length, 'session')}, ${high.length} with a high finding, ${recovered.length} with recovered rows`;
  const openNearest = (event: MouseEvent) => {
    const target = event.currentTarget;
    if (!(target instanceof Element)) return;
    const box = target.getBoundingClientRect();
    const x = ((event.clientX - box.left) / Math.max(1, box.width)) * WIDTH;
    const distance = ({ x: left, width }: Bar) => Math.max(0, left - x, x - left - width);
    const nearest = bars.toSorted((a, b) => distance(a) - distance(b))[0];
    if (nearest === undefined || distance(nearest) > 8) return;
    const { session_id, user, host } = nearest.session;
    model.go({ ...START, view: 'session', session: { id: session_id, user, host } });
  };
  return (
    <div class="lane">
      <bdi class="label" title={label}>
        {label}
      </bdi>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        height={HEIGHT}
        role="img"
        aria-label={sentence}
        onClick={openNearest}
      >
        <path class="fill tool" d={pathOf(bars, 6, 12)} />
        <path class="fill recovered" d={pathOf(recovered, 6, 12)} />
        <path class="fill denied" d={high.map(({ x }) => `M${x.toFixed(1)} 1h3v5h-3z`).join('')} />
      </svg>
    </div>
  );
}

const pathOf = (bars: readonly Bar[], top: number, height: number): string =>
  bars.map(({ x, width }) => `M${x.toFixed(1)} ${top}h${width.toFixed(1)}v${height}h${(-width).toFixed(1)}z`).join('');
