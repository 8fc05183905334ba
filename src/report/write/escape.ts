import { escapeUnsafe } from '../../rows/problem.js';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** Characters that a page would show as nothing: fillers, and the tags in which prompts are hidden. */
const UNSEEN = /[\u00ad\u115f\u1160\u180e\u3164]|[\u{e0000}-\u{e007f}]/gu;

/** The one way of a value into the HTML of a page: markup inert, control, bidi and invisible characters written out. */
export function html(value: string): string {
  return escapeUnsafe(value.replaceAll('\n', ' '))
    .replace(UNSEEN, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`)
    .replace(/[&<>"']/g, (c) => ENTITIES.get(c) ?? '');
}

/** JSON inside a script element: nothing in it can end the element. */
export function inertJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** A number with its thousands apart. */
export const grouped = (n: number) => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
