/** What am I looking at, is it all, what needs attention, and when was it. Drawn from the summary, before any row is there. */
import { BIN_GROUPS } from '../../format.js';
import { GROUP_TONES } from '../data/kinds.js';
import { START } from '../data/place.js';
import { useModel, useSelected } from '../model/use.js';
import { Bars, binWidth } from '../parts/bars.js';
import { count, plural, utcMinutes } from '../text/numbers.js';
import { Attention } from './attention.js';
import { Breakdowns } from './breakdowns.js';
import { Lanes } from './lanes.js';
import { PageList } from './page-list.js';
import { ReadFirst } from './read-first.js';

export function Overview() {
  const parts = useSelected(({ summary }) => summary.parts);
  return (
    <div class="page overview-page">
      <h1 class="unseen">Overview</h1>
      <Figures />
      {parts.length > 0 && <PageList />}
      <div class="columns">
        <Attention />
        <ReadFirst />
      </div>
      <Activity />
      <Lanes />
      {parts.length === 0 && <Breakdowns />}
    </div>
  );
}

interface Figure {
  readonly label: string;
  readonly n: number;
  /** "Look here"; zero is never coloured. */
  readonly tone?: string;
}

function Figures() {
  const { figures, rows, secrets_policy } = useSelected(({ summary }) => summary);
  const secrets = secrets_policy === 'masked' ? 'Secrets (masked)' : secrets_policy === 'shown' ? 'Secrets (in clear)' : 'Secrets';
  const all: readonly Figure[] = [
    { label: 'Sessions', n: figures.sessions },
    { label: 'Rows', n: rows },
    { label: 'Prompts typed', n: figures.prompts_typed },
    { label: 'Injected texts', n: figures.prompts_injected, tone: 'amber' },
    { label: 'Tool calls', n: figures.tool_calls },
    { label: 'Denied or cancelled', n: figures.denied_or_cancelled, tone: 'red' },
    { label: 'Recovered rows', n: figures.recovered, tone: 'purple' },
    { label: 'Gaps', n: figures.gaps, tone: 'amber' },
    { label: secrets_policy === 'not scanned' ? 'Secrets (not scanned)' : secrets, n: figures.secrets, tone: 'red' },
  ];
  const errors: Figure[] = figures.errors > 0 ? [{ label: 'Errors', n: figures.errors, tone: 'red' }] : [];
  return (
    <dl class="figures">
      {[...all, ...errors].map(({ label, n, tone }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd class={n > 0 ? tone : undefined}>{count(n)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Activity() {
  const model = useModel();
  const activity = useSelected(({ summary }) => summary.activity);
  const rows = useSelected(({ summary }) => summary.rows);
  const undated = useSelected(({ summary }) => summary.undated);
  if (activity === null) return null;
  const { from, to, bins } = activity;
  const span = { from, to: Math.max(to, from + 1) };
  const sums = BIN_GROUPS.map((name, group) => [name, bins.reduce((sum, bin) => sum + (bin[group] ?? 0), 0)] as const);
  const sentence = `Rows over time from ${utcMinutes(from)} to ${utcMinutes(to)} UTC: ${sums.map(([name, n]) => `${name} ${count(n)}`).join(', ')}; ${plural(undated, 'row')} without a time are not drawn.`;
  return (
    <section>
      <h2>
        Activity <small>rows per {binWidth(span, bins.length)}, UTC; drag to choose a time span</small>
      </h2>
      <Bars
        bins={bins}
        span={span}
        height={110}
        sentence={sentence}
        onBrush={(chosen) => model.go({ ...START, view: 'timeline', ...chosen })}
      />
      <p class="legend">
        {sums.map(([name, n], group) => (
          <span key={name} title={count(n)}>
            <span class={`swatch fill ${GROUP_TONES[group]}`} /> {name} <span class="n">{count(n)}</span>
          </span>
        ))}
        <span class="muted">
          {count(undated)} of {count(rows)} rows have no time and are not drawn
        </span>
      </p>
    </section>
  );
}
