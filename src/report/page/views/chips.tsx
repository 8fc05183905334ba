/** What is shown of how much, and every filter that is on, each with its way out. */
import type { Result } from '../data/filter.js';
import type { Place } from '../data/place.js';
import { isFiltered, UNFILTERED } from '../model/matching.js';
import { useModel, useSelected } from '../model/use.js';
import { count, utc } from '../text/numbers.js';
import { oneLine, plain } from '../text/pieces.js';
import { rawOf } from '../text/raw.js';
import { withChoice } from './facets.js';

interface Chip {
  readonly text: string;
  readonly without: Partial<Place>;
}

export function Chips({ result, total }: { readonly result: Result; readonly total: number }) {
  const model = useModel();
  const place = useSelected((state) => state.place);
  const facets = useSelected(({ loaded }) => loaded?.facets);
  const finding = useSelected(({ tables, place: { finding } }) => tables?.findings.find(({ finding_id }) => plain(finding_id) === finding));
  const chips: Chip[] = [];
  if (place.query !== '')
    chips.push({ text: `${place.expression ? 'Expression' : 'Text'}: ${oneLine(rawOf(place.query), 60)}`, without: { query: '' } });
  if (place.from !== null || place.to !== null) chips.push({ text: `Time: ${spanText(place)}`, without: { from: null, to: null } });
  if (place.finding !== '')
    chips.push({
      text: finding === undefined ? 'Finding: not in this page' : `Finding: ${oneLine(finding.title, 80)}`,
      without: { finding: '' },
    });
  for (const [key, values] of place.chosen) {
    const facet = facets?.find((one) => one.key === key);
    for (const value of values) {
      const known = facet?.values.includes(value) === true;
      const text = known ? oneLine(value, 60) || 'none' : 'not in this page';
      chips.push({ text: `${facet?.label ?? 'Filter'}: ${text}`, without: { chosen: withChoice(place.chosen, key, value, false) } });
    }
  }
  return (
    <div class="chips">
      <p role="status">
        <strong>{count(result.rows.length)}</strong> of {count(total)} rows, {count(result.undated)} without a time
      </p>
      {chips.map(({ text, without }) => (
        <button key={text} type="button" class="chip" onClick={() => model.adjust(without)} title="Take this filter off">
          <bdi>{text}</bdi> <span aria-hidden="true">✕</span>
        </button>
      ))}
      {isFiltered(place) && (
        <button type="button" class="plain" onClick={() => model.adjust(UNFILTERED)}>
          Clear all
        </button>
      )}
    </div>
  );
}

const spanText = ({ from, to }: Place): string =>
  `${from === null ? '…' : utc(from).slice(0, 19)} – ${to === null ? '…' : utc(to).slice(0, 19)}`;
