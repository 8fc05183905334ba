/**
 * Takes the data blocks out of the page while the browser still parses it, and hands them to the worker. The last block seen may be
 * incomplete until the parser is done.
 */
import type { BlockKind } from '../format.js';
import type { Model } from './model/model.js';
import type { Broken } from './model/state.js';
import type { Block } from './worker/protocol.js';

const KINDS: readonly BlockKind[] = ['tables', 'hot', 'text', 'cold'];

export function watchBlocks(model: Model): void {
  const seen = new Set<string>();
  const take = (all: boolean) => {
    const elements = [...document.querySelectorAll<HTMLScriptElement>('script[data-kind]')];
    for (const element of all ? elements : elements.slice(0, -1)) {
      const block = blockOf(element);
      element.remove();
      if (block === undefined) continue;
      seen.add(`${block.kind} ${block.index}`);
      model.client.send({ type: 'block', block });
    }
  };
  const observer = new MutationObserver(() => take(false));
  observer.observe(document.body, { childList: true });
  const done = () => {
    observer.disconnect();
    take(true);
    model.miss(missing(model, seen));
    model.end();
  };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', done, { once: true });
  else done();
}

function blockOf(element: HTMLScriptElement): Block | undefined {
  const { kind: name, index, first, rows, bytes, crc } = element.dataset;
  const kind = KINDS.find((known) => known === name);
  if (kind === undefined) return undefined;
  return {
    kind,
    index: Number(index),
    first: Number(first),
    rows: Number(rows),
    bytes: Number(bytes),
    crc: crc ?? '',
    data: (element.textContent ?? '').trim(),
  };
}

function missing(model: Model, seen: ReadonlySet<string>): Broken[] {
  return model.state.summary.blocks
    .filter(({ kind, index }) => !seen.has(`${kind} ${index}`))
    .map((block) => ({ ...block, reason: 'it is not in the file: the file was cut' }));
}
