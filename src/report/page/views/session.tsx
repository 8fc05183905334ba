/** One session as a conversation that reads like a document: real elements, so that the browser's own search finds everything in it. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { RowText } from '../data/client.js';
import { MODES, type Mode } from '../data/place.js';
import type { Loaded } from '../model/state.js';
import { useModel, useSelected } from '../model/use.js';
import { BlockView } from '../session/block-view.js';
import { type Block, conversationOf, inMode, rowsOf } from '../session/blocks.js';
import { SessionHead } from '../session/head.js';
import { Outline } from '../session/outline.js';
import { count } from '../text/numbers.js';
import { Detail } from './detail.js';

/** More real elements than this make scrolling and the browser's search slow. */
const PAGE = 300;
const CUT = 8000;

const MODE_NAMES: Readonly<Record<Mode, string>> = { all: 'Everything', answers: 'Prompts and answers', actions: 'Prompts and actions' };

export function Session() {
  const loaded = useSelected((state) => state.loaded);
  const over = useSelected(({ read, summary }) => read >= summary.blocks.length);
  const { id, user, host } = useSelected(({ place }) => place.session);
  const index = useSelected(({ summary }) => summary.parts.length > 0);
  const number = loaded?.timeline.sessionNumber(host, user, id) ?? 0;
  if (loaded === null || number === 0)
    return (
      <div class="page">
        <h1>Session</h1>
        <p role="status">
          {loaded === null && !over
            ? 'Reading the rows…'
            : index
              ? 'The rows of this session are in another page of this report: open it from the list of sessions.'
              : 'This page holds no session with the id of the address.'}
        </p>
      </div>
    );
  return <Conversation key={number} loaded={loaded} number={number} />;
}

function Conversation({ loaded, number }: { readonly loaded: Loaded; readonly number: number }) {
  const model = useModel();
  const { timeline } = loaded;
  const mode = useSelected(({ place }) => place.mode);
  const copies = useSelected(({ place }) => place.copies);
  const rowId = useSelected(({ place }) => place.row);
  const selected = useMemo(() => timeline.find(rowId), [timeline, rowId]);
  const rows = timeline.rowsOfSession(number);
  const conversation = useMemo(() => conversationOf(timeline, rows, copies), [timeline, number, copies]);
  const blocks = useMemo(() => conversation.blocks.filter((block) => inMode(block, mode)), [conversation, mode]);
  const at = useMemo(() => blocks.findIndex((block) => rowsOf(block).includes(selected)), [blocks, selected]);
  const [page, setPage] = useState(Math.max(0, Math.floor(at / PAGE)));
  const pages = Math.max(1, Math.ceil(blocks.length / PAGE));
  useEffect(() => {
    if (at >= 0) setPage(Math.floor(at / PAGE));
    else setPage((now) => Math.min(now, pages - 1));
  }, [at, pages]);
  const shown = useMemo(() => blocks.slice(page * PAGE, (page + 1) * PAGE), [blocks, page]);
  const texts = useTexts(shown);
  const landing = at >= 0 ? (blocks[at]?.row ?? -1) : -1;
  useEffect(() => {
    const element = document.getElementById(`block-${landing}`);
    const box = element?.getBoundingClientRect();
    if (box !== undefined && (box.top < 100 || box.bottom > innerHeight - 40))
      element?.scrollIntoView({ block: box.height > innerHeight / 2 ? 'start' : 'center' });
  }, [landing, page, texts === null]);
  const turn = (to: number, label: string) => (
    <p class="turn">
      <button type="button" onClick={() => setPage(to)}>
        {label}
      </button>
    </p>
  );
  return (
    <div class={`session-view ${selected >= 0 ? 'with-detail' : ''}`}>
      <Outline loaded={loaded} blocks={conversation.blocks} />
      <div class="conversation">
        <SessionHead loaded={loaded} rows={rows} />
        <div class="modes" role="group" aria-label="What is shown">
          {MODES.map((name) => (
            <button key={name} type="button" aria-pressed={mode === name} onClick={() => model.adjust({ mode: name })}>
              {MODE_NAMES[name]}
            </button>
          ))}
          {(conversation.copies > 0 || copies) && (
            <button type="button" aria-pressed={copies} onClick={() => model.adjust({ copies: !copies })}>
              {copies ? 'Copies shown' : `Show ${count(conversation.copies)} copies`}
            </button>
          )}
        </div>
        {rowId !== '' && selected < 0 && <p class="notice">This page holds no row with the id of the address.</p>}
        {selected >= 0 && at < 0 && timeline.session[selected] === number && (
          <p class="notice">The chosen row is not shown in this mode; it is open beside.</p>
        )}
        {pages > 1 && (
          <p class="muted">
            Blocks {count(page * PAGE + 1)}-{count(page * PAGE + shown.length)} of {count(blocks.length)}
          </p>
        )}
        {page > 0 && turn(page - 1, 'Earlier rows')}
        {shown.map((block) => (
          <BlockView
            key={block.row}
            loaded={loaded}
            block={block}
            textOf={(row) => (texts === null ? undefined : texts.get(row))}
            selected={selected >= 0 && rowsOf(block).includes(selected)}
          />
        ))}
        {page < pages - 1 && turn(page + 1, 'Later rows')}
      </div>
      {selected >= 0 && <Detail loaded={loaded} row={selected} />}
    </div>
  );
}

/** Texts of the blocks on the page; asked again while texts still come in. */
function useTexts(shown: readonly Block[]): ReadonlyMap<number, RowText | null> | null {
  const model = useModel();
  const textsRead = useSelected((state) => state.textsRead);
  const [texts, setTexts] = useState<ReadonlyMap<number, RowText | null> | null>(null);
  const lacking = texts === null || shown.some((block) => rowsOf(block).some((row) => texts.get(row) == null));
  useEffect(() => {
    let current = true;
    const wanted = shown.flatMap(rowsOf);
    void model.client.texts(wanted, CUT).then((found) => {
      if (current) setTexts(new Map(wanted.map((row, place) => [row, found[place] ?? null])));
    });
    return () => {
      current = false;
    };
  }, [shown, lacking ? textsRead : 0]);
  return texts;
}
