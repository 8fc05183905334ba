import type { Row } from '../../rows/row.js';

// The text of the program's request for a session title is not published; readers only report that such prompts exist. A
// text that asks for the title of a session and is not in the prompt history is taken for one, and the row says so.
const TITLE_REQUEST = new RegExp(
  '^(?:you are .{0,200}?)?(?:please )?(?:generate|create|provide|write|produce|suggest|give)\\b' +
    '.{0,120}?\\b(?:title|name)\\b.{0,80}?\\b(?:session|conversation|chat)\\b',
  'is',
);

/**
 * Author of a prompt. `typed` only where the prompt history of the session holds the text: a prompt can also come from an
 * argument, a client of the protocol, a parent session, or the program itself.
 */
export function promptOrigin(text: string, wasTyped: boolean): { readonly origin: Row['origin']; readonly note: string } {
  if (wasTyped) return { origin: 'typed', note: '' };
  if (TITLE_REQUEST.test(text.slice(0, 1000)))
    return { origin: 'automatic', note: 'reads like the request of the program for a session title' };
  return { origin: 'unknown', note: '' };
}
