/** One row in full: what it says, who, and where it lies in the evidence. */
import { useEffect, useState } from 'preact/hooks';
import { DUPLICATE_ELSEWHERE, NOT_SCANNED } from '../../format.js';
import { spotOf } from '../data/citation.js';
import { type RowText } from '../data/client.js';
import { ColdRow } from '../data/cold-row.js';
import { START } from '../data/place.js';
import { marksOf, NO_TIME } from '../list/row-cells.js';
import { copyCitation } from '../model/cite.js';
import { UNFILTERED } from '../model/matching.js';
import type { Loaded } from '../model/state.js';
import { useModel, useSelected } from '../model/use.js';
import { KindTag, Tag } from '../parts/tags.js';
import { ValueList } from '../parts/value-list.js';
import { copyText } from '../text/copy.js';
import { count, plural } from '../text/numbers.js';
import { EMPTY, originalOf, type Raw, rawOf } from '../text/raw.js';
import { LongText, Shown } from '../text/shown.js';

const AROUND_MS = 5 * 60_000;
const CUT = 8000;

interface Fetched {
  readonly row: number;
  readonly cold: ColdRow | null;
  readonly text: RowText | null;
}

export function Detail({ loaded, row }: { readonly loaded: Loaded; readonly row: number }) {
  const model = useModel();
  const view = useSelected(({ place }) => place.view);
  const textsRead = useSelected((state) => state.textsRead);
  const read = useSelected((state) => state.read >= state.summary.blocks.length);
  const [fetched, setFetched] = useState<Fetched | null>(null);
  useEffect(() => {
    let current = true;
    void Promise.all([model.client.cold(row), model.client.texts([row], CUT)]).then(([values, [text = null]]) => {
      if (current) setFetched({ row, cold: values === null ? null : new ColdRow(values), text });
    });
    return () => {
      current = false;
    };
    // Texts that were not there yet may be now.
  }, [row, model, fetched?.text == null ? textsRead : 0, fetched?.cold == null ? read : true]);
  const { timeline } = loaded;
  const known = fetched?.row === row ? fetched : null;
  const time = timeline.time[row] ?? Number.NaN;
  const session = { id: timeline.word('session_id', row), user: timeline.word('user', row), host: timeline.word('host', row) };
  return (
    <aside class="detail" aria-label="The chosen row">
      <div class="detail-head">
        <h2>
          <KindTag kind={timeline.word('row_type', row)} /> <span class="mono id">{timeline.rowId(row)}</span>
        </h2>
        <button type="button" class="plain" onClick={() => void copyCitation(model, row)}>
          copy citation
        </button>
        <button type="button" class="plain" aria-label="Close the row" title="Close (Esc)" onClick={() => model.adjust({ row: '' })}>
          ✕
        </button>
      </div>
      <p class="detail-marks">
        {marksOf(loaded, row).map(({ text, tone }) => (
          <span key={text} class={`tag ${tone}`}>
            {text}
          </span>
        ))}
      </p>
      <Fields loaded={loaded} row={row} cold={known?.cold ?? null} />
      <Findings row={row} />
      <Duplicate loaded={loaded} row={row} />
      <p class="actions">
        {originalOf(session.id) !== '' && view !== 'session' && (
          <button type="button" onClick={() => model.go({ ...START, view: 'session', session, row: timeline.rowId(row) })}>
            Read in session
          </button>
        )}
        {!Number.isNaN(time) && (
          <button
            type="button"
            onClick={() =>
              model.go({
                ...model.state.place,
                ...UNFILTERED,
                view: 'timeline',
                from: time - AROUND_MS,
                to: time + AROUND_MS,
                row: timeline.rowId(row),
              })
            }
          >
            All rows ± 5 min
          </button>
        )}
        {known?.text != null && known.text.length > 0 && <CopyText row={row} />}
      </p>
      {timeline.isInexact(row) && (
        <p class="notice">
          This text holds half a character pair, which this page cannot carry: it is not exact here, the timeline (JSONL) has it as it is.
        </p>
      )}
      {known !== null && <Text row={row} text={known.text} read={read} />}
    </aside>
  );
}

function Text({ row, text, read }: { readonly row: number; readonly text: RowText | null; readonly read: boolean }) {
  const model = useModel();
  const held = useSelected(({ summary }) => summary.texts);
  if (!held) return <p class="notice">This page was made without texts; the timeline (JSONL) has them.</p>;
  if (text === null)
    return <p class="notice">{read ? 'The text of this row cannot be read.' : 'The text of this row is still being read…'}</p>;
  if (text.length === 0) return <p class="muted">This row has no text.</p>;
  return <LongText key={row} text={text.text} length={text.length} code class="boxed" whole={() => wholeText(model.client, row)} />;
}

export async function wholeText(
  client: { texts(rows: readonly number[], most: number): Promise<(RowText | null)[]> },
  row: number,
): Promise<Raw | null> {
  const [found] = await client.texts([row], 0x7fffffff);
  return found?.text ?? null;
}

function CopyText({ row }: { readonly row: number }) {
  const model = useModel();
  const copy = async () => {
    const text = await wholeText(model.client, row);
    model.say(
      text !== null && (await copyText(originalOf(text))) ? 'Text copied, with its original characters.' : 'The text could not be copied.',
    );
  };
  return (
    <button type="button" onClick={copy} title="The text as stored, with its control and invisible characters">
      Copy text (original)
    </button>
  );
}

interface Field {
  readonly name: string;
  readonly value: Raw;
}

function Fields({ loaded: { timeline }, row, cold }: { readonly loaded: Loaded; readonly row: number; readonly cold: ColdRow | null }) {
  const word = (...names: readonly Parameters<typeof timeline.word>[0][]) =>
    rawOf(
      names
        .map((name) => originalOf(timeline.word(name, row)))
        .filter(Boolean)
        .join(' · '),
    );
  const coldText = (...names: readonly Parameters<ColdRow['text']>[0][]) =>
    cold === null
      ? EMPTY
      : rawOf(
          names
            .map((name) => originalOf(cold.text(name)))
            .filter(Boolean)
            .join(' · '),
        );
  const time = timeline.time[row] ?? Number.NaN;
  const exit = timeline.exitCode(row);
  const secrets = timeline.number('secret_count', row);
  const joined = (...texts: readonly Raw[]) => rawOf(texts.map(originalOf).filter(Boolean).join(' · '));
  const fields: Field[] = [
    { name: 'time', value: rawOf(Number.isNaN(time) ? NO_TIME : new Date(time).toISOString()) },
    { name: 'time from', value: joined(word('timestamp_source'), coldText('timestamp_original')) },
    { name: 'who', value: word('host', 'user', 'agent') },
    { name: 'origin', value: word('origin') },
    { name: 'model', value: word('model') },
    { name: 'tool', value: word('tool_name') },
    { name: 'command', value: word('command') },
    { name: 'decision', value: word('decision', 'decided_by') },
    { name: 'status', value: joined(word('status', 'outcome'), rawOf(exit === null ? '' : `exit code ${exit}`)) },
    { name: 'took', value: originalOf(coldText('duration_ms')) === '' ? EMPTY : rawOf(`${originalOf(coldText('duration_ms'))} ms`) },
    { name: 'recovered', value: word('recovered', 'confidence') },
    { name: 'problem', value: word('problem') },
    {
      name: 'secrets',
      value:
        secrets === 0 ? EMPTY : secrets === NOT_SCANNED ? rawOf('not looked for') : joined(rawOf(count(secrets)), word('secret_rules')),
    },
    { name: 'session', value: word('session_id') },
    { name: 'parent', value: coldText('parent_session_id') },
    { name: 'project', value: joined(word('project_path'), coldText('git_branch')) },
    { name: 'files', value: rawOf((cold?.list('file_paths') ?? []).map(originalOf).join('\n')) },
    { name: 'file', value: word('source_file') },
    { name: 'place', value: rawOf(spotOf(timeline, row, cold)) },
    { name: 'sha256', value: coldText('source_sha256') },
    { name: 'ids', value: coldText('message_id', 'request_id', 'tool_use_id') },
    { name: 'read by', value: cold === null ? EMPTY : rawOf(`kirotrail ${originalOf(cold.text('tool_version'))}`) },
  ];
  const details = cold?.details() ?? [];
  const shown = fields.filter(({ value }) => originalOf(value) !== '');
  return (
    <>
      <dl class="fields">
        {shown.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Shown of={value} code />
            </dd>
          </div>
        ))}
      </dl>
      {details.length > 0 && (
        <details class="more-fields">
          <summary>{plural(details.length, 'further value')} of the record</summary>
          <ValueList kind="fields" values={details} />
        </details>
      )}
    </>
  );
}

/** Findings that rest on this row. */
function Findings({ row }: { readonly row: number }) {
  const model = useModel();
  const findings = useSelected(({ tables }) => tables?.findings);
  const here = (findings ?? []).filter(({ rows, also }) => rows.includes(row) || also.includes(row));
  if (here.length === 0) return null;
  return (
    <ul class="on-row">
      {here.map((finding) => (
        <li key={originalOf(finding.finding_id)}>
          <span class={`level ${finding.level}`}>{finding.level}</span>{' '}
          <button
            type="button"
            class="link"
            onClick={() => model.go({ ...START, view: 'findings', finding: originalOf(finding.finding_id) })}
          >
            <Shown of={finding.title} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Duplicate({ loaded: { timeline }, row }: { readonly loaded: Loaded; readonly row: number }) {
  const model = useModel();
  const duplicate = timeline.number('duplicate', row);
  if (duplicate === 0) return null;
  const first = timeline.rowId(duplicate - 1);
  return (
    <p class="notice">
      <Tag tone="muted">dup</Tag> Another row says the same
      {duplicate === DUPLICATE_ELSEWHERE ? '; it is not in this page.' : ': '}
      {duplicate !== DUPLICATE_ELSEWHERE && (
        <button type="button" class="link mono" onClick={() => model.adjust({ row: first })}>
          {first}
        </button>
      )}
    </p>
  );
}
