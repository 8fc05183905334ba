/** Every key of the page and what it does; the help is made from the same list. */
export const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['/', 'search all text'],
  ['Esc', 'leave the field, close the row'],
  ['j k ↓ ↑', 'next and previous row'],
  ['PageDown PageUp', 'a screen down or up'],
  ['Home End', 'first and last row'],
  ['Enter', 'read the chosen row in its session'],
  ['Shift+J Shift+K', 'next and previous prompt of a session'],
  ['[ ]', 'previous and next session'],
  ['c', 'copy the citation of the chosen row'],
  ['f', 'to the filters'],
  ['1 2 3 4 5', 'overview, findings, sessions, timeline, evidence'],
  ['t', 'dark or light'],
  ['?', 'this list'],
];
