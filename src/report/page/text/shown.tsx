/** Evidence on the page: text nodes, boxes, and nothing else. */
import { useState } from 'preact/hooks';
import { useModel } from '../model/use.js';
import { copyText } from './copy.js';
import { count } from './numbers.js';
import { type Piece, piecesOf, wholeCut } from './pieces.js';
import { originalOf, type Raw, rawOf } from './raw.js';

const CUT = 8000;
const STEP = 65_536;

function Box({ piece }: { readonly piece: Piece }) {
  return piece.box === undefined ? (
    <>{piece.text}</>
  ) : (
    <span class="box" title={piece.box}>
      {piece.text}
    </span>
  );
}

const drawn = (raw: Raw) => piecesOf(raw).map((piece, place) => <Box key={place} piece={piece} />);

interface ShownProps {
  readonly of: Raw;
  /** Evidence that is code or an identifier reads left to right; prose by its own direction. */
  readonly code?: boolean;
  readonly most?: number;
}

/** A short value within a line. */
export function Shown({ of, code = false, most = CUT }: ShownProps) {
  const text = originalOf(of);
  const cut = wholeCut(text, most);
  return (
    <bdi class={code ? 'code' : undefined} dir={code ? 'ltr' : 'auto'}>
      {drawn(rawOf(cut))}
      {cut.length < text.length && '…'}
    </bdi>
  );
}

interface LongProps {
  readonly text: Raw;
  /** Length of the whole, of which `text` may be the beginning. */
  readonly length: number;
  readonly code?: boolean;
  readonly class?: string;
  /** Gets the whole text; asked for only when the reader wants more than the beginning. */
  readonly whole: () => Promise<Raw | null>;
}

/** A text of any size: its first 8,000 characters, then more in steps, always with the count of what is not shown. */
export function LongText({ text, length, code = false, class: name = '', whole }: LongProps) {
  const model = useModel();
  const [more, setMore] = useState<{ readonly text: Raw; readonly most: number } | null>(null);
  const shown = wholeCut(originalOf(more?.text ?? text), more?.most ?? CUT);
  const next = async () => {
    const all = more?.text ?? (await whole());
    if (all === null) model.say('The rest of this text cannot be read.');
    else setMore({ text: all, most: (more?.most ?? CUT) + STEP });
  };
  const copy = async () => {
    const all = await whole();
    model.say(
      all !== null && (await copyText(originalOf(all))) ? 'Text copied, with its original characters.' : 'The text could not be copied.',
    );
  };
  return (
    <div class={`long ${code ? 'code' : 'prose'} ${name}`}>
      <div class="evidence" dir={code ? 'ltr' : 'auto'}>
        {drawn(rawOf(shown))}
      </div>
      {shown.length < length && (
        <p class="cut">
          {count(shown.length)} of {count(length)} characters shown{' '}
          <button type="button" onClick={next}>
            Show {count(Math.min(STEP, length - shown.length))} more
          </button>{' '}
          <button type="button" onClick={copy}>
            Copy all (original characters)
          </button>
        </p>
      )}
    </div>
  );
}
