/** One block of the conversation: an edge in the colour of its kind, the words that say the same, and its row id. */
import type { RowText } from '../data/client.js';
import type { Timeline } from '../data/timeline.js';
import { marksOf, NO_TIME } from '../list/row-cells.js';
import type { Loaded } from '../model/state.js';
import { useModel, useSelected } from '../model/use.js';
import { KindTag, Tag, toneOfDecision, toneOfStatus } from '../parts/tags.js';
import { clock, day } from '../text/numbers.js';
import { oneLine, plain } from '../text/pieces.js';
import { originalOf } from '../text/raw.js';
import { LongText } from '../text/shown.js';
import { wholeText } from '../views/detail.js';
import { argumentsOf } from './arguments.js';
import type { Block } from './blocks.js';
import { CallBody } from './call-body.js';
import { Result } from './result.js';

export type TextOf = (row: number) => RowText | null | undefined;

interface BlockProps {
  readonly loaded: Loaded;
  readonly block: Block;
  readonly textOf: TextOf;
  readonly selected: boolean;
}

export function BlockView({ loaded, block, textOf, selected }: BlockProps) {
  const { timeline } = loaded;
  const { row, kind } = block;
  const model = useModel();
  const open = (of: number) => () => model.adjust({ row: timeline.rowId(of) });
  const recovered = plain(timeline.word('recovered', row));
  return (
    <article id={`block-${row}`} class={`block ${kind} ${recovered === '' ? '' : 'recovered'} ${selected ? 'selected' : ''}`}>
      <header>
        <Head loaded={loaded} block={block} open={open} />
        <button type="button" class="row-id mono" title="Open this row" aria-pressed={selected} onClick={open(row)}>
          {timeline.rowId(row)}
        </button>
      </header>
      <Body timeline={timeline} block={block} textOf={textOf} />
      {block.results.map((result) => {
        const text = textOf(result);
        return text == null ? (
          <Unread key={result} text={text} />
        ) : (
          <Result key={result} row={result} text={text} id={timeline.rowId(result)} open={open(result)} />
        );
      })}
    </article>
  );
}

function Unread({ text }: { readonly text: null | undefined }) {
  const held = useSelected(({ summary }) => summary.texts);
  if (!held) return <p class="muted">This page was made without texts; the timeline has them.</p>;
  return <p class="muted">{text === null ? 'The text of this row cannot be read.' : 'reading…'}</p>;
}

interface HeadProps {
  readonly loaded: Loaded;
  readonly block: Block;
  readonly open: (row: number) => () => void;
}

function Head({ loaded, block, open }: HeadProps) {
  const { timeline } = loaded;
  const { row, kind } = block;
  const time = timeline.time[row] ?? Number.NaN;
  const origin = oneLine(timeline.word('origin', row), 40);
  const who = oneLine(timeline.word('user', row), 40);
  const names = {
    prompt: 'Prompt',
    injected: 'Injected as a prompt',
    answer: originalOf(timeline.word('row_type', row)) === 'thinking' ? 'Reasoning' : 'Answer',
  };
  return (
    <>
      {kind === 'prompt' || kind === 'injected' || kind === 'answer' ? (
        <strong class="what">{names[kind]}</strong>
      ) : kind === 'call' && originalOf(timeline.word('tool_name', row)) !== '' ? (
        <Tag tone="tool">{oneLine(timeline.word('tool_name', row), 80)}</Tag>
      ) : (
        <KindTag kind={timeline.word('row_type', row)} />
      )}
      {(kind === 'prompt' || kind === 'injected') && <bdi class="by">{[who, origin].filter(Boolean).join(' · ')}</bdi>}
      {kind === 'answer' && <bdi class="by">{oneLine(timeline.word('model', row), 80) || origin}</bdi>}
      <time title={Number.isNaN(time) ? undefined : `${day(time)} UTC`}>{Number.isNaN(time) ? NO_TIME : clock(time)}</time>
      {kind === 'call' && <Verdict timeline={timeline} block={block} open={open} />}
      {marksOf(loaded, row).map(({ text, tone }) => (
        <span key={text} class={`tag ${tone}`}>
          {tone === 'recovered' ? `recovered: ${text}` : text}
        </span>
      ))}
    </>
  );
}

interface VerdictProps {
  readonly timeline: Timeline;
  readonly block: Block;
  readonly open: HeadProps['open'];
}

/** Who let the call run and how it ended; a decision that is not on record is said to be so. */
function Verdict({ timeline, block: { row, decisions, results }, open }: VerdictProps) {
  const isCall = originalOf(timeline.word('row_type', row)) === 'tool_use';
  const ends = (isCall ? results : [row]).flatMap((result) => {
    const status = plain(timeline.word('status', result));
    const exit = timeline.exitCode(result);
    return status === '' && exit === null ? [] : [{ result, status, exit }];
  });
  return (
    <>
      {decisions.map((decision) => {
        const name = plain(timeline.word('decision', decision));
        const by = oneLine(timeline.word('decided_by', decision), 60);
        return (
          <button key={decision} type="button" class={`tag ${toneOfDecision(name)}`} title="Open the decision" onClick={open(decision)}>
            {name}
            {by !== '' && ` by=${by}`}
          </button>
        );
      })}
      {isCall && decisions.length === 0 && <Tag tone="muted">decision not recorded</Tag>}
      {ends.map(({ result, status, exit }) => (
        <Tag key={result} tone={exit !== null && exit !== 0 ? 'denied' : toneOfStatus(status)}>
          {[status, exit === null ? '' : `exit ${exit}`].filter(Boolean).join(', ')}
        </Tag>
      ))}
      {isCall && results.length === 0 && <Tag tone="muted">no result on record</Tag>}
    </>
  );
}

function Body({ timeline, block: { row, kind }, textOf }: { readonly timeline: Timeline; readonly block: Block; readonly textOf: TextOf }) {
  const model = useModel();
  const command = timeline.word('command', row);
  const text = textOf(row);
  const isCall = originalOf(timeline.word('row_type', row)) === 'tool_use';
  if (text == null) {
    return (
      <>
        {originalOf(command) !== '' && <CallBody command={command} text={command} whole={false} />}
        <Unread text={text} />
      </>
    );
  }
  if (isCall) {
    const whole = originalOf(text.text).length === text.length;
    const readable = whole && argumentsOf(text.text) !== null;
    return (
      <>
        <CallBody command={command} text={text.text} whole={whole} />
        {!readable && text.length > 0 && (
          <LongText text={text.text} length={text.length} code class="arguments-text" whole={() => wholeText(model.client, row)} />
        )}
      </>
    );
  }
  if (text.length === 0) return null;
  const prose = kind === 'prompt' || kind === 'injected' || kind === 'answer';
  return <LongText text={text.text} length={text.length} code={!prose} whole={() => wholeText(model.client, row)} />;
}
