/** The list of matching rows: a grid whose rows are recycled, with the chosen row announced. */
import { useEffect, useRef } from 'preact/hooks';
import type { Loaded } from '../model/state.js';
import { useModel, useSelected } from '../model/use.js';
import { plural } from '../text/numbers.js';
import { Previews } from './previews.js';
import { knownText, RowCells } from './row-cells.js';
import { RowWindow } from './window.js';

const HEADS: readonly (readonly [name: string, text: string])[] = [
  ['time', 'Time (UTC)'],
  ['kind', 'Kind'],
  ['session', 'Session'],
  ['who', 'Tool / who'],
  ['verdict', 'Decision'],
  ['text', 'Text'],
  ['marks', 'Marks'],
];

const ROW = 28;
const NARROW_ROW = 44;
export const narrow = (): boolean => matchMedia('(max-width: 820px)').matches;

interface ListProps {
  readonly loaded: Loaded;
  readonly rows: Uint32Array;
  readonly selected: number;
}

interface Shown {
  readonly rows: Uint32Array;
  readonly selected: number;
  readonly loaded: Loaded;
}

export function RowList({ loaded, rows, selected }: ListProps) {
  const model = useModel();
  const textsRead = useSelected((state) => state.textsRead);
  const scroller = useRef<HTMLDivElement>(null);
  const spacer = useRef<HTMLDivElement>(null);
  const shown = useRef<Shown>({ rows, selected, loaded });
  shown.current = { rows, selected, loaded };
  const parts = useRef<{ readonly list: RowWindow; readonly previews: Previews } | null>(null);

  useEffect(() => {
    if (scroller.current === null || spacer.current === null) return;
    const previews = new Previews(model.client, () => list.refresh());
    const list = new RowWindow(
      scroller.current,
      spacer.current,
      () => (narrow() ? NARROW_ROW : ROW),
      () => makeRow(shown, previews),
      (first, last) => {
        const { rows, loaded } = shown.current;
        previews.want([...rows.subarray(first, last)].filter((row) => knownText(loaded, row) === undefined));
      },
    );
    parts.current = { list, previews };
    return () => list.dispose();
  }, [model]);

  // The chosen row stays in sight when the filters change around it.
  useEffect(() => {
    parts.current?.list.reset(rows.length);
    const place = rows.indexOf(selected);
    if (place >= 0) parts.current?.list.show(place, true);
    else if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [rows]);
  useEffect(() => {
    const place = rows.indexOf(selected);
    if (place >= 0) parts.current?.list.show(place, false);
    parts.current?.list.refresh();
  }, [selected, loaded]);
  useEffect(() => {
    parts.current?.previews.forget();
    parts.current?.list.refresh();
  }, [textsRead]);

  const choose = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('[role=row]')?.id.replace('row-', '') : undefined;
    if (row !== undefined && /^\d+$/.test(row)) model.adjust({ row: loaded.timeline.rowId(Number(row)) });
  };
  return (
    <div
      class="list"
      role="grid"
      tabIndex={0}
      ref={scroller}
      aria-label={`Rows of the timeline, ${plural(rows.length, 'match', 'matches')}`}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={selected >= 0 ? `row-${selected}` : undefined}
      onClick={choose}
    >
      <div class="row heads" role="row" aria-rowindex={1}>
        {HEADS.map(([name, text]) => (
          <span key={name} class={name} role="columnheader">
            {text}
          </span>
        ))}
      </div>
      <div class="spacer" role="presentation" ref={spacer} />
    </div>
  );
}

function makeRow(shown: { readonly current: Shown }, previews: Previews) {
  const cells = new RowCells();
  return {
    element: cells.element,
    fill: (place: number) => {
      const { loaded, rows, selected } = shown.current;
      const row = rows[place];
      if (row !== undefined) cells.fill(loaded, row, place, row === selected, knownText(loaded, row) ?? previews.get(row) ?? '…');
    },
  };
}
