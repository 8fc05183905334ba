/** Five plain sentences that keep a reader from the usual mistakes, and what the run itself had to say. */
import { linkTo } from '../data/place.js';
import { useSelected } from '../model/use.js';
import { count, plural } from '../text/numbers.js';
import { plain } from '../text/pieces.js';
import { Shown } from '../text/shown.js';

export function ReadFirst() {
  const summary = useSelected((state) => state.summary);
  const { figures, files, files_partly_read: partly, files_unread: unread, not_read: passed, undated } = summary;
  const incomplete = partly + unread;
  return (
    <section class="read-first">
      <h2>Read this first</h2>
      <dl>
        <dt>Evidence</dt>
        <dd>
          {passed === null ? (
            <>This page was made from a timeline without its manifest: which files were read, and which were not, is not known here</>
          ) : (
            <>
              {plural(files, 'file')}, all hashed;{' '}
              {incomplete === 0 ? 'each read in full' : <strong>{count(incomplete)} not read in full</strong>}
              {passed > 0 && <>; {plural(passed, 'further file, folder or link', 'further files, folders and links')} not read</>} (
              <a href={linkTo({ view: 'evidence' })}>which</a>)
            </>
          )}
        </dd>
        <dt>Time</dt>
        <dd>
          UTC throughout. {undated === 1 ? '1 row has' : `${count(undated)} rows have`} no time of their own and stand behind the row before
          them
        </dd>
        <dt>Approval</dt>
        <dd>
          The store proves {plural(figures.approved, 'approval')} and {plural(figures.denied_or_cancelled, 'refusal')}; for{' '}
          {plural(figures.not_recorded, 'call')} no decision is on record: <em>unknown</em>, not “allowed”
        </dd>
        <dt>Prompts</dt>
        <dd>“typed” is what a person entered, said only where the store proves it; injected text is counted apart</dd>
        <dt>Secrets</dt>
        <dd>{secretsSentence(summary.secrets_policy)}</dd>
        {figures.gaps > 0 && (
          <>
            <dt>Gaps</dt>
            <dd>{plural(figures.gaps, 'thing')} known to have existed, or expected, and not there</dd>
          </>
        )}
        {summary.remarks.map((remark) => (
          <div key={plain(remark)} class="remark">
            <dt>Remark</dt>
            <dd>
              <Shown of={remark} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function secretsSentence(policy: 'masked' | 'shown' | 'not scanned' | 'unknown'): string {
  if (policy === 'masked') return 'masked in this file; the clear text is not in it';
  if (policy === 'shown') return 'in clear in this file: treat it as you treat the evidence';
  return policy === 'not scanned'
    ? 'not looked for: this file may hold them in clear'
    : 'whether they were looked for and masked is not known: treat this file as you treat the evidence';
}
