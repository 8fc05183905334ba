/** All prompts of the session, always all of them: the way to jump. */
import { useEffect, useState } from 'preact/hooks';
import type { Loaded } from '../model/state.js';
import { useModel, useSelected } from '../model/use.js';
import { Tag } from '../parts/tags.js';
import { clock, plural } from '../text/numbers.js';
import { oneLine } from '../text/pieces.js';
import type { Block } from './blocks.js';

const CHARACTERS = 140;

export const isPrompt = ({ kind }: Block): boolean => kind === 'prompt' || kind === 'injected';

export function Outline({ loaded: { timeline }, blocks }: { readonly loaded: Loaded; readonly blocks: readonly Block[] }) {
  const model = useModel();
  const textsRead = useSelected((state) => state.textsRead);
  const row = useSelected(({ place }) => place.row);
  const prompts = blocks.filter(isPrompt);
  const [texts, setTexts] = useState<readonly string[]>([]);
  const lacking = texts.includes('');
  useEffect(() => {
    let current = true;
    void model.client
      .texts(
        prompts.map(({ row }) => row),
        CHARACTERS,
      )
      .then((found) => {
        if (current) setTexts(found.map((text) => (text === null ? '' : oneLine(text.text, CHARACTERS))));
      });
    return () => {
      current = false;
    };
  }, [blocks, lacking ? textsRead : 0]);
  return (
    <nav class="outline" aria-label="Prompts of the session">
      <h2>{plural(prompts.length, 'prompt')}</h2>
      <ol>
        {prompts.map((block, place) => {
          const time = timeline.time[block.row] ?? Number.NaN;
          const id = timeline.rowId(block.row);
          return (
            <li key={id}>
              <button type="button" aria-current={id === row ? 'true' : undefined} onClick={() => model.adjust({ row: id })}>
                <span class="at">{Number.isNaN(time) ? '—' : clock(time).slice(0, 5)}</span>
                <span class="words">
                  {block.kind === 'injected' && <Tag tone="injected">injected</Tag>} <bdi>{texts[place] || '…'}</bdi>
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
