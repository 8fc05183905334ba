/** What a call was asked to do: the command or the arguments in full, and what a file write changes as lines. */

import { ValueList } from '../parts/value-list.js';
import { count } from '../text/numbers.js';
import { originalOf, type Raw } from '../text/raw.js';
import { Shown } from '../text/shown.js';
import { argumentsOf } from './arguments.js';
import { changeOf, type Line } from './change.js';

const MOST_LINES = 400;

interface BodyProps {
  readonly command: Raw;
  readonly text: Raw;
  /** Whether `text` is the whole. */
  readonly whole: boolean;
}

export function CallBody({ command, text, whole }: BodyProps) {
  const given = whole ? argumentsOf(text) : null;
  if (given === null) return originalOf(command) === '' ? null : <Command command={command} />;
  const change = changeOf(given);
  const rest = given.filter(({ name, text: value }) => !change?.used.has(name) && originalOf(value) !== originalOf(command));
  return (
    <div class="call-body">
      {originalOf(command) !== '' && <Command command={command} />}
      {rest.length > 0 && <ValueList kind="arguments" values={rest.map(({ key, text: value }) => [key, value] as const)} />}
      {change !== null && <Change lines={change.lines} />}
    </div>
  );
}

function Command({ command }: { readonly command: Raw }) {
  return (
    <div class="command">
      <span aria-hidden="true">$ </span>
      <Shown of={command} code most={64_000} />
    </div>
  );
}

function Change({ lines }: { readonly lines: readonly Line[] }) {
  const shown = lines.slice(0, MOST_LINES);
  return (
    <div class="change" role="group" aria-label="What the call writes">
      {shown.map(({ sign, text }, place) => (
        <div key={place} class={sign === '+' ? 'added' : sign === '-' ? 'removed' : 'kept'}>
          <span class="sign">{sign}</span>
          <Shown of={text} code />
        </div>
      ))}
      {lines.length > shown.length && <div class="kept">{count(lines.length - shown.length)} further lines are in the text of the row</div>}
    </div>
  );
}
