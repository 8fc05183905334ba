/** The result of a call, folded to a few lines; what it is and how it ended stands in the head of the call, never in the fold. */
import { useState } from 'preact/hooks';
import type { RowText } from '../data/client.js';
import { useModel } from '../model/use.js';
import { count, plural } from '../text/numbers.js';
import { LongText } from '../text/shown.js';
import { wholeText } from '../views/detail.js';

const FOLDED_LINES = 6;
const FOLDED_CHARACTERS = 600;

export function Result({
  row,
  text,
  id,
  open: openRow,
}: {
  readonly row: number;
  readonly text: RowText;
  readonly id: string;
  readonly open: () => void;
}) {
  const model = useModel();
  const [open, setOpen] = useState(false);
  const size = `${plural(text.lines, 'line')}, ${plural(text.length, 'character')}`;
  const folds = text.lines > FOLDED_LINES || text.length > FOLDED_CHARACTERS;
  return (
    <div class={`result ${folds && !open ? 'folded' : ''}`}>
      <button type="button" class="row-id mono" title={`Result ${id}: open the row`} onClick={openRow}>
        {id}
      </button>
      {text.length === 0 ? (
        <p class="muted">no output</p>
      ) : (
        <LongText text={text.text} length={text.length} code whole={() => wholeText(model.client, row)} />
      )}
      {folds && (
        <p class="fold">
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Fold' : `Show all (${size})`}
          </button>
          {!open && (
            <span class="on-paper">
              ({plural(text.lines, 'line')}, shown {count(FOLDED_LINES)})
            </span>
          )}
        </p>
      )}
    </div>
  );
}
