/** The first rows of the filtered list as a table, made only when the page goes to paper: the list on the screen holds one screen. */
import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { NO_TEXT } from '../list/previews.js';
import { knownText, marksOf, NO_TIME, whoOf } from '../list/row-cells.js';
import type { Loaded } from '../model/state.js';
import { useModel, useSelected } from '../model/use.js';
import { count, utc } from '../text/numbers.js';
import { oneLine, plain } from '../text/pieces.js';

const MOST = 2000;
const CHARACTERS = 300;
/** Texts are asked for when the filters have rested: the event of printing leaves no time to ask. */
const REST_MS = 600;

export function PrintedRows({ loaded, rows }: { readonly loaded: Loaded; readonly rows: Uint32Array }) {
  const model = useModel();
  const textsRead = useSelected((state) => state.textsRead);
  const place = useRef<HTMLDivElement>(null);
  const texts = useRef(new Map<number, string>());
  useEffect(() => {
    const timer = window.setTimeout(() => {
      const wanted = [...rows.subarray(0, MOST)].filter((row) => knownText(loaded, row) === undefined);
      void model.client.texts(wanted, CHARACTERS).then((found) => {
        texts.current = new Map(wanted.map((row, i) => [row, found[i] == null ? NO_TEXT : oneLine(found[i].text, CHARACTERS)]));
      });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [rows, textsRead, loaded, model]);
  useEffect(() => {
    const fill = () => place.current?.replaceChildren(...printed(loaded, rows, texts.current));
    const clear = () => place.current?.replaceChildren();
    addEventListener('beforeprint', fill);
    addEventListener('afterprint', clear);
    return () => {
      removeEventListener('beforeprint', fill);
      removeEventListener('afterprint', clear);
    };
  }, [loaded, rows]);
  return h('div', { class: 'printed', ref: place });
}

function printed(loaded: Loaded, rows: Uint32Array, texts: ReadonlyMap<number, string>): HTMLElement[] {
  const line = document.createElement('p');
  const shown = Math.min(MOST, rows.length);
  line.textContent =
    shown < rows.length
      ? `The first ${count(shown)} of ${count(rows.length)} matching rows are printed; the page itself and the timeline have the others.`
      : `All ${count(rows.length)} matching rows.`;
  const table = document.createElement('table');
  table.append(lineOf('th', ['Row id', 'Time (UTC)', 'Kind', 'Tool / who', 'Text', 'Marks']));
  for (const row of rows.subarray(0, MOST)) {
    const { timeline } = loaded;
    table.append(
      lineOf('td', [
        timeline.rowId(row),
        utc(timeline.time[row] ?? Number.NaN) || NO_TIME,
        plain(timeline.word('row_type', row)),
        whoOf(loaded, row),
        knownText(loaded, row) ?? texts.get(row) ?? NO_TEXT,
        marksOf(loaded, row)
          .map(({ text }) => text)
          .join(', '),
      ]),
    );
  }
  return [line, table];
}

function lineOf(kind: 'th' | 'td', cells: readonly string[]): HTMLElement {
  const line = document.createElement('tr');
  for (const text of cells) {
    const cell = document.createElement(kind);
    cell.textContent = text;
    line.append(cell);
  }
  return line;
}
