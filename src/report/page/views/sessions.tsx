/** The list of sessions: who, where, how much, who decided, and what is the matter with each. */
import { useMemo, useState } from 'preact/hooks';
import { linkTo } from '../data/place.js';
import type { SessionEntry } from '../data/tables.js';
import { useSelected } from '../model/use.js';
import { Tag } from '../parts/tags.js';
import { count, plural } from '../text/numbers.js';
import { oneLine, plain } from '../text/pieces.js';
import { originalOf, pairsOf, type Raw } from '../text/raw.js';
import { Shown } from '../text/shown.js';
import { partHref } from './page-list.js';

const STEP = 200;

interface Column {
  readonly label: string;
  readonly of: (session: SessionEntry) => string | number;
  readonly number?: boolean;
  readonly minor?: boolean;
}

const refused = ({ decisions }: SessionEntry) => decisions.denied + decisions.cancelled + decisions.abandoned;
const high = ({ findings }: SessionEntry) => (findings.critical ?? 0) + (findings.high ?? 0);
const calls = ({ by_type }: SessionEntry) => pairsOf(by_type).find(([kind]) => originalOf(kind) === 'tool_use')?.[1] ?? 0;

const COLUMNS: readonly Column[] = [
  { label: 'Start (UTC)', of: ({ first_utc }) => originalOf(first_utc) || '~' },
  { label: 'User', of: ({ user }) => originalOf(user), minor: true },
  { label: 'Agent', of: ({ agents }) => agents.map(originalOf).join(', '), minor: true },
  { label: 'Session', of: ({ title, session_id }) => originalOf(title) || originalOf(session_id) },
  { label: 'Rows', of: ({ row_count }) => row_count, number: true },
  { label: 'Typed', of: ({ prompts }) => prompts.typed, number: true, minor: true },
  { label: 'Calls', of: calls, number: true, minor: true },
  { label: 'Denied', of: refused, number: true, minor: true },
  { label: 'High', of: high, number: true },
  { label: 'Marks', of: ({ recovered, gaps, errors }) => recovered + gaps + errors, minor: true },
];

export function Sessions() {
  const sessions = useSelected(({ tables }) => tables?.sessions);
  const read = useSelected(({ read, summary }) => read >= summary.blocks.length);
  const [sort, setSort] = useState({ column: 0, down: false });
  const [shown, setShown] = useState(STEP);
  const sorted = useMemo(() => (sessions === undefined ? [] : sortedBy(sessions, sort)), [sessions, sort]);
  return (
    <div class="page wide">
      <h1>
        Sessions <small>{sessions === undefined ? 'reading…' : plural(sessions.length, 'session')}</small>
      </h1>
      {sessions === undefined && read && <p class="notice">The list of sessions cannot be read.</p>}
      {sessions !== undefined && sessions.length === 0 && <p>No row names a session.</p>}
      {sorted.length > 0 && (
        <table class="session-table">
          <thead>
            <tr>
              {COLUMNS.map(({ label, number, minor }, place) => (
                <th
                  key={label}
                  scope="col"
                  class={`${number === true ? 'number' : ''} ${minor === true ? 'minor' : ''}`}
                  aria-sort={sort.column === place ? (sort.down ? 'descending' : 'ascending') : undefined}
                >
                  <button
                    type="button"
                    class="sort"
                    onClick={() => setSort({ column: place, down: sort.column === place ? !sort.down : number === true })}
                  >
                    {label}
                    <span aria-hidden="true">{sort.column === place ? (sort.down ? ' ↓' : ' ↑') : ''}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, shown).map((session) => (
              <SessionRow
                key={`${originalOf(session.host)} ${originalOf(session.user)} ${originalOf(session.session_id)}`}
                session={session}
              />
            ))}
          </tbody>
        </table>
      )}
      {sorted.length > shown && (
        <p>
          <button type="button" onClick={() => setShown(shown + STEP)}>
            Show {count(Math.min(STEP, sorted.length - shown))} more of {count(sorted.length - shown)}
          </button>
        </p>
      )}
    </div>
  );
}

function sortedBy(
  sessions: readonly SessionEntry[],
  { column, down }: { readonly column: number; readonly down: boolean },
): SessionEntry[] {
  const { of } = COLUMNS[column] ?? { of: ({ row_count }: SessionEntry) => row_count };
  const sorted = sessions.toSorted((a, b) => {
    const [x, y] = [of(a), of(b)];
    return x < y ? -1 : x > y ? 1 : 0;
  });
  return down ? sorted.reverse() : sorted;
}

function SessionRow({ session }: { readonly session: SessionEntry }) {
  const { session_id, user, host, agents, title, project_paths, prompts, row_count, recovered, gaps, errors, secrets } = session;
  const [project] = project_paths;
  const name: Raw = originalOf(title) === '' ? session_id : title;
  return (
    <tr>
      <td class="mono">{plain(session.first_utc).replace('T', ' ').slice(0, 16) || '— no time —'}</td>
      <td class="minor">
        <Shown of={user} most={40} />
      </td>
      <td class="minor">{agents.map((agent) => oneLine(agent, 40)).join(', ')}</td>
      <td class="title">
        <SessionLink session={session} label={oneLine(name, 160)} />
        <span class="under mono">
          {project === undefined ? (name === session_id ? '' : oneLine(session_id, 80)) : oneLine(project, 120)}
          {originalOf(host) !== '' && ` · ${oneLine(host, 40)}`}
        </span>
      </td>
      <td class="number">{count(row_count)}</td>
      <td class="number minor">{count(prompts.typed)}</td>
      <td class="number minor">{count(calls(session))}</td>
      <td class={`number minor ${refused(session) > 0 ? 'red' : ''}`}>{count(refused(session))}</td>
      <td class={`number ${high(session) > 0 ? 'red' : ''}`}>{count(high(session))}</td>
      <td class="minor marks">
        {recovered > 0 && <Tag tone="recovered">{count(recovered)} recovered</Tag>}
        {gaps > 0 && <Tag tone="gap">{plural(gaps, 'gap')}</Tag>}
        {errors > 0 && <Tag tone="error">{plural(errors, 'error')}</Tag>}
        {prompts.injected > 0 && <Tag tone="injected">{count(prompts.injected)} injected</Tag>}
        {secrets.occurrences > 0 && <Tag tone="denied">{plural(secrets.distinct, 'secret')}</Tag>}
      </td>
    </tr>
  );
}

/** A session of this page opens here; one of another page of a split report is a plain link to that page. */
function SessionLink({ session, label }: { readonly session: SessionEntry; readonly label: string }) {
  const { session_id, user, host, part } = session;
  const parts = useSelected(({ summary }) => summary.parts);
  const fragment = linkTo({ view: 'session', session: { id: session_id, user, host } });
  const page = parts.find(({ number }) => number === part);
  const href = page === undefined ? fragment : `${partHref(page.href)}${fragment}`;
  return (
    <a href={href}>
      <bdi>{label}</bdi>
      {page !== undefined && ` (part ${count(part)})`}
    </a>
  );
}
