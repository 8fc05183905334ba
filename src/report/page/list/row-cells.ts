/** One row of the list as text: what stands in each cell. Elements are kept, their texts replaced. */
import { DUPLICATE_ELSEWHERE } from '../../format.js';
import { toneOf } from '../data/kinds.js';
import { LEVELS } from '../data/tables.js';
import type { Loaded } from '../model/state.js';
import { toneOfDecision, toneOfStatus } from '../parts/tags.js';
import { utc } from '../text/numbers.js';
import { oneLine, plain } from '../text/pieces.js';
import { originalOf } from '../text/raw.js';

export interface Mark {
  readonly text: string;
  readonly tone: string;
}

export const NO_TIME = '— no time —';

export function marksOf({ timeline, levels }: Loaded, row: number): Mark[] {
  const marks: Mark[] = [];
  const level = LEVELS[(levels?.[row] ?? 0) - 1];
  if (level === 'critical' || level === 'high') marks.push({ text: level, tone: 'denied' });
  else if (level !== undefined && level !== 'info') marks.push({ text: 'find', tone: 'decision' });
  const secrets = timeline.number('secret_count', row);
  if (secrets > 0 && secrets < 0xffff) marks.push({ text: 'secret', tone: 'denied' });
  const recovered = plain(timeline.word('recovered', row));
  if (recovered !== '') marks.push({ text: recovered, tone: 'recovered' });
  const duplicate = timeline.number('duplicate', row);
  if (duplicate !== 0) marks.push({ text: duplicate === DUPLICATE_ELSEWHERE ? 'dup elsewhere' : 'dup', tone: 'muted' });
  return marks;
}

/** Tool or who; for a prompt, whether it was typed. */
export function whoOf({ timeline }: Loaded, row: number): string {
  const tool = oneLine(timeline.word('tool_name', row), 60);
  return tool !== '' ? tool : oneLine(timeline.word('origin', row), 40);
}

export function verdictOf({ timeline }: Loaded, row: number): Mark | undefined {
  const decision = plain(timeline.word('decision', row));
  if (decision !== '') return { text: decision, tone: toneOfDecision(decision) };
  const status = plain(timeline.word('status', row));
  return status === '' ? undefined : { text: status, tone: toneOfStatus(status) };
}

/** The text of a row as far as it is known without asking: the command, else the path or query of a call. */
export function knownText({ timeline }: Loaded, row: number): string | undefined {
  const command = timeline.word('command', row);
  if (originalOf(command) !== '') return `$ ${oneLine(command)}`;
  const preview = timeline.word('preview', row);
  if (originalOf(preview) !== '') return oneLine(preview);
  return timeline.number('text_bytes', row) === 0 ? '' : undefined;
}

class Cell {
  readonly element = document.createElement('span');

  constructor(name: string, parent: HTMLElement) {
    this.element.className = name;
    this.element.setAttribute('role', 'gridcell');
    parent.append(this.element);
  }

  set text(text: string) {
    if (this.element.textContent !== text) this.element.textContent = text;
  }
}

/** A tag in a cell, whose colour and word change with the row. */
class TagCell {
  private readonly tag = document.createElement('span');

  constructor(name: string, parent: HTMLElement) {
    new Cell(name, parent).element.append(this.tag);
  }

  set mark(mark: Mark | undefined) {
    this.tag.className = mark === undefined ? '' : `tag ${mark.tone}`;
    this.tag.textContent = mark?.text ?? '';
  }
}

export class RowCells {
  readonly element = document.createElement('div');
  private readonly time = new Cell('time', this.element);
  private readonly kind = new TagCell('kind', this.element);
  private readonly session = new Cell('session', this.element);
  private readonly who = new Cell('who', this.element);
  private readonly verdict = new TagCell('verdict', this.element);
  private readonly text = new Cell('text', this.element);
  private readonly marks = new Cell('marks', this.element);

  constructor() {
    this.element.className = 'row';
    this.element.setAttribute('role', 'row');
  }

  fill(loaded: Loaded, row: number, place: number, selected: boolean, text: string): void {
    const { timeline } = loaded;
    const { element } = this;
    element.id = `row-${row}`;
    element.setAttribute('aria-rowindex', String(place + 2));
    element.setAttribute('aria-selected', String(selected));
    element.className = originalOf(timeline.word('recovered', row)) === '' ? 'row' : 'row recovered';
    const kind = plain(timeline.word('row_type', row));
    this.time.text = utc(timeline.time[row] ?? Number.NaN) || NO_TIME;
    this.kind.mark = { text: kind, tone: toneOf(kind) };
    this.session.text = plain(timeline.word('session_id', row)).slice(0, 8);
    this.who.text = whoOf(loaded, row);
    this.verdict.mark = verdictOf(loaded, row);
    this.text.text = text;
    this.fillMarks(marksOf(loaded, row));
  }

  private fillMarks(marks: readonly Mark[]): void {
    const { element } = this.marks;
    while (element.children.length > marks.length) element.lastElementChild?.remove();
    while (element.children.length < marks.length) element.append(document.createElement('span'));
    marks.forEach(({ text, tone }, place) => {
      const tag = element.children[place];
      if (tag === undefined) return;
      tag.className = `tag ${tone}`;
      tag.textContent = text;
    });
  }
}
