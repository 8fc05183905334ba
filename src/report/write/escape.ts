import { escapeUnsafe } from '../../rows/problem.js';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** The one way of a value into the HTML of a page: markup inert, control, bidi and invisible characters written out. */
export function html(value: string): string {
  return escapeUnsafe(value.replaceAll('\n', ' ')).replace(/[&<>"']/g, (c) => ENTITIES.get(c) ?? '');
}

/** JSON inside a script element: nothing in it can end the element. */
export function inertJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** A number with its thousands apart. */
export const grouped = (n: number) => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
