/** Every finding with its meaning and what else explains it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { linkTo, START } from '../data/place.js';
import type { FirstFinding } from '../data/tables.js';
import { useModel, useSelected } from '../model/use.js';
import { LevelTag } from '../parts/tags.js';
import { count, plural } from '../text/numbers.js';
import { plain } from '../text/pieces.js';
import { originalOf } from '../text/raw.js';
import { Shown } from '../text/shown.js';
import { isSuppressed } from './attention.js';

const STEP = 100;

export function Findings() {
  const tables = useSelected((state) => state.tables);
  const summary = useSelected((state) => state.summary);
  const wanted = useSelected(({ place }) => place.finding);
  const findings = tables?.findings ?? summary.findings;
  const place = findings.findIndex(({ finding_id }) => plain(finding_id) === wanted);
  const [shown, setShown] = useState(STEP);
  const most = Math.max(shown, place + 1);
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'start' }), [wanted]);
  return (
    <div class="page" ref={row}>
      <h1>
        Findings <small>{plural(summary.findings_total, 'finding')} · what rows show, not guilt; each with what else explains it</small>
      </h1>
      {wanted !== '' && tables !== null && place < 0 && <p class="notice">This page holds no finding with the id of the address.</p>}
      {findings.length === 0 && <p>No rule matched.</p>}
      <ol class="findings">
        {findings.slice(0, most).map((finding) => (
          <FindingItem key={plain(finding.finding_id)} finding={finding} current={plain(finding.finding_id) === wanted} />
        ))}
      </ol>
      {tables === null && findings.length < summary.findings_total && <p class="muted">reading the others…</p>}
      {findings.length > most && (
        <button type="button" onClick={() => setShown(most + STEP)}>
          Show {count(Math.min(STEP, findings.length - most))} more of {count(findings.length - most)}
        </button>
      )}
    </div>
  );
}

function FindingItem({ finding, current }: { readonly finding: FirstFinding; readonly current: boolean }) {
  const model = useModel();
  const sessionHref = useSelected(({ tables }) => {
    const known = tables?.sessions.find(({ session_id }) => session_id === finding.session_id);
    return known === undefined || known.part > 0
      ? undefined
      : linkTo({ view: 'session', session: { id: known.session_id, user: known.user, host: known.host } });
  });
  const hasRows = useSelected(({ summary }) => summary.parts.length === 0);
  const id = plain(finding.finding_id);
  return (
    <li class={`finding ${finding.level} ${isSuppressed(finding) ? 'suppressed' : ''}`} aria-current={current ? 'true' : undefined}>
      <LevelTag level={finding.level} />
      <div>
        <h2>
          {hasRows ? (
            <a href={linkTo({ view: 'timeline', finding: id })}>
              <Shown of={finding.title} />
            </a>
          ) : (
            <Shown of={finding.title} />
          )}{' '}
          <small class="mono">
            {plain(finding.rule)} · {id}
          </small>
        </h2>
        <p>
          <Shown of={finding.statement} />
        </p>
        {finding.excerpts.map((excerpt) => (
          <p key={originalOf(excerpt)} class="excerpt">
            <Shown of={excerpt} code />
          </p>
        ))}
        <p class="means">
          <Shown of={finding.means} />
        </p>
        {finding.otherwise.length > 0 && (
          <p class="otherwise">
            <strong>What else explains it:</strong>{' '}
            {finding.otherwise.map((other, place) => (
              <span key={originalOf(other)}>
                {place > 0 && '; '}
                <Shown of={other} />
              </span>
            ))}
          </p>
        )}
        {isSuppressed(finding) && (
          <p class="muted">Suppressed by {finding.suppressed_by.map((name) => plain(name)).join(', ')}: kept here, not counted as open.</p>
        )}
        {hasRows && (
          <p class="actions">
            <button type="button" onClick={() => model.go({ ...START, view: 'timeline', finding: id })}>
              {plural(finding.count, 'row')} in the timeline
            </button>
            {sessionHref !== undefined && <a href={sessionHref}>Read the session</a>}
          </p>
        )}
      </div>
    </li>
  );
}
