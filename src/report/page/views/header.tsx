/** Name, views, search, theme, help. */
import { useRef } from 'preact/hooks';
import { fragmentOf, START, type View } from '../data/place.js';
import { useModel, useSelected } from '../model/use.js';
import { toggleTheme } from '../parts/theme.js';
import { count } from '../text/numbers.js';
import { originalOf } from '../text/raw.js';
import { Shown } from '../text/shown.js';
import { SearchState } from './search-state.js';

export function Header() {
  const summary = useSelected((state) => state.summary);
  const place = useSelected((state) => state.place);
  const index = summary.parts.length > 0;
  const tab = (view: View, label: string, n?: number) => {
    const current = place.view === view || (view === 'sessions' && place.view === 'session');
    // Back to the timeline is back to its filters.
    const href = view === 'timeline' ? fragmentOf({ ...place, view }) : fragmentOf({ ...START, view });
    return (
      <a href={href} aria-current={current ? 'page' : undefined}>
        {label}
        {n !== undefined && <span class="n"> {count(n)}</span>}
      </a>
    );
  };
  return (
    <header class="head">
      <p class="name">
        <strong>kirotrail report</strong>
        {originalOf(summary.title) !== '' && (
          <>
            {' · '}
            <Shown of={summary.title} most={120} />
          </>
        )}
      </p>
      <nav aria-label="Views">
        {tab('overview', 'Overview')}
        {tab('findings', 'Findings', summary.findings_total)}
        {tab('sessions', 'Sessions', summary.figures.sessions)}
        {tab('timeline', index ? 'Pages' : 'Timeline', index ? summary.parts.length : summary.rows)}
        {tab('evidence', 'Evidence', summary.files)}
      </nav>
      {index ? <span class="search" /> : <SearchField />}
      <button type="button" class="icon" aria-label="Dark or light" title="Dark or light (t)" onClick={toggleTheme}>
        ◐
      </button>
      <HelpButton />
    </header>
  );
}

function HelpButton() {
  const model = useModel();
  return (
    <button type="button" class="icon" aria-label="Keys and help" title="Keys and help (?)" onClick={() => model.set({ help: true })}>
      ?
    </button>
  );
}

function SearchField() {
  const model = useModel();
  const query = useSelected(({ place }) => place.query);
  const expression = useSelected(({ place }) => place.expression);
  const field = useRef<HTMLInputElement>(null);
  const change = () => {
    const { view } = model.state.place;
    const patch = { view: 'timeline', query: field.current?.value ?? '' } as const;
    if (view === 'timeline') model.adjust(patch);
    else model.go({ ...patch, row: '' });
  };
  return (
    <search class="search">
      <input
        id="search"
        ref={field}
        type="search"
        aria-label="Search all text"
        placeholder="Search all text   /"
        autocomplete="off"
        spellcheck={false}
        maxLength={1000}
        value={query}
        onInput={change}
      />
      <SearchState />
      <button
        type="button"
        class="expression"
        aria-pressed={expression}
        title="Read the search as a regular expression"
        onClick={() => model.adjust({ expression: !expression })}
      >
        .* <span class="unseen">regular expression</span>
      </button>
    </search>
  );
}
