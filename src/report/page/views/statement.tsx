/** The statement of completeness: it stands in every view, and on paper. */
import { linkTo } from '../data/place.js';
import { useSelected } from '../model/use.js';
import { count, plural } from '../text/numbers.js';
import { oneLine, plain } from '../text/pieces.js';
import { originalOf, type Raw } from '../text/raw.js';
import { Shown } from '../text/shown.js';

const FEW = 4;

export function Statement() {
  const summary = useSelected((state) => state.summary);
  const { files_partly_read: partly, files_unread: unread, not_read: passed, part } = summary;
  const shown = summary.secrets_policy === 'shown';
  const evidence = linkTo({ view: 'evidence' });
  return (
    <section class={`statement ${shown ? 'clear' : ''}`} aria-label="What this page holds">
      {summary.hosts.length > 0 && (
        <strong>
          <Names of={summary.hosts} />
        </strong>
      )}
      {summary.users.length > 0 && <Names of={summary.users} />}
      <span>{spanText(summary.first_utc, summary.last_utc)}</span>
      <span>
        <strong>{count(summary.files)}</strong> {summary.files === 1 ? 'file' : 'files'}
      </span>
      {partly > 0 && <a href={evidence}>{count(partly)} read in part</a>}
      {unread > 0 && <a href={evidence}>{count(unread)} unread</a>}
      {passed !== null && passed > 0 && <a href={evidence}>{count(passed)} not read</a>}
      {passed === null && <span>what was passed over: not known, no manifest</span>}
      {part !== null && (
        <strong>
          Part {count(part.number)} of {count(part.of)}: rows {count(part.first_row + 1)}-{count(part.first_row + summary.rows)} of{' '}
          {count(part.total_rows)}
        </strong>
      )}
      {originalOf(summary.scope) !== '' && (
        <strong class="scope">
          <Shown of={summary.scope} />
        </strong>
      )}
      <span class="secrets">{secretsText(summary.secrets_policy)}</span>
      {originalOf(summary.timeline_sha256) !== '' && (
        <span class="mono" title={`SHA-256 of the timeline: ${plain(summary.timeline_sha256)}`}>
          timeline sha256 {plain(summary.timeline_sha256).slice(0, 12)}…
        </span>
      )}
      <span>kirotrail {plain(summary.tool_version)}</span>
    </section>
  );
}

function Names({ of }: { readonly of: readonly Raw[] }) {
  const first = of.slice(0, FEW).map((name) => oneLine(name, 60));
  return (
    <bdi
      title={
        of.length > FEW
          ? of
              .slice(0, 100)
              .map((name) => oneLine(name, 60))
              .join(', ')
          : undefined
      }
    >
      {first.join(', ')}
      {of.length > FEW && ` and ${plural(of.length - FEW, 'other')}`}
    </bdi>
  );
}

export function spanText(first: Raw, last: Raw): string {
  const from = plain(first).slice(0, 10);
  const to = plain(last).slice(0, 10);
  if (from === '') return 'no row has a time';
  return from === to ? `${from} UTC` : `${from} – ${to} UTC`;
}

function secretsText(policy: 'masked' | 'shown' | 'not scanned' | 'unknown'): string {
  if (policy === 'shown') return 'THIS FILE HOLDS SECRETS IN CLEAR';
  if (policy === 'not scanned') return 'not scanned for secrets: it may hold some';
  return policy === 'masked' ? 'secrets masked' : 'secrets: not known whether masked';
}
