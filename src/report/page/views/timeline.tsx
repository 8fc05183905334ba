/** Every row: filters, how the matching rows lie in time, the list, and the chosen row. */
import { useMemo } from 'preact/hooks';
import { BIN_GROUPS } from '../../format.js';
import { binsOf, type Result, type Span } from '../data/filter.js';
import { RowList } from '../list/row-list.js';
import { matching, UNFILTERED } from '../model/matching.js';
import type { Loaded } from '../model/state.js';
import { useModel, useSelected } from '../model/use.js';
import { Bars } from '../parts/bars.js';
import { count, utcMinutes } from '../text/numbers.js';
import { Chips } from './chips.js';
import { Detail } from './detail.js';
import { Facets } from './facets.js';
import { PageList } from './page-list.js';
import { PrintedRows } from './printed-rows.js';

export function TimelineView() {
  const loaded = useSelected((state) => state.loaded);
  const result = useSelected(matching);
  const rows = useSelected(({ summary }) => summary.rows);
  const index = useSelected(({ summary }) => summary.parts.length > 0);
  const over = useSelected(({ read, summary }) => read >= summary.blocks.length);
  if (index)
    return (
      <div class="page">
        <h1 class="unseen">Pages</h1>
        <PageList />
      </div>
    );
  if (loaded === null || result === null)
    return (
      <div class="page">
        <h1 class="unseen">Timeline</h1>
        <p role="status">
          {over
            ? 'The block that lists the rows cannot be read: the timeline is not shown.'
            : `Reading ${count(rows)} rows… filters work in a moment.`}
        </p>
      </div>
    );
  return <Rows loaded={loaded} result={result} />;
}

function Rows({ loaded, result }: { readonly loaded: Loaded; readonly result: Result }) {
  const model = useModel();
  const rowId = useSelected(({ place }) => place.row);
  const selected = useMemo(() => loaded.timeline.find(rowId), [loaded.timeline, rowId]);
  const problem = useSelected(({ search, place }) =>
    place.query !== '' && search?.expression === true ? (search.hits?.problem ?? '') : '',
  );
  return (
    <div class={`timeline-view ${selected >= 0 ? 'with-detail' : ''}`}>
      <h1 class="unseen">Timeline</h1>
      <div class="above">
        <Chips result={result} total={loaded.timeline.rows} />
        <Histogram loaded={loaded} result={result} />
        {problem !== '' && (
          <p class="notice" role="alert">
            {problem}
          </p>
        )}
        {rowId !== '' && selected < 0 && <p class="notice">This page holds no row with the id of the address.</p>}
      </div>
      <Facets loaded={loaded} result={result} />
      <div class="rows">
        {result.rows.length === 0 ? (
          <div class="empty">
            <p>No row matches.</p>
            <button type="button" onClick={() => model.adjust(UNFILTERED)}>
              Clear the filters
            </button>
          </div>
        ) : (
          <RowList loaded={loaded} rows={result.rows} selected={selected} />
        )}
        <PrintedRows loaded={loaded} rows={result.rows} />
      </div>
      {selected >= 0 && <Detail loaded={loaded} row={selected} />}
    </div>
  );
}

function Histogram({ loaded, result }: { readonly loaded: Loaded; readonly result: Result }) {
  const model = useModel();
  const from = useSelected(({ place }) => place.from);
  const to = useSelected(({ place }) => place.to);
  const { span, timeline, groups } = loaded;
  // A chosen span fills the plot, so that a day, an hour, a minute can be looked into.
  const shown = useMemo((): Span | null => (span === null ? null : { from: from ?? span.from, to: to ?? span.to }), [span, from, to]);
  const bins = useMemo(
    () => (shown === null ? [] : binsOf(result.rows, timeline.time, groups, BIN_GROUPS.length, shown)),
    [result, timeline, groups, shown],
  );
  if (shown === null || shown.to <= shown.from) return null;
  const sentence = `${count(result.rows.length - result.undated)} matching rows from ${utcMinutes(shown.from)} to ${utcMinutes(shown.to)} UTC; ${count(result.undated)} without a time are not drawn.`;
  return <Bars bins={bins} span={shown} height={46} sentence={sentence} onBrush={(chosen) => model.adjust(chosen)} />;
}
