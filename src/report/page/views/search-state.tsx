/** What the search found, how long it took, and whether anything is still missing: "0 rows" and "still running" are told apart. */
import { matching } from '../model/matching.js';
import { textBlocks } from '../model/state.js';
import { useSelected } from '../model/use.js';
import { count } from '../text/numbers.js';

export function SearchState() {
  const text = useSelected((state) => {
    const { search, place, textsRead, loaded } = state;
    const total = textBlocks(state);
    const missing = total - textsRead;
    if (!state.summary.texts) return 'this page holds no texts';
    if (place.query === '') return missing > 0 && total > 0 ? `indexing… ${Math.round((100 * textsRead) / total)} %` : '';
    if (search === null || search.hits === null || search.query !== place.query || search.expression !== place.expression)
      return 'searching…';
    if (search.hits.problem !== '') return search.expression ? 'not run, see below' : search.hits.problem;
    const rows = loaded === null ? search.hits.rows.length : (matching(state)?.rows.length ?? 0);
    return missing > 0
      ? `${count(rows)} rows, ${count(missing)} of ${count(total)} blocks missing`
      : `${count(rows)} rows · ${search.ms} ms`;
  });
  return (
    <span class="search-state" role="status">
      {text}
    </span>
  );
}
