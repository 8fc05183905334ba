/** The frame of every view: header, statement, what could not be read, the view, hints. */
import { useEffect } from 'preact/hooks';
import { useModel, useSelected } from '../model/use.js';
import { Help } from '../parts/help.js';
import { Keys } from '../parts/keys.js';
import { count } from '../text/numbers.js';
import { Evidence } from './evidence.js';
import { Findings } from './findings.js';
import { Header } from './header.js';
import { Overview } from './overview.js';
import { Session } from './session.js';
import { Sessions } from './sessions.js';
import { Statement } from './statement.js';
import { TimelineView } from './timeline.js';

const VIEWS = {
  overview: Overview,
  findings: Findings,
  sessions: Sessions,
  timeline: TimelineView,
  evidence: Evidence,
  session: Session,
} as const;

export function App() {
  const view = useSelected(({ place }) => place.view);
  const View = VIEWS[view];
  useEffect(() => document.getElementById('view')?.scrollTo(0, 0), [view]);
  return (
    <div class="frame">
      <Header />
      <Statement />
      <Loading />
      <Trouble />
      <main id="view" class={`view ${view}`} tabIndex={0}>
        <View />
      </main>
      <Footer />
      <Help />
      <Keys />
    </div>
  );
}

function Loading() {
  const read = useSelected((state) => state.read);
  const total = useSelected(({ summary }) => summary.blocks.length);
  if (read >= total) return <div class="loading done" />;
  return <progress class="loading" max={total} value={read} aria-label="Reading the rows of this page" />;
}

/** Blocks that cannot be read: what is missing, and that the rest is there. */
function Trouble() {
  const broken = useSelected((state) => state.broken);
  const blocks = useSelected(({ summary }) => summary.blocks);
  if (broken.length === 0) return null;
  const [first] = broken;
  return (
    <div class="trouble" role="alert">
      <p>
        <strong>This file is damaged.</strong> {count(broken.length)} of {count(blocks.length)} blocks cannot be read; everything else
        works.
        {broken.some(({ kind }) => kind === 'hot') && ' Among them is the block that lists the rows: only overview and findings are shown.'}
      </p>
      <ul>
        {broken.slice(0, 5).map((block) => (
          <li key={`${block.kind} ${block.index}`}>{sentenceOf(block, blocks)}</li>
        ))}
        {first !== undefined && broken.length > 5 && <li>and {count(broken.length - 5)} more</li>}
      </ul>
    </div>
  );
}

interface Place {
  readonly kind: string;
  readonly index: number;
}

function sentenceOf(
  { kind, index, first, rows, reason }: Place & { readonly first: number; readonly rows: number; readonly reason: string },
  blocks: readonly Place[],
): string {
  const number = blocks.findIndex((block) => block.kind === kind && block.index === index) + 1;
  const what = { text: 'have no text here', cold: 'lack their place and ids here', hot: 'are not listed' }[kind];
  const span = what === undefined ? 'sessions and files are not listed' : `rows ${count(first + 1)}-${count(first + rows)} ${what}`;
  return `Block ${count(number)} of ${count(blocks.length)} cannot be read (${reason}): ${span}.`;
}

function Footer() {
  const model = useModel();
  const said = useSelected((state) => state.said);
  const singleKeys = useSelected((state) => state.singleKeys);
  return (
    <footer class="hints">
      <span class="keys">
        {singleKeys && (
          <>
            <kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> move <kbd>Enter</kbd> read in session <kbd>c</kbd> copy citation{' '}
          </>
        )}
        <button type="button" onClick={() => model.set({ help: true })}>
          <kbd>?</kbd> all keys
        </button>
      </span>
      <span role="status" class="said">
        {said}
      </span>
      <span class="offline">Works offline. This page cannot send anything.</span>
    </footer>
  );
}
