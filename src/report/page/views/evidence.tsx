/** Every file that was read, with its hash and state, and everything that was not read, with the reason. */
import { useState } from 'preact/hooks';
import type { Tables } from '../data/tables.js';
import { useSelected } from '../model/use.js';
import { Tag } from '../parts/tags.js';
import { count, plural } from '../text/numbers.js';
import { oneLine, plain } from '../text/pieces.js';
import { originalOf } from '../text/raw.js';
import { Shown } from '../text/shown.js';

const STEP = 300;

const STATES = {
  parsed: 'read in full',
  no_rows: 'read in full, no rows',
  partly_read: 'read in part',
  unread: 'not read',
  listed: 'listed and hashed only',
} as const;

type Input = Tables['inputs'][number];

export function Evidence() {
  const tables = useSelected((state) => state.tables);
  const read = useSelected(({ read, summary }) => read >= summary.blocks.length);
  const manifest = useSelected(({ summary }) => summary.not_read !== null);
  const sha256 = useSelected(({ summary }) => summary.timeline_sha256);
  return (
    <div class="page wide">
      <h1>
        Evidence <small>{tables === null ? 'reading…' : plural(tables.inputs.length, 'file')}</small>
      </h1>
      {originalOf(sha256) !== '' && (
        <p>
          SHA-256 of the timeline this page was made from: <span class="mono">{plain(sha256)}</span>
        </p>
      )}
      {!manifest && (
        <p class="notice">
          This page was made from a timeline without its manifest: which files were read in full, and what was passed over, is not known
          here. The rows name their files and hashes.
        </p>
      )}
      {tables === null ? (
        read && <p class="notice">The list of files cannot be read.</p>
      ) : (
        <>
          <Inputs title="Not read in full" inputs={tables.inputs.filter(isIncomplete)} />
          <NotRead entries={tables.not_read} />
          <Inputs title="Read in full" inputs={tables.inputs.filter((input) => !isIncomplete(input))} />
        </>
      )}
    </div>
  );
}

const isIncomplete = ({ status }: Input) => status === 'partly_read' || status === 'unread';

function Inputs({ title, inputs }: { readonly title: string; readonly inputs: readonly Input[] }) {
  const [shown, setShown] = useState(STEP);
  if (inputs.length === 0) return null;
  return (
    <section>
      <h2>
        {title} <small>{plural(inputs.length, 'file')}</small>
      </h2>
      <table class="files">
        <thead>
          <tr>
            <th scope="col">File and SHA-256</th>
            <th scope="col" class="minor">
              Store
            </th>
            <th scope="col" class="minor">
              User
            </th>
            <th scope="col" class="number minor">
              Bytes
            </th>
            <th scope="col" class="minor">
              Last written (UTC)
            </th>
            <th scope="col" class="number">
              Rows
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {inputs.slice(0, shown).map((input) => (
            <InputRow key={originalOf(input.path)} input={input} />
          ))}
        </tbody>
      </table>
      {inputs.length > shown && (
        <button type="button" onClick={() => setShown(shown + STEP)}>
          Show {count(Math.min(STEP, inputs.length - shown))} more of {count(inputs.length - shown)}
        </button>
      )}
    </section>
  );
}

function InputRow({ input }: { readonly input: Input }) {
  const whole = !isIncomplete(input);
  return (
    <tr>
      <td>
        <span class="mono path">
          <Shown of={input.path} code />
        </span>
        <span class="under mono">{plain(input.sha256)}</span>
        {input.sidecars.map(({ name, sha256 }) => (
          <span key={originalOf(name)} class="under mono">
            {oneLine(name, 200)} {plain(sha256)}
          </span>
        ))}
        {input.problems.map((problem) => (
          <span key={originalOf(problem)} class="under problem">
            <Shown of={problem} />
          </span>
        ))}
      </td>
      <td class="minor">{oneLine(input.store, 60)}</td>
      <td class="minor">
        <Shown of={input.user} most={40} />
      </td>
      <td class="number minor">{count(input.size)}</td>
      <td class="mono minor">{plain(input.mtime_utc).replace('T', ' ').slice(0, 19)}</td>
      <td class="number">{count(input.rows)}</td>
      <td>
        <Tag tone={whole ? 'muted' : 'injected'}>{STATES[input.status]}</Tag>
      </td>
    </tr>
  );
}

function NotRead({ entries }: { readonly entries: Tables['not_read'] }) {
  const [shown, setShown] = useState(STEP);
  if (entries.length === 0) return null;
  return (
    <section>
      <h2>
        Not read <small>{plural(entries.length, 'entry', 'entries')}, with the reason</small>
      </h2>
      <table class="files">
        <thead>
          <tr>
            <th scope="col">Path</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {entries.slice(0, shown).map(({ path, reason }, place) => (
            <tr key={place}>
              <td class="mono path">
                <Shown of={path} code />
              </td>
              <td>
                <Shown of={reason} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {entries.length > shown && (
        <button type="button" onClick={() => setShown(shown + STEP)}>
          Show {count(Math.min(STEP, entries.length - shown))} more of {count(entries.length - shown)}
        </button>
      )}
    </section>
  );
}
