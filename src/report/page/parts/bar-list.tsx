/** A list of bars with their numbers; each is a button that filters. */
import { count } from '../text/numbers.js';

export interface BarEntry {
  readonly key: string;
  readonly label: string;
  /** Named shares, in colours that their words repeat. */
  readonly shares: readonly { readonly name: string; readonly tone: string; readonly n: number }[];
  readonly open: () => void;
}

export function BarList({ entries, empty }: { readonly entries: readonly BarEntry[]; readonly empty: string }) {
  const total = ({ shares }: BarEntry) => shares.reduce((sum, { n }) => sum + n, 0);
  const highest = Math.max(1, ...entries.map(total));
  if (entries.length === 0) return <p class="muted">{empty}</p>;
  return (
    <ul class="bar-list">
      {entries.map((entry) => (
        <li key={entry.key}>
          <button type="button" onClick={entry.open} title={entry.shares.map(({ name, n }) => `${name}: ${count(n)}`).join(', ')}>
            <bdi class="label">{entry.label}</bdi>
            <span class="track" aria-hidden="true">
              {entry.shares.map(({ name, tone, n }) => (
                <span key={name} class={`fill ${tone}`} style={{ width: `${(100 * n) / highest}%` }} />
              ))}
            </span>
            <span class="n">{count(total(entry))}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
