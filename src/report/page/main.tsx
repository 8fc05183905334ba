/** Start of the page: this script stands before the data and runs while they are still being parsed. */
import { render } from 'preact';
import { REPORT_SCHEMA, type ReportSummary, ROOT_ID, SUMMARY_ID } from '../format.js';
import { watchBlocks } from './blocks.js';
import { Model } from './model/model.js';
import { ModelContext } from './model/use.js';
import { brandedJson } from './text/raw.js';
import { workerStarter } from './trusted.js';
import { App } from './views/app.js';

/** Browsers from 2024 on have all of these. */
function lacking(): boolean {
  return typeof DecompressionStream !== 'function' || !CSS.supports('color', 'light-dark(#000, #fff)');
}

function start(root: HTMLElement): void {
  if (lacking()) {
    const sentence = document.createElement('p');
    sentence.className = 'trouble';
    sentence.textContent =
      'This browser is too old for the rows of this page: it needs Chrome or Edge 123, Firefox 120, Safari 17.5, or later. The same rows are in the timeline (JSONL) this page was made from.';
    root.prepend(sentence);
    return;
  }
  const summary = brandedJson<ReportSummary>(document.getElementById(SUMMARY_ID)?.textContent ?? 'null');
  if (summary === null || summary.schema !== REPORT_SCHEMA) throw new Error('the page holds no summary that this version reads');
  const model = new Model(summary, workerStarter());
  root.replaceChildren();
  render(
    <ModelContext.Provider value={model}>
      <App />
    </ModelContext.Provider>,
    root,
  );
  watchBlocks(model);
}

const root = document.getElementById(ROOT_ID);
if (root !== null) start(root);
