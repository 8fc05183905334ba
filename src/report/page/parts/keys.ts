/** The keyboard. Fields keep their keys, and so does every key with Ctrl, Alt or Meta. */
import { useEffect } from 'preact/hooks';
import { START, type View } from '../data/place.js';
import { copyCitation } from '../model/cite.js';
import { matching } from '../model/matching.js';
import type { Model } from '../model/model.js';
import { useModel } from '../model/use.js';
import { conversationOf } from '../session/blocks.js';
import { isPrompt } from '../session/outline.js';
import { originalOf } from '../text/raw.js';
import { toggleTheme } from './theme.js';

const VIEW_KEYS: readonly View[] = ['overview', 'findings', 'sessions', 'timeline', 'evidence'];

export function Keys() {
  const model = useModel();
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || model.state.help) return;
      if (event.key === 'Escape') return escape(model, event);
      if (isField(event.target)) return;
      if (press(model, event)) event.preventDefault();
    };
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, [model]);
  return null;
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');

function escape(model: Model, { target }: KeyboardEvent): void {
  if (target instanceof HTMLElement && isField(target)) target.blur();
  else if (model.state.place.row !== '') model.adjust({ row: '' });
}

function press(model: Model, { key, target }: KeyboardEvent): boolean {
  const { singleKeys, place } = model.state;
  if (place.view === 'timeline' && move(model, key, target)) return true;
  return singleKeys && single(model, key);
}

/** Named keys act on the list when nothing else has the focus; letters are single keys and can be off. */
function move(model: Model, key: string, target: EventTarget | null): boolean {
  const { state } = model;
  const rows = matching(state)?.rows;
  if (rows === undefined || state.loaded === null || rows.length === 0) return false;
  const onControl = target instanceof Element && target.closest('button, a, summary, label, input') !== null;
  const { timeline } = state.loaded;
  const place = rows.indexOf(timeline.find(state.place.row));
  if (key === 'Enter') return !onControl && place >= 0 && readInSession(model, rows[place] ?? -1);
  const letter = state.singleKeys && !onControl;
  const page = Math.max(1, Math.floor((document.querySelector('.list')?.clientHeight ?? 280) / 28) - 2);
  const steps = new Map<string, number>([
    ['ArrowDown', place + 1],
    ['ArrowUp', place < 0 ? rows.length - 1 : place - 1],
    ['PageDown', place + page],
    ['PageUp', place - page],
    ['Home', 0],
    ['End', rows.length - 1],
    ...(letter
      ? ([
          ['j', place + 1],
          ['k', place - 1],
        ] as const)
      : []),
  ]);
  const wanted = steps.get(key);
  if (wanted === undefined || onControl) return false;
  const row = rows[Math.min(rows.length - 1, Math.max(0, wanted))];
  if (row !== undefined) model.adjust({ row: timeline.rowId(row) });
  return true;
}

function readInSession(model: Model, row: number): boolean {
  const timeline = model.state.loaded?.timeline;
  if (timeline === undefined || timeline.session[row] === 0) return false;
  const session = { id: timeline.word('session_id', row), user: timeline.word('user', row), host: timeline.word('host', row) };
  model.go({ ...START, view: 'session', session, row: timeline.rowId(row) });
  return true;
}

function single(model: Model, key: string): boolean {
  const { state } = model;
  const view = VIEW_KEYS[Number(key) - 1];
  if (view !== undefined) model.go({ ...(view === 'timeline' ? state.place : START), view });
  else if (key === '/') document.getElementById('search')?.focus();
  else if (key === '?') model.set({ help: true });
  else if (key === 't') toggleTheme();
  else if (key === 'f') focusFilters(model);
  else if (key === 'c') void copyCitation(model, state.loaded?.timeline.find(state.place.row) ?? -1);
  else if (key === '[' || key === ']') stepSession(model, key === ']' ? 1 : -1);
  else if (key === 'J' || key === 'K') stepPrompt(model, key === 'J' ? 1 : -1);
  else if ((key === 'j' || key === 'k') && state.place.view === 'session')
    document
      .getElementById('view')
      ?.querySelector('.conversation')
      ?.scrollBy(0, key === 'j' ? 120 : -120);
  else return false;
  return true;
}

function focusFilters(model: Model): void {
  if (model.state.place.view !== 'timeline') model.go({ view: 'timeline' });
  // Drawn only after this event.
  setTimeout(() => document.getElementById('facets')?.focus(), 30);
}

function stepSession(model: Model, step: number): void {
  const { tables, place } = model.state;
  const sessions = tables?.sessions ?? [];
  const at = sessions.findIndex(
    ({ session_id, user, host }) =>
      originalOf(session_id) === originalOf(place.session.id) &&
      originalOf(user) === originalOf(place.session.user) &&
      originalOf(host) === originalOf(place.session.host),
  );
  const next = sessions[at < 0 ? 0 : at + step];
  if (next === undefined) return model.say(step > 0 ? 'This is the last session.' : 'This is the first session.');
  model.go({ ...START, view: 'session', session: { id: next.session_id, user: next.user, host: next.host } });
}

function stepPrompt(model: Model, step: number): void {
  const { loaded, place } = model.state;
  if (loaded === null || place.view !== 'session') return;
  const { timeline } = loaded;
  const { id, user, host } = place.session;
  const rows = timeline.rowsOfSession(timeline.sessionNumber(host, user, id));
  const prompts = conversationOf(timeline, rows, place.copies)
    .blocks.filter(isPrompt)
    .map(({ row }) => row);
  const at = timeline.find(place.row);
  const next = step > 0 ? prompts.find((row) => row > at) : prompts.findLast((row) => row < at || at < 0);
  if (next === undefined) model.say(step > 0 ? 'This is the last prompt.' : 'This is the first prompt.');
  else model.adjust({ row: timeline.rowId(next) });
}
